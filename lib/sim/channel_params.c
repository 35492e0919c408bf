/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds modulations and fadings by name. Computes the channel of a simulation point. */
#include "sim/channel_params.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/status_internal.h"
#include "base/versioned.h"
#include "dvb/demapper.h"

#define MAX_DB    100
#define MAX_POINT (UINT32_C(1) << 30)

static const struct {
    const char *name;
    int axis_bits, axes;
} modulations[] = {
    [LDPC_MODULATION_BPSK] = {"bpsk",   1, 1},
      [LDPC_MODULATION_QPSK] = {"qpsk",   1, 2},
    [LDPC_MODULATION_16QAM] = {"16qam",  2, 2},
      [LDPC_MODULATION_64QAM] = {"64qam",  3, 2},
    [LDPC_MODULATION_256QAM] = {"256qam", 4, 2},
};
static const char *const fading_names[] = {[LDPC_FADING_NONE] = "none", [LDPC_FADING_RAYLEIGH] = "rayleigh"};
static const char *const channel_names[] = {
    [LDPC_CHANNEL_AWGN] = "awgn", [LDPC_CHANNEL_BSC] = "bsc", [LDPC_CHANNEL_BEC] = "bec"};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

const char *ldpc_modulation_name(ldpc_modulation modulation)
{
    return (unsigned)modulation < COUNT(modulations) ? modulations[modulation].name : "unknown";
}

const char *ldpc_fading_name(ldpc_fading fading)
{
    return (unsigned)fading < COUNT(fading_names) ? fading_names[fading] : "unknown";
}

ldpc_status ldpc_modulation_parse(const char *name, ldpc_modulation *modulation)
{
    if (!name || !modulation)
        return LDPC_ERR_NULL;
    for (unsigned i = 0; i < COUNT(modulations); i++)
        if (strcmp(modulations[i].name, name) == 0) {
            *modulation = (ldpc_modulation)i;
            return LDPC_OK;
        }
    return LDPC_ERR_PARAM;
}

const char *ldpc_sim_channel_name(ldpc_sim_channel channel)
{
    return (unsigned)channel < COUNT(channel_names) ? channel_names[channel] : "unknown";
}

static ldpc_status find(const char *name, const char *const *names, unsigned count, unsigned *place)
{
    for (*place = 0; *place < count; ++*place)
        if (strcmp(names[*place], name) == 0)
            return LDPC_OK;
    return LDPC_ERR_PARAM;
}

ldpc_status ldpc_fading_parse(const char *name, ldpc_fading *fading)
{
    unsigned place;
    if (!name || !fading)
        return LDPC_ERR_NULL;
    const ldpc_status status = find(name, fading_names, COUNT(fading_names), &place);
    if (!status)
        *fading = (ldpc_fading)place;
    return status;
}

ldpc_status ldpc_sim_channel_parse(const char *name, ldpc_sim_channel *channel)
{
    unsigned place;
    if (!name || !channel)
        return LDPC_ERR_NULL;
    const ldpc_status status = find(name, channel_names, COUNT(channel_names), &place);
    if (!status)
        *channel = (ldpc_sim_channel)place;
    return status;
}

static const ldpc_layout layout = LDPC_LAYOUT(ldpc_sim_params, demapper);

void ldpc_sim_params_init_sized(ldpc_sim_params *params, size_t size)
{
    const ldpc_sim_params defaults = {
        .size = size, .ebn0_db = 1, .seed = 1, .max_frames = 1000, .max_frame_errors = 100};
    if (params)
        ldpc_write_struct(&layout, params, size, &defaults);
}

ldpc_status ldpc_sim_params_read(ldpc_sim_params *own, const ldpc_sim_params *given, ldpc_error *err)
{
    ldpc_status status = ldpc_read_struct(&layout, own, given, err);
    own->size = sizeof *own;
    return status;
}

static ldpc_status check_binary(const ldpc_sim_params *params, ldpc_error *err)
{
    const char *name = channel_names[params->channel];
    const double most = params->channel == LDPC_CHANNEL_BSC ? 0.5 : 1;
    if (params->modulation != LDPC_MODULATION_BPSK || params->demapper || params->fading != LDPC_FADING_NONE)
        return ldpc_fail(err, LDPC_ERR_PARAM, "channel %s: expected modulation bpsk without fading", name);
    if (!(params->probability >= 0 && params->probability <= most))
        return ldpc_fail(err, LDPC_ERR_PARAM, "probability %g of channel %s: expected 0 .. %g",
                         params->probability, name, most);
    return LDPC_OK;
}

static ldpc_status check_demapper(const ldpc_code *code, const ldpc_demapper *demapper, ldpc_error *err)
{
    const size_t n = (size_t)ldpc_code_n(code) * ldpc_code_symbol_bits(code);
    if (ldpc_demapper_n(demapper) != n)
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "the demapper has codewords of %zu bits: expected %zu, as %s has",
                         ldpc_demapper_n(demapper), n, ldpc_code_name(code));
    if (demapper->rotated)
        return ldpc_fail(err, LDPC_ERR_PARAM, "the demapper is rotated: expected rotated = false");
    return LDPC_OK;
}

/* Returns whether the all-zero codeword represents all codewords. */
static bool is_symmetric(const ldpc_sim_params *params)
{
    return !params->demapper && modulations[params->modulation].axis_bits == 1;
}

