/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of the CUDA backend. Slowest first; the last row that supports the plan on the GPU is used. The
 * tests and ldpc-bench walk all rows, so a new kernel is proved and timed by being listed here. */
#include "cuda/kernels/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const ldpc_cuda_kernel *const cuda_kernels[] = {
    &ldpc_cuda_any,      &ldpc_cuda_float, &ldpc_cuda_chip,
    &ldpc_cuda_straight, &ldpc_cuda_dvb,   &ldpc_cuda_nb_pairs,
};

#define COUNT (sizeof cuda_kernels / sizeof cuda_kernels[0])

const ldpc_cuda_kernel *ldpc_cuda_kernel_at(size_t i)
{
    return i < COUNT ? cuda_kernels[i] : ldpc_cuda_additional_kernel_at(i - COUNT);
}

bool ldpc_cuda_supports(const ldpc_cuda_kernel *kernel, const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    return kernel->nonbinary == (plan->code->order > 2) && kernel->supports(plan, device);
}

void ldpc_cuda_program_free(ldpc_cuda_program *program)
{
    free(program->source);
    free(program->table);
    *program = (ldpc_cuda_program){0};
}

char *ldpc_cuda_join(const char *first, const char *second)
{
    size_t length = strlen(first);
    char *both = ldpc_allocate(length + strlen(second) + 1, 1);
    if (both) {
        memcpy(both, first, length);
        strcpy(both + length, second);
    }
    return both;
}
