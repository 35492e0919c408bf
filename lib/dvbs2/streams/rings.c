/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/streams/rings.h"

#include <math.h>
#include <string.h>

#include "receiver/complex.h"

enum { MOST_RINGS = DVBS2_MOST_RINGS, POINTS = DVBS2_RING_POINTS, MEMORY = 8 /* frames */ };

/* If two radii differ by less than this, their points form one ring. */
static const float least_distance = 0.04f;
/* Minimum power of the distortion relative to the noise. */
static const float least_gain = 0.02f;
static const float least_growth = 1.03f; /* minimum ratio of adjacent radii */

static float complex point_of(const dvbs2_rings *r, uint32_t label)
{
    return rx_cplx(r->points[2 * label], r->points[2 * label + 1]);
}

void dvbs2_rings_init(dvbs2_rings *r, const float *points, uint32_t bits)
{
    const uint32_t n = 1u << bits;
    float last = -1, inner = -1;
    uint32_t of_ring = 0;
    *r = (dvbs2_rings){.points = points};
    for (uint32_t done = 0; done < n;) {
        float radius = INFINITY;
        for (uint32_t i = 0; i < n; i++) {
            const float here = cabsf(point_of(r, i));
            radius = here > last * 1.0001f && here < radius ? here : radius;
        }
        if (r->count == 0 || radius > inner + least_distance) {
            if (r->count == MOST_RINGS) {
                r->count = 0; /* too irregular for rings */
                return;
            }
            r->count++;
            inner = radius;
            of_ring = 0;
        }
        for (uint32_t i = 0; i < n; i++) {
            const float here = cabsf(point_of(r, i));
            if (here <= last * 1.0001f || here > radius * 1.0001f)
                continue;
            r->ring_of[i] = (uint8_t)(r->count - 1);
            float *mean = &r->radius[r->count - 1];
            *mean += (here - *mean) / (float)++of_ring;
            done++;
        }
        last = radius;
    }
}

static void judge(dvbs2_rings *r)
{
    float distortion = 0, noise = 0, before = 0;
    bool ascending = true;
    for (uint32_t k = 0; k < r->count; k++) {
        const float radius = r->radius[k] * cabsf(r->gain[k]);
        distortion += r->share[k] * r->radius[k] * r->radius[k] * rx_power(r->gain[k] - 1);
        noise += r->share[k] * r->noise[k];
        ascending = ascending && radius > before * least_growth && r->noise[k] > 0;
        before = radius;
    }
    r->active = ascending && distortion > least_gain * noise;
}

void dvbs2_rings_forget(dvbs2_rings *r)
{
    /* The averages may have become infinite or NaN. */
    memset(r->gain, 0, sizeof r->gain);
    memset(r->noise, 0, sizeof r->noise);
    memset(r->share, 0, sizeof r->share);
    r->frames = 0;
    r->active = false;
}

void dvbs2_rings_learn(dvbs2_rings *r, const float complex *cells, const uint8_t *labels, size_t count)
{
    float complex product[MOST_RINGS] = {0};
    float power[MOST_RINGS] = {0}, energy[MOST_RINGS] = {0};
    uint32_t n[MOST_RINGS] = {0};
    for (size_t i = 0; i < count; i++) {
        const float complex point = point_of(r, labels[i]);
        const uint8_t k = r->ring_of[labels[i]];
        product[k] += rx_mul_conj(cells[i], point);
        power[k] += rx_power(point);
        energy[k] += rx_power(cells[i]);
        n[k]++;
    }
    r->frames += r->frames < MEMORY;
    const float weight = 1 / (float)r->frames;
    for (uint32_t k = 0; k < r->count; k++) {
        if (n[k] == 0)
            continue;
        const float noise = (energy[k] - rx_power(product[k]) / power[k]) / (float)n[k];
        r->gain[k] += weight * (product[k] / power[k] - r->gain[k]);
        r->noise[k] += weight * (noise - r->noise[k]);
        r->share[k] += weight * ((float)n[k] / (float)count - r->share[k]);
    }
    judge(r);
}

float dvbs2_rings_distortion(const dvbs2_rings *r)
{
    float complex product = 0;
    float power = 0, distortion = 0;
    for (uint32_t k = 0; k < r->count; k++) {
        const float weight = r->share[k] * r->radius[k] * r->radius[k];
        product += weight * r->gain[k];
        power += weight;
    }
    const float complex mean = product / power;
    for (uint32_t k = 0; k < r->count; k++)
        distortion += r->share[k] * r->radius[k] * r->radius[k] * rx_power(r->gain[k] - mean);
    return distortion / (power * rx_power(mean));
}

float dvbs2_rings_points(const dvbs2_rings *r, uint32_t bits, float *points)
{
    const uint32_t n = 1u << bits;
    float power = 0;
    for (uint32_t i = 0; i < n; i++) {
        const float complex point = rx_mul(point_of(r, i), r->gain[r->ring_of[i]]);
        points[2 * i] = crealf(point);
        points[2 * i + 1] = cimagf(point);
        power += rx_power(point) / (float)n;
    }
    return power;
}

void dvbs2_rings_noise(const dvbs2_rings *r, const float complex *cells, size_t count, float *cell_noise)
{
    float radius[MOST_RINGS];
    for (uint32_t k = 0; k < r->count; k++)
        radius[k] = r->radius[k] * cabsf(r->gain[k]);
    for (size_t i = 0; i < count; i++) {
        const float magnitude = cabsf(cells[i]);
        uint32_t k = 1;
        while (k + 1 < r->count && magnitude > radius[k])
            k++;
        const float way = (magnitude - radius[k - 1]) / (radius[k] - radius[k - 1]);
        const float outer = way > 0 ? way < 1 ? way : 1 : 0;
        cell_noise[i] = r->noise[k - 1] * (1 - outer) + r->noise[k] * outer;
    }
}
