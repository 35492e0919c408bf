/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays in a GPU's memory, as CuPy, PyTorch, Numba and others lend them: by __cuda_array_interface__
 * (https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html) or DLPack
 * (https://dmlc.github.io/dlpack/latest). Nothing is copied. */
#ifndef LIBLDPC_DEVICE_ARRAYS_H
#define LIBLDPC_DEVICE_ARRAYS_H

#include "bindings.h"

struct device_array {
    uintptr_t address;
    std::vector<py::ssize_t> shape;
    char kind; /* 'i', 'u', 'f' as in numpy, or '?' */
    size_t item;
    bool writable;

    size_t size() const;
    bool is(char its_kind, size_t its_item) const
    {
        return kind == its_kind && item == its_item;
    }
    /* "float32 of shape (3, 5)" */
    std::string describe() const;
};

/* Whether an object is such an array. One in the host's memory is none. */
bool is_on_gpu(const py::object &object);

/* Borrow it for work on `stream`; TypeError or ValueError unless its items follow each other in C order. It
 * belongs to `object` still. */
device_array borrowed(const py::object &object, const char *what, uintptr_t stream);

/* The DLPack capsule of memory on GPU number `device`; the owner lives until the capsule's user is done. */
py::capsule dlpack_capsule(uintptr_t address, const std::vector<int64_t> &shape, const std::string &typestr,
                           int device, const py::object &owner);

#endif
