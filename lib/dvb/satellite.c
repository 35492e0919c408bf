/* SPDX-License-Identifier: BSD-3-Clause */
/* MODCODs of DVB-S2 and DVB-S2X, and points of their constellations. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "dvb/satellite.h"

static const double pi = 3.14159265358979323846;

/* EN 302 307-1, tables 9 and 10; EN 302 307-2, 5.3.3 and 5.4. MODCODs for linear channels ("-L" in the
 * standard) have other code names: 16APSK 1/2-L is dvbs2x:64800:90/180. */
/* clang-format off */
static const ldpc_satellite_modcod modcods[] = {
    {"qpsk", "1/4", 0, "", NULL, {0}},
    {"qpsk", "1/3", 0, "", NULL, {0}},
    {"qpsk", "2/5", 0, "", NULL, {0}},
    {"qpsk", "1/2", 0, "", NULL, {0}},
    {"qpsk", "3/5", 0, "", NULL, {0}},
    {"qpsk", "2/3", 0, "", NULL, {0}},
    {"qpsk", "3/4", 0, "", NULL, {0}},
    {"qpsk", "4/5", 0, "", NULL, {0}},
    {"qpsk", "5/6", 0, "", NULL, {0}},
    {"qpsk", "8/9", 0, "", NULL, {0}},
    {"qpsk", "9/10", 64800, "", NULL, {0}},
    {"qpsk", "2/9", 61560, "", NULL, {0}},
    {"qpsk", "13/45", 64800, "", NULL, {0}},
    {"qpsk", "9/20", 64800, "", NULL, {0}},
    {"qpsk", "11/20", 64800, "", NULL, {0}},
    {"qpsk", "11/45", 16200, "", NULL, {0}},
    {"qpsk", "4/15", 16200, "", NULL, {0}},
    {"qpsk", "14/45", 16200, "", NULL, {0}},
    {"qpsk", "7/15", 16200, "", NULL, {0}},
    {"qpsk", "8/15", 16200, "", NULL, {0}},
    {"qpsk", "32/45", 16200, "", NULL, {0}},
    {"8psk", "3/5", 0, "210", &ldpc_psk8_map, {1}},
    {"8psk", "2/3", 0, "012", &ldpc_psk8_map, {1}},
    {"8psk", "3/4", 0, "012", &ldpc_psk8_map, {1}},
    {"8psk", "5/6", 0, "012", &ldpc_psk8_map, {1}},
    {"8psk", "8/9", 0, "012", &ldpc_psk8_map, {1}},
    {"8psk", "9/10", 64800, "012", &ldpc_psk8_map, {1}},
    {"8psk", "23/36", 64800, "012", &ldpc_psk8_map, {1}},
    {"8psk", "25/36", 64800, "102", &ldpc_psk8_map, {1}},
    {"8psk", "13/18", 64800, "102", &ldpc_psk8_map, {1}},
    {"8psk", "7/15", 16200, "102", &ldpc_psk8_map, {1}},
    {"8psk", "8/15", 16200, "102", &ldpc_psk8_map, {1}},
    {"8psk", "26/45", 16200, "102", &ldpc_psk8_map, {1}},
    {"8psk", "32/45", 16200, "012", &ldpc_psk8_map, {1}},
    {"8apsk", "100/180", 64800, "012", &ldpc_apsk8_map, {1, 5.32, 6.8}},
    {"8apsk", "104/180", 64800, "012", &ldpc_apsk8_map, {1, 6.39, 8.0}},
    {"16apsk", "2/3", 0, "0123", &ldpc_apsk16_map, {1, 3.15}},
    {"16apsk", "3/4", 0, "0123", &ldpc_apsk16_map, {1, 2.85}},
    {"16apsk", "4/5", 0, "0123", &ldpc_apsk16_map, {1, 2.75}},
    {"16apsk", "5/6", 0, "0123", &ldpc_apsk16_map, {1, 2.70}},
    {"16apsk", "8/9", 0, "0123", &ldpc_apsk16_map, {1, 2.60}},
    {"16apsk", "9/10", 64800, "0123", &ldpc_apsk16_map, {1, 2.57}},
    {"16apsk", "90/180", 64800, "3210", &ldpc_apsk16_linear_map, {1, 2.19}},
    {"16apsk", "96/180", 64800, "2310", &ldpc_apsk16_linear_map, {1, 2.19}},
    {"16apsk", "100/180", 64800, "2301", &ldpc_apsk16_linear_map, {1, 2.19}},
    {"16apsk", "18/30", 64800, "0123", &ldpc_apsk16_18_30_map, {0}},
    {"16apsk", "20/30", 64800, "0123", &ldpc_apsk16_20_30_map, {0}},
    {"16apsk", "26/45", 64800, "3201", &ldpc_apsk16_map, {1, 3.70}},
    {"16apsk", "3/5", 64800, "3210", &ldpc_apsk16_map, {1, 3.70}},
    {"16apsk", "28/45", 64800, "3012", &ldpc_apsk16_map, {1, 3.50}},
    {"16apsk", "23/36", 64800, "3021", &ldpc_apsk16_map, {1, 3.10}},
    {"16apsk", "25/36", 64800, "2310", &ldpc_apsk16_map, {1, 3.10}},
    {"16apsk", "13/18", 64800, "3021", &ldpc_apsk16_map, {1, 2.85}},
    {"16apsk", "140/180", 64800, "3210", &ldpc_apsk16_map, {1, 3.60}},
    {"16apsk", "154/180", 64800, "0321", &ldpc_apsk16_map, {1, 3.20}},
    {"16apsk", "7/15", 16200, "2103", &ldpc_apsk16_map, {1, 3.32}},
    {"16apsk", "8/15", 16200, "2103", &ldpc_apsk16_map, {1, 3.50}},
    {"16apsk", "26/45", 16200, "2130", &ldpc_apsk16_map, {1, 3.70}},
    {"16apsk", "3/5", 16200, "3201", &ldpc_apsk16_map, {1, 3.70}},
    {"16apsk", "32/45", 16200, "0123", &ldpc_apsk16_map, {1, 2.85}},
    {"32apsk", "3/4", 0, "01234", &ldpc_apsk32_map, {1, 2.84, 5.27}},
    {"32apsk", "4/5", 0, "01234", &ldpc_apsk32_map, {1, 2.72, 4.87}},
    {"32apsk", "5/6", 0, "01234", &ldpc_apsk32_map, {1, 2.64, 4.64}},
    {"32apsk", "8/9", 0, "01234", &ldpc_apsk32_map, {1, 2.54, 4.33}},
    {"32apsk", "9/10", 64800, "01234", &ldpc_apsk32_map, {1, 2.53, 4.30}},
    {"32apsk", "2/3", 64800, "21430", &ldpc_apsk32_linear_map, {1, 2.85, 5.55}},
    {"32apsk", "2/3", 16200, "41230", &ldpc_apsk32_linear_map, {1, 2.84, 5.54}},
    {"32apsk", "32/45", 16200, "10423", &ldpc_apsk32_linear_map, {1, 2.84, 5.26}},
    {"32apsk", "128/180", 64800, "40312", &ldpc_apsk32_4_rings_map, {1, 2.6, 2.99, 5.6}},
    {"32apsk", "132/180", 64800, "40312", &ldpc_apsk32_4_rings_map, {1, 2.6, 2.86, 5.6}},
    {"32apsk", "140/180", 64800, "40213", &ldpc_apsk32_4_rings_map, {1, 2.8, 3.08, 5.6}},
    {"64apsk", "128/180", 64800, "305214", &ldpc_apsk64_linear_map, {1, 1.88, 2.72, 3.95}},
    {"64apsk", "132/180", 64800, "520143", &ldpc_apsk64_132_180_map, {1, 2.4, 4.3, 7.0}},
    {"64apsk", "7/9", 64800, "201543", &ldpc_apsk64_map, {1, 2.2, 3.6, 5.2}},
    {"64apsk", "4/5", 64800, "124053", &ldpc_apsk64_map, {1, 2.2, 3.6, 5.2}},
    {"64apsk", "5/6", 64800, "421053", &ldpc_apsk64_map, {1, 2.2, 3.5, 5.0}},
    {"128apsk", "135/180", 64800, "4250316", &ldpc_apsk128_map, {1, 1.715, 2.118, 2.681, 2.75, 3.819}},
    {"128apsk", "140/180", 64800, "4130256", &ldpc_apsk128_map, {1, 1.715, 2.118, 2.681, 2.75, 3.733}},
    {"256apsk", "116/180", 64800, "40372156", &ldpc_apsk256_map,
     {1, 1.791, 2.405, 2.980, 3.569, 4.235, 5.078, 6.536}},
    {"256apsk", "20/30", 64800, "01234567", &ldpc_apsk256_20_30_map, {0}},
    {"256apsk", "124/180", 64800, "46320571", &ldpc_apsk256_map,
     {1, 1.791, 2.405, 2.980, 3.569, 4.235, 5.078, 6.536}},
    {"256apsk", "128/180", 64800, "75642301", &ldpc_apsk256_map,
     {1, 1.794, 2.409, 2.986, 3.579, 4.045, 4.6, 5.4}},
    {"256apsk", "22/30", 64800, "01234567", &ldpc_apsk256_22_30_map, {0}},
    {"256apsk", "135/180", 64800, "50743612", &ldpc_apsk256_map,
     {1, 1.794, 2.409, 2.986, 3.579, 4.045, 4.5, 5.2}},
};
/* clang-format on */

