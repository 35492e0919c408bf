/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates codes with the C API. Changes which columns of a code are not transmitted, and which carry the
 * message. */
#ifndef LIBLDPC_CODE_CHANGES_H
#define LIBLDPC_CODE_CHANGES_H

#include <utility>

#include "interruptible.h"

/* Creates a code in a call that Ctrl-C can interrupt. `create` must own its input, because it may still run
 * after the interruption. */
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

/* Converts row or column indices to uint32. Raises an exception if a value is out of range. */
index_array indices_of(const py::object &object, const char *what);

/* Returns the punctured, shortened and message columns of a code in the form that ldpc_code_create_changed()
 * expects. */
std::string changes_of(const py_code &code);

/* Returns the code with these changes, or the code itself if `changes` is "". */
py_code changed(const py_code &code, const std::string &changes);

/* Returns the code with the changes that Python arguments describe: `punctured` and `shortened` are arrays of
 * columns; `message` is None, "first", "last" or an array. */
py_code code_with(const py::object &code, const py::object &punctured, const py::object &shortened,
                  const py::object &message);

#endif
