/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derives the parameters of a mode (EN 302 755). */
#include <math.h>
#include <string.h>

#include "base/status_internal.h"
#include "ldpc/dvbt2.h"
#include "dvbt2/standard/p1_table.h"
#include "dvbt2/standard/parameters.h"
#include "dvbt2/standard/pilot_tables.h"
/* Parameters of an FFT size (EN 302 755, clauses 8.3.5 to 8.3.7, 9.2, 9.5); 0: not defined.
 * c_p2[SISO, MISO]; c_data, n_fc, c_fc[normal, extended carriers][PP1 .. PP8].
 * n_fc, c_fc: cells of the frame-closing symbol, with and without thinning cells. */
typedef struct fft_row {
    uint16_t n_p2, k_ext, tones;
    uint16_t c_p2[2];
    uint16_t c_data[2][DVBT2_PILOT_PATTERNS], n_fc[2][DVBT2_PILOT_PATTERNS], c_fc[2][DVBT2_PILOT_PATTERNS];
} fft_row;

/* clang-format off */
static const fft_row fft_rows[DVBT2_FFT_SIZES] = {
    [DVBT2_FFT_1K] = {16, 0, 10, {558, 546},
                      {{764, 768, 798, 804, 818}},
                      {{568, 710, 710, 780, 780}},
                      {{402, 654, 490, 707, 544}}},
    [DVBT2_FFT_2K] = {8, 0, 18, {1118, 1098},
                      {{1522, 1532, 1596, 1602, 1632, 0, 1646}},
                      {{1136, 1420, 1420, 1562, 1562, 0, 1632}},
                      {{804, 1309, 980, 1415, 1088, 0, 1396}}},
    [DVBT2_FFT_4K] = {4, 0, 36, {2236, 2198},
                      {{3084, 3092, 3228, 3234, 3298, 0, 3328}},
                      {{2272, 2840, 2840, 3124, 3124, 0, 3266}},
                      {{1609, 2619, 1961, 2831, 2177, 0, 2792}}},
    [DVBT2_FFT_8K] = {2, 48, 72, {4472, 4398},
                      {{6208, 6214, 6494, 6498, 6634, 0, 6698, 6698},
                       {6296, 6298, 6584, 6588, 6728, 0, 6788, 6788}},
                      {{4544, 5680, 5680, 6248, 6248, 0, 6532}, {4608, 5760, 5760, 6336, 6336, 0, 6624}},
                      {{3218, 5238, 3922, 5662, 4354, 0, 5585}, {3264, 5312, 3978, 5742, 4416, 0, 5664}}},
    [DVBT2_FFT_16K] = {1, 144, 144, {8944, 8814},
                       {{12418, 12436, 12988, 13002, 13272, 13288, 13416, 13406},
                        {12678, 12698, 13262, 13276, 13552, 13568, 13698, 13688}},
                       {{9088, 11360, 11360, 12496, 12496, 13064, 13064},
                        {9280, 11600, 11600, 12760, 12760, 13340, 13340}},
                       {{6437, 10476, 7845, 11324, 8709, 11801, 11170},
                        {6573, 10697, 8011, 11563, 8893, 12051, 11406}}},
    [DVBT2_FFT_32K] = {1, 288, 288, {22432, 17612},
                       {{0, 24886, 0, 26022, 0, 26592, 26836, 26812},
                        {0, 25412, 0, 26572, 0, 27152, 27404, 27376}},
                       {{0, 22720, 0, 24992, 0, 26128}, {0, 23200, 0, 25520, 0, 26680}},
                       {{0, 20952, 0, 22649, 0, 23603}, {0, 21395, 0, 23127, 0, 24102}}},
};
/* clang-format on */

/* Dx and Dy of the scattered pilots (clause 9.2.3). */
static const struct {
    uint8_t dx, dy;
} scattered[DVBT2_PILOT_PATTERNS] = {
    {3,  4 },
    {6,  2 },
    {6,  4 },
    {12, 2 },
    {12, 4 },
    {24, 2 },
    {24, 4 },
    {6,  16}
};

/* Amplitudes: scattered pilots for each pattern (clause 9.2.3), continual pilots for each FFT size (clause
 * 9.2.4), P2 pilots (clause 9.2.6). */
