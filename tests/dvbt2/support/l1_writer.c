/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/support/l1_writer.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/l1/l1_fields.h"
#include "ldpc/code.h"
#include "ldpc/dvb_fec.h"

/* ---- fields to bits */

typedef struct writer {
    uint8_t *next;
} writer;

static void put(writer *w, uint64_t value, unsigned count)
{
    assert_true(count == 64 || value >> count == 0);
    while (count--)
        *w->next++ = value >> count & 1;
}

void l1_write_pre(const dvbt2_l1_pre *p, uint8_t *bits)
{
    writer w = {bits};
    put(&w, p->type, 8);
    put(&w, p->bwt_ext, 1);
    put(&w, p->s1, 3);
    put(&w, p->s2, 4);
    put(&w, p->l1_repetition_flag, 1);
    put(&w, p->guard_interval, 3);
    put(&w, p->papr, 4);
    put(&w, p->l1_mod, 4);
    put(&w, p->l1_cod, 2);
    put(&w, p->l1_fec_type, 2);
    put(&w, p->l1_post_size, 18);
    put(&w, p->l1_post_info_size, 18);
    put(&w, p->pilot_pattern, 4);
    put(&w, p->tx_id_availability, 8);
    put(&w, p->cell_id, 16);
    put(&w, p->network_id, 16);
    put(&w, p->t2_system_id, 16);
    put(&w, p->num_t2_frames, 8);
    put(&w, p->num_data_symbols, 12);
    put(&w, p->regen_flag, 3);
    put(&w, p->l1_post_extension, 1);
    put(&w, p->num_rf, 3);
    put(&w, p->current_rf_idx, 3);
    put(&w, p->t2_version, 4);
    put(&w, p->l1_post_scrambled, 1);
    put(&w, p->t2_base_lite, 1);
    put(&w, p->reserved, 4);
    assert_int_equal(w.next - bits, DVBT2_L1_PRE_BITS);
}

static void put_plp(writer *w, const dvbt2_l1_plp *p)
{
    put(w, p->plp_id, 8);
    put(w, p->plp_type, 3);
    put(w, p->plp_payload_type, 5);
    put(w, p->ff_flag, 1);
    put(w, p->first_rf_idx, 3);
    put(w, p->first_frame_idx, 8);
    put(w, p->plp_group_id, 8);
    put(w, p->plp_cod, 3);
    put(w, p->plp_mod, 3);
    put(w, p->plp_rotation, 1);
    put(w, p->plp_fec_type, 2);
    put(w, p->plp_num_blocks_max, 10);
    put(w, p->frame_interval, 8);
    put(w, p->time_il_length, 8);
    put(w, p->time_il_type, 1);
    put(w, p->in_band_a_flag, 1);
    put(w, p->in_band_b_flag, 1);
    put(w, p->reserved_1, 11);
    put(w, p->plp_mode, 2);
    put(w, p->static_flag, 1);
    put(w, p->static_padding_flag, 1);
}

static void put_configurable(writer *w, const dvbt2_l1_pre *pre, const dvbt2_l1_configurable *c)
{
    put(w, c->sub_slices_per_frame, 15);
    put(w, c->num_plp, 8);
    put(w, c->num_aux, 4);
    put(w, c->aux_config_rfu, 8);
    for (int i = 0; i < pre->num_rf; i++) {
        put(w, c->rf[i].rf_idx, 3);
        put(w, c->rf[i].frequency, 32);
    }
    if (pre->s2 & 1) {
        put(w, c->fef_type, 4);
        put(w, c->fef_length & 0x3FFFFF, 22);
        put(w, c->fef_interval, 8);
    }
    for (int i = 0; i < c->num_plp; i++)
        put_plp(w, &c->plp[i]);
    if (pre->s1 == DVBT2_S1_LITE_SISO) {
        put(w, c->fef_length >> 22, 2);
        put(w, c->reserved_2, 30);
    } else {
        put(w, c->reserved_2, 32);
    }
    for (int i = 0; i < c->num_aux; i++) {
        put(w, c->aux[i].aux_stream_type, 4);
        put(w, c->aux[i].aux_private_conf, 28);
    }
}

static void put_dynamic(writer *w, const dvbt2_l1_configurable *c, const dvbt2_l1_dynamic *d)
{
    put(w, d->frame_idx, 8);
    put(w, d->sub_slice_interval, 22);
    put(w, d->type_2_start, 22);
    put(w, d->l1_change_counter, 8);
    put(w, d->start_rf_idx, 3);
    put(w, d->reserved_1, 8);
    for (int i = 0; i < c->num_plp; i++) {
        put(w, d->plp[i].plp_id, 8);
        put(w, d->plp[i].plp_start, 22);
        put(w, d->plp[i].plp_num_blocks, 10);
        put(w, d->plp[i].reserved_2, 8);
    }
    put(w, d->reserved_3, 8);
    for (int i = 0; i < c->num_aux; i++)
        put(w, d->aux_private_dyn[i], 48);
}

uint32_t l1_write_post(const dvbt2_l1_pre *pre, const dvbt2_l1_post *post, uint8_t *bits)
{
    writer w = {bits};
    put_configurable(&w, pre, &post->config);
    put_dynamic(&w, &post->config, &post->dynamic);
    if (pre->l1_repetition_flag)
        put_dynamic(&w, &post->config, &post->next);
    for (uint32_t i = 0; i < post->extensions && pre->l1_post_extension; i++) {
        put(&w, post->extension[i].type, 8);
        put(&w, post->extension[i].length, 16);
        memset(w.next, 1, post->extension[i].length);
        w.next += post->extension[i].length;
    }
    assert_true(w.next - bits < L1_WRITER_MAX_BITS);
    return (uint32_t)(w.next - bits);
}

