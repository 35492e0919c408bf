/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The extension module libdvbt2._libdvbt2, and its array arguments. */
#include "bindings.h"

#include "../require_init.h"

#include "ldpc/version.h"

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
