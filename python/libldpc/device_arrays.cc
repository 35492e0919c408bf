/* SPDX-License-Identifier: BSD-3-Clause */
#include "device_arrays.h"

#include <memory>
#include <numeric>

#include <pybind11/stl.h>

namespace
{

/* ---- the structures of DLPack, ABI version 0 */

enum { DL_CUDA = 2, DL_CUDA_MANAGED = 13 };
enum { DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2 };

struct dl_tensor {
    void *data;
    struct {
        int32_t type, number;
    } device;
    int32_t axes;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } item;
    int64_t *shape, *strides; /* strides in items; NULL: C order */
    uint64_t byte_offset;
};

struct dl_managed {
    dl_tensor tensor;
    void *context;
    void (*release)(dl_managed *self);
};

constexpr const char *UNUSED = "dltensor", *USED = "used_dltensor";

[[noreturn]] void refuse(const char *what, const std::string &why)
{
    throw py::value_error(std::string(what) + ": " + why);
}

/* `strides` are numbers of items. Axes of length 1 may have any stride. */
void check_contiguous(const char *what, const std::vector<py::ssize_t> &shape, const int64_t *strides,
                      int64_t unit)
{
    int64_t expected = unit;
    for (size_t axis = shape.size(); strides && axis-- > 0; expected *= shape[axis])
        if (shape[axis] > 1 && strides[axis] != expected)
            refuse(what, "expected items in C order without gaps, found other strides");
}

/* ---- __cuda_array_interface__ */

device_array from_interface(const py::dict &facts, const char *what)
{
    if (facts.contains("mask") && !facts["mask"].is_none())
        refuse(what, "expected an array without a mask");
    device_array array = {};
    const auto data = facts["data"].cast<std::pair<uintptr_t, bool>>();
    array.address = data.first;
    array.writable = !data.second;
    array.shape = facts["shape"].cast<std::vector<py::ssize_t>>();
    const auto type = facts["typestr"].cast<std::string>(); /* "<f4" */
    if (type.size() < 3 || type[0] == '>')
        refuse(what, "expected a type such as |i1 or <f4, not " + type);
    array.kind = type[1];
    array.item = std::stoul(type.substr(2));
    if (facts.contains("strides") && !facts["strides"].is_none()) {
        const auto strides = facts["strides"].cast<std::vector<int64_t>>();
        if (strides.size() != array.shape.size())
            refuse(what, "expected one stride per axis, found " + std::to_string(strides.size()) +
                             " strides for " + std::to_string(array.shape.size()) + " axes");
        check_contiguous(what, array.shape, strides.data(), int64_t(array.item));
    }
    return array;
}

/* ---- DLPack */

char kind_of(const dl_tensor &tensor)
{
    const char kinds[] = {'i', 'u', 'f'};
    return tensor.item.lanes == 1 && tensor.item.code <= DL_FLOAT ? kinds[tensor.item.code] : '?';
}

device_array from_dlpack(const py::object &object, const char *what, uintptr_t stream)
{
    /* In DLPack, stream 0 is ambiguous, and 1 is CUDA's default stream. */
    const py::object capsule = object.attr("__dlpack__")(py::arg("stream") = stream ? stream : 1);
    auto *managed = static_cast<dl_managed *>(PyCapsule_GetPointer(capsule.ptr(), UNUSED));
    if (!managed)
        throw py::error_already_set();
    PyCapsule_SetName(capsule.ptr(), USED);
    const auto release = [](dl_managed *one) {
        if (one->release)
            one->release(one);
    };
    const std::unique_ptr<dl_managed, decltype(release)> owner(managed, release);
    const dl_tensor &tensor = managed->tensor;
    device_array array = {};
    array.address = reinterpret_cast<uintptr_t>(tensor.data) + tensor.byte_offset;
    array.shape.assign(tensor.shape, tensor.shape + tensor.axes);
    array.kind = kind_of(tensor);
    array.item = tensor.item.bits / 8u;
    array.writable = true;
    check_contiguous(what, array.shape, tensor.strides, 1);
    return array;
}

bool is_dlpack_on_gpu(const py::object &object)
{
    if (!py::hasattr(object, "__dlpack__") || !py::hasattr(object, "__dlpack_device__"))
        return false;
    const int type = object.attr("__dlpack_device__")().cast<py::tuple>()[0].cast<int>();
    return type == DL_CUDA || type == DL_CUDA_MANAGED;
}

/* A DLPack tensor and the owner of its memory. */
struct lent_memory {
    dl_managed managed = {};
    std::vector<int64_t> shape;
    py::object owner;
    static void give_back(dl_managed *self)
    {
        py::gil_scoped_acquire lock;
        delete static_cast<lent_memory *>(self->context);
    }
};

/* Destroys the tensor of a capsule that no library has consumed. */
void give_back_unused(PyObject *capsule)
{
    if (!PyCapsule_IsValid(capsule, UNUSED))
        return;
    auto *managed = static_cast<dl_managed *>(PyCapsule_GetPointer(capsule, UNUSED));
    managed->release(managed);
}

} // namespace

size_t device_array::size() const
{
    return std::accumulate(shape.begin(), shape.end(), size_t(1),
                           [](size_t product, py::ssize_t length) { return product * size_t(length); });
}

std::string device_array::describe() const
{
    const std::string name = kind == 'i' ? "int" : kind == 'u' ? "uint" : kind == 'f' ? "float" : "items of ";
    return name + std::to_string(8 * item) + " of shape " +
           py::str(py::tuple(py::cast(shape))).cast<std::string>();
}

bool is_on_gpu(const py::object &object)
{
    if (py::isinstance<py::array>(object))
        return false;
    return py::hasattr(object, "__cuda_array_interface__") || is_dlpack_on_gpu(object);
}

device_array borrowed(const py::object &object, const char *what, uintptr_t stream)
{
    if (py::hasattr(object, "__cuda_array_interface__"))
        return from_interface(object.attr("__cuda_array_interface__"), what);
    return from_dlpack(object, what, stream);
}

py::capsule dlpack_capsule(uintptr_t address, const std::vector<int64_t> &shape, const std::string &typestr,
                           int device, const py::object &owner)
{
    auto memory = std::make_unique<lent_memory>();
    memory->shape = shape;
    memory->owner = owner;
    dl_tensor &tensor = memory->managed.tensor;
    tensor.data = reinterpret_cast<void *>(address);
    tensor.device = {DL_CUDA, device};
    tensor.axes = int32_t(shape.size());
    const char kind = typestr.at(1);
    tensor.item.code = uint8_t(kind == 'i' ? DL_INT : kind == 'u' ? DL_UINT : DL_FLOAT);
    tensor.item.bits = uint8_t(8 * std::stoul(typestr.substr(2)));
    tensor.item.lanes = 1;
    tensor.shape = memory->shape.data();
    memory->managed.context = memory.get();
    memory->managed.release = lent_memory::give_back;
    PyObject *capsule = PyCapsule_New(&memory->managed, UNUSED, give_back_unused);
    if (!capsule)
        throw py::error_already_set();
    memory.release();
    return py::reinterpret_steal<py::capsule>(capsule);
}