ldpc_status ldpc_channel_check(const ldpc_code *code, const ldpc_sim_params *params, ldpc_error *err)
{
    if (!(params->ebn0_db >= -MAX_DB && params->ebn0_db <= MAX_DB))
        return ldpc_fail(err, LDPC_ERR_PARAM, "%s %g: expected -%d .. %d dB",
                         params->esn0 ? "Es/N0" : "Eb/N0", params->ebn0_db, MAX_DB, MAX_DB);
    if (params->point >= MAX_POINT)
        return ldpc_fail(err, LDPC_ERR_PARAM, "point %u: expected 0 .. %u", params->point, MAX_POINT - 1);
    if ((unsigned)params->modulation >= COUNT(modulations))
        return ldpc_fail(err, LDPC_ERR_PARAM, "modulation %d: expected 0 .. %zu", (int)params->modulation,
                         COUNT(modulations) - 1);
    if ((unsigned)params->fading >= COUNT(fading_names))
        return ldpc_fail(err, LDPC_ERR_PARAM, "fading %d: expected 0 .. %zu", (int)params->fading,
                         COUNT(fading_names) - 1);
    if ((unsigned)params->channel >= COUNT(channel_names))
        return ldpc_fail(err, LDPC_ERR_PARAM, "channel %d: expected 0 .. %zu", (int)params->channel,
                         COUNT(channel_names) - 1);
    ldpc_status status = params->channel ? check_binary(params, err) : LDPC_OK;
    if (!status && params->demapper)
        status = check_demapper(code, params->demapper, err);
    if (status)
        return status;
    if (!ldpc_code_has_encoder(code) && !params->zero_codeword && !is_symmetric(params))
        return ldpc_fail(
            err, LDPC_ERR_UNSUPPORTED,
            "code %s is too large for an encoder, and the all-zero codeword is not representative "
            "over %s: expected bpsk or qpsk, or zero_codeword = true",
            ldpc_code_name(code),
            params->demapper ? "the constellation of a demapper" : modulations[params->modulation].name);
    if (ldpc_code_k(code) == 0)
        return ldpc_fail(err, LDPC_ERR_UNSUPPORTED,
                         "%s has no message bits (k = 0): is its parity-check matrix of %" PRIu32
                         " rows and %" PRIu32 " columns transposed?",
                         ldpc_code_name(code), ldpc_code_checks(code), ldpc_code_columns(code));
    if (ldpc_code_n(code) < ldpc_code_k(code))
        return ldpc_fail(err, LDPC_ERR_UNSUPPORTED,
                         "%s has %" PRIu32 " transmitted symbols for %" PRIu32
                         " message symbols: are too many columns punctured?",
                         ldpc_code_name(code), ldpc_code_n(code), ldpc_code_k(code));
    return LDPC_OK;
}

/* Returns the mean energy of the levels +-1, +-3 .. : (4^bits - 1) / 3. */
static double axis_energy(int bits)
{
    return ((1 << 2 * bits) - 1) / 3.0;
}

/* Returns the channel of a BSC or BEC, whose LLRs are limited to int8. */
static ldpc_channel binary_channel(const ldpc_sim_params *params, float llr_scale)
{
    const double p = params->probability, most = 127 / (double)llr_scale;
    const bool erasures = params->channel == LDPC_CHANNEL_BEC;
    return (ldpc_channel){
        .seed = params->seed,
        .point = params->point,
        .gain = (float)(erasures || p == 0 ? most : fmin(most, log((1 - p) / p))),
        .llr_scale = llr_scale,
        .binary = true,
        .erasures = erasures,
        .events = (uint64_t)(p * 4294967296.0),
    };
}

/* Returns the channel for a constellation of mean power 1. */
static ldpc_channel channel_of_points(const ldpc_code *code, const ldpc_sim_params *params, float llr_scale)
{
    const ldpc_demapper *const demapper = params->demapper;
    const size_t bits = ldpc_demapper_bits(demapper);
    const double rate = (double)ldpc_code_k(code) / ldpc_code_n(code);
    const double variance =
        1 / (2 * (params->esn0 ? 1 : rate * (double)bits) * pow(10, params->ebn0_db / 10));
    return (ldpc_channel){
        .seed = params->seed,
        .point = params->point,
        .axes = 2,
        .fading = params->fading == LDPC_FADING_RAYLEIGH,
        .sigma = (float)sqrt(variance),
        .gain = (float)(2 / variance),
        .llr_scale = llr_scale,
        .points = ldpc_demapper_points(demapper),
        .bit_at = demapper->bit_at,
        .symbol_bits = (int)bits,
    };
}

ldpc_channel ldpc_channel_of(const ldpc_code *code, const ldpc_sim_params *params, float llr_scale)
{
    if (params->channel)
        return binary_channel(params, llr_scale);
    if (params->demapper)
        return channel_of_points(code, params, llr_scale);
    int bits = modulations[params->modulation].axis_bits, axes = modulations[params->modulation].axes;
    double rate = (double)ldpc_code_k(code) / ldpc_code_n(code);
    double per_axis = params->esn0 ? 1.0 / axes : rate * bits;
    double variance = axis_energy(bits) / (2 * per_axis * pow(10, params->ebn0_db / 10));
    return (ldpc_channel){
        .seed = params->seed,
        .point = params->point,
        .axis_bits = bits,
        .axes = axes,
        .fading = params->fading == LDPC_FADING_RAYLEIGH,
        .sigma = (float)sqrt(variance),
        .gain = (float)(2 / variance),
        .llr_scale = llr_scale,
    };
}