static const float scattered_amplitude[DVBT2_PILOT_PATTERNS] = {4 / 3.F, 4 / 3.F, 7 / 4.F, 7 / 4.F,
                                                                7 / 3.F, 7 / 3.F, 7 / 3.F, 7 / 3.F};
static const float continual_amplitude[DVBT2_FFT_SIZES] = {4 / 3.F, 4 / 3.F, 1.88561808F,
                                                           8 / 3.F, 8 / 3.F, 8 / 3.F};
static const float p2_amplitude = 1.11355287F;          /* sqrt(31) / 5 */
static const float p2_amplitude_32k_siso = 1.21655251F; /* sqrt(37) / 5 */

/* Guard intervals as fractions. */
static const struct {
    uint16_t num, den;
} guards[DVBT2_GUARD_INTERVALS] = {
    {1,  32 },
    {1,  16 },
    {1,  8  },
    {1,  4  },
    {1,  128},
    {19, 128},
    {19, 256}
};

/* A set of pilot patterns. */
#define PP(n) (1U << ((n)-1))

/* clang-format off */
/* Pilot patterns allowed in SISO (clause 9.2.3.1); columns: dvbt2_guard_interval. */
static const uint8_t allowed_siso[DVBT2_FFT_SIZES][DVBT2_GUARD_INTERVALS] = {
    [DVBT2_FFT_1K] = {0, PP(4) | PP(5), PP(2) | PP(3), PP(1)},
    [DVBT2_FFT_2K] = {PP(7) | PP(4), PP(4) | PP(5), PP(2) | PP(3), PP(1)},
    [DVBT2_FFT_4K] = {PP(7) | PP(4), PP(4) | PP(5), PP(2) | PP(3), PP(1)},
    [DVBT2_FFT_8K] = {PP(7) | PP(4), PP(8) | PP(4) | PP(5), PP(2) | PP(3) | PP(8), PP(1) | PP(8), PP(7),
                      PP(2) | PP(3) | PP(8), PP(8) | PP(4) | PP(5)},
    [DVBT2_FFT_16K] = {PP(7) | PP(4) | PP(6), PP(2) | PP(8) | PP(4) | PP(5), PP(2) | PP(3) | PP(8),
                       PP(1) | PP(8), PP(7), PP(2) | PP(3) | PP(8), PP(2) | PP(8) | PP(4) | PP(5)},
    [DVBT2_FFT_32K] = {PP(4) | PP(6), PP(2) | PP(8) | PP(4), PP(2) | PP(8), 0, PP(7), PP(2) | PP(8),
                       PP(2) | PP(8) | PP(4)},
};

static const uint8_t allowed_miso[DVBT2_FFT_SIZES][DVBT2_GUARD_INTERVALS] = {
    [DVBT2_FFT_1K] = {0, PP(3), PP(1)},
    [DVBT2_FFT_2K] = {PP(4) | PP(5), PP(3), PP(1)},
    [DVBT2_FFT_4K] = {PP(4) | PP(5), PP(3), PP(1)},
    [DVBT2_FFT_8K] = {PP(8) | PP(4) | PP(5), PP(3) | PP(8), PP(1) | PP(8), 0, PP(8) | PP(4) | PP(5),
                      PP(1) | PP(8), PP(3) | PP(8)},
    [DVBT2_FFT_16K] = {PP(8) | PP(4) | PP(5), PP(3) | PP(8), PP(1) | PP(8), 0, PP(8) | PP(4) | PP(5),
                       PP(1) | PP(8), PP(3) | PP(8)},
    [DVBT2_FFT_32K] = {PP(8) | PP(4), PP(2) | PP(8), 0, 0, PP(8) | PP(4) | PP(6), 0, PP(2) | PP(8)},
};

/* Pilot patterns with a frame-closing symbol in SISO (clause 8.3.7). MISO: all except PP8. */
static const uint8_t closing_siso[DVBT2_FFT_SIZES][DVBT2_GUARD_INTERVALS] = {
    [DVBT2_FFT_1K] = {0, PP(4) | PP(5), PP(2) | PP(3), PP(1)},
    [DVBT2_FFT_2K] = {PP(7), PP(4) | PP(5), PP(2) | PP(3), PP(1)},
    [DVBT2_FFT_4K] = {PP(7), PP(4) | PP(5), PP(2) | PP(3), PP(1)},
    [DVBT2_FFT_8K] = {PP(7), PP(4) | PP(5), PP(2) | PP(3), PP(1), 0, PP(2) | PP(3), PP(4) | PP(5)},
    [DVBT2_FFT_16K] = {PP(6) | PP(7), PP(4) | PP(5), PP(2) | PP(3), PP(1), 0, PP(2) | PP(3), PP(4) | PP(5)},
    [DVBT2_FFT_32K] = {PP(6), PP(4), PP(2), 0, 0, PP(2), PP(4)},
};
/* clang-format on */

