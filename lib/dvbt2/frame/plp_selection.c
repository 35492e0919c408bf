/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/status_internal.h"
#include "dvbt2/frame/receiver_internal.h"

/* Returns the index of the common PLP of a data PLP's group, or -1. */
static int common_of(const dvbt2_l1_configurable *config, const dvbt2_l1_plp *plp)
{
    for (int i = 0; i < config->num_plp; i++)
        if (config->plp[i].plp_type == DVBT2_PLP_COMMON && config->plp[i].plp_group_id == plp->plp_group_id)
            return i;
    return -1;
}

static int first_data_plp(const dvbt2_l1_configurable *config)
{
    for (int i = 0; i < config->num_plp; i++)
        if (config->plp[i].plp_type != DVBT2_PLP_COMMON)
            return i;
    return -1;
}

/* Returns the index in L1-post of the PLP of an output, or -1. */
static int choose_plp(const dvbt2_receiver *rx, uint32_t output)
{
    const dvbt2_l1_configurable *config = &rx->l1.post.config;
    int32_t wanted = rx->params.plp[output];
    if (wanted >= 0)
        return dvbt2_plp_find(config, (uint8_t)wanted);
    if (wanted == DVBT2_FIRST_PLP)
        return first_data_plp(config);
    const uint32_t of = (uint32_t)(DVBT2_COMMON_PLP - wanted);
    const int data = rx->params.plp[of] <= DVBT2_COMMON_PLP ? first_data_plp(config) : choose_plp(rx, of);
    return data < 0 ? -1 : common_of(config, &config->plp[data]);
}

static dvbt2_plp_frame describe(const dvbt2_receiver *rx, const dvbt2_plp_choice *choice, uint32_t part)
{
    const dvbt2_plp_map *map = &choice->map;
    const dvbt2_l1_plp *plp = &rx->l1.post.config.plp[map->index];
    return (dvbt2_plp_frame){
        .frame = dvbt2_frame_number(rx),
        .lost = rx->status.lost_frames + rx->losses.skipped,
        .frame_idx = rx->l1.post.dynamic.frame_idx,
        .cells = dvbt2_plp_cells(&choice->slices),
        .cells_per_block = map->cells_per_block,
        .n_blocks = rx->l1.post.dynamic.plp[map->index].plp_num_blocks,
        .ti_blocks = map->ti_blocks,
        .frames = map->frames,
        .part = part,
        .lite = rx->p1.info.profile == DVBT2_PROFILE_LITE,
        .has_common = plp->plp_type != DVBT2_PLP_COMMON && common_of(&rx->l1.post.config, plp) >= 0,
        .start = rx->frame.last_start + rx->losses.missing,
        .plp = *plp,
    };
}

/* Returns the number of PLPs with consecutive PLP_IDs, starting with PLP i. */
static uint32_t consecutive(const dvbt2_l1_configurable *config, uint32_t i)
{
    uint32_t count = 1;
    while (i + count < config->num_plp && config->plp[i + count].plp_id == config->plp[i].plp_id + count)
        count++;
    return count;
}

/* Lists the PLPs, for example "0 .. 3, 7". A list that is too long ends with the number of remaining PLPs. */
static void list_plps(const dvbt2_l1_configurable *config, char *list, size_t room)
{
    enum { ENTRY = 32 }; /* room for the end of a list, such as ", 100 .. 255 and 200 more" */
    list[0] = 0;
    for (uint32_t i = 0, count; i < config->num_plp; i += count) {
        const unsigned first = config->plp[i].plp_id;
        const size_t length = strlen(list);
        char *end = list + length;
        if (room - length < ENTRY) {
            snprintf(end, room - length, " and %u more", (unsigned)(config->num_plp - i));
            return;
        }
        const char *separator = i > 0 ? ", " : "";
        count = consecutive(config, i);
        if (count > 2)
            snprintf(end, ENTRY, "%s%u .. %u", separator, first, first + count - 1);
        else
            snprintf(end, ENTRY, "%s%u", separator, first);
        count = count > 2 ? count : 1;
    }
}

