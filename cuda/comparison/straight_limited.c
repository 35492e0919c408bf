/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel "straight" with the layout of smaller GPUs: for 48, 64 or 99 KiB of shared memory, whatever this
 * GPU has. */
#include "cuda/comparison/comparison.h"

/* What a thread block may have; a multiprocessor has 1 KiB more. */
static ldpc_cuda_device limited(const ldpc_cuda_device *device, size_t kib)
{
    ldpc_cuda_device d = *device;
    d.shared_bytes = d.shared_bytes < kib << 10 ? d.shared_bytes : kib << 10;
    d.shared_bytes_per_sm = d.shared_bytes_per_sm < (kib + 1) << 10 ? d.shared_bytes_per_sm : (kib + 1) << 10;
    return d;
}

#define LIMITED(kib)                                                                                         \
    static bool supports_##kib(const ldpc_plan *plan, const ldpc_cuda_device *device)                        \
    {                                                                                                        \
        ldpc_cuda_device d = limited(device, kib);                                                           \
        return ldpc_cuda_straight.supports(plan, &d);                                                        \
    }                                                                                                        \
    static ldpc_status make_##kib(const ldpc_plan *plan, const ldpc_cuda_device *device,                     \
                                  ldpc_cuda_program *program)                                                \
    {                                                                                                        \
        ldpc_cuda_device d = limited(device, kib);                                                           \
        return ldpc_cuda_straight.make(plan, &d, program);                                                   \
    }                                                                                                        \
    const ldpc_cuda_kernel ldpc_cuda_straight##kib = {                                                       \
        .name = "straight" #kib,                                                                             \
        .compiled = true,                                                                                    \
        .baked = true,                                                                                       \
        .by_name = true,                                                                                     \
        .supports = supports_##kib,                                                                          \
        .make = make_##kib,                                                                                  \
    };
LIMITED(48)
LIMITED(64)
LIMITED(99)
