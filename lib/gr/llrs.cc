/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LLRs of a flowgraph as LLRs of the decoder. */
#include "llrs.h"

#include <volk/volk.h>

#include <algorithm>

namespace gr
{
namespace ldpc
{

/* VOLK has no kernel that negates int8; compilers vectorise this loop. */
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

} // namespace ldpc
} // namespace gr
