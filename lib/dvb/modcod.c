/* SPDX-License-Identifier: BSD-3-Clause */
/* Constellations: DVB-T2 (EN 302 755, 6.2 and 6.3), DVB-C2 (EN 302 769, 6.2). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status_internal.h"
#include "dvb/bch.h"
#include "dvb/modcod.h"
#include "ldpc/code.h"

static const double pi = 3.14159265358979323846;

static const ldpc_constellation constellations[] = {
    {"qpsk",    2,  true },
    {"16qam",   4,  true },
    {"64qam",   6,  true },
    {"256qam",  8,  true },
    {"1024qam", 10, true },
    {"4096qam", 12, true },
    {"8psk",    3,  false},
    {"8apsk",   3,  false},
    {"16apsk",  4,  false},
    {"32apsk",  5,  false},
    {"64apsk",  6,  false},
    {"128apsk", 7,  false},
    {"256apsk", 8,  false},
};

enum { T2_CONSTELLATIONS = 4, C2_CONSTELLATIONS = 5 };

static const ldpc_constellation *find_constellation(const char *name)
{
    const ldpc_constellation *constellation = constellations;
    while (strcmp(constellation->name, name))
        constellation++;
    return constellation;
}

/* ---- constellations of a code */

static bool starts_with(const char *name, const char *family)
{
    return !strncmp(name, family, strlen(family));
}

/* The reason is that of ldpc_code_create(), if it does not create this code either. */
static ldpc_status refuse_code(const char *name, ldpc_error *err)
{
    ldpc_code *code;
    const ldpc_status status = ldpc_code_create(name, &code, err);
    if (status != LDPC_OK)
        return status;
    ldpc_code_destroy(code);
    return ldpc_fail(err, LDPC_ERR_PARAM,
                     "code %.60s: expected dvbt2:..., dvbs2:..., dvbs2x:... or dvbc2:...", name);
}

/* The length of a BCH codeword is the dimension of the LDPC code. */
static ldpc_status find_code(const char *name, ldpc_modcod *modcod, ldpc_error *err)
{
    const ldpc_bch_row *outer = ldpc_bch_find(name);
    if (!outer)
        return refuse_code(name, err);
    modcod->n = (uint32_t)strtoul(strchr(name, ':') + 1, NULL, 10);
    modcod->k = outer->n;
    modcod->t2 = starts_with(name, "dvbt2:");
    modcod->c2 = starts_with(name, "dvbc2:");
    snprintf(modcod->rate, sizeof modcod->rate, "%s", strrchr(name, ':') + 1);
    if (modcod->t2 && !strcmp(modcod->rate, "1/4"))
        return ldpc_fail(
            err, LDPC_ERR_PARAM,
            "code %.60s: expected a code for data, because DVB-T2 uses this one for signalling only", name);
    return LDPC_OK;
}

/* Returns the i-th constellation of an LDPC code, or NULL, and sets modcod->satellite. */
static const ldpc_constellation *constellation_of(ldpc_modcod *modcod, uint32_t i)
{
    if (modcod->t2)
        return i < T2_CONSTELLATIONS ? &constellations[i] : NULL;
    if (modcod->c2)
        return i < C2_CONSTELLATIONS ? &constellations[1 + i] : NULL;
    modcod->satellite = ldpc_satellite_modcod_of(modcod->rate, modcod->n, i);
    return modcod->satellite ? find_constellation(modcod->satellite->modulation) : NULL;
}

/* A DVB-S2 frame has slots of 90 cells. With 128APSK, 12 cells pad the last slot. */
static void set_cells(ldpc_modcod *modcod)
{
    enum { SLOT = 90 };
    const uint32_t bits = modcod->constellation->bits;
    modcod->data_cells = (modcod->n + bits - 1) / bits;
    modcod->cells = modcod->data_cells;
    if (modcod->n % bits)
        modcod->cells = (modcod->data_cells + SLOT - 1) / SLOT * SLOT;
}

ldpc_status ldpc_modcod_make(const char *code, const char *modulation, ldpc_modcod *modcod, ldpc_error *err)
{
    char choice[80] = "";
    const ldpc_status status = find_code(code, modcod, err);
    if (status != LDPC_OK)
        return status;
    const ldpc_constellation *constellation;
    for (uint32_t i = 0; (constellation = constellation_of(modcod, i)); i++) {
        if (!strcmp(modulation, constellation->name)) {
            modcod->constellation = constellation;
            set_cells(modcod);
            return LDPC_OK;
        }
        strcat(strcat(choice, " "), constellation->name);
    }
    if (!*choice)
        return ldpc_fail(err, LDPC_ERR_PARAM, "code %.60s: no modulation of this code is supported", code);
    return ldpc_fail(err, LDPC_ERR_PARAM, "expected a modulation of %.60s:%s, found \"%.60s\"", code, choice,
                     modulation);
}

ldpc_modcod ldpc_modcod_with_points(uint32_t n, uint32_t bits)
{
    static const ldpc_constellation sizes[] = {
        {"points", 1, false},
        {"points", 2, false},
        {"points", 3, false},
        {"points", 4, false},
        {"points", 5, false},
        {"points", 6, false},
        {"points", 7, false},
        {"points", 8, false},
    };
    const uint32_t cells = (n + bits - 1) / bits;
    return (ldpc_modcod){
        .n = n, .k = n, .data_cells = cells, .cells = cells, .constellation = &sizes[bits - 1]};
}

/* ---- constellations */

double ldpc_qam_step(uint32_t bits)
{
    return sqrt(1.5 / ((1u << bits) - 1));
}

double ldpc_t2_angle(uint32_t bits)
{
    switch (bits) {
    case 2:
        return 29.0 * pi / 180;
    case 4:
        return 16.8 * pi / 180;
    case 6:
        return 8.6 * pi / 180;
    default:
        return atan(1.0 / 16);
    }
}

static int qam_level(uint32_t label, uint32_t bits, uint32_t from)
{
    int level = 0;
    for (uint32_t b = bits - 2 + from; b < bits; b -= 2) {
        const int half = 1 << (bits - 1 - b) / 2;
        level += half;
        if (label >> (bits - 1 - b) & 1)
            level = -level;
    }
    return level;
}

static void qam_points(uint32_t bits, double *points)
{
    for (uint32_t label = 0; label < 1u << bits; label++) {
        points[2 * label] = qam_level(label, bits, 0) * ldpc_qam_step(bits);
        points[2 * label + 1] = qam_level(label, bits, 1) * ldpc_qam_step(bits);
    }
}

void ldpc_modcod_points(const ldpc_modcod *modcod, double *points)
{
    if (modcod->constellation->qam)
        qam_points(modcod->constellation->bits, points);
    else
        ldpc_satellite_points(modcod->satellite, modcod->constellation->bits, points);
}

void ldpc_scale_points(const float *given, size_t count, double *points)
{
    double power = 0;
    for (size_t i = 0; i < 2 * count; i++)
        power += (double)given[i] * (double)given[i] / (double)count;
    for (size_t i = 0; i < 2 * count; i++)
        points[i] = (double)given[i] / sqrt(power);
}
