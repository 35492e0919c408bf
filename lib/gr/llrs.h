/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversions between GNU Radio's LLRs and the decoder's. */
#ifndef INCLUDED_GR_LDPC_LLRS_H
#define INCLUDED_GR_LDPC_LLRS_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace gr
{
namespace ldpc
{

/* -128 becomes 127. */
void negate_llrs(const int8_t *in, int8_t *out, size_t count);
void scale_llrs(const float *in, float *out, size_t count, float factor);
/* Multiplies by `factor`, rounds and saturates. */
void quantise_llrs(const float *in, int8_t *out, size_t count, float factor);

/* Detects that all LLRs round to 0. The scale is then probably wrong, and the decoder returns zeros. */
class lost_llrs
{
  public:
    /* Returns true only once: when all `steps` are 0, but `in` has values other than 0. */
    bool noticed(const float *in, const int8_t *steps, size_t count);
    static std::string text(float factor);

  private:
    bool d_known = false;
};

/* Returns the LLR of a hard bit: 4 nats. This LLR belongs to a bit error rate of 1/56. */
int8_t hard_level(float llr_scale);
/* Converts the LSB of each byte to +level (bit 0) or -level (bit 1). */
void bits_to_llrs(const uint8_t *in, int8_t *out, size_t count, int8_t level);
/* Converts packed bits, MSB first, to +level (bit 0) or -level (bit 1). */
void packed_to_llrs(const uint8_t *in, int8_t *out, size_t count, int8_t level);

/* Convert posteriors in LLR steps. int8 results saturate at +-127. Float results are divided by `steps`. */
void posteriors_to_int8(const int16_t *in, int8_t *out, size_t count, bool negate);
void posteriors_to_float(const int16_t *in, float *out, size_t count, float steps);

} // namespace ldpc
} // namespace gr

#endif
