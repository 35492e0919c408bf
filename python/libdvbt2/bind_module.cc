/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the extension module libdvbt2._libdvbt2 and the functions that all its bindings share. */
#include "bindings.h"

#include "../require_init.h"

#include <stdexcept>

#include "ldpc/version.h"

void check(ldpc_status status, const std::string &sentence)
{
    if (status == LDPC_OK)
        return;
    const std::string text = sentence.empty() ? ldpc_status_string(status) : sentence;
    if (status == LDPC_ERR_MEMORY) {
        PyErr_SetString(PyExc_MemoryError, text.c_str());
        throw py::error_already_set();
    }
    if (status == LDPC_ERR_DEVICE || status == LDPC_ERR_BACKEND || status == LDPC_ERR_THREAD)
        throw std::runtime_error(text);
    throw py::value_error(text);
}

new_array::new_array(size_t count, const char *type, size_t width)
{
    const py::object empty = py::module_::import("numpy").attr("empty");
    array = width ? empty(py::make_tuple(count, width), type) : empty(count, type);
    data = py::buffer(array).request(true).ptr;
}

py::buffer_info bytes_of(const py::buffer &buffer, const std::string &expected)
{
    py::buffer_info info = buffer.request();
    py::ssize_t stride = info.itemsize;
    for (py::ssize_t axis = info.ndim; axis-- > 0; stride *= info.shape[axis])
        if (info.shape[axis] > 1 && info.strides[axis] != stride)
            throw py::type_error(expected + "; this array is not contiguous");
    return info;
}

static const float *items_of(const py::buffer &buffer, const char *what, const char *type, const char *code,
                             size_t *count)
{
    const std::string expected = std::string(what) + ": expected a contiguous array of " + type;
    py::buffer_info info = bytes_of(buffer, expected);
    if (info.format != code || info.ndim != 1)
        throw py::type_error(expected + " of one dimension");
    *count = size_t(info.size);
    return static_cast<const float *>(info.ptr);
}

const float *floats_of(const py::buffer &buffer, const char *what, size_t *count)
{
    return items_of(buffer, what, "float32", "f", count);
}

const float *complex_of(const py::buffer &buffer, const char *what, size_t *count)
{
    return items_of(buffer, what, "complex64", "Zf", count);
}

PYBIND11_MODULE(_libdvbt2, module)
{
    module.attr("__version__") = LDPC_VERSION_STRING;
    bind_receiver(module);
    bind_plp_decoder(module);
    require_init(module);
}
