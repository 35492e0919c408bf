/* SPDX-License-Identifier: BSD-3-Clause */
/* Constellations of DVB-T2 (EN 302 755, 6.2, 6.3) and DVB-S2 (EN 302 307-1, 5.4), and the codes that use
 * them. */
#include <math.h>
#include <string.h>

#include "base/status_internal.h"
#include "dvb/modcod.h"
#include "ldpc/code.h"

static const double pi = 3.14159265358979323846;

static const ldpc_constellation constellations[] = {
    {"qpsk",   2, true,  true,  true,  NULL                        },
    {"16qam",  4, true,  true,  false, NULL                        },
    {"64qam",  6, true,  true,  false, NULL                        },
    {"256qam", 8, true,  true,  false, NULL                        },
    {"8psk",   3, false, false, true,  " 3/5 2/3 3/4 5/6 8/9 9/10 "},
    {"16apsk", 4, false, false, true,  " 2/3 3/4 4/5 5/6 8/9 9/10 "},
    {"32apsk", 5, false, false, true,  " 3/4 4/5 5/6 8/9 9/10 "    },
};

enum { CONSTELLATIONS = sizeof constellations / sizeof *constellations };

/* ---- codes and constellations that standards combine */

static ldpc_status find_code(const char *name, ldpc_modcod *modcod, ldpc_error *err)
{
    ldpc_code *code;
    const ldpc_status status = ldpc_code_create(name, &code, err);
    if (status != LDPC_OK)
        return status;
    const char *const canonical = ldpc_code_name(code);
    const char *const rate = strrchr(canonical, ':');
    modcod->n = ldpc_code_n(code);
    modcod->k = ldpc_code_k(code);
    modcod->t2 = !strncmp(canonical, "dvbt2:", 6);
    const bool known =
        (modcod->t2 || !strncmp(canonical, "dvbs2:", 6)) && strlen(rate + 1) < sizeof modcod->rate;
    if (known)
        strcpy(modcod->rate, rate + 1);
    ldpc_code_destroy(code);
    if (!known)
        return ldpc_fail(err, LDPC_ERR_PARAM, "expected a code dvbt2:... or dvbs2:..., found %.60s", name);
    if (modcod->t2 && !strcmp(modcod->rate, "1/4"))
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "%.60s carries signalling only: expected a code that DVB-T2 has for data cells",
                         name);
    return LDPC_OK;
}

static bool is_used_with(const ldpc_constellation *constellation, const ldpc_modcod *modcod)
{
    char rate[16] = " ";
    if (modcod->t2)
        return constellation->t2;
    if (!constellation->s2_rates)
        return constellation->s2;
    strcat(strcat(rate, modcod->rate), " ");
    return strstr(constellation->s2_rates, rate) != NULL;
}

