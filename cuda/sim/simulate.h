/* SPDX-License-Identifier: BSD-3-Clause */
/* Error rates on GPUs. */
#ifndef LDPC_CUDA_SIMULATE_H
#define LDPC_CUDA_SIMULATE_H

#include "cuda/host/stream.h"
#include "sim/frames.h"

typedef struct ldpc_cuda_simulator ldpc_cuda_simulator;

/* The stream objects must stay open, and must not move in memory. Returns LDPC_ERR_UNSUPPORTED without
 * libnvrtc, or if the code is not supported. */
ldpc_status ldpc_cuda_simulator_open(ldpc_cuda_simulator **simulator, const ldpc_cuda_stream *streams,
                                     size_t n_streams, ldpc_error *err);
void ldpc_cuda_simulator_close(ldpc_cuda_simulator *simulator);

/* Frees only host memory, for a forked child. Like ldpc_cuda_simulator_close(), it accepts NULL. */
void ldpc_cuda_simulator_free_in_child(ldpc_cuda_simulator *simulator);

ldpc_status ldpc_cuda_simulate(ldpc_cuda_simulator *simulator, const ldpc_frames *frames, ldpc_error *err);

#endif
