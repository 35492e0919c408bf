/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel "straight" with the memory layout of GPUs with 48, 64 or 99 KiB of shared memory. "straightcl" has
 * the layout for NVIDIA's OpenCL. */
#include "bench/comparison/comparison.h"

/* Returns a device with `kib` KiB of shared memory per thread block and `kib` + 1 KiB per multiprocessor. */
static ldpc_cuda_device limited(const ldpc_cuda_device *device, size_t kib, bool opencl)
{
    ldpc_cuda_device d = *device;
    if (opencl) { /* OpenCL has no limit per multiprocessor */
        d.opencl = true;
        d.shared_bytes = kib << 10;
        return d;
    }
    d.shared_bytes = d.shared_bytes < kib << 10 ? d.shared_bytes : kib << 10;
    d.shared_bytes_per_sm = d.shared_bytes_per_sm < (kib + 1) << 10 ? d.shared_bytes_per_sm : (kib + 1) << 10;
    return d;
}

#define LIMITED(suffix, kib, opencl)                                                                         \
    static unsigned least_threads_##suffix(const ldpc_plan *plan, const ldpc_cuda_device *device)            \
    {                                                                                                        \
        ldpc_cuda_device d = limited(device, kib, opencl);                                                   \
        return ldpc_cuda_straight.least_threads(plan, &d);                                                   \
    }                                                                                                        \
    static ldpc_status make_##suffix(const ldpc_plan *plan, const ldpc_cuda_device *device,                  \
                                     ldpc_cuda_program *program)                                             \
    {                                                                                                        \
        ldpc_cuda_device d = limited(device, kib, opencl);                                                   \
        return ldpc_cuda_straight.make(plan, &d, program);                                                   \
    }                                                                                                        \
    const ldpc_cuda_kernel ldpc_cuda_straight##suffix = {                                                    \
        .name = "straight" #suffix,                                                                          \
        .compiled = true,                                                                                    \
        .baked = true,                                                                                       \
        .by_name = true,                                                                                     \
        .least_threads = least_threads_##suffix,                                                             \
        .make = make_##suffix,                                                                               \
    };
LIMITED(48, 48, false)
LIMITED(64, 64, false)
LIMITED(99, 99, false)
LIMITED(cl, 48, true)
