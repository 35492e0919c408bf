/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common parts of libdvbt2 and libdvbs2. They work with any version of NumPy. */
#ifndef LDPC_RECEIVER_BINDINGS_H
#define LDPC_RECEIVER_BINDINGS_H

#include <mutex>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "ldpc/sample_format.h"
#include "ldpc/status.h"

namespace py = pybind11;

/* Raises ValueError for invalid arguments, MemoryError if out of memory, and RuntimeError for all other
 * errors. */
void check(ldpc_status status, const std::string &sentence);

/* Shape (count,) or (count, width). */
struct new_array {
    new_array(size_t count, const char *type, size_t width = 0);
    py::object array;
    void *data;
};

/* Returns a contiguous buffer of bytes. Raises TypeError with the text `expected` for other objects. */
py::buffer_info bytes_of(const py::buffer &buffer, const std::string &expected);

/* Returns the index of `value` in `names`. Raises ValueError if `value` is not in `names`. */
size_t choose(const char *what, const std::vector<const char *> &names, const std::string &value);

struct sample_type {
    ldpc_sample_format format;
    size_t bytes;
};

/* Raises ValueError for an unknown name. */
sample_type sample_type_of(const std::string &name);

/* The argument of push(). Samples before index `start` are skipped. Raises TypeError or ValueError. The buffer is
 * held, so that another thread cannot resize it while the GIL is released. */
struct pushed_samples {
    pushed_samples(const py::buffer &samples, size_t start, size_t sample_bytes);
    const py::buffer_info info;
    const char *first;
    size_t count;
};

/* Holds a lock. Waits for it without the GIL. */
struct locked {
    explicit locked(std::mutex &mutex);
    std::unique_lock<std::mutex> lock;
};

#endif
