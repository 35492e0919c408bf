/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/time_variation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "receiver/complex.h"

/* The Wiener filter writes up to PADDING values after a row. */
enum { PADDING = 48 };

/* Noise is measured if at least this fraction of it remains in the residual. */
static const float least_residual = 0.15f;

/* ---- memory */

static uint32_t first_point(const dvbt2_pilot_grid *grid, uint32_t class)
{
    return (class + grid->classes - grid->first_class) % grid->classes;
}

static bool rows_init(dvbt2_time_variation *m)
{
    const dvbt2_pilot_grid *grid = m->grid;
    m->pilots = ldpc_allocate(grid->points, sizeof *m->pilots);
    bool made = m->pilots;
    for (uint32_t i = 0; made && i < DVBT2_ROWS; i++) {
        m->row[i].value = ldpc_allocate(grid->points + PADDING, sizeof *m->row[i].value);
        made = m->row[i].value;
    }
    for (; made && m->n_filters < grid->classes; m->n_filters++)
        made = dvbt2_wiener_init(&m->filter[m->n_filters], grid->classes, first_point(grid, m->n_filters),
                                 grid->points);
    return made;
}

bool dvbt2_time_variation_init(dvbt2_time_variation *m, const dvbt2_parameters *parameters,
                               const dvbt2_pilot_grid *grid)
{
    memset(m, 0, sizeof *m);
    m->grid = grid;
    if (grid->points == 0) /* the mode has P2 symbols only */
        return true;
    for (uint32_t i = 0; i < DVBT2_PILOTS_KEPT; i++) {
        m->slot[i] = ldpc_allocate(grid->points, sizeof *m->slot[i]);
        if (!m->slot[i])
            return false;
    }
    return parameters->mode.miso || rows_init(m);
}

void dvbt2_time_variation_free(dvbt2_time_variation *m)
{
    for (uint32_t i = 0; i < DVBT2_MAX_DY; i++)
        dvbt2_wiener_free(&m->filter[i]);
    for (uint32_t i = 0; i < DVBT2_ROWS; i++)
        free(m->row[i].value);
    for (uint32_t i = 0; i < DVBT2_PILOTS_KEPT; i++)
        free(m->slot[i]);
    free(m->pilots);
    memset(m, 0, sizeof *m);
}

void dvbt2_time_variation_design(dvbt2_time_variation *m, double spread, double noise)
{
    if (m->noise > 0 && spread <= m->spread && spread > 0.8 * m->spread && fabs(noise / m->noise - 1) < 0.3)
        return;
    m->spread = spread * 1.05;
    m->noise = noise;
    for (uint32_t i = 0; i < m->n_filters; i++)
        dvbt2_wiener_design(&m->filter[i], m->spread * m->grid->distance, noise);
}

/* ---- input of pilots and rows */

void dvbt2_time_variation_start(dvbt2_time_variation *m)
{
    for (uint32_t i = 0; i < DVBT2_ROWS; i++)
        m->row[i].valid = false;
    for (uint32_t i = 0; i < m->grid->classes; i++)
        m->history[i].count = 0;
}

static dvbt2_row *new_row(dvbt2_time_variation *m, uint32_t l, float noise)
{
    dvbt2_row *row = &m->row[l % DVBT2_ROWS];
    row->symbol = l;
    row->noise = noise;
    row->pilot_noise = 0;
    row->valid = true;
    return row;
}

static float complex *new_pilot(dvbt2_time_variation *m, uint32_t class, uint32_t l, float noise)
{
    dvbt2_class_history *history = &m->history[class];
    const uint32_t slot = history->count++ % DVBT2_PILOTS_KEPT;
    history->symbol[slot] = l;
    history->noise[slot] = noise;
    return m->slot[slot];
}

