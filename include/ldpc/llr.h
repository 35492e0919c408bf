/* SPDX-License-Identifier: BSD-3-Clause */
/* Floating-point LLRs for integer decoders. */
#ifndef LDPC_LLR_H
#define LDPC_LLR_H

#include <stddef.h>
#include <stdint.h>

#include "ldpc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Quantize LLRs: round to the nearest step, ties to even, and saturate at +-127.
 *
 * @param nat        `count` LLRs in nats, ln(P(bit = 0) / P(bit = 1)); infinite LLRs saturate
 * @param llr_scale  LLR steps per nat, see ldpc_decoder_llr_scale(): 0.25 .. 64
 * @param steps      out: `count` LLRs for ldpc_batch::llr
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_PARAM (llr_scale is out of range, or an LLR is NaN; `steps` is then
 * undefined). For an erasure, use an LLR of 0.
 */
LDPC_API ldpc_status ldpc_quantize(const float *nat, size_t count, float llr_scale, int8_t *steps);

#ifdef __cplusplus
}
#endif
#endif
