/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/sync/frame_search.h"

#include <math.h>

#include "dvbs2/sync/vlsnr_search.h"
#include "receiver/complex.h"

enum {
    BLOCK = 2048,
    /* number of positions in a block with the highest differential metrics; of these, those at which a header is
     * decoded, because the correlation with the SOF is highest */
    HIGHEST = 32,
    DECODED = 8,
    OFFSETS = 15, /* number of carrier offsets tried on each side of 0 */
};

/* step of the carrier offset, radians per symbol; it costs at most 0.2 dB */
static const double offset_step = 2 * RX_PI * 0.004;

/* ---- the header at one position */

double dvbs2_header_frequency(const float complex *symbols, uint8_t pls_code, double frequency)
{
    float complex header[DVBS2_HEADER], half[2] = {0}, turn = 1;
    const float complex step = rx_cplx((float)cos(frequency), (float)-sin(frequency));
    dvbs2_header_symbols(pls_code, header);
    for (uint32_t i = 0; i < DVBS2_HEADER; i++, turn = rx_mul(turn, step))
        half[i >= DVBS2_HEADER / 2] += rx_mul_conj(rx_mul(symbols[i], turn), header[i]);
    return frequency + (double)cargf(rx_mul_conj(half[1], half[0])) / (DVBS2_HEADER / 2);
}

static bool may_be_vlsnr(const dvbs2_frame_start *start)
{
    static const float certain = 0.6f; /* dvbs2_header.match */
    return !(start->match > certain) || start->format.kind == DVBS2_FRAME_VLSNR;
}

static dvbs2_frame_start decode_header(const float complex *symbols, double frequency)
{
    const dvbs2_header header = dvbs2_header_decode(symbols, frequency);
    return (dvbs2_frame_start){dvbs2_frame_format_of(header.pls_code), header.match, 0};
}

bool dvbs2_has_start(const float complex *symbols, size_t count, size_t at, double frequency)
{
    if (at + DVBS2_HEADER > count || at + DVBS2_LONG_HEADER <= count)
        return at + DVBS2_LONG_HEADER <= count;
    const dvbs2_frame_start start = decode_header(symbols + at, frequency);
    return !may_be_vlsnr(&start);
}

bool dvbs2_is_confirmed(const dvbs2_frame_start *start)
{
    return start->match >= dvbs2_match_confirmed;
}

dvbs2_frame_start dvbs2_decode_start(const float complex *symbols, size_t count, double *frequency,
                                     double range)
{
    const dvbs2_frame_start result = decode_header(symbols, *frequency);
    if (count < DVBS2_LONG_HEADER || !may_be_vlsnr(&result))
        return result;
    const dvbs2_vlsnr vlsnr = dvbs2_vlsnr_decode(symbols, *frequency, range);
    if (!(vlsnr.match >= dvbs2_vlsnr_found))
        return result;
    *frequency = vlsnr.frequency;
    return (dvbs2_frame_start){dvbs2_vlsnr_format(vlsnr.modcod), fmaxf(result.match, dvbs2_match_confirmed),
                               vlsnr.match};
}

static void decode_at(const float complex *symbols, dvbs2_found_header *found)
{
    found->header.match = 0;
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        float complex copy[DVBS2_HEADER];
        for (uint32_t i = 0; i < DVBS2_HEADER; i++)
            copy[i] = mirrored ? conjf(symbols[i]) : symbols[i];
        for (int offset = -OFFSETS; offset <= OFFSETS; offset++) {
            const dvbs2_header header = dvbs2_header_decode(copy, offset * offset_step);
            if (!(header.match > found->header.match))
                continue;
            found->header = header;
            found->mirrored = mirrored;
            found->frequency = dvbs2_header_frequency(copy, header.pls_code, offset * offset_step);
        }
    }
    found->format = dvbs2_frame_format_of(found->header.pls_code);
}