uint32_t dvbt2_guard_length(dvbt2_fft_size fft, dvbt2_guard_interval guard)
{
    if ((unsigned)fft >= DVBT2_FFT_SIZES || (unsigned)guard >= DVBT2_GUARD_INTERVALS)
        return 0;
    uint32_t samples = (1024U << fft) * guards[guard].num;
    return samples % guards[guard].den ? 0 : samples / guards[guard].den;
}

double dvbt2_sample_rate(double bandwidth)
{
    /* In a 1.7 MHz channel, 8/7 of the bandwidth is too high as a sample rate. */
    const bool narrowest = fabs(bandwidth - 1.7) < 1e-6;
    return narrowest ? 131e6 / 71 : bandwidth * 8e6 / 7;
}

static bool mode_in_range(const dvbt2_mode *mode)
{
    return (unsigned)mode->fft < DVBT2_FFT_SIZES && (unsigned)mode->guard < DVBT2_GUARD_INTERVALS &&
           mode->pilot_pattern <= DVBT2_PILOT_PATTERNS;
}

bool dvbt2_mode_allowed(const dvbt2_mode *mode)
{
    if (!mode || !mode_in_range(mode))
        return false;
    bool lite = mode->profile == DVBT2_PROFILE_LITE;
    if (lite && (mode->fft == DVBT2_FFT_1K || mode->fft == DVBT2_FFT_32K))
        return false;
    if (mode->extended && !fft_rows[mode->fft].k_ext)
        return false;
    unsigned patterns = (mode->miso ? allowed_miso : allowed_siso)[mode->fft][mode->guard];
    if (lite)
        patterns &= ~PP(8);
    return mode->pilot_pattern ? (patterns & PP(mode->pilot_pattern)) != 0 : patterns != 0;
}

static bool has_closing_symbol(const dvbt2_mode *mode)
{
    if (mode->miso)
        return mode->pilot_pattern != 8;
    return (closing_siso[mode->fft][mode->guard] & PP(mode->pilot_pattern)) != 0;
}

static ldpc_status check_mode(const dvbt2_mode *mode, ldpc_error *err)
{
    if (!mode_in_range(mode))
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "FFT size, guard interval or pilot pattern not defined in EN 302 755");
    const fft_row *row = &fft_rows[mode->fft];
    const char *fft = dvbt2_fft_size_name(mode->fft);
    if (mode->extended && !row->k_ext)
        return ldpc_fail(err, LDPC_ERR_PARAM, "%s has no extended carriers (8K, 16K and 32K do)", fft);
    if (!dvbt2_guard_length(mode->fft, mode->guard))
        return ldpc_fail(err, LDPC_ERR_PARAM, "guard interval %s is not defined for FFT size %s",
                         dvbt2_guard_interval_name((uint8_t)mode->guard), fft);
    if (!mode->pilot_pattern)
        return LDPC_OK;
    unsigned pattern = mode->pilot_pattern - 1U;
    if (!row->c_data[mode->extended][pattern] || (has_closing_symbol(mode) && !row->c_fc[0][pattern]))
        return ldpc_fail(err, LDPC_ERR_PARAM, "pilot pattern PP%u is not defined for FFT size %s%s",
                         pattern + 1, fft, mode->miso ? " MISO" : "");
    if (mode->n_data_symbols < 1)
        return ldpc_fail(err, LDPC_ERR_PARAM, "0 data symbols in a frame (expected at least 1)");
    return LDPC_OK;
}