ldpc_status ldpc_modcod_make(const char *code, const char *modulation, ldpc_modcod *modcod, ldpc_error *err)
{
    char choice[80] = "";
    const ldpc_status status = find_code(code, modcod, err);
    if (status != LDPC_OK)
        return status;
    for (size_t i = 0; i < CONSTELLATIONS; i++) {
        if (!is_used_with(&constellations[i], modcod))
            continue;
        if (!strcmp(modulation, constellations[i].name)) {
            modcod->constellation = &constellations[i];
            modcod->cells = modcod->n / constellations[i].bits;
            return LDPC_OK;
        }
        strcat(strcat(choice, " "), constellations[i].name);
    }
    return ldpc_fail(err, LDPC_ERR_PARAM, "expected a modulation of %.60s:%s, found \"%.60s\"", code, choice,
                     modulation);
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

/* QAM level of an axis, which carries every second bit of a label from bit `from` on. Gray code: each bit
 * mirrors the levels that the bits after it select. */
static int qam_level(uint32_t label, uint32_t bits, uint32_t from)
{
    int level = 0;
    for (uint32_t b = bits - 2 + from; b < bits; b -= 2) {
        const int half =
            1 << (bits - 1 - b) / 2; /* distance from 0 to the middle of the levels of one sign */
        level += half;
        if (label >> (bits - 1 - b) & 1)
            level = -level;
    }
    return level;
}

/* Ring and phase of a label; phases in steps of 7.5 degrees. */
typedef struct polar {
    uint8_t ring;
    int8_t phase;
} polar;

static const polar psk8[] = {
    {0, 6  },
    {0, 0  },
    {0, 24 },
    {0, -18},
    {0, 12 },
    {0, -6 },
    {0, 18 },
    {0, -12}
};
static const polar apsk16[] = {
    {1, 6  },
    {1, -6 },
    {1, 18 },
    {1, -18},
    {1, 2  },
    {1, -2 },
    {1, 22 },
    {1, -22},
    {1, 10 },
    {1, -10},
    {1, 14 },
    {1, -14},
    {0, 6  },
    {0, -6 },
    {0, 18 },
    {0, -18}
};
static const polar apsk32[] = {
    {1, 6  },
    {1, 10 },
    {1, -6 },
    {1, -10},
    {1, 18 },
    {1, 14 },
    {1, -18},
    {1, -14},
    {2, 3  },
    {2, 9  },
    {2, -6 },
    {2, -12},
    {2, 18 },
    {2, 12 },
    {2, -21},
    {2, -15},
    {1, 2  },
    {0, 6  },
    {1, -2 },
    {0, -6 },
    {1, 22 },
    {0, 18 },
    {1, -22},
    {0, -18},
    {2, 0  },
    {2, 6  },
    {2, -3 },
    {2, -9 },
    {2, 21 },
    {2, 15 },
    {2, 24 },
    {2, -18}
};

/* Radii of the rings as multiples of the innermost: EN 302 307-1, tables 9 and 10. */
static const struct {
    uint32_t bits;
    const char *rate;
    double ratios[3];
} rings[] = {
    {4, "2/3",  {1, 3.15}      },
    {4, "3/4",  {1, 2.85}      },
    {4, "4/5",  {1, 2.75}      },
    {4, "5/6",  {1, 2.70}      },
    {4, "8/9",  {1, 2.60}      },
    {4, "9/10", {1, 2.57}      },
    {5, "3/4",  {1, 2.84, 5.27}},
    {5, "4/5",  {1, 2.72, 4.87}},
    {5, "5/6",  {1, 2.64, 4.64}},
    {5, "8/9",  {1, 2.54, 4.33}},
    {5, "9/10", {1, 2.53, 4.30}},
};

static const double *ring_ratios(uint32_t bits, const char *rate)
{
    static const double one[] = {1};
    for (size_t i = 0; i < sizeof rings / sizeof *rings; i++)
        if (rings[i].bits == bits && !strcmp(rings[i].rate, rate))
            return rings[i].ratios;
    return one;
}

static void qam_points(uint32_t bits, double *points)
{
    for (uint32_t label = 0; label < 1u << bits; label++) {
        points[2 * label] = qam_level(label, bits, 0) * ldpc_qam_step(bits);
        points[2 * label + 1] = qam_level(label, bits, 1) * ldpc_qam_step(bits);
    }
}

static void ring_points(uint32_t bits, const char *rate, double *points)
{
    const polar *const map = bits == 3 ? psk8 : bits == 4 ? apsk16 : apsk32;
    const double *const ratios = ring_ratios(bits, rate);
    const uint32_t count = 1u << bits;
    double power = 0;
    for (uint32_t i = 0; i < count; i++)
        power += ratios[map[i].ring] * ratios[map[i].ring] / count;
    for (uint32_t i = 0; i < count; i++) {
        points[2 * i] = ratios[map[i].ring] / sqrt(power) * cos(map[i].phase * pi / 24);
        points[2 * i + 1] = ratios[map[i].ring] / sqrt(power) * sin(map[i].phase * pi / 24);
    }
}

void ldpc_modcod_points(const ldpc_modcod *modcod, double *points)
{
    if (modcod->constellation->qam)
        qam_points(modcod->constellation->bits, points);
    else
        ring_points(modcod->constellation->bits, modcod->rate, points);
}
