/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/support/l1_frames.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/support/golden.h"

enum { MAX_RECORDS = 64, MAX_TEXT = 1 << 16 };

/* ---- reading */

static void read_pre(l1_record *r, const char *hex)
{
    for (uint32_t i = 0; i < DVBT2_L1_PRE_CELLS; i++) {
        unsigned nibble;
        assert_int_equal(sscanf(hex + i / 4, "%1x", &nibble), 1);
        r->pre[2 * i] = nibble >> (3 - i % 4) & 1 ? -1.F : 1.F;
    }
}

static void read_post(l1_record *r, const char *hex)
{
    r->n_post = (uint32_t)strspn(hex, "0123456789abcdef") / 4;
    assert_in_range(r->n_post, 1, L1_MAX_POST);
    for (uint32_t i = 0; i < 2 * r->n_post; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        r->post[i] = (float)(int8_t)byte / 100;
    }
}

static void read_fields(l1_record *r, const char *text)
{
    int used;
    long long value;
    while (sscanf(text, " %23s %lld%n", r->field[r->n_fields].name, &value, &used) == 2) {
        r->field[r->n_fields++].value = value;
        assert_true(r->n_fields < L1_MAX_FIELDS);
        text += used;
    }
}

l1_record *l1_records_read(uint32_t *count)
{
    FILE *file = golden_open("support/l1.txt");
    l1_record *records = calloc(MAX_RECORDS, sizeof(*records)), *r = NULL;
    char *text = malloc(MAX_TEXT);
    assert_non_null(records);
    assert_non_null(text);
    *count = 0;
    while (fgets(text, MAX_TEXT, file)) {
        if (!strncmp(text, "frame ", 6)) {
            assert_true(*count < MAX_RECORDS);
            r = &records[(*count)++];
            assert_int_equal(sscanf(text, "frame %31s %u", r->name, &r->n_p2), 2);
        } else if (!strncmp(text, "pre ", 4)) {
            read_pre(r, text + 4);
        } else if (!strncmp(text, "post ", 5)) {
            read_post(r, text + 5);
        } else {
            read_fields(r, text);
        }
    }
    fclose(file);
    free(text);
    return records;
}

int64_t l1_record_value(const l1_record *record, const char *name)
{
    for (uint32_t i = 0; i < record->n_fields; i++) {
        if (!strcmp(record->field[i].name, name))
            return record->field[i].value;
    }
    return -1;
}

/* ---- fields by name */

/* State of a search for one field. add() is called with every field. */
typedef struct list {
    const char *wanted;
    int64_t value;
    bool found;
} list;

static void add(list *l, const char *name, int64_t value)
{
    if (strcmp(l->wanted, name))
        return;
    l->value = value;
    l->found = true;
}

static void add_pre(list *l, const dvbt2_l1_pre *p)
{
    add(l, "pre.type", p->type);
    add(l, "pre.bwt_ext", p->bwt_ext);
    add(l, "pre.s1", p->s1);
    add(l, "pre.s2", p->s2);
    add(l, "pre.l1_rep", p->l1_repetition_flag);
    add(l, "pre.gi", p->guard_interval);
    add(l, "pre.papr", p->papr);
    add(l, "pre.l1_mod", p->l1_mod);
    add(l, "pre.l1_cod", p->l1_cod);
    add(l, "pre.l1_fec", p->l1_fec_type);
    add(l, "pre.post_size", p->l1_post_size);
    add(l, "pre.post_info", p->l1_post_info_size);
    add(l, "pre.pp", p->pilot_pattern);
    add(l, "pre.txid", p->tx_id_availability);
    add(l, "pre.cell", p->cell_id);
    add(l, "pre.net", p->network_id);
    add(l, "pre.sys", p->t2_system_id);
    add(l, "pre.frames", p->num_t2_frames);
    add(l, "pre.nd", p->num_data_symbols);
    add(l, "pre.regen", p->regen_flag);
    add(l, "pre.ext", p->l1_post_extension);
    add(l, "pre.nrf", p->num_rf);
    add(l, "pre.rfidx", p->current_rf_idx);
    add(l, "pre.ver", p->t2_version);
    add(l, "pre.scr", p->l1_post_scrambled);
    add(l, "pre.bl", p->t2_base_lite);
    add(l, "pre.res", p->reserved);
}

static void add_plp(list *l, const dvbt2_l1_plp *p)
{
    add(l, "id", p->plp_id);
    add(l, "type", p->plp_type);
    add(l, "payload", p->plp_payload_type);
    add(l, "ff", p->ff_flag);
    add(l, "frf", p->first_rf_idx);
    add(l, "first", p->first_frame_idx);
    add(l, "group", p->plp_group_id);
    add(l, "cod", p->plp_cod);
    add(l, "mod", p->plp_mod);
    add(l, "rot", p->plp_rotation);
    add(l, "fec", p->plp_fec_type);
    add(l, "max", p->plp_num_blocks_max);
    add(l, "interval", p->frame_interval);
    add(l, "til", p->time_il_length);
    add(l, "tit", p->time_il_type);
    add(l, "iba", p->in_band_a_flag);
    add(l, "ibb", p->in_band_b_flag);
    add(l, "res", p->reserved_1);
    add(l, "mode", p->plp_mode);
    add(l, "static", p->static_flag);
    add(l, "pad", p->static_padding_flag);
}

static void add_post(list *l, const dvbt2_l1_post *post)
{
    const dvbt2_l1_configurable *c = &post->config;
    const dvbt2_l1_dynamic *d = &post->dynamic;
    add(l, "subslices", c->sub_slices_per_frame);
    add(l, "num_plp", c->num_plp);
    add(l, "num_aux", c->num_aux);
    add(l, "aux_rfu", c->aux_config_rfu);
    add(l, "rf0.idx", c->rf[0].rf_idx);
    add(l, "rf0.frequency", c->rf[0].frequency);
    add(l, "fef.type", c->fef ? c->fef_type : -1);
    add(l, "fef.length", c->fef ? (int64_t)c->fef_length : -1);
    add(l, "fef.interval", c->fef ? c->fef_interval : -1);
    add(l, "reserved_2", c->reserved_2);
    add(l, "frame_idx", d->frame_idx);
    add(l, "sub_slice_interval", d->sub_slice_interval);
    add(l, "type_2_start", d->type_2_start);
    add(l, "change_counter", d->l1_change_counter);
    add(l, "start_rf", d->start_rf_idx);
    add(l, "reserved_1", d->reserved_1);
    add(l, "reserved_3", d->reserved_3);
}

int64_t l1_field_value(const dvbt2_l1_pre *pre, const dvbt2_l1_post *post, const char *name)
{
    unsigned i;
    int used = 0;
    list l = {.wanted = name};
    add_pre(&l, pre);
    add_post(&l, post);
    if (sscanf(name, "plp%u.%n", &i, &used) == 1 && used) {
        assert_true(i < post->config.num_plp);
        l.wanted = name + used;
        add_plp(&l, &post->config.plp[i]);
        add(&l, "dyn_id", post->dynamic.plp[i].plp_id);
        add(&l, "start", post->dynamic.plp[i].plp_start);
        add(&l, "blocks", post->dynamic.plp[i].plp_num_blocks);
        add(&l, "dyn_res", post->dynamic.plp[i].reserved_2);
    }
    if (!l.found)
        fail_msg("no field %s", name);
    return l.value;
}
