/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels, from slowest to fastest. The last kernel that supports the plan is used. */
#include "cuda/kernels/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

_Static_assert(LDPC_CUDA_KNOWN_LLR == LDPC_KNOWN_LLR, "known LLR");
_Static_assert(LDPC_CUDA_THRESHOLDS == LDPC_RULE_THRESHOLDS, "thresholds");
_Static_assert(sizeof(ldpc_codeword_info) == LDPC_CUDA_INFO_WORDS * sizeof(uint32_t), "info");

static const ldpc_cuda_kernel *const cuda_kernels[] = {
    &ldpc_cuda_any,      &ldpc_cuda_float, &ldpc_cuda_chip,
    &ldpc_cuda_straight, &ldpc_cuda_dvb,   &ldpc_cuda_nb_pairs,
};

#define COUNT (sizeof cuda_kernels / sizeof cuda_kernels[0])

const ldpc_cuda_kernel *ldpc_cuda_kernel_at(size_t i)
{
    return i < COUNT ? cuda_kernels[i] : ldpc_cuda_additional_kernel_at(i - COUNT);
}

unsigned ldpc_cuda_least_threads(const ldpc_cuda_kernel *kernel, const ldpc_plan *plan,
                                 const ldpc_cuda_device *device)
{
    return kernel->nonbinary == (plan->code->order > 2) ? kernel->least_threads(plan, device) : 0;
}

bool ldpc_cuda_supports(const ldpc_cuda_kernel *kernel, const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    unsigned threads = ldpc_cuda_least_threads(kernel, plan, device);
    return threads && threads <= device->most_threads;
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
