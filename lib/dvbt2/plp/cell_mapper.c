/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/plp/cell_mapper.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "receiver/complex.h"

enum { MOST_POINTS = 256 };

void dvbt2_map_codeword(const ldpc_demapper *demapper, bool rotated, const uint8_t *codeword, uint8_t *index,
                        float complex *cells)
{
    const float *points = ldpc_demapper_points(demapper);
    const uint16_t *order = ldpc_demapper_order(demapper);
    const uint32_t bits = (uint32_t)ldpc_demapper_bits(demapper);
    const size_t count = ldpc_demapper_cells(demapper);
    memset(index, 0, count);
    for (size_t i = 0; i < ldpc_demapper_n(demapper); i++)
        if (ldpc_packed_bit(codeword, i))
            index[order[i] / bits] |= (uint8_t)(1u << (bits - 1 - order[i] % bits));
    /* rotated constellations send Q in the next cell */
    for (size_t c = 0; c < count; c++) {
        const size_t of_q = rotated ? (c + count - 1) % count : c;
        cells[c] = rx_cplx(points[2 * index[c]], points[2 * index[of_q] + 1]);
    }
}

typedef struct moments {
    float i, q, ii, qq;
} moments;

static float mix(float zero, float one, float probability)
{
    return zero + (one - zero) * probability;
}

/* Returns the mean and the variance of a point. probability: probability that bit i is 1, most significant
 * bit first. */
static moments expect(const float *points, uint32_t bits, const float *probability)
{
    moments m[MOST_POINTS];
    for (uint32_t p = 0; p < 1u << bits; p++) {
        const float i = points[2 * p], q = points[2 * p + 1];
        m[p] = (moments){i, q, i * i, q * q};
    }
    for (uint32_t b = 0; b < bits; b++) {
        const uint32_t half = 1u << (bits - 1 - b);
        for (uint32_t p = 0; p < half; p++) {
            const moments *zero = &m[p], *one = &m[p + half];
            m[p] = (moments){mix(zero->i, one->i, probability[b]), mix(zero->q, one->q, probability[b]),
                             mix(zero->ii, one->ii, probability[b]), mix(zero->qq, one->qq, probability[b])};
        }
    }
    return m[0];
}

void dvbt2_map_posteriors(const ldpc_demapper *demapper, bool rotated, const int16_t *posterior, float scale,
                          float *probability, float complex *cells, float *variance)
{
    const float *points = ldpc_demapper_points(demapper);
    const uint16_t *order = ldpc_demapper_order(demapper);
    const uint32_t bits = (uint32_t)ldpc_demapper_bits(demapper);
    const size_t count = ldpc_demapper_cells(demapper);
    for (size_t i = 0; i < ldpc_demapper_n(demapper); i++)
        probability[order[i]] = 0.5f - 0.5f * tanhf(0.5f * (float)posterior[i] / scale);
    moments before = expect(points, bits, probability + (count - 1) * bits);
    for (size_t c = 0; c < count; c++) {
        const moments own = expect(points, bits, probability + c * bits), of_q = rotated ? before : own;
        cells[c] = rx_cplx(own.i, of_q.q);
        variance[c] = fmaxf(0, own.ii - own.i * own.i) + fmaxf(0, of_q.qq - of_q.q * of_q.q);
        before = own;
    }
}
