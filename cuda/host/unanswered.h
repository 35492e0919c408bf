/* SPDX-License-Identifier: BSD-3-Clause */
/* GPUs that do not answer, as all decoders of the process know them.
 *
 * A decoder with a time limit gives batches and loads up (cuda/backend/watchdog.c). Until these have ended after all, their GPU hangs:
 * calls of the driver that free, load or allocate something on it would wait for it, whichever decoder makes them. */
#ifndef LDPC_CUDA_UNANSWERED_H
#define LDPC_CUDA_UNANSWERED_H

#include "cuda/host/engine.h"

/* A batch of this GPU, or the load of a program, has been given up after so many milliseconds; and such a one has ended. */
void ldpc_cuda_count_unanswered(const ldpc_cuda_engine *engine, uint32_t timeout_ms);
void ldpc_cuda_count_answered(const ldpc_cuda_engine *engine);

bool ldpc_cuda_hangs(const ldpc_cuda_engine *engine);

/* LDPC_ERR_DEVICE and the sentence about this GPU, and the same only if it hangs. */
ldpc_status ldpc_cuda_fail_hang(const ldpc_cuda_engine *engine, ldpc_error *err);
ldpc_status ldpc_cuda_check_hang(const ldpc_cuda_engine *engine, ldpc_error *err);

#endif