static bool confirms(const float complex *symbols, const dvbs2_found_header *found)
{
    float complex copy[DVBS2_HEADER];
    for (uint32_t i = 0; i < DVBS2_HEADER; i++)
        copy[i] = found->mirrored ? conjf(symbols[i]) : symbols[i];
    return dvbs2_header_decode(copy, found->frequency).match > dvbs2_match_confirmed;
}

/* ---- the search */

/* Returns the power of the correlation with the SOF, for the best carrier offset. */
static float sof_power(const float complex *symbols)
{
    const double step = 3 * offset_step;
    float complex header[DVBS2_HEADER];
    float highest = 0;
    dvbs2_header_symbols(0, header);
    for (int offset = -OFFSETS / 3; offset <= OFFSETS / 3; offset++) {
        const float complex turn = rx_cplx((float)cos(offset * step), (float)-sin(offset * step));
        float complex sum = 0, mirrored = 0, factor = 1;
        for (uint32_t i = 0; i < DVBS2_SOF; i++, factor = rx_mul(factor, turn)) {
            sum += rx_mul_conj(rx_mul(symbols[i], factor), header[i]);
            mirrored += rx_mul(rx_mul(symbols[i], factor), header[i]);
        }
        highest = fmaxf(highest, fmaxf(rx_power(sum), rx_power(mirrored)));
    }
    return highest;
}

typedef struct peak {
    size_t at;
    float metric;
} peak;

/* Inserts a peak into a list in descending order. Returns the length of the list. */
static size_t insert_peak(peak *peaks, size_t held, size_t room, peak next)
{
    if (held == room && peaks[room - 1].metric >= next.metric)
        return held;
    size_t i = held < room ? held : room - 1;
    for (; i > 0 && peaks[i - 1].metric < next.metric; i--)
        peaks[i] = peaks[i - 1];
    peaks[i] = next;
    return held < room ? held + 1 : held;
}

/* Returns the number of positions at which a header is decoded, the most likely ones first. */
static size_t find_peaks(const float complex *symbols, size_t from, size_t count, peak peaks[DECODED])
{
    peak highest[HIGHEST];
    size_t held = 0, found = 0;
    for (size_t at = from; at < from + count; at++)
        held = insert_peak(highest, held, HIGHEST, (peak){at, dvbs2_header_metric(symbols + at)});
    for (size_t i = 0; i < held; i++)
        found = insert_peak(peaks, found, DECODED, (peak){highest[i].at, sof_power(symbols + highest[i].at)});
    return found;
}

static bool find_vlsnr(const float complex *symbols, size_t from, dvbs2_found_header *found)
{
    dvbs2_found_vlsnr vlsnr;
    for (size_t at = from; at < from + BLOCK; at += DVBS2_VLSNR_BLOCK) {
        if (!dvbs2_find_vlsnr(symbols + at, &vlsnr))
            continue;
        *found = (dvbs2_found_header){.at = at + vlsnr.at,
                                      .format = dvbs2_vlsnr_format(vlsnr.header.modcod),
                                      .frequency = vlsnr.header.frequency,
                                      .mirrored = vlsnr.mirrored};
        return true;
    }
    return false;
}

bool dvbs2_find_header(const float complex *symbols, size_t count, size_t *from, size_t *wanted,
                       dvbs2_found_header *found)
{
    while (*from + BLOCK + DVBS2_LONG_HEADER <= count) {
        peak peaks[DECODED];
        const size_t held = find_peaks(symbols, *from, BLOCK, peaks);
        for (size_t i = 0; i < held; i++) {
            found->at = peaks[i].at;
            decode_at(symbols + found->at, found);
            if (!(found->header.match >= dvbs2_match_found) || !found->format.length)
                continue;
            const size_t next = found->at + found->format.length;
            if (next + DVBS2_HEADER > count) {
                *from = found->at;
                *wanted = next + DVBS2_HEADER;
                return false;
            }
            if (confirms(symbols + next, found))
                return true;
        }
        if (find_vlsnr(symbols, *from, found))
            return true;
        *from += BLOCK;
    }
    *wanted = *from + BLOCK + DVBS2_LONG_HEADER;
    return false;
}
