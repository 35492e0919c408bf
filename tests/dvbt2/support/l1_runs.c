/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/support/l1_runs.h"

static bool runs_of_plp_fit(const dvbt2_parameters *p, const dvbt2_frame_map *map,
                            const dvbt2_plp_slices *slices)
{
    uint32_t place = 0;
    for (uint32_t l = 0; l < p->n_symbols; l++) {
        uint32_t cells = dvbt2_symbol_cells(p, l);
        for (dvbt2_run run = {0}; dvbt2_plp_next_run(map, slices, l, &run); place += run.count)
            if (!run.count || run.place != place || run.cell >= cells || run.count > cells - run.cell)
                return false;
    }
    return place == dvbt2_plp_cells(slices);
}

bool l1_runs_fit(const dvbt2_parameters *p, const dvbt2_frame_map *map, const dvbt2_l1_post *post)
{
    for (uint32_t i = 0; i < post->config.num_plp; i++) {
        dvbt2_plp_map plp;
        dvbt2_plp_slices slices;
        if (dvbt2_plp_map_init(&post->config, i, &plp, NULL) == LDPC_OK &&
            dvbt2_plp_slices_of(map, &plp, &post->dynamic, &slices, NULL) == LDPC_OK &&
            !runs_of_plp_fit(p, map, &slices))
            return false;
    }
    return true;
}
