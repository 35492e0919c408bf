/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/pilot_grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bool list_init(dvbt2_pilot_list *list, uint32_t most)
{
    list->count = 0;
    list->point = ldpc_allocate(most, sizeof *list->point);
    list->carrier = ldpc_allocate(most, sizeof *list->carrier);
    list->inverse = ldpc_allocate(most, sizeof *list->inverse);
    return list->point && list->carrier && list->inverse;
}

static void list_free(dvbt2_pilot_list *list)
{
    free(list->point);
    free(list->carrier);
    free(list->inverse);
}

static void list_add(dvbt2_pilot_list *list, uint32_t point, uint16_t carrier, float amplitude)
{
    list->point[list->count] = (uint16_t)point;
    list->carrier[list->count] = carrier;
    list->inverse[list->count++] = 1 / amplitude;
}

/* MISO: even points measure the sum of the channels, odd points the difference. */
static bool fits_parity(const dvbt2_symbol_layout *layout, uint32_t i, uint32_t point)
{
    bool sum = layout->amplitude[0][i] * layout->amplitude[1][i] > 0;
    return layout->amplitude[0] == layout->amplitude[1] || sum == (point % 2 == 0);
}

static bool list_from_layout(dvbt2_pilot_list *list, const dvbt2_symbol_layout *layout, uint32_t distance)
{
    if (!list_init(list, layout->n_pilots))
        return false;
    for (uint32_t i = 0; i < layout->n_pilots; i++) {
        uint16_t k = layout->pilot[i];
        if (k % distance == 0 && layout->carrier[k] != DVBT2_CARRIER_CONTINUAL &&
            fits_parity(layout, i, k / distance))
            list_add(list, k / distance, k, layout->amplitude[0][i]);
    }
    return true;
}

/* Lists the continual pilots, including those on carriers of scattered pilots. */
static bool list_of_continual(dvbt2_pilot_list *list, const dvbt2_symbol_layout *layout,
                              const dvbt2_pilot_grid *grid)
{
    if (!list_init(list, grid->n_continual))
        return false;
    for (uint32_t i = 0, c = 0; i < layout->n_pilots && c < grid->n_continual; i++) {
        while (c < grid->n_continual && grid->continual[c] < layout->pilot[i])
            c++;
        if (c < grid->n_continual && grid->continual[c] == layout->pilot[i])
            list_add(list, c, layout->pilot[i], layout->amplitude[0][i]);
    }
    return true;
}

/* Returns the spacing of P2 pilots: 6 carriers in 32K SISO, otherwise 3. */
static uint32_t p2_distance_of(const dvbt2_parameters *parameters)
{
    return parameters->mode.fft == DVBT2_FFT_32K && !parameters->mode.miso ? 6 : 3;
}

static bool list_of_near(dvbt2_pilot_list *list, const dvbt2_pilot_grid *grid, uint32_t before)
{
    if (!list_init(list, grid->closing.count))
        return false;
    for (uint32_t i = 0; i < grid->closing.count; i++)
        if ((grid->first_class + grid->closing.point[i]) % grid->classes == before % grid->classes)
            list_add(list, grid->closing.point[i], grid->closing.carrier[i], 1 / grid->closing.inverse[i]);
    return true;
}

static bool normal_symbols_init(dvbt2_pilot_grid *grid, const dvbt2_parameters *parameters,
                                const dvbt2_pilots *pilots)
{
    grid->distance = parameters->dx;
    grid->points = (parameters->carriers - 1) / parameters->dx + 1;
    grid->classes = parameters->dy;
    /* Pilots satisfy (k - K_ext) mod (Dx Dy) = Dx (l mod Dy), with k of the extended mode. */
    uint32_t ext_points = parameters->k_ext / parameters->dx % parameters->dy;
    grid->first_class = (parameters->dy - ext_points) % parameters->dy;
    grid->continual = dvbt2_pilots_continual(pilots, &grid->n_continual);
    for (uint32_t phase = 0; phase < grid->classes; phase++) {
        const dvbt2_symbol_layout *layout = dvbt2_pilots_normal(pilots, phase);
        if (!list_from_layout(&grid->normal[phase], layout, grid->distance) ||
            !list_of_continual(&grid->same[phase], layout, grid))
            return false;
    }
    return !parameters->closing ||
           (list_from_layout(&grid->closing, dvbt2_pilots_symbol(pilots, parameters->n_symbols - 1),
                             grid->distance) &&
            list_of_near(&grid->closing_near, grid, parameters->n_symbols - 2));
}

bool dvbt2_pilot_grid_init(dvbt2_pilot_grid *grid, const dvbt2_parameters *parameters,
                           const dvbt2_pilots *pilots)
{
    memset(grid, 0, sizeof *grid);
    grid->p2_distance = p2_distance_of(parameters);
    grid->p2_points = (parameters->carriers - 1) / grid->p2_distance + 1;
    const dvbt2_symbol_layout *p2 = dvbt2_pilots_symbol(pilots, 0);
    if (!list_from_layout(&grid->p2, p2, grid->p2_distance))
        return false;
    return !parameters->dx || normal_symbols_init(grid, parameters, pilots);
}

void dvbt2_pilot_grid_free(dvbt2_pilot_grid *grid)
{
    list_free(&grid->p2);
    list_free(&grid->closing);
    list_free(&grid->closing_near);
    for (uint32_t phase = 0; phase < DVBT2_MAX_DY; phase++) {
        list_free(&grid->normal[phase]);
        list_free(&grid->same[phase]);
    }
    memset(grid, 0, sizeof *grid);
}
