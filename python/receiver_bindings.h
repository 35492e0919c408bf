/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common parts of the Python modules libdvbt2 and libdvbs2. Input arrays use the buffer protocol and output arrays
 * are created through Python, so that the modules work with any version of numpy. */
#ifndef LDPC_RECEIVER_BINDINGS_H
#define LDPC_RECEIVER_BINDINGS_H

#include <mutex>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "ldpc/sample_format.h"
#include "ldpc/status.h"

namespace py = pybind11;

/* Raises the exception for a status: ValueError for invalid arguments, MemoryError if there is no memory,
 * otherwise RuntimeError. */
void check(ldpc_status status, const std::string &sentence);

/* A new array, numpy.empty(count, type) or numpy.empty((count, width), type), with the address of its
 * memory. */
struct new_array {
    new_array(size_t count, const char *type, size_t width = 0);
    py::object array;
    void *data;
};

/* Returns a contiguous buffer of bytes. For other objects, raises TypeError with the message `expected`. */
py::buffer_info bytes_of(const py::buffer &buffer, const std::string &expected);

/* Returns the index of `value` in `names`. If `value` is not in `names`, raises ValueError with a list of all
 * names. */
size_t choose(const char *what, const std::vector<const char *> &names, const std::string &value);

/* A sample format and the bytes per sample. */
struct sample_type {
    ldpc_sample_format format;
    size_t bytes;
};

/* Returns the sample format of this name; raises ValueError. */
sample_type sample_type_of(const std::string &name);

/* Samples from index `start` on of the argument of push(); raises TypeError and ValueError. */
struct pushed_samples {
    pushed_samples(const py::buffer &samples, size_t start, size_t sample_bytes);
    const char *first;
    size_t count;
};

/* Holds a lock. The GIL is released while the constructor waits for the lock. */
struct locked {
    explicit locked(std::mutex &mutex);
    std::unique_lock<std::mutex> lock;
};

#endif
