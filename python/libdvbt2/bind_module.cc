/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The extension module libdvbt2._libdvbt2, and its array arguments. */
#include "bindings.h"

#include "../require_init.h"

#include "ldpc/version.h"

static py::buffer_info items_of(const py::buffer &buffer, const char *what, const char *type,
                                const char *code)
{
    const std::string expected = std::string(what) + ": expected a contiguous array of " + type;
    py::buffer_info info = bytes_of(buffer, expected);
    if (info.format != code || info.ndim != 1)
        throw py::type_error(expected + " of one dimension");
    return info;
}

py::buffer_info floats_of(const py::buffer &buffer, const char *what)
{
    return items_of(buffer, what, "float32", "f");
}

py::buffer_info complex_of(const py::buffer &buffer, const char *what)
{
    return items_of(buffer, what, "complex64", "Zf");
}

PYBIND11_MODULE(_libdvbt2, module)
{
    module.attr("__version__") = LDPC_VERSION_STRING;
    bind_receiver(module);
    bind_plp_decoder(module);
    require_init(module);
}
