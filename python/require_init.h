/* SPDX-License-Identifier: BSD-3-Clause */
/* Refuses objects created by __new__ without __init__. */
#ifndef LDPC_REQUIRE_INIT_H
#define LDPC_REQUIRE_INIT_H

#include <pybind11/pybind11.h>

/* pybind11 calls this if __init__ has not created a C++ object. The default returns uninitialised memory. */
inline void *refuse_uninitialised(size_t)
{
    throw pybind11::type_error("this object cannot be used before its __init__");
}

/* Changes the base classes as well, because their methods would accept an uninitialised object. */
inline void require_init(pybind11::detail::type_info *info)
{
    info->operator_new = refuse_uninitialised;
    if (!info->simple_ancestors)
        return;
    for (PyTypeObject *base = info->type->tp_base; base; base = base->tp_base)
        if (pybind11::detail::type_info *base_info = pybind11::detail::get_type_info(base))
            base_info->operator_new = refuse_uninitialised;
}

/* Call this after all classes of the module are defined. */
inline void require_init(const pybind11::module_ &module)
{
    for (const auto &entry : module.attr("__dict__").cast<pybind11::dict>()) {
        if (!PyType_Check(entry.second.ptr()))
            continue;
        auto *type = reinterpret_cast<PyTypeObject *>(entry.second.ptr());
        if (pybind11::detail::type_info *info = pybind11::detail::get_type_info(type))
            require_init(info);
    }
}

#endif
