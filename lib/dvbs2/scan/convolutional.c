/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/scan/convolutional.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "receiver/complex.h"
#include "receiver/fft_plan.h"

enum {
    SYMBOLS = 1 << 15,
    LEAST_SYMBOLS = 1 << 12, /* also for the carrier offset */
    BLOCK = 256,             /* symbols for one phase */
    CONSTRAINT = 7,          /* K */
    MOST_BITS = 64,
};

/* Offset of the fraction of fulfilled checks from 1/2, in standard deviations. Noise reaches 7 in one of 10^10 tests. */
static const double least_deviations = 7;

/* A punctured code: which bits of X and Y are sent, '1' first. EN 300 421, table 2. */
typedef struct puncturing {
    const char *name, *x, *y;
} puncturing;

static const puncturing codes[] = {
    {"1/2", "1",       "1"      },
    {"2/3", "10",      "11"     },
    {"3/4", "101",     "110"    },
    {"5/6", "10101",   "11010"  },
    {"7/8", "1000101", "1111010"},
};

/* ---- hard decisions */

/* Returns the carrier offset of QPSK, cycles per symbol, or a value above 1/2 if out of memory. */
static double carrier_offset(const float complex *symbols, size_t count)
{
    float complex *work = fftwf_alloc_complex(count);
    fftwf_plan plan = work ? rx_fft_plan((int)count, work, work, FFTW_FORWARD) : NULL;
    size_t best = 0;
    float most = -1;
    for (size_t i = 0; plan && i < count; i++) {
        const float complex square = rx_mul(symbols[i], symbols[i]);
        work[i] = rx_mul(square, square);
    }
    if (plan)
        fftwf_execute(plan);
    for (size_t i = 0; plan && i < count; i++)
        if (rx_power(work[i]) > most) {
            most = rx_power(work[i]);
            best = i;
        }
    rx_fft_destroy(plan);
    fftwf_free(work);
    return plan ? remainder((double)best / (double)count, 1) / 4 : 1;
}

static float complex turned(float complex x, double cycles)
{
    const double angle = 2 * RX_PI * cycles;
    return rx_mul(x, rx_cplx((float)cos(angle), (float)-sin(angle)));
}

/* Writes I and Q of each symbol as bits, with one phase for each block. */
static void decide(const float complex *symbols, size_t count, double offset, uint8_t *bits)
{
    double phase = 0; /* cycles */
    for (size_t at = 0; at + BLOCK <= count; at += BLOCK) {
        float complex sum = 0;
        for (size_t i = at; i < at + BLOCK; i++) {
            const float complex s = turned(symbols[i], offset * (double)i), square = rx_mul(s, s);
            sum -= rx_mul(square, square);
        }
        const double found = (double)cargf(sum) / (8 * RX_PI);
        phase += remainder(found - phase, 0.25);
        for (size_t i = at; i < at + BLOCK; i++) {
            const float complex s = turned(symbols[i], offset * (double)i + phase);
            bits[2 * i] = crealf(s) < 0;
            bits[2 * i + 1] = cimagf(s) < 0;
        }
    }
}

/* ---- parity checks */

typedef struct parity_check {
    uint32_t period;         /* bits between two checks */
    uint32_t length;         /* number of elements of `bits` */
    uint8_t bits[MOST_BITS]; /* 1: bit of the check */
} parity_check;

static uint32_t lowest_bit(uint64_t word)
{
    uint32_t bit = 0;
    while (bit + 1 < MOST_BITS && !(word >> bit & 1))
        bit++;
    return bit;
}

/* Finds the shortest combination of sent bits that is zero for all messages. Bit i of `inputs`: message bit i is part of
 * the sum; bit i of `sent`: sent bit i is. */
static parity_check make_check(const puncturing *code)
{
    static const uint8_t generators[2] = {0171, 0133};
    struct {
        uint64_t inputs, sent;
    } rows[MOST_BITS] = {
        {0, 0}
    }; /* by the first message bit */
    parity_check check = {0};
    const uint32_t k = (uint32_t)strlen(code->x);
    for (uint32_t t = 0; t + CONSTRAINT <= MOST_BITS; t++)
        for (uint32_t output = 0; output < 2 && check.length < MOST_BITS; output++) {
            if ((output ? code->y : code->x)[t % k] == '0')
                continue;
            uint64_t inputs = (uint64_t)generators[output] << t, sent = 1ull << check.length++;
            uint32_t first = lowest_bit(inputs);
            check.period += t < k;
            for (; inputs && rows[first].inputs; first = lowest_bit(inputs)) {
                inputs ^= rows[first].inputs;
                sent ^= rows[first].sent;
            }
            for (uint32_t i = 0; !inputs && i < check.length; i++)
                check.bits[i] = sent >> i & 1;
            if (!inputs)
                return check;
            rows[first].inputs = inputs;
            rows[first].sent = sent;
        }
    return check;
}

/* Returns the square of the deviation from random bits, in standard deviations. Inverted bits invert the parity of all
 * checks that start at an I bit, or of all others. */
static double deviation(const parity_check *check, const uint8_t *bits, size_t count, size_t first,
                        bool swapped)
{
    double odd[2] = {0}, all[2] = {0}, sum = 0;
    for (size_t at = first; at + check->length + 1 < count; at += check->period) {
        uint8_t parity = 0;
        for (uint32_t i = 0; i < check->length; i++)
            parity ^= check->bits[i] & bits[(at + i) ^ swapped];
        odd[at & 1] += parity;
        all[at & 1]++;
    }
    for (int i = 0; i < 2; i++)
        if (all[i] > 0)
            sum += pow(odd[i] - all[i] / 2, 2) / (all[i] / 4);
    return sum;
}

static const char *best_rate(const uint8_t *bits, size_t count)
{
    const char *name = NULL;
    double highest = least_deviations * least_deviations;
    for (size_t c = 0; c < sizeof codes / sizeof *codes; c++) {
        const parity_check check = make_check(&codes[c]);
        const size_t starts = check.period % 2 ? 2 * check.period : check.period;
        for (size_t first = 0; first < starts; first += 2)
            for (int swapped = 0; swapped < 2; swapped++) {
                const double here = deviation(&check, bits, count, first, swapped);
                if (here > highest) {
                    highest = here;
                    name = codes[c].name;
                }
            }
    }
    return name;
}

bool dvbs2_convolutional_rate(const float complex *symbols, size_t count, const char **rate)
{
    *rate = NULL;
    count = (count < SYMBOLS ? count : SYMBOLS) / BLOCK * BLOCK;
    if (count < LEAST_SYMBOLS)
        return true;
    uint8_t *bits = ldpc_allocate(2 * count, 1);
    const double offset = bits ? carrier_offset(symbols, LEAST_SYMBOLS) : 1;
    const bool made = fabs(offset) <= 0.5;
    if (made) {
        decide(symbols, count, offset, bits);
        *rate = best_rate(bits, 2 * count);
    }
    free(bits);
    return made;
}
