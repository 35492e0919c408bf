/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes cell addresses and PLP slices of a T2 frame. L1 fields are not trusted; each value is checked
 * before use. */
#include "dvbt2/standard/frame_map.h"

#include "base/status_internal.h"

/* ---- addresses of a frame */

uint32_t dvbt2_l1_post_room(const dvbt2_parameters *parameters)
{
    return parameters->n_p2 * parameters->c_p2 - DVBT2_L1_PRE_CELLS;
}

ldpc_status dvbt2_frame_map_init(const dvbt2_parameters *parameters, uint32_t l1_post_size,
                                 dvbt2_frame_map *map, ldpc_error *err)
{
    if (!parameters || !map)
        return ldpc_fail(err, LDPC_ERR_NULL, "parameters and map must not be NULL");
    if (!parameters->c_data)
        return ldpc_fail(err, LDPC_ERR_PARAM, "the pilot pattern is unknown until L1-pre has been decoded");
    if (l1_post_size > dvbt2_l1_post_room(parameters) || l1_post_size % parameters->n_p2)
        return ldpc_fail(err, LDPC_ERR_PARAM, "L1-post of %u cells does not fit into %u P2 symbols",
                         l1_post_size, parameters->n_p2);
    dvbt2_frame_map m = {.n_p2 = parameters->n_p2, .n_symbols = parameters->n_symbols};
    m.l1_per_p2 = (DVBT2_L1_PRE_CELLS + l1_post_size) / m.n_p2;
    m.p2_room = parameters->c_p2 - m.l1_per_p2;
    m.c_data = parameters->c_data;
    m.c_fc = parameters->closing ? parameters->c_fc : m.c_data;
    m.n_cells = m.n_p2 * m.p2_room + (m.n_symbols - m.n_p2 - 1) * m.c_data + m.c_fc;
    *map = m;
    return LDPC_OK;
}

dvbt2_symbol_span dvbt2_frame_map_symbol(const dvbt2_frame_map *map, uint32_t l)
{
    if (l >= map->n_symbols)
        return (dvbt2_symbol_span){map->n_cells, 0, 0};
    if (l < map->n_p2)
        return (dvbt2_symbol_span){l * map->p2_room, map->p2_room, map->l1_per_p2};
    uint32_t first = map->n_p2 * map->p2_room + (l - map->n_p2) * map->c_data;
    return (dvbt2_symbol_span){first, l + 1 == map->n_symbols ? map->c_fc : map->c_data, 0};
}

/* ---- PLPs in a frame */

static uint32_t cells_of_block(const dvbt2_l1_plp *plp)
{
    return (plp->plp_fec_type ? 64800U : 16200U) / (2 * (plp->plp_mod + 1U));
}

ldpc_status dvbt2_plp_map_init(const dvbt2_l1_configurable *config, uint32_t index, dvbt2_plp_map *plp,
                               ldpc_error *err)
{
    if (!config || !plp)
        return ldpc_fail(err, LDPC_ERR_NULL, "L1 and PLP must not be NULL");
    if (index >= config->num_plp)
        return ldpc_fail(err, LDPC_ERR_RANGE, "PLP index %u out of range: L1-post has %u PLPs", index,
                         config->num_plp);
    const dvbt2_l1_plp *l1 = &config->plp[index];
    if (config->num_rf > 1)
        return ldpc_fail(
            err, LDPC_ERR_UNSUPPORTED,
            "PLP %u is spread over %u RF channels (time-frequency slicing), which is not supported",
            l1->plp_id, config->num_rf);
    if (l1->plp_mod > 3 || l1->plp_fec_type > 1 || l1->plp_type > DVBT2_PLP_TYPE_2)
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "PLP %u has a reserved type (%u), modulation (%u) or FEC type (%u)", l1->plp_id,
                         l1->plp_type, l1->plp_mod, l1->plp_fec_type);
    if (!l1->frame_interval || (l1->time_il_type && !l1->time_il_length))
        return ldpc_fail(err, LDPC_ERR_PARAM, "PLP %u has a frame interval or an interleaving length of 0",
                         l1->plp_id);
    if (l1->plp_type == DVBT2_PLP_TYPE_2 && !config->sub_slices_per_frame)
        return ldpc_fail(err, LDPC_ERR_PARAM, "PLP %u has type 2, but L1-post has 0 sub-slices per frame",
                         l1->plp_id);
    *plp = (dvbt2_plp_map){
        .index = index,
        .cells_per_block = cells_of_block(l1),
        .frame_interval = l1->frame_interval,
        .first_frame = l1->first_frame_idx,
        .frames = l1->time_il_type ? l1->time_il_length : 1,
        .ti_blocks = l1->time_il_type ? 1 : l1->time_il_length,
        .sub_slices = l1->plp_type == DVBT2_PLP_TYPE_2 ? config->sub_slices_per_frame : 1,
    };
    return LDPC_OK;
}

