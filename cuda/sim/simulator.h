/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulator of one decoder. For each GPU and each stream, it contains the programs, tables and memory
 * that are used to generate frames and count errors. */
#ifndef LDPC_CUDA_SIMULATOR_H
#define LDPC_CUDA_SIMULATOR_H

#include "cuda/sim/simulate.h"

/* Constants of simulate.cuh: number of frames whose bits share a 32-bit word, and number of threads of a
 * warp. */
enum { LDPC_SIMULATE_GROUP = 32, LDPC_SIMULATE_WARP = 32 };

/* The phases of a launch. simulate.cuh has the same values. */
enum { LDPC_SIMULATE_BEGIN, LDPC_SIMULATE_ENCODE, LDPC_SIMULATE_TRANSMIT, LDPC_SIMULATE_COUNT };

/* Parameters of a launch. simulate.cuh has the same struct. */
typedef struct ldpc_simulate_args {
    cu_pointer x, encoding, message_column, transmitted, llr, floats, decoded, info, counts;
    uint64_t seed, first;
    uint32_t point, phase, n_frames, columns, n, k;
    uint32_t axis_bits, axes, fading, zero_codeword, symbol_bits;
    float sigma, gain, llr_scale;
} ldpc_simulate_args;

_Static_assert(sizeof(ldpc_sim_block) == 176, "ldpc_counts of simulate.cuh has another layout");

/* Resources that all streams of a GPU share. */
typedef struct simulation_gpu {
    const ldpc_cuda_engine *engine;
    cu_module module;
    cu_function function;
    cu_pointer encoding, message_column,
        transmitted;  /* tables: the encoding (encoding.h); the columns of the message bits; the columns of
                       * the codeword bits */
    uint32_t columns; /* number of columns of the encoding */
    unsigned encode_threads;
} simulation_gpu;

/* Device memory for one batch of frames. The batch uses the decoder's CUDA stream. */
typedef struct simulation_stream {
    const ldpc_cuda_stream *stream;
    const simulation_gpu *gpu;
    cu_pointer x; /* [groups of frames][columns] bits of all columns; bit i is that of frame i in the group */
    cu_pointer llr, message, info; /* input of the decoder and its results */
    cu_pointer counts;             /* one record for each block of frames */
    ldpc_sim_block *host;          /* pinned host memory of the same size as `counts` */
    size_t n_frames;               /* number of frames in flight; 0 if no batch is in flight */
    ldpc_sim_block *to;            /* the caller's memory for the counts of these frames */
} simulation_stream;

struct ldpc_cuda_simulator {
    const ldpc_plan *plan;
    simulation_gpu *gpus;
    simulation_stream *streams; /* stream i is on GPU i % n_gpus */
    size_t n_gpus, n_streams;
    size_t max_frames; /* maximum number of frames in a batch, a multiple of LDPC_SIM_BLOCK */
};

#define SIMULATION_CHECK(engine, call, what, err)                                                            \
    ldpc_cuda_check((engine)->driver, (engine)->driver->call, what, err)

/* Returns the number of blocks for this number of frames. A block has LDPC_SIM_BLOCK frames; the last block
 * may have fewer. */
static inline size_t simulation_blocks(uint64_t frames)
{
    return (size_t)((frames + LDPC_SIM_BLOCK - 1) / LDPC_SIM_BLOCK);
}

/* Returns whether the LLRs that the decoder receives are floats. */
static inline bool simulation_float(const ldpc_plan *plan)
{
    return plan->arithmetic == LDPC_ARITHMETIC_FLOAT;
}

#endif
