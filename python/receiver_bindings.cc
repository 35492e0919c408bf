/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "receiver_bindings.h"

#include <iterator>
#include <stdexcept>

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

size_t choose(const char *what, const std::vector<const char *> &names, const std::string &value)
{
    std::string list;
    for (size_t i = 0; i < names.size(); i++) {
        if (value == names[i])
            return i;
        list += (i ? ", \"" : "\"") + std::string(names[i]) + "\"";
    }
    throw py::value_error(std::string(what) + ": expected one of " + list + ", not \"" + value + "\"");
}

sample_type sample_type_of(const std::string &name)
{
    static const sample_type types[] = {
        {LDPC_CF32, 8},
        {LDPC_CS16, 4},
        {LDPC_CS8,  2},
        {LDPC_CU8,  2}
    };
    return types[choose("format", {"cf32", "cs16", "cs8", "cu8"}, name)];
}

pushed_samples::pushed_samples(const py::buffer &samples, size_t start, size_t sample_bytes)
    : info(bytes_of(samples, "samples: expected a contiguous array or bytes"))
{
    const size_t total = size_t(info.size) * size_t(info.itemsize);
    if (total % sample_bytes != 0)
        throw py::value_error("samples: " + std::to_string(total) +
                              " bytes are not a whole number of samples of " + std::to_string(sample_bytes) +
                              " bytes");
    if (start > total / sample_bytes)
        throw py::value_error("start: " + std::to_string(start) + " of " +
                              std::to_string(total / sample_bytes) + " samples");
    first = static_cast<const char *>(info.ptr) + start * sample_bytes;
    count = total / sample_bytes - start;
}

locked::locked(std::mutex &mutex) : lock(mutex, std::defer_lock)
{
    py::gil_scoped_release release;
    lock.lock();
}
