/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LLRs of a flowgraph as LLRs of the decoder. */
#ifndef INCLUDED_GR_LDPC_LLRS_H
#define INCLUDED_GR_LDPC_LLRS_H

#include <cstddef>
#include <cstdint>

namespace gr
{
namespace ldpc
{

/* -128 counts as -127, as in the decoder. */
void negate_llrs(const int8_t *in, int8_t *out, size_t count);
void scale_llrs(const float *in, float *out, size_t count, float factor);
/* Scaled, rounded and saturated. */
void quantise_llrs(const float *in, int8_t *out, size_t count, float factor);

/* What a hard bit stands for: 4 nat, a bit of which 1 in 56 is wrong, in steps of 1/llr_scale nat. */
int8_t hard_level(float llr_scale);
/* A bit, the lowest one of each byte, as an LLR of +-level. */
void bits_to_llrs(const uint8_t *in, int8_t *out, size_t count, int8_t level);
/* The same for bits in packed bytes, the first one in the most significant place. */
void packed_to_llrs(const uint8_t *in, int8_t *out, size_t count, int8_t level);

/* Posteriors, in LLR steps. int8 saturate at +-127; floats are divided by `steps`. */
void posteriors_to_int8(const int16_t *in, int8_t *out, size_t count, bool negate);
void posteriors_to_float(const int16_t *in, float *out, size_t count, float steps);

} // namespace ldpc
} // namespace gr

#endif