/* Adds outputs for a PLP and the common PLP of its group. Returns false if out of memory. */
static bool add_pair(dvbt2_receiver *rx, uint8_t plp_id)
{
    const uint32_t n = rx->params.n_plps;
    bool made = true;
    for (uint32_t i = n; i < n + 2; i++)
        made = dvbt2_cell_queue_init(&rx->outputs[i], DVBT2_CELL_QUEUE_CELLS) && made;
    for (uint32_t i = n; i < n + 2 && !made; i++) {
        dvbt2_cell_queue_free(&rx->outputs[i]);
        memset(&rx->outputs[i], 0, sizeof rx->outputs[i]);
    }
    if (!made)
        return false;
    rx->params.plp[n] = plp_id;
    rx->params.plp[n + 1] = DVBT2_COMMON_PLP - (int32_t)n;
    rx->params.n_plps += 2;
    return true;
}

static bool has_output(const dvbt2_receiver *rx, int i)
{
    const dvbt2_l1_configurable *config = &rx->l1.post.config;
    const bool first = i == first_data_plp(config);
    for (uint32_t output = 0; output < rx->params.n_plps; output++)
        if (rx->params.plp[output] == config->plp[i].plp_id ||
            (first && rx->params.plp[output] == DVBT2_FIRST_PLP))
            return true;
    return false;
}

/* Adds outputs for all PLPs of L1-post and their common PLPs. */
static void add_outputs(dvbt2_receiver *rx)
{
    for (int i = 0; i < rx->l1.post.config.num_plp; i++) {
        const uint8_t plp_id = rx->l1.post.config.plp[i].plp_id;
        if (has_output(rx, i))
            continue;
        if (rx->params.n_plps + 2 > DVBT2_MAX_OUTPUTS)
            ldpc_fail(&rx->error, LDPC_ERR_RANGE, "PLP %u is not received: there are %u outputs already",
                      plp_id, rx->params.n_plps);
        else if (!add_pair(rx, plp_id))
            ldpc_fail_memory(&rx->error);
    }
}

static void report_missing(dvbt2_receiver *rx, int32_t wanted)
{
    char list[sizeof rx->error.message - 64];
    list_plps(&rx->l1.post.config, list, sizeof list);
    if (wanted >= 0)
        ldpc_fail(&rx->error, LDPC_ERR_RANGE, "there is no PLP %d; this signal has PLPs %s", (int)wanted,
                  list);
    else if (wanted == DVBT2_FIRST_PLP)
        ldpc_fail(&rx->error, LDPC_ERR_RANGE, "this signal has no data PLP");
}

static void open_output(dvbt2_receiver *rx, uint32_t output)
{
    dvbt2_plp_choice *choice = &rx->choice[output];
    uint32_t part = 0;
    int index = choose_plp(rx, output);
    choice->slices.n_slices = 0;
    if (index < 0 && !rx->params.follow_plps)
        report_missing(rx, rx->params.plp[output]);
    choice->present = index >= 0 && dvbt2_plp_map_init(&rx->l1.post.config, (uint32_t)index, &choice->map,
                                                       &rx->error) == LDPC_OK;
    if (!choice->present || !dvbt2_plp_in_frame(&choice->map, rx->l1.post.dynamic.frame_idx, &part))
        return;
    if (dvbt2_plp_slices_of(&rx->frame.map, &choice->map, &rx->l1.post.dynamic, &choice->slices,
                            &rx->error) != LDPC_OK)
        choice->slices.n_slices = 0;
    if (choice->slices.n_slices == 0)
        return;
    choice->info = describe(rx, choice, part);
    dvbt2_cell_queue_begin(&rx->outputs[output], &choice->info);
    if (rx->directed.keeping)
        dvbt2_decision_directed_begin(rx, output, &choice->info);
}

void dvbt2_open_outputs(dvbt2_receiver *rx)
{
    if (rx->params.follow_plps)
        add_outputs(rx);
    for (uint32_t i = 0; i < rx->params.n_plps; i++)
        open_output(rx, i);
}
