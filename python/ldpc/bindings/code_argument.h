/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Argument "code" of the blocks: a name, or anything that libldpc.code() accepts. */
#ifndef INCLUDED_GR_LDPC_CODE_ARGUMENT_H
#define INCLUDED_GR_LDPC_CODE_ARGUMENT_H

#include <pybind11/pybind11.h>

#include <string>

/* Returns the name of the code, or the text of its matrix. */
inline std::string code_argument(const pybind11::object &code)
{
    if (pybind11::isinstance<pybind11::str>(code))
        return code.cast<std::string>();
    const pybind11::object made = pybind11::module_::import("libldpc").attr("code")(code);
    const pybind11::tuple state = made.attr("__getstate__")();
    const auto kind = state[0].cast<std::string>(), text = state[1].cast<std::string>();
    return kind == "name" ? text : kind + ":\n" + text;
}

template <class Block, class... Others> auto with_code(Block (*make)(const std::string &, Others...))
{
    return [make](const pybind11::object &code, Others... others) {
        return make(code_argument(code), others...);
    };
}

#endif
