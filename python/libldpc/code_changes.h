/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes which columns of a code are transmitted, punctured, shortened or message columns. */
#ifndef LIBLDPC_CODE_CHANGES_H
#define LIBLDPC_CODE_CHANGES_H

#include <utility>

#include "interruptible.h"

/* Creates a code. `create` continues after Ctrl-C, so it must own its input. */
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

/* Converts row or column indices. Throws for a value out of range. */
index_array indices_of(const py::object &object, const char *what);

/* Returns the punctured, shortened and message columns for ldpc_code_create_changed(). */
std::string changes_of(const py_code &code);

/* Returns the code itself if `changes` is "". */
py_code changed(const py_code &code, const std::string &changes);

/* `punctured`, `shortened`: arrays of columns; `message`: None, "first", "last" or an array. */
py_code code_with(const py::object &code, const py::object &punctured, const py::object &shortened,
                  const py::object &message);

#endif
