/* SPDX-License-Identifier: BSD-3-Clause */
/* Error-rate simulation on GPUs: messages, encoding, channel, decoding and counting run on the GPU; the host
 * receives only the counts of each block of frames. */
#ifndef LDPC_CUDA_SIMULATE_H
#define LDPC_CUDA_SIMULATE_H

#include "cuda/host/stream.h"
#include "sim/frames.h"

typedef struct ldpc_cuda_simulator ldpc_cuda_simulator;

/* Batches of frames use the decoder's CUDA streams in turn, with their events and scratch memory. The streams
 * must not move or close during the life of the simulator. LDPC_ERR_UNSUPPORTED: the code is not supported,
 * or libnvrtc is missing. */
ldpc_status ldpc_cuda_simulator_open(ldpc_cuda_simulator **simulator, const ldpc_cuda_stream *streams,
                                     size_t n_streams, ldpc_error *err);
void ldpc_cuda_simulator_close(ldpc_cuda_simulator *simulator);

/* For a forked child: frees the memory of the process; the parent's GPUs are out of reach. Both functions
 * accept NULL. */
void ldpc_cuda_simulator_free_in_child(ldpc_cuda_simulator *simulator);

/* Generates, decodes and counts frames; returns when their counts have arrived. */
ldpc_status ldpc_cuda_simulate(ldpc_cuda_simulator *simulator, const ldpc_frames *frames, ldpc_error *err);

#endif
