/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes any input to BCH decoder, demapper and cell deinterleaver. BCH must correct and count up to t
 * errors. Plain C and the widest instruction set must give equal LLRs. The deinterleaver must be a
 * permutation. */
#include "fuzz.h"
#include "ldpc/ldpc.h"

enum { BCH_N = 3240, BCH_MOST_K = BCH_N, MAPPINGS = 6, MOST_CELLS = 8100, MOST_TI = 3 };

/* ---- BCH */

FUZZ_NO_COVERAGE static size_t differences(const uint8_t *a, const uint8_t *b, size_t count)
{
    size_t different = 0;
    for (size_t i = 0; i < count; i++)
        different += a[i] != b[i];
    return different;
}

FUZZ_NO_COVERAGE static void take_bits(uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] &= 1;
}

static void try_bch(fuzz_input *in)
{
    static ldpc_bch *bch;
    static uint8_t message[BCH_MOST_K], sent[BCH_N], received[BCH_N], decoded[BCH_MOST_K], again[BCH_N];
    if (!bch)
        FUZZ_CHECK(ldpc_bch_create("dvbs2:16200:1/4", &bch, NULL) == LDPC_OK && ldpc_bch_n(bch) == BCH_N);
    const uint32_t k = ldpc_bch_k(bch), t = ldpc_bch_t(bch);
    int32_t corrected;
    fuzz_fill(in, message, k, 0);
    take_bits(message, k);
    FUZZ_CHECK(ldpc_bch_encode(bch, message, 1, false, sent) == LDPC_OK);
    memcpy(received, sent, BCH_N);
    for (uint32_t errors = fuzz_below(in, 20); errors; errors--)
        received[fuzz_word32(in) % BCH_N] ^= 1;
    FUZZ_CHECK(ldpc_bch_decode(bch, received, 1, false, decoded, &corrected) == LDPC_OK);
    size_t errors = differences(sent, received, BCH_N);
    if (corrected == LDPC_BCH_FAILED) {
        FUZZ_CHECK(errors > t && !memcmp(decoded, received, k));
        return;
    }
    FUZZ_CHECK(corrected >= 0 && (uint32_t)corrected <= t);
    FUZZ_CHECK(errors > t || ((size_t)corrected == errors && !memcmp(decoded, message, k)));
    FUZZ_CHECK(ldpc_bch_encode(bch, decoded, 1, false, again) == LDPC_OK);
    FUZZ_CHECK(differences(again, received, BCH_N) == (size_t)corrected);
}

/* ---- demapper */

static ldpc_demapper *demapper_of(uint32_t mapping, bool exact, bool plain_c)
{
    static ldpc_demapper *demappers[MAPPINGS][2][2];
    static const struct {
        const char *code, *modulation;
        bool rotated;
    } mappings[MAPPINGS] = {
        {"dvbt2:16200:1/2", "256qam", true },
        {"dvbt2:16200:3/5", "64qam",  false},
        {"dvbt2:16200:2/3", "16qam",  true },
        {"dvbt2:16200:1/2", "qpsk",   true },
        {"dvbs2:16200:3/5", "8psk",   false},
        {"dvbs2:16200:3/4", "32apsk", false},
    };
    ldpc_demapper **demapper = &demappers[mapping][exact][plain_c];
    ldpc_demapper_params params;
    ldpc_demapper_params_init(&params);
    params.code = mappings[mapping].code;
    params.modulation = mappings[mapping].modulation;
    params.rotated = mappings[mapping].rotated;
    params.exact = exact;
    params.kernel = plain_c ? ldpc_demapper_kernel_list(0) : NULL;
    if (!*demapper)
        FUZZ_CHECK(ldpc_demapper_create(&params, demapper, NULL) == LDPC_OK);
    return *demapper;
}

/* Makes floats: arbitrary bits (including infinities and NaN), or values near constellation points. */
FUZZ_NO_COVERAGE static void fill_floats(fuzz_input *in, float *values, size_t count, bool any, float step)
{
    static uint8_t bytes[sizeof(float) * 2 * MOST_CELLS];
    size_t used = count * (any ? sizeof(float) : 1);
    fuzz_fill(in, bytes, used, fuzz_byte(in));
    if (any)
        memcpy(values, bytes, used);
    for (size_t i = 0; !any && i < count; i++)
        values[i] = (float)(int8_t)bytes[i] * step;
}

