/* SPDX-License-Identifier: BSD-3-Clause */
/* GPU arrays from CuPy, PyTorch, Numba and others without copying, through __cuda_array_interface__
 * (https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html) or DLPack
 * (https://dmlc.github.io/dlpack/latest). */
#ifndef LIBLDPC_DEVICE_ARRAYS_H
#define LIBLDPC_DEVICE_ARRAYS_H

#include "bindings.h"

struct device_array {
    uintptr_t address;
    std::vector<py::ssize_t> shape;
    char kind; /* 'i', 'u' or 'f' as in numpy, or '?' for bool */
    size_t item;
    bool writable;

    size_t size() const;
    bool is(char its_kind, size_t its_item) const
    {
        return kind == its_kind && item == its_item;
    }
    /* Returns a description such as "float32 of shape (3, 5)". */
    std::string describe() const;
};

bool is_on_gpu(const py::object &object);

/* Returns an array that can be used on `stream`. `object` owns the memory. Throws unless the array is
 * contiguous in C order. */
device_array borrowed(const py::object &object, const char *what, uintptr_t stream);

/* Returns a DLPack capsule for memory on GPU `device`. It keeps `owner` alive. */
py::capsule dlpack_capsule(uintptr_t address, const std::vector<int64_t> &shape, const std::string &typestr,
                           int device, const py::object &owner);

#endif