const ldpc_satellite_modcod *ldpc_satellite_modcod_of(const char *rate, uint32_t n, uint32_t i)
{
    for (size_t row = 0; row < sizeof modcods / sizeof *modcods; row++) {
        const ldpc_satellite_modcod *const modcod = &modcods[row];
        const bool length = modcod->n ? modcod->n == n : n == 64800 || n == 16200;
        if (length && !strcmp(modcod->rate, rate) && i-- == 0)
            return modcod;
    }
    return NULL;
}

/* Returns the point of a table entry. The mirror bits of its label are 0. */
static ldpc_cartesian quadrant_point(const ldpc_satellite_modcod *modcod, uint32_t entry)
{
    if (modcod->map->cartesian)
        return modcod->map->cartesian[entry];
    const ldpc_polar *const polar = &modcod->map->polar[entry];
    const double radius = modcod->radii[polar->ring], phase = pi * polar->num / polar->den;
    return (ldpc_cartesian){radius * cos(phase), radius * sin(phase)};
}

static uint32_t entry_of(const ldpc_point_map *map, uint32_t label)
{
    uint32_t entry = 0, weight = 1;
    for (uint32_t bit = 1; bit <= label; bit <<= 1)
        if (!((map->mirror_i | map->mirror_q) & bit)) {
            entry += label & bit ? weight : 0;
            weight <<= 1;
        }
    return entry;
}

void ldpc_satellite_points(const ldpc_satellite_modcod *modcod, uint32_t bits, double *points)
{
    const uint32_t count = 1u << bits;
    double power = 0;
    for (uint32_t label = 0; label < count; label++) {
        const ldpc_cartesian point = quadrant_point(modcod, entry_of(modcod->map, label));
        points[2 * label] = label & modcod->map->mirror_i ? -point.i : point.i;
        points[2 * label + 1] = label & modcod->map->mirror_q ? -point.q : point.q;
        power += (point.i * point.i + point.q * point.q) / count;
    }
    for (uint32_t part = 0; part < 2 * count; part++)
        points[part] /= sqrt(power);
}