/* ---- bits to cells */

void l1_set_sizes(dvbt2_l1_pre *pre, uint32_t info, uint32_t n_p2)
{
    static const uint8_t bits_per_cell[] = {1, 2, 4, 6};
    uint32_t blocks = (info + 32 + 7031) / 7032, k_sig = (info + 32 + blocks - 1) / blocks;
    uint32_t bits = k_sig + 168 + 9000 - 6 * (7032 - k_sig) / 5;
    uint32_t unit = bits_per_cell[pre->l1_mod] * (n_p2 == 1 ? 2 : n_p2);
    pre->l1_post_info_size = info;
    pre->l1_post_size = (bits + unit - 1) / unit * unit / bits_per_cell[pre->l1_mod] * blocks;
}

/* Returns I or Q of a constellation point. The first bit is the most significant. */
static float level(const uint8_t *bits, uint32_t count, uint32_t stride)
{
    static const int8_t levels[] = {1, -1, 3, 1,  -3, -1, 7,
                                    5, 1,  3, -7, -5, -1, -3}; /* for 1, 2 and 3 bits */
    uint32_t index = 0;
    for (uint32_t b = 0; b < count; b++)
        index = index << 1 | (bits[b * stride] & 1);
    return levels[(1U << count) - 2 + index];
}

static void modulate(uint32_t bits_per_cell, const uint8_t *bits, float iq[2])
{
    static const float power[] = {0, 1, 2, 0, 10, 0, 42};
    if (bits_per_cell == 1) {
        iq[0] = level(bits, 1, 1);
        iq[1] = 0;
        return;
    }
    for (uint32_t axis = 0; axis < 2; axis++)
        iq[axis] = level(bits + axis, bits_per_cell / 2, 2) / sqrtf(power[bits_per_cell]);
}

static void encode_block(const char *name, const dvbt2_l1_positions *positions, const uint8_t *sig,
                         uint8_t *codeword)
{
    static uint8_t message[DVBT2_L1_POST_BCH], bch_codeword[DVBT2_L1_POST_K];
    ldpc_code *code;
    ldpc_bch *bch;
    assert_int_equal(ldpc_code_create(name, &code, NULL), LDPC_OK);
    assert_int_equal(ldpc_bch_create(name, &bch, NULL), LDPC_OK);
    memset(message, 0, sizeof(message));
    for (uint32_t i = 0; i < positions->n_sig; i++)
        message[positions->sig[i]] = sig[i];
    assert_int_equal(ldpc_bch_encode(bch, message, 1, false, bch_codeword), LDPC_OK);
    assert_int_equal(ldpc_encode(code, bch_codeword, 1, codeword), LDPC_OK);
    ldpc_bch_destroy(bch);
    ldpc_code_destroy(code);
}

static void append_crc(uint8_t *bits, uint32_t count)
{
    for (uint32_t i = 0, crc = dvbt2_crc32(bits, count); i < DVBT2_L1_CRC; i++)
        bits[count + i] = crc >> (31 - i) & 1;
}

void l1_pre_cells(const dvbt2_l1_pre *pre, float *cells)
{
    static dvbt2_l1_positions positions;
    static uint8_t codeword[DVBT2_L1_N];
    uint8_t bits[DVBT2_L1_PRE_SIG];
    l1_write_pre(pre, bits);
    append_crc(bits, DVBT2_L1_PRE_BITS);
    dvbt2_l1_pre_positions(&positions);
    encode_block("dvbt2:16200:1/4", &positions, bits, codeword);
    for (uint32_t i = 0; i < DVBT2_L1_PRE_CELLS; i++)
        cells[i] = codeword[positions.sent[i]] & 1 ? -1.F : 1.F;
}

uint32_t l1_post_cells(const dvbt2_l1_pre *pre, uint32_t n_p2, const uint8_t *bits, float *iq)
{
    static uint8_t padded[DVBT2_MAX_L1_POST_BLOCKS * DVBT2_L1_POST_BCH], codeword[DVBT2_L1_N];
    static dvbt2_l1_positions positions;
    dvbt2_l1_post_coding c;
    assert_int_equal(dvbt2_l1_post_coding_of(pre, n_p2, &c, NULL), LDPC_OK);
    dvbt2_l1_post_positions(&c, &positions);
    memset(padded, 0, sizeof(padded));
    memcpy(padded, bits, c.info);
    append_crc(padded, c.info);
    uint32_t cells = c.cells / c.blocks;
    for (uint32_t b = 0; b < c.blocks; b++) {
        uint8_t *sig = padded + b * c.k_sig;
        if (pre->l1_post_scrambled)
            dvbt2_l1_scramble(sig, c.k_sig);
        encode_block("dvbt2:16200:1/2", &positions, sig, codeword);
        for (uint32_t i = 0; i < cells; i++) {
            uint8_t of_cell[6];
            for (uint32_t k = 0; k < c.bits_per_cell; k++)
                of_cell[k] = codeword[positions.sent[dvbt2_l1_post_bit(&c, i, k)]];
            modulate(c.bits_per_cell, of_cell, iq + 2 * (b * cells + i));
        }
    }
    return c.cells;
}
