/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel table row "chip": any binary code whose posteriors fit in shared memory. */
#include "cuda/kernels/chip.h"

static unsigned chip_least_threads(const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    ldpc_chip c;
    ldpc_status status = ldpc_chip_layout(&c, plan, device);
    unsigned threads = status ? LDPC_CUDA_LEAST_THREADS : c.threads;
    ldpc_chip_free(&c);
    return status == LDPC_OK || status == LDPC_ERR_MEMORY ? threads : 0;
}

static ldpc_status chip_make(const ldpc_plan *plan, const ldpc_cuda_device *device,
                             ldpc_cuda_program *program)
{
    ldpc_chip c;
    ldpc_status status = ldpc_chip_layout(&c, plan, device);
    if (status == LDPC_OK && !ldpc_chip_table(&c, program))
        status = LDPC_ERR_MEMORY;
    if (status == LDPC_OK) {
        program->source = ldpc_chip_text(&c);
        program->threads = c.threads;
        program->codewords = 2 * c.pairs;
        program->min_blocks = c.blocks;
        program->shared_bytes = 4 * ((size_t)c.places * c.pairs + (size_t)c.shared_packs * c.threads);
        program->scratch_bytes = 4 * (size_t)ldpc_chip_scratch_u32(&c) * c.threads;
    }
    ldpc_chip_free(&c);
    return status == LDPC_OK && !program->source ? LDPC_ERR_MEMORY : status;
}

const ldpc_cuda_kernel ldpc_cuda_chip = {
    .name = "chip",
    .compiled = true,
    .baked = true,
    .least_threads = chip_least_threads,
    .make = chip_make,
};