static void derive_data_symbols(dvbt2_parameters *p)
{
    const dvbt2_mode *mode = &p->mode;
    const fft_row *row = &fft_rows[mode->fft];
    unsigned pattern = mode->pilot_pattern - 1U, tones = mode->tone_reservation ? row->tones : 0;
    p->dx = scattered[pattern].dx;
    p->dy = scattered[pattern].dy;
    p->a_sp = scattered_amplitude[pattern];
    p->n_symbols = p->n_p2 + mode->n_data_symbols;
    p->frame_length = DVBT2_P1_SAMPLES + p->n_symbols * p->symbol_length;
    p->c_data = row->c_data[mode->extended][pattern] - tones;
    p->closing = has_closing_symbol(mode);
    if (p->closing) {
        p->n_fc = row->n_fc[mode->extended][pattern] - tones;
        p->c_fc = row->c_fc[mode->extended][pattern] - tones;
    }
}

ldpc_status dvbt2_parameters_derive(const dvbt2_mode *mode, dvbt2_parameters *parameters, ldpc_error *err)
{
    if (!mode || !parameters)
        return ldpc_fail(err, LDPC_ERR_NULL, "mode and parameters must not be NULL");
    ldpc_status status = check_mode(mode, err);
    if (status != LDPC_OK)
        return status;
    const fft_row *row = &fft_rows[mode->fft];
    dvbt2_parameters p = {.mode = *mode};
    p.fft_length = 1024U << mode->fft;
    p.guard_length = dvbt2_guard_length(mode->fft, mode->guard);
    p.symbol_length = p.fft_length + p.guard_length;
    p.k_ext = mode->extended ? row->k_ext : 0;
    p.carriers = (852U << mode->fft) + 1 + 2 * p.k_ext;
    p.first_bin = p.fft_length / 2 - (p.carriers - 1) / 2;
    p.n_p2 = row->n_p2;
    p.c_p2 = row->c_p2[mode->miso];
    p.a_p2 = mode->fft == DVBT2_FFT_32K && !mode->miso ? p2_amplitude_32k_siso : p2_amplitude;
    p.a_cp = continual_amplitude[mode->fft];
    if (mode->pilot_pattern)
        derive_data_symbols(&p);
    *parameters = p;
    return LDPC_OK;
}

bool dvbt2_l1_tone_reservation(const dvbt2_l1_pre *pre)
{
    return pre && (pre->papr == 2 || pre->papr == 3);
}

ldpc_status dvbt2_mode_from_l1(const dvbt2_l1_pre *pre, dvbt2_mode *mode, ldpc_error *err)
{
    dvbt2_p1_info info;
    if (!pre || !mode)
        return ldpc_fail(err, LDPC_ERR_NULL, "L1-pre and mode must not be NULL");
    if (!dvbt2_p1_fields(pre->s1, pre->s2, &info) || !info.t2)
        return ldpc_fail(err, LDPC_ERR_PARAM, "L1-pre: S1 %u and S2 %u do not signal a T2 frame", pre->s1,
                         pre->s2);
    if (pre->guard_interval >= DVBT2_GUARD_INTERVALS)
        return ldpc_fail(err, LDPC_ERR_PARAM, "L1-pre: guard interval %u is reserved", pre->guard_interval);
    if (pre->pilot_pattern >= DVBT2_PILOT_PATTERNS)
        return ldpc_fail(err, LDPC_ERR_PARAM, "L1-pre: pilot pattern %u is reserved", pre->pilot_pattern);
    *mode = (dvbt2_mode){
        .fft = info.fft,
        .guard = (dvbt2_guard_interval)pre->guard_interval,
        .pilot_pattern = (uint8_t)(pre->pilot_pattern + 1),
        .extended = pre->bwt_ext,
        .miso = info.miso,
        .tone_reservation = dvbt2_l1_tone_reservation(pre),
        .profile = info.profile,
        .n_data_symbols = pre->num_data_symbols,
    };
    return LDPC_OK;
}

dvbt2_symbol_kind dvbt2_symbol_kind_of(const dvbt2_parameters *parameters, uint32_t l)
{
    if (l < parameters->n_p2)
        return DVBT2_SYMBOL_P2;
    return parameters->closing && l + 1 == parameters->n_symbols ? DVBT2_SYMBOL_CLOSING : DVBT2_SYMBOL_NORMAL;
}

uint32_t dvbt2_symbol_cells(const dvbt2_parameters *parameters, uint32_t l)
{
    switch (dvbt2_symbol_kind_of(parameters, l)) {
    case DVBT2_SYMBOL_P2:
        return parameters->c_p2;
    case DVBT2_SYMBOL_CLOSING:
        return parameters->n_fc;
    default:
        return parameters->c_data;
    }
}
