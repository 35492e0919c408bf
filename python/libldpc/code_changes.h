/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes made by the calls of the C API, and changed in the columns that are not transmitted or that carry the message. */
#ifndef LIBLDPC_CODE_CHANGES_H
#define LIBLDPC_CODE_CHANGES_H

#include <utility>

#include "interruptible.h"

/* Creates a code in a call that Ctrl-C can interrupt; the call owns its input. */
template <class Create> static py_code made(Create create)
{
    struct outcome {
        ~outcome()
        {
            ldpc_code_destroy(handle);
        }
        ldpc_code *handle = nullptr;
        ldpc_error error = {};
    };
    const auto out = std::make_shared<outcome>();
    check(interruptible([=](const stop_flag &) { return create(&out->handle, &out->error); }), out->error);
    return py_code(std::exchange(out->handle, nullptr));
}

using index_array = py::array_t<uint32_t>;

/* Converts row or column indices to uint32; raises for values out of range. */
index_array indices_of(const py::object &object, const char *what);

/* Punctured, shortened and message columns of a code, as ldpc_code_create_changed() takes them. */
std::string changes_of(const py_code &code);

/* A code with such changes; "" for the code itself. */
py_code changed(const py_code &code, const std::string &changes);

/* A code with the arguments of Python: arrays of columns; message is None, "first", "last" or an array. */
py_code code_with(const py::object &code, const py::object &punctured, const py::object &shortened,
                  const py::object &message);

#endif
