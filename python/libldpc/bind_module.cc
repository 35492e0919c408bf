/* SPDX-License-Identifier: BSD-3-Clause */
/* The extension module libldpc._libldpc: lists of codes, backends and kernels, and shared functions. */
#include "bindings.h"

#include "../require_init.h"
#include "device_arrays.h"

#include <filesystem>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

void raise_status(ldpc_status status, const std::string &sentence)
{
    std::string text = sentence.empty() ? ldpc_status_string(status) : sentence;
    switch (status) {
    case LDPC_ERR_NULL:
    case LDPC_ERR_RANGE:
    case LDPC_ERR_PARAM:
    case LDPC_ERR_NAME:
    case LDPC_ERR_FORMAT:
    case LDPC_ERR_LIMIT:
        throw py::value_error(text);
    case LDPC_ERR_FILE:
        PyErr_SetString(PyExc_OSError, text.c_str());
        throw py::error_already_set();
    case LDPC_ERR_MEMORY:
        PyErr_SetString(PyExc_MemoryError, text.c_str());
        throw py::error_already_set();
    default:
        throw std::runtime_error(text);
    }
}

void check_messages(const py_code &code)
{
    if (code.k() == 0)
        throw py::value_error(std::string(ldpc_code_name(code.get())) +
                              " has no message bits (k = 0): is its parity-check matrix of " +
                              std::to_string(ldpc_code_checks(code.get())) + " rows and " +
                              std::to_string(ldpc_code_columns(code.get())) + " columns transposed?");
}

std::string describe(const py::array &array)
{
    return py::str(array.dtype()).cast<std::string>() + " of shape " +
           py::str(py::object(array.attr("shape"))).cast<std::string>();
}

size_t item_bytes(const py::object &array)
{
    return array.attr("itemsize").cast<size_t>();
}

py::array new_array(const py::dtype &type, const std::vector<py::ssize_t> &shape)
{
    return py::module_::import("numpy").attr("empty")(py::tuple(py::cast(shape)), type);
}

py::array array_of(const py::dtype &type, const std::vector<py::ssize_t> &shape, void *memory,
                   const py::object &owner)
{
    std::vector<py::ssize_t> strides(shape.size());
    py::ssize_t stride = py::ssize_t(item_bytes(type));
    for (size_t axis = shape.size(); axis-- > 0; stride *= shape[axis])
        strides[axis] = stride;
    return py::array(type, shape, strides, memory, owner);
}

py::dtype record_dtype(std::initializer_list<record_field> fields, size_t size)
{
    py::list names, formats, offsets;
    for (const record_field &field : fields) {
        names.append(field.name);
        formats.append(field.format);
        offsets.append(field.offset);
    }
    return py::dtype(names, formats, offsets, py::ssize_t(size));
}

uint32_t count_of(int64_t value, const char *what)
{
    if (value < 0 || value > UINT32_MAX)
        throw py::value_error(std::string(what) + " " + std::to_string(value) +
                              (value < 0 ? ": expected 0 or more" : ": far too large"));
    return uint32_t(value);
}

std::vector<py::ssize_t> batch_shape::with(size_t length) const
{
    if (single)
        return {py::ssize_t(length)};
    return {py::ssize_t(codewords), py::ssize_t(length)};
}

batch_shape shape_of(const py::array &array, size_t length, const char *what, const char *length_name,
                     const py::object &given)
{
    bool single = array.ndim() == 1;
    bool fits =
        (single || array.ndim() == 2) && array.size() > 0 && size_t(array.shape(array.ndim() - 1)) == length;
    if (!fits)
        throw py::value_error(std::string(what) + ": expected shape (codewords, " + length_name + ") or (" +
                              length_name + ",) with " + length_name + " = " + std::to_string(length) +
                              " and at least one codeword, not " + describe(array_on_host(given)));
    return {single ? 1 : size_t(array.shape(0)), single};
}

py::array narrowed(const py::array &integers, int least, int most, const char *what)
{
    const py::array wide = integers.attr("astype")("int64", py::arg("order") = "C", py::arg("copy") = false);
    const auto *from = static_cast<const int64_t *>(wide.data());
    py::array narrow = new_array<int8_t>(std::vector<py::ssize_t>(wide.shape(), wide.shape() + wide.ndim()));
    auto *to = static_cast<int8_t *>(narrow.mutable_data());
    for (py::ssize_t i = 0; i < wide.size(); i++) {
        if (from[i] < least || from[i] > most)
            throw py::value_error(std::string(what) + ": expected values of " + std::to_string(least) +
                                  " .. " + std::to_string(most) + ", not " + std::to_string(from[i]));
        to[i] = int8_t(from[i]);
    }
    return narrow;
}

/* Returns whether all bytes are 0 or 1. */
static bool are_bits(const py::array &bytes)
{
    const auto *byte = static_cast<const uint8_t *>(bytes.data());
    uint8_t any = 0;
    for (py::ssize_t i = 0; i < bytes.size(); i++)
        any |= byte[i];
    return any <= 1;
}

/* Raises TypeError for masked arrays, because numpy would drop the mask without a warning. */
static void refuse_mask(const py::object &object)
{
    if (py::hasattr(object, "mask") &&
        py::module_::import("numpy.ma").attr("isMaskedArray")(object).cast<bool>())
        throw py::type_error("expected an array without a mask: use array.filled(value), "
                             "or array.filled(0) to erase LLRs");
}

