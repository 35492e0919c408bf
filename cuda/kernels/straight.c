/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel table row "straight": source for one base matrix. */
#include "cuda/kernels/straight.h"

/* In OpenCL, all threads of a work-group must reach barriers. */
static unsigned threads_of(const ldpc_straight *s, const ldpc_cuda_device *device)
{
    return device->opencl ? s->pairs * s->code->z : s->threads;
}

static unsigned straight_least_threads(const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    ldpc_straight s;
    ldpc_status status = ldpc_straight_layout(&s, plan, device);
    if (status == LDPC_ERR_MEMORY)
        return LDPC_CUDA_LEAST_THREADS;
    if (status)
        return 0;
    unsigned threads = threads_of(&s, device);
    ldpc_straight_free(&s);
    return threads;
}

static ldpc_status straight_make(const ldpc_plan *plan, const ldpc_cuda_device *device,
                                 ldpc_cuda_program *program)
{
    ldpc_straight s;
    ldpc_cuda_positions positions;
    ldpc_status status = ldpc_straight_layout(&s, plan, device);
    if (status)
        return status;
    status = ldpc_cuda_positions_make(plan->code, &positions);
    if (!status) {
        program->source = ldpc_straight_text(&s, &positions);
        program->threads = threads_of(&s, device);
        program->min_blocks = s.min_blocks;
        program->codewords = 2 * s.pairs;
        program->shared_bytes = s.shared_bytes;
        program->over_link = true;
        ldpc_cuda_positions_free(&positions);
        if (!program->source)
            status = LDPC_ERR_MEMORY;
    }
    ldpc_straight_free(&s);
    return status;
}

const ldpc_cuda_kernel ldpc_cuda_straight = {
    .name = "straight",
    .compiled = true,
    .opencl = true,
    .for_gpus = true,
    .baked = true,
    .least_threads = straight_least_threads,
    .make = straight_make,
};