static void try_demapper(fuzz_input *in)
{
    static float iq[2 * MOST_CELLS], noise[MOST_CELLS];
    static int8_t llr[2][16200];
    uint32_t flags = fuzz_byte(in), mapping = fuzz_below(in, MAPPINGS);
    bool exact = flags & 1 && mapping >= 2; /* slow for constellations with many points */
    ldpc_demapper *plain = demapper_of(mapping, exact, true), *wide = demapper_of(mapping, exact, false);
    size_t count = ldpc_demapper_cells(wide), n = ldpc_demapper_n(wide);
    ldpc_cells cells = {.n_codewords = 1, .iq = iq, .noise = (float)fuzz_byte(in) / 64};
    FUZZ_CHECK(count <= MOST_CELLS && n <= sizeof llr[0]);
    fill_floats(in, iq, 2 * count, flags & 2, 1 / 64.0f);
    if (flags & 4) {
        fill_floats(in, noise, count, flags & 8, 1 / 256.0f);
        cells.cell_noise = noise;
    }
    ldpc_status status = ldpc_demap(wide, &cells, llr[0]);
    FUZZ_CHECK(ldpc_demap(plain, &cells, llr[1]) == status);
    FUZZ_CHECK(status == LDPC_OK || (status == LDPC_ERR_RANGE && !cells.cell_noise && cells.noise == 0));
    if (status == LDPC_OK)
        FUZZ_CHECK(!memcmp(llr[0], llr[1], n) && !memchr(llr[0], -128, n));
    float estimate = -1;
    FUZZ_CHECK(ldpc_demapper_noise(wide, &cells, &estimate) == LDPC_OK);
    FUZZ_CHECK(estimate >= 1e-9f * 0.999f && estimate <= 10 * 1.001f);
}

/* ---- cell deinterleaver */

FUZZ_NO_COVERAGE static bool is_permutation(const float *numbers, size_t count)
{
    static uint8_t seen[MOST_TI * MOST_CELLS];
    bool once = true;
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < count; i++)
        once = once && numbers[i] < (float)count && !seen[(size_t)numbers[i]]++;
    return once;
}

FUZZ_NO_COVERAGE static void count_up(float *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = (float)i;
}

/* Returns a deinterleaver for modulation and N_TI. It is created only once, because finding a code takes
 * milliseconds. */
static const ldpc_cell_deinterleaver *deinterleaver_of(fuzz_input *in, uint32_t *n_ti)
{
    static const char *const modulations[] = {"qpsk", "16qam", "64qam", "256qam"};
    static const uint32_t n_tis[] = {0, 1, 2, 3, 4, 7, 8, 64, 254, 255};
    static ldpc_cell_deinterleaver *made[4][sizeof n_tis / sizeof *n_tis];
    uint32_t modulation = fuzz_below(in, 4), i = fuzz_below(in, sizeof n_tis / sizeof *n_tis);
    ldpc_cell_deinterleaver **deint = &made[modulation][i];
    *n_ti = n_tis[i];
    if (!*deint)
        FUZZ_CHECK(ldpc_cell_deinterleaver_create("dvbt2:16200:1/2", modulations[modulation], *n_ti, deint,
                                                  NULL) == LDPC_OK);
    return *deint;
}

static void try_deinterleaver(fuzz_input *in)
{
    static float cells[MOST_TI * MOST_CELLS], out[MOST_TI * MOST_CELLS];
    uint32_t n_ti, n_blocks = fuzz_byte(in), size = 1 + fuzz_below(in, MOST_TI);
    const ldpc_cell_deinterleaver *deint = deinterleaver_of(in, &n_ti);
    size_t count = ldpc_cell_deinterleaver_cells(deint);
    uint32_t total = 0;
    for (uint32_t i = 0; i < ldpc_ti_blocks(deint, n_blocks); i++)
        total += ldpc_ti_block_size(deint, n_blocks, i);
    FUZZ_CHECK(total == n_blocks &&
               ldpc_ti_block_size(deint, n_blocks, ldpc_ti_blocks(deint, n_blocks)) == 0);
    if (n_ti == 0 || n_blocks % 4)
        size = 1;
    count_up(cells, size * count);
    FUZZ_CHECK(ldpc_cells_deinterleave(deint, size, size, 1, 1, cells, out) == LDPC_ERR_RANGE);
    FUZZ_CHECK(ldpc_cells_deinterleave(deint, size, 0, size, 1, cells, out) == LDPC_OK);
    FUZZ_CHECK(is_permutation(out, size * count));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    switch (fuzz_below(&in, 4)) {
    case 0:
    case 1:
        try_bch(&in);
        break;
    case 2:
        try_demapper(&in);
        break;
    default:
        try_deinterleaver(&in);
    }
    return 0;
}