void dvbt2_time_variation_take(dvbt2_time_variation *m, uint32_t l, const float complex *grid, float error)
{
    for (uint32_t class = 0; class < m->grid->classes; class ++) {
        float complex *slot = new_pilot(m, class, l, error);
        for (uint32_t i = first_point(m->grid, class); i < m->grid->points; i += m->grid->classes)
            slot[i] = grid[i];
    }
    if (m->n_filters > 0)
        memcpy(new_row(m, l, error)->value, grid, m->grid->points * sizeof *grid);
}

static void normal_row(dvbt2_time_variation *m, uint32_t l, const float complex *slot,
                       const dvbt2_pilot_noise *noise)
{
    const uint32_t class = l % m->grid->classes, first = first_point(m->grid, class);
    const dvbt2_wiener *filter = &m->filter[class];
    for (uint32_t i = 0; i < filter->points; i++)
        m->pilots[i] = slot[first + i * m->grid->classes];
    const float bend = noise->power * filter->interpolation_error;
    dvbt2_row *row = new_row(m, l, noise->alone * filter->noise_gain + bend);
    dvbt2_wiener_run(filter, m->pilots, row->value);
    if (filter->residual < least_residual)
        return;
    float rest = 0, count = 0;
    for (uint32_t i = 0; i < filter->points; i++) {
        const uint32_t point = first + i * m->grid->classes;
        if (noise->interference[point * m->grid->distance] > noise->little)
            continue;
        rest += rx_power(m->pilots[i] - row->value[point]);
        count++;
    }
    if (count == 0)
        return;
    row->pilot_noise = rest / count / filter->residual;
    row->noise = row->pilot_noise * filter->noise_gain + bend;
}

static void closing_row(dvbt2_time_variation *m, uint32_t l, float complex *const slot[],
                        const dvbt2_pilot_noise *noise)
{
    dvbt2_row *row = new_row(m, l, noise->alone);
    for (uint32_t i = 0; i < m->grid->points; i++)
        row->value[i] = slot[(m->grid->first_class + i) % m->grid->classes][i];
}

void dvbt2_time_variation_read(dvbt2_time_variation *m, uint32_t l, const dvbt2_pilot_list *list,
                               const float complex *carriers, float sign, const dvbt2_pilot_noise *noise)
{
    const uint32_t class = l % m->grid->classes;
    const bool closing = list == &m->grid->closing;
    float complex *slot[DVBT2_MAX_DY];
    for (uint32_t i = 0; i < m->grid->classes; i++)
        slot[i] = closing || i == class ? new_pilot(m, i, l, noise->filtered) : NULL;
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t point = list->point[i], own = (m->grid->first_class + point) % m->grid->classes;
        if (slot[own])
            slot[own][point] = carriers[list->carrier[i]] * (list->inverse[i] * sign);
    }
    if (m->n_filters > 0 && closing)
        closing_row(m, l, slot, noise);
    else if (m->n_filters > 0)
        normal_row(m, l, slot[class], noise);
}

void dvbt2_time_variation_scale(dvbt2_time_variation *m, float gain)
{
    const float power = gain * gain;
    for (uint32_t i = 0; i < DVBT2_PILOTS_KEPT; i++)
        for (uint32_t p = 0; p < m->grid->points; p++)
            m->slot[i][p] *= gain;
    for (uint32_t i = 0; i < m->grid->classes; i++)
        for (uint32_t s = 0; s < DVBT2_PILOTS_KEPT; s++)
            m->history[i].noise[s] *= power;
    for (uint32_t i = 0; i < DVBT2_ROWS && m->n_filters > 0; i++) {
        m->row[i].noise *= power;
        for (uint32_t p = 0; p < m->grid->points; p++)
            m->row[i].value[p] *= gain;
    }
    m->speed.power *= (double)power;
    m->speed.product *= (double)power;
}

void dvbt2_time_variation_forget(dvbt2_time_variation *m)
{
    m->speed = (dvbt2_speed){0};
    dvbt2_time_variation_start(m);
}

