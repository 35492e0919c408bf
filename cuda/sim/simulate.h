/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates error rates on GPUs. Everything runs on the GPU: messages, encoding, channel, decoding and
 * counting. The host only receives the counts of each block of frames. */
#ifndef LDPC_CUDA_SIMULATE_H
#define LDPC_CUDA_SIMULATE_H

#include "cuda/host/stream.h"
#include "sim/frames.h"

typedef struct ldpc_cuda_simulator ldpc_cuda_simulator;

/* Creates a simulator. Its batches of frames use the decoder's CUDA streams in turn, together with the events
 * and scratch memory of these streams. As long as the simulator exists, the streams must stay open and at the
 * same address. Returns LDPC_ERR_UNSUPPORTED if the code is not supported or libnvrtc is missing. */
ldpc_status ldpc_cuda_simulator_open(ldpc_cuda_simulator **simulator, const ldpc_cuda_stream *streams,
                                     size_t n_streams, ldpc_error *err);
void ldpc_cuda_simulator_close(ldpc_cuda_simulator *simulator);

/* For a forked child: frees host memory only, because the child cannot use the parent's GPUs. Both functions
 * accept NULL. */
void ldpc_cuda_simulator_free_in_child(ldpc_cuda_simulator *simulator);

/* Generates and decodes frames and counts their errors. Returns when the host has received the counts. */
ldpc_status ldpc_cuda_simulate(ldpc_cuda_simulator *simulator, const ldpc_frames *frames, ldpc_error *err);

#endif