int dvbt2_plp_find(const dvbt2_l1_configurable *config, uint8_t plp_id)
{
    for (int i = 0; i < config->num_plp; i++) {
        if (config->plp[i].plp_id == plp_id)
            return i;
    }
    return -1;
}

bool dvbt2_plp_in_frame(const dvbt2_plp_map *plp, uint8_t frame_idx, uint32_t *part)
{
    if (frame_idx < plp->first_frame || (frame_idx - plp->first_frame) % plp->frame_interval)
        return false;
    *part = (frame_idx - plp->first_frame) / plp->frame_interval % plp->frames;
    return true;
}

/* Returns the maximum number of cells in a TI block (EN 302 755, clause 6.5). An interleaving frame over
 * several T2 frames is one TI block. */
enum { MOST_INTERLEAVED = (1 << 19) + (1 << 15) };

ldpc_status dvbt2_plp_slices_of(const dvbt2_frame_map *map, const dvbt2_plp_map *plp,
                                const dvbt2_l1_dynamic *dynamic, dvbt2_plp_slices *slices, ldpc_error *err)
{
    if (!map || !plp || !dynamic || !slices)
        return ldpc_fail(err, LDPC_ERR_NULL, "map, PLP, L1 and slices must not be NULL");
    const dvbt2_l1_plp_dynamic *place = &dynamic->plp[plp->index];
    uint32_t part, parts = plp->frames * plp->sub_slices,
                   cells = place->plp_num_blocks * plp->cells_per_block;
    dvbt2_plp_slices s = {0};
    if (!cells || !dvbt2_plp_in_frame(plp, dynamic->frame_idx, &part)) {
        *slices = s;
        return LDPC_OK;
    }
    if (cells % parts)
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "%u cells of PLP %u cannot be divided into %u frames of %u slices", cells,
                         place->plp_id, plp->frames, plp->sub_slices);
    if (plp->frames > 1 && cells > MOST_INTERLEAVED)
        return ldpc_fail(err, LDPC_ERR_PARAM, "PLP %u interleaves %u cells over %u T2 frames (maximum %u)",
                         place->plp_id, cells, plp->frames, (unsigned)MOST_INTERLEAVED);
    s.start = place->plp_start;
    s.n_slices = plp->sub_slices;
    s.slice_length = cells / parts;
    s.slice_interval = s.n_slices > 1 ? dynamic->sub_slice_interval : s.slice_length;
    uint64_t end = (uint64_t)s.start + (uint64_t)(s.n_slices - 1) * s.slice_interval + s.slice_length;
    if (s.slice_interval < s.slice_length || end > map->n_cells)
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "PLP %u occupies cells %u..%llu, but the T2 frame has only %u cells", place->plp_id,
                         s.start, (unsigned long long)end - 1, map->n_cells);
    *slices = s;
    return LDPC_OK;
}

/* Finds the lowest address of the PLP that is not below `address`. Writes it as slice and offset. Returns
 * false if there is none. */
static bool locate(const dvbt2_plp_slices *s, uint32_t address, uint32_t *slice, uint32_t *offset)
{
    *slice = *offset = 0;
    if (address <= s->start)
        return true;
    *slice = (address - s->start) / s->slice_interval;
    *offset = (address - s->start) % s->slice_interval;
    if (*offset >= s->slice_length) {
        *slice += 1;
        *offset = 0;
    }
    return *slice < s->n_slices;
}

bool dvbt2_plp_next_run(const dvbt2_frame_map *map, const dvbt2_plp_slices *slices, uint32_t l,
                        dvbt2_run *run)
{
    if (!slices->n_slices)
        return false;
    dvbt2_symbol_span span = dvbt2_frame_map_symbol(map, l);
    uint32_t from = span.first, end = span.first + span.count, slice, offset;
    if (run->count)
        from = span.first + (run->cell - span.cell) + run->count;
    if (from >= end || !locate(slices, from, &slice, &offset))
        return false;
    uint32_t address = slices->start + slice * slices->slice_interval + offset;
    if (address >= end)
        return false;
    uint32_t count = slices->slice_length - offset;
    run->cell = span.cell + (address - span.first);
    run->count = count < end - address ? count : end - address;
    run->place = slice * slices->slice_length + offset;
    return true;
}

/* ---- FEF parts */

uint32_t dvbt2_fef_after(const dvbt2_l1_configurable *config, uint8_t frame_idx)
{
    if (!config->fef || !config->fef_interval || (frame_idx + 1U) % config->fef_interval)
        return 0;
    return config->fef_length;
}