py::array array_on_host(const py::object &object, int flags)
{
    refuse_mask(object);
    const bool known = py::hasattr(object, "__array__") || PyObject_CheckBuffer(object.ptr());
    if (!known && py::hasattr(object, "__dlpack__"))
        return py::array::ensure(py::module_::import("numpy").attr("from_dlpack")(object), flags);
    return py::array::ensure(object, flags);
}

py::array bytes_of(const py::object &object, const char *what, const char *expected)
{
    py::array array = array_on_host(object, py::array::c_style);
    if (!array)
        throw py::type_error(std::string(what) + ": expected an array of " + expected);
    const char kind = array.dtype().kind();
    if (item_bytes(array) != 1 || (kind != 'u' && kind != 'i' && kind != 'b'))
        throw py::type_error(std::string(what) + ": expected " + expected + ", not " + describe(array));
    return array;
}

py::array bits_of(const py::object &object, const char *what, bool packed)
{
    if (packed)
        return bytes_of(object, what, "uint8 (or int8), 8 bits per item");
    py::array array = array_on_host(object, py::array::c_style);
    if (!array)
        throw py::type_error(std::string(what) + ": expected an array of integers or bool, one bit per item");
    const char kind = array.dtype().kind();
    if (kind != 'u' && kind != 'i' && kind != 'b')
        throw py::type_error(std::string(what) + ": expected integers or bool, one bit per item, not " +
                             describe(array));
    return item_bytes(array) == 1 && are_bits(array) ? array : narrowed(array, 0, 1, what);
}

bool is_first(const char *what, const std::string &value, const char *first, const char *second)
{
    if (value != first && value != second)
        throw py::value_error(std::string(what) + ": expected \"" + first + "\" or \"" + second +
                              "\", not \"" + value + "\"");
    return value == first;
}

static py::list code_names()
{
    py::list names;
    const char *name;
    for (size_t i = 0; (name = ldpc_code_list(i)); i++)
        names.append(name);
    return names;
}

static py::dict backends()
{
    py::dict result;
    const char *name, *reason;
    for (size_t i = 0; (name = ldpc_backend_list(i, &reason)); i++)
        result[name] = reason;
    return result;
}

static std::string choose_backend(const std::string &backend, bool fallback)
{
    const char *chosen;
    ldpc_error error = {};
    check(ldpc_backend_choose(backend.c_str(), fallback, &chosen, &error), error);
    if (error.message[0] && PyErr_WarnEx(PyExc_RuntimeWarning, error.message, 1) != 0)
        throw py::error_already_set();
    return chosen;
}

static py::list kernels(const std::string &backend)
{
    py::list names;
    const char *name;
    for (size_t i = 0; (name = ldpc_kernel_list(backend.c_str(), i)); i++)
        names.append(name);
    return names;
}

static py::list devices(const std::string &backend)
{
    py::list names;
    const char *name;
    for (size_t i = 0; (name = ldpc_device_list(backend.c_str(), i)); i++)
        names.append(name);
    return names;
}

static void check_cache_dir(const std::filesystem::path &path)
{
    ldpc_error error = {};
    check(ldpc_cache_dir_check(path.c_str(), &error), error);
}

PYBIND11_MODULE(_libldpc, module)
{
    module.attr("__version__") = ldpc_version();
    module.attr("DEFAULT_LLR_SCALE") = LDPC_DEFAULT_LLR_SCALE;
    module.attr("DEFAULT_LLR_LIMIT") = LDPC_DEFAULT_LLR_LIMIT;
    bind_code(module);
    bind_decoder(module);
    bind_dvb_cells(module);
    bind_dvb_fec(module);
    bind_packets(module);
    bind_simulation(module);
    require_init(module);
    module.def("check_cache_dir", check_cache_dir, py::arg("path"),
               R"(Raise OSError if files in the directory `path` are not used.

Other users must not be able to write to the directory of compiled kernels and tuning or to its files, because these determine what
the GPU executes. A decoder does not use such a directory and recompiles its kernels. The directory need not exist.)");
    module.def("codes", code_names, "Canonical names of all standard codes, a list of str.");
    module.def("backends", backends, R"(Backends of this build.

Returns a dict: name -> "" if the backend can be used on this machine, otherwise the reason.)");
    module.def(
        "choose_backend", choose_backend, py::arg("backend"), py::arg("fallback") = false,
        R"(Return the backend of a decoder with these parameters on this machine: "cpu", "cuda" or "opencl".

backend   "cpu", "gpu" (CUDA or OpenCL), "cuda" or "opencl"
fallback  if the GPU cannot be used: True = RuntimeWarning and "cpu"; False = RuntimeError

An unknown name raises ValueError, a wrong type TypeError.)");
    module.def("devices", devices, py::arg("backend") = "opencl",
               R"(Devices of a backend on this machine.

Returns a list of names in the order of their numbers, for decoder(devices=...); [] for a backend without device names
(all but "opencl") and for an unknown backend. A wrong type raises TypeError.)");
    module.def("_dlpack_capsule", dlpack_capsule);
    module.def("kernels", kernels, py::arg("backend") = "cpu",
               R"(Kernels of a backend that this machine can run.

Returns a list of names, slowest first; for decoder(kernel=...); [] for an unknown
backend. A wrong type raises TypeError.)");
}
