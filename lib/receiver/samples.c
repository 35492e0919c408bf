/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts sample formats to floats. */
#include "receiver/samples.h"

#include <stdint.h>
#include <string.h>
#include <volk/volk.h>

size_t rx_format_bytes(ldpc_sample_format format)
{
    switch (format) {
    case LDPC_CF32:
        return 8;
    case LDPC_CS16:
        return 4;
    case LDPC_CS8:
    case LDPC_CU8:
        return 2;
    }
    return 0;
}

/* NaN and values of 1e6 and more become 0, because radio samples hardly exceed full scale. */
static void copy_floats(const float *in, size_t count, float *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = in[i] > -1e6f && in[i] < 1e6f ? in[i] : 0;
}

void rx_samples_to_float(ldpc_sample_format format, const void *samples, size_t count, float *out)
{
    const unsigned n = (unsigned)(2 * count);
    switch (format) {
    case LDPC_CF32:
        copy_floats(samples, n, out);
        break;
    case LDPC_CS16:
        volk_16i_s32f_convert_32f(out, samples, 32768, n);
        break;
    case LDPC_CS8:
        for (unsigned i = 0; i < n; i++)
            out[i] = (float)((const int8_t *)samples)[i] * (1 / 128.0f);
        break;
    case LDPC_CU8: /* zero is represented by 127.5 */
        for (unsigned i = 0; i < n; i++)
            out[i] = ((float)((const uint8_t *)samples)[i] - 127.5f) * (1 / 128.0f);
        break;
    }
}
