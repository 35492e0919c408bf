/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds label bits that mirror a coordinate. All APSK constellations of DVB-S2X with 16 points or more have two:
 *
 *       10 | 00      first bit: sign of I
 *      ----+----     second bit: sign of Q
 *       11 | 01 */
#include <math.h>
#include <string.h>

#include "dvb/demapper.h"

/* Makes coordinates exactly opposite that differ from it by rounding errors only. */
static bool are_opposite(float *a, const float *b)
{
    if (fabsf(*a + *b) > 1e-6f)
        return false;
    *a = -*b;
    return true;
}

static bool are_equal(float *a, const float *b)
{
    if (fabsf(*a - *b) > 1e-6f)
        return false;
    *a = *b;
    return true;
}

/* Returns whether a change of the label bits `mask` mirrors coordinate `axis` of all points, and nothing else. */
static bool mirrors(ldpc_demapper *dem, uint32_t mask, uint32_t axis)
{
    const uint32_t count = 1u << dem->modcod.constellation->bits;
    for (uint32_t label = 0; label < count; label++) {
        float *point = dem->points + 2 * label;
        const float *other = dem->points + 2 * (label ^ mask);
        if (!are_opposite(point + axis, other + axis) || !are_equal(point + 1 - axis, other + 1 - axis))
            return false;
    }
    return true;
}

/* Returns the label bit that mirrors a coordinate, or `bits` if there is none. */
static uint32_t mirror_of(ldpc_demapper *dem, uint32_t axis)
{
    const uint32_t bits = dem->modcod.constellation->bits;
    uint32_t bit = 0;
    while (bit < bits && !mirrors(dem, 1u << (bits - 1 - bit), axis))
        bit++;
    return bit;
}

void ldpc_demapper_find_mirrors(ldpc_demapper *dem)
{
    enum { LEAST_BITS = 4, MOST_BITS = 8 };
    const uint32_t bits = dem->modcod.constellation->bits;
    uint32_t plane = 2, count = 0;
    for (uint32_t b = 0; b < bits; b++)
        dem->plane[b] = (uint8_t)b;
    if (dem->exact || dem->modcod.constellation->qam || bits < LEAST_BITS || bits > MOST_BITS)
        return;
    const uint32_t mirror[2] = {mirror_of(dem, 0), mirror_of(dem, 1)};
    if (mirror[0] == bits || mirror[1] == bits)
        return;
    for (uint32_t label = 0; label < 1u << bits; label++) {
        const float *point = dem->points + 2 * label;
        if (!(point[0] > 0 && point[1] > 0))
            continue;
        memcpy(dem->quadrant + 2 * count++, point, 2 * sizeof *point);
        for (int axis = 0; axis < 2; axis++)
            dem->shape.sign[axis] = label >> (bits - 1 - mirror[axis]) & 1 ? -1 : 1;
    }
    if (count != 1u << (bits - 2)) /* some points are on an axis */
        return;
    for (uint32_t b = 0; b < bits; b++)
        dem->plane[b] = (uint8_t)(b == mirror[0] ? 0 : b == mirror[1] ? 1 : plane++);
    dem->shape.search = LDPC_DEMAP_MIRRORED;
}