/* ---- estimates */

float dvbt2_time_variation_noise(const dvbt2_time_variation *m, uint32_t l)
{
    float sum = 0, count = 0;
    for (uint32_t i = 0; i < DVBT2_ROWS; i++) {
        const dvbt2_row *row = &m->row[i];
        if (!row->valid || row->pilot_noise <= 0 || row->symbol + 1 < l || row->symbol > l + 1)
            continue;
        sum += row->pilot_noise;
        count++;
    }
    return count > 0 ? sum / count : 0;
}

/* Returns the expected error. */
static double weigh_pilots(dvbt2_time_variation *m, uint32_t l)
{
    double error = 0;
    for (uint32_t class = 0; class < m->grid->classes; class ++) {
        dvbt2_class_history *h = &m->history[class];
        dvbt2_time_point point[DVBT2_PILOTS_KEPT];
        const uint32_t n = h->count < DVBT2_PILOTS_KEPT ? h->count : DVBT2_PILOTS_KEPT;
        for (uint32_t i = 0; i < n; i++)
            point[i] = (dvbt2_time_point){(double)h->symbol[i] - l, (double)h->noise[i]};
        memset(h->weight, 0, sizeof h->weight);
        error += dvbt2_time_filter(&m->speed, point, n, h->weight) / m->grid->classes;
    }
    return error;
}

static void combine_pilots(const dvbt2_time_variation *m, float complex *grid)
{
    const uint32_t classes = m->grid->classes;
    for (uint32_t class = 0; class < classes; class ++) {
        const float *weight = m->history[class].weight;
        for (uint32_t i = first_point(m->grid, class); i < m->grid->points; i += classes) {
            float complex sum = 0;
            for (uint32_t s = 0; s < DVBT2_PILOTS_KEPT; s++)
                sum += m->slot[s][i] * weight[s];
            grid[i] = sum;
        }
    }
}

/* Returns the expected error. */
static double weigh_rows(dvbt2_time_variation *m, uint32_t l)
{
    dvbt2_row *rows[2 * DVBT2_ROWS_AROUND + 1];
    dvbt2_time_point point[2 * DVBT2_ROWS_AROUND + 1];
    float weight[2 * DVBT2_ROWS_AROUND + 1];
    uint32_t n = 0;
    for (uint32_t i = 0; i < DVBT2_ROWS; i++) {
        dvbt2_row *row = &m->row[i];
        row->weight = 0;
        if (!row->valid || row->symbol + DVBT2_ROWS_AROUND < l || row->symbol > l + DVBT2_ROWS_AROUND)
            continue;
        point[n] = (dvbt2_time_point){(double)row->symbol - l, (double)row->noise};
        rows[n++] = row;
    }
    double error = dvbt2_time_filter(&m->speed, point, n, weight);
    for (uint32_t i = 0; i < n; i++)
        rows[i]->weight = weight[i];
    return error;
}

static void combine_rows(const dvbt2_time_variation *m, float complex *grid)
{
    memset(grid, 0, m->grid->points * sizeof *grid);
    for (uint32_t r = 0; r < DVBT2_ROWS; r++) {
        const dvbt2_row *row = &m->row[r];
        for (uint32_t i = 0; i < m->grid->points && row->weight != 0; i++)
            grid[i] += row->value[i] * row->weight;
    }
}

bool dvbt2_time_variation_estimate(dvbt2_time_variation *m, uint32_t l, float *error, float complex *grid)
{
    if (!dvbt2_speed_known(&m->speed))
        return false;
    const double pilots = weigh_pilots(m, l), rows = m->n_filters > 0 ? weigh_rows(m, l) : pilots;
    if (fmin(pilots, rows) >= (double)*error)
        return false;
    *error = (float)fmin(pilots, rows);
    if (rows < pilots)
        combine_rows(m, grid);
    else
        combine_pilots(m, grid);
    return true;
}
