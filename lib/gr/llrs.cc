/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversions between GNU Radio's LLRs and the decoder's. */
#include "llrs.h"

#include <volk/volk.h>

#include <algorithm>
#include <cmath>

namespace gr
{
namespace ldpc
{

/* VOLK cannot negate int8. Compilers vectorise this loop. */
void negate_llrs(const int8_t *in, int8_t *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = static_cast<int8_t>(-std::max<int>(in[i], -127));
}

void scale_llrs(const float *in, float *out, size_t count, float factor)
{
    volk_32f_s32f_multiply_32f(out, in, factor, static_cast<unsigned>(count));
}

void quantise_llrs(const float *in, int8_t *out, size_t count, float factor)
{
    volk_32f_s32f_convert_8i(out, in, factor, static_cast<unsigned>(count));
}

bool lost_llrs::noticed(const float *in, const int8_t *steps, size_t count)
{
    const auto is_not_zero = [](auto value) { return value != 0; };
    if (d_known || std::any_of(steps, steps + count, is_not_zero) ||
        std::none_of(in, in + count, is_not_zero))
        return false;
    d_known = true;
    return true;
}

std::string lost_llrs::text(float factor)
{
    return "all input values round to 0 after multiplication by " + std::to_string(std::abs(factor)) +
           ", and the output is zeros; expected LLRs in nats, such as 2 y / (noise variance) for BPSK";
}

int8_t hard_level(float llr_scale)
{
    constexpr float nat = 4;
    return static_cast<int8_t>(std::clamp(std::lround(nat * llr_scale), 1l, 127l));
}

/* VOLK has no kernels for these conversions. */
void bits_to_llrs(const uint8_t *in, int8_t *out, size_t count, int8_t level)
{
    for (size_t i = 0; i < count; i++)
        out[i] = static_cast<int8_t>(in[i] & 1 ? -level : level);
}

void packed_to_llrs(const uint8_t *in, int8_t *out, size_t count, int8_t level)
{
    for (size_t i = 0; i < count; i++)
        out[i] = static_cast<int8_t>(in[i / 8] >> (7 - i % 8) & 1 ? -level : level);
}

/* volk_16i_convert_8i does not saturate: it takes the upper byte. */
void posteriors_to_int8(const int16_t *in, int8_t *out, size_t count, bool negate)
{
    for (size_t i = 0; i < count; i++) {
        const int value = std::clamp<int>(in[i], -127, 127);
        out[i] = static_cast<int8_t>(negate ? -value : value);
    }
}

void posteriors_to_float(const int16_t *in, float *out, size_t count, float steps)
{
    volk_16i_s32f_convert_32f(out, in, steps, static_cast<unsigned>(count));
}

} // namespace ldpc
} // namespace gr
