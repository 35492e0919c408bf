/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/scan/framing.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "dvbs2/standard/pl_header.h"
#include "receiver/complex.h"

/* ---- time slicing */

enum {
    LONGER_HEADER = 90, /* additional symbols of a header with time slicing */
    LEAST_CHAIN = 4,    /* frames */
    MOST_STARTS = 1024,
    CODES = 256,
    OFFSETS = 5, /* number of carrier offsets tried on each side of 0 */
};

static const double offset_step = 2 * RX_PI * 0.012; /* radians per symbol */
/* Minimum match of a SOF, 0 .. 1, from the products of adjacent symbols, and from the symbols. At 3 dB the mean is 0.67; noise
 * exceeds both at one of 10^4 positions. */
static const float least_products = 0.4f, least_match = 0.4f;

typedef struct frame_start {
    size_t at;
    int chain; /* number of frames up to this one */
} frame_start;

/* Conjugates of the products of adjacent symbols of the SOF. A mirrored spectrum inverts all of them. */
static void sof_products(const float complex header[DVBS2_HEADER], float complex products[DVBS2_SOF - 1])
{
    for (uint32_t i = 0; i + 1 < DVBS2_SOF; i++)
        products[i] = rx_mul_conj(header[i], header[i + 1]);
}

static bool may_be_sof(const float complex *symbols, const float complex products[DVBS2_SOF - 1])
{
    float complex sum = 0;
    float energy = 0;
    for (uint32_t i = 0; i + 1 < DVBS2_SOF; i++) {
        sum += rx_mul(rx_mul_conj(symbols[i + 1], symbols[i]), products[i]);
        energy += rx_power(symbols[i]);
    }
    return rx_power(sum) > least_products * least_products * energy * energy;
}

static bool is_sof(const float complex *symbols, const float complex header[DVBS2_HEADER])
{
    float energy = 0, highest = 0;
    for (uint32_t i = 0; i < DVBS2_SOF; i++)
        energy += rx_power(symbols[i]);
    for (int offset = -OFFSETS; offset <= OFFSETS; offset++) {
        const float complex step =
            rx_cplx((float)cos(offset * offset_step), (float)-sin(offset * offset_step));
        float complex upright = 0, mirrored = 0, turn = 1;
        for (uint32_t i = 0; i < DVBS2_SOF; i++, turn = rx_mul(turn, step)) {
            const float complex x = rx_mul(symbols[i], turn);
            upright += rx_mul_conj(x, header[i]);
            mirrored += rx_mul(x, header[i]);
        }
        highest = fmaxf(highest, fmaxf(rx_power(upright), rx_power(mirrored)));
    }
    return highest > least_match * DVBS2_SOF * energy;
}

static size_t find_starts(const float complex *symbols, size_t count, frame_start *starts)
{
    float complex header[DVBS2_HEADER], products[DVBS2_SOF - 1];
    size_t n = 0;
    dvbs2_header_symbols(0, header);
    sof_products(header, products);
    for (size_t at = 0; at + DVBS2_SOF <= count && n < MOST_STARTS; at++)
        if (may_be_sof(symbols + at, products) && is_sof(symbols + at, header))
            starts[n++] = (frame_start){at, 1};
    return n;
}

static bool is_distance(const uint32_t lengths[CODES], size_t longer, size_t distance)
{
    for (int code = 0; code < CODES; code++)
        if (lengths[code] && lengths[code] + longer == distance)
            return true;
    return false;
}

/* Returns the largest number of frames in sequence, whose headers have `longer` additional symbols. */
static int longest_chain(const uint32_t lengths[CODES], size_t longer, frame_start *starts, size_t n)
{
    int longest = 0;
    for (size_t i = 0; i < n; i++) {
        starts[i].chain = 1;
        for (size_t j = i; j-- > 0 && starts[i].at - starts[j].at <= DVBS2_MOST_SYMBOLS + longer;)
            if (starts[j].chain >= starts[i].chain &&
                is_distance(lengths, longer, starts[i].at - starts[j].at))
                starts[i].chain = starts[j].chain + 1;
        longest = starts[i].chain > longest ? starts[i].chain : longest;
    }
    return longest;
}

bool dvbs2_find_time_slices(const float complex *symbols, size_t count, bool *found)
{
    uint32_t lengths[CODES];
    *found = false;
    frame_start *starts = ldpc_allocate(MOST_STARTS, sizeof *starts);
    if (!starts)
        return false;
    for (int code = 0; code < CODES; code++)
        lengths[code] = dvbs2_frame_format_of((uint8_t)code).length;
    const size_t n = find_starts(symbols, count, starts);
    const int chain = longest_chain(lengths, LONGER_HEADER, starts, n);
    /* Two short frames without time slicing may be as long as one with it. */
    *found = chain >= LEAST_CHAIN && chain > longest_chain(lengths, 0, starts, n);
    free(starts);
    return true;
}

/* ---- superframes */

/* Minimum correlation of the headers, 0 .. 1; 0.44 at 3 dB. Random symbols exceed it at one of 10^19 positions. */
static const double least_correlation = 0.06;
static const double most_other = 0.5; /* maximum correlation at other lags relative to that */

/* Returns the highest correlation of a run of symbols as long as a superframe header with those `lag` symbols later. */
static double highest_correlation(const float complex *x, size_t count, size_t lag)
{
    enum { RUN = DVBS2_SUPERFRAME_HEADER };
    static const double silence = 1e-3; /* power of a run relative to the mean */
    double complex sum = 0;
    double early = 0, late = 0, highest = 0, energy = 0;
    for (size_t i = 0; i < count; i++)
        energy += (double)rx_power(x[i]);
    const double least = fmax(silence * RUN / (double)count * energy, 1e-30);
    for (size_t i = 0; i + lag < count; i++) {
        sum += (double complex)rx_mul_conj(x[i + lag], x[i]);
        early += (double)rx_power(x[i]);
        late += (double)rx_power(x[i + lag]);
        if (i < RUN)
            continue;
        sum -= (double complex)rx_mul_conj(x[i + lag - RUN], x[i - RUN]);
        early -= (double)rx_power(x[i - RUN]);
        late -= (double)rx_power(x[i + lag - RUN]);
        const double power = creal(sum) * creal(sum) + cimag(sum) * cimag(sum);
        if (fmin(early, late) > least && power > highest * early * late)
            highest = power / (early * late);
    }
    return highest;
}

bool dvbs2_has_superframes(const float complex *symbols, size_t count)
{
    /* A signal with a shorter period repeats after a superframe divided by a prime factor, a tone after any time. */
    static const size_t other_lags[] = {DVBS2_SUPERFRAME / 2,  DVBS2_SUPERFRAME / 3,  DVBS2_SUPERFRAME / 5,
                                        DVBS2_SUPERFRAME / 41, DVBS2_SUPERFRAME / 83, DVBS2_SUPERFRAME + 1};
    const double highest = highest_correlation(symbols, count, DVBS2_SUPERFRAME);
    bool found = highest > least_correlation;
    for (size_t i = 0; i < sizeof other_lags / sizeof *other_lags && found; i++)
        found = highest_correlation(symbols, count, other_lags[i]) < most_other * highest;
    return found;
}
