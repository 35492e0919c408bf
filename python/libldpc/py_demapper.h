/* SPDX-License-Identifier: BSD-3-Clause */
/* The Python class demapper. */
#ifndef LIBLDPC_PY_DEMAPPER_H
#define LIBLDPC_PY_DEMAPPER_H

#include <mutex>
#include <optional>

#include "bindings.h"

struct py_demapper {
    py_demapper(const py::object &code, const std::optional<std::string> &modulation, bool rotated,
                bool exact, bool deinterleave, float llr_scale, const std::optional<std::string> &kernel,
                const py::object &points);
    ldpc_demapper *get() const
    {
        return handle.get();
    }
    size_t n() const
    {
        return ldpc_demapper_n(get());
    }
    size_t cells() const
    {
        return ldpc_demapper_cells(get());
    }
    std::shared_ptr<ldpc_demapper> handle;
    std::shared_ptr<std::mutex> mutex = std::make_shared<std::mutex>();
    std::string name; /* code and modulation */
};

#endif
