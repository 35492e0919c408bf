/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LDPC_CUDA_SIMULATOR_H
#define LDPC_CUDA_SIMULATOR_H

#include "cuda/sim/simulate.h"

/* as in simulate.cuh */
enum { LDPC_SIMULATE_GROUP = 32, LDPC_SIMULATE_WARP = 32 };

/* as in simulate.cuh */
enum { LDPC_SIMULATE_BEGIN, LDPC_SIMULATE_ENCODE, LDPC_SIMULATE_TRANSMIT, LDPC_SIMULATE_COUNT };

typedef struct ldpc_simulate_args {
    cu_pointer x, encoding, message_column, transmitted, llr, floats, decoded, info, counts;
    uint64_t seed, first;
    uint32_t point, phase, n_frames, columns, n, k;
    uint32_t axis_bits, axes, fading, zero_codeword, symbol_bits;
    float sigma, gain, llr_scale;
} ldpc_simulate_args;

_Static_assert(sizeof(ldpc_sim_block) == 176, "ldpc_counts of simulate.cuh has another layout");

typedef struct simulation_gpu {
    const ldpc_cuda_engine *engine;
    cu_module module;
    cu_function function;
    cu_pointer encoding, message_column,
        transmitted;  /* tables: encoding (encoding.h), columns of message bits, columns of codeword bits */
    uint32_t columns; /* of the encoding */
    unsigned encode_threads;
} simulation_gpu;

typedef struct simulation_stream {
    const ldpc_cuda_stream *stream;
    const simulation_gpu *gpu;
    cu_pointer x;                  /* [groups][columns] bit i: frame i */
    cu_pointer llr, message, info; /* of the decoder */
    cu_pointer counts;
    ldpc_sim_block *host; /* pinned host memory for `counts` */
    size_t n_frames;      /* frames in flight */
    ldpc_sim_block *to;
} simulation_stream;

struct ldpc_cuda_simulator {
    const ldpc_plan *plan;
    simulation_gpu *gpus;
    simulation_stream *streams; /* stream i is on GPU i % n_gpus */
    size_t n_gpus, n_streams;
    size_t max_frames;
};

#define SIMULATION_CHECK(engine, call, what, err)                                                            \
    ldpc_cuda_check((engine)->driver, (engine)->driver->call, what, err)

/* Returns the number of blocks. The last block may have fewer than LDPC_SIM_BLOCK frames. */
static inline size_t simulation_blocks(uint64_t frames)
{
    return (size_t)((frames + LDPC_SIM_BLOCK - 1) / LDPC_SIM_BLOCK);
}

static inline bool simulation_float(const ldpc_plan *plan)
{
    return plan->arithmetic == LDPC_ARITHMETIC_FLOAT;
}

#endif
