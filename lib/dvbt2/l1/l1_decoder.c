/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes L1-pre and L1-post. */
#include "dvbt2/l1/l1_decoder.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "dvbt2/l1/l1_coding.h"
#include "dvbt2/l1/l1_fields.h"
#include "dvbt2/l1/l1_history.h"
#include "ldpc/decoder.h"
#include "ldpc/dvb_fec.h"

/* LLR of a known bit, nats. */
#define KNOWN 60.F

/* MAX_PRE_FRAMES: maximum number of frames over which L1-pre is accumulated. POST_BITS: maximum number of
 * message bits of L1-post. */
enum { MAX_PRE_FRAMES = 16, POST_BITS = DVBT2_MAX_L1_POST_BLOCKS * DVBT2_L1_POST_BCH };

/* An LDPC code together with its BCH code. */
typedef struct fec {
    ldpc_code *code;
    ldpc_decoder *decoder;
    ldpc_bch *bch;
} fec;

struct dvbt2_l1_decoder {
    fec pre, post;
    dvbt2_l1_positions pre_positions;
    float pre_llr[DVBT2_L1_PRE_CELLS], pre_sum[DVBT2_L1_PRE_CELLS];
    uint32_t pre_frames;

    dvbt2_l1_pre post_pre;
    dvbt2_l1_post_coding coding;
    dvbt2_l1_positions positions;
    dvbt2_l1_history *history;
    int32_t frame_idx; /* expected FRAME_IDX, or DVBT2_FRAME_IDX_UNKNOWN */
    uint32_t failures; /* number of consecutive failures */
    bool from_sum;     /* true: the last L1-post was decoded from several frames */
    dvbt2_l1_post parsed;
    uint8_t post_bits[POST_BITS];

    float llr[DVBT2_L1_N];
    uint8_t message[DVBT2_L1_POST_K], bits[DVBT2_L1_POST_BCH];
};

/* ---- one codeword */

static ldpc_status fec_create(const char *name, fec *f, ldpc_error *err)
{
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.algorithm = LDPC_ALGORITHM_SUM_PRODUCT;
    params.arithmetic = LDPC_ARITHMETIC_FLOAT;
    params.backend = "cpu";
    params.max_batch = 1;
    ldpc_status status = ldpc_code_create(name, &f->code, err);
    if (status == LDPC_OK)
        status = ldpc_decoder_create(f->code, &params, &f->decoder, err);
    if (status == LDPC_OK)
        status = ldpc_bch_create(name, &f->bch, err);
    return status;
}

static void fec_destroy(fec *f)
{
    ldpc_decoder_destroy(f->decoder);
    ldpc_code_destroy(f->code);
    ldpc_bch_destroy(f->bch);
}

/* Decodes the signalling bits of a block. Returns false if the decoder finds no codeword. */
static bool decode_block(dvbt2_l1_decoder *d, fec *f, const dvbt2_l1_positions *positions, const float *sent,
                         uint8_t *sig)
{
    ldpc_codeword_info info;
    int32_t corrected;
    for (uint32_t i = 0; i < DVBT2_L1_N; i++)
        d->llr[i] = positions->zero[i] ? KNOWN : 0;
    for (uint32_t i = 0; i < positions->n_sent; i++)
        d->llr[positions->sent[i]] = sent[i];
    ldpc_batch batch = {.n_codewords = 1, .llr_float = d->llr, .message = d->message, .info = &info};
    if (ldpc_decode(f->decoder, &batch) != LDPC_OK ||
        ldpc_bch_decode(f->bch, d->message, 1, false, d->bits, &corrected) != LDPC_OK ||
        corrected == LDPC_BCH_FAILED)
        return false;
    for (uint32_t i = 0; i < positions->n_sig; i++)
        sig[i] = d->bits[positions->sig[i]] & 1;
    return true;
}

static bool crc_right(const uint8_t *bits, size_t count)
{
    uint32_t crc = 0;
    for (int i = 0; i < DVBT2_L1_CRC; i++)
        crc = crc << 1 | (bits[count + i] & 1);
    return crc == dvbt2_crc32(bits, count);
}

/* ---- the handle */

ldpc_status dvbt2_l1_decoder_create(dvbt2_l1_decoder **decoder, ldpc_error *err)
{
    if (!decoder)
        return ldpc_fail(err, LDPC_ERR_NULL, "decoder must not be NULL");
    *decoder = NULL;
    dvbt2_l1_decoder *d = ldpc_allocate(1, sizeof(*d));
    if (!d)
        return ldpc_fail_memory(err);
    ldpc_status status = fec_create("dvbt2:16200:1/4", &d->pre, err);
    if (status == LDPC_OK)
        status = fec_create("dvbt2:16200:1/2", &d->post, err);
    if (status == LDPC_OK)
        status = dvbt2_l1_history_create(&d->history, err);
    if (status != LDPC_OK) {
        dvbt2_l1_decoder_destroy(d);
        return status;
    }
    dvbt2_l1_pre_positions(&d->pre_positions);
    *decoder = d;
    return LDPC_OK;
}

void dvbt2_l1_decoder_destroy(dvbt2_l1_decoder *decoder)
{
    if (!decoder)
        return;
    fec_destroy(&decoder->pre);
    fec_destroy(&decoder->post);
    dvbt2_l1_history_destroy(decoder->history);
    free(decoder);
}

void dvbt2_l1_decoder_reset(dvbt2_l1_decoder *decoder)
{
    decoder->pre_frames = 0;
    decoder->coding.blocks = 0; /* L1-post must be prepared again */
    dvbt2_l1_history_clear(decoder->history);
}

/* ---- L1-pre */

/* L1-pre may be scrambled, which only the CRC shows. */
static bool pre_from_llr(dvbt2_l1_decoder *d, const float *llr, dvbt2_l1_pre *pre)
{
    uint8_t sig[DVBT2_L1_PRE_SIG];
    if (!decode_block(d, &d->pre, &d->pre_positions, llr, sig))
        return false;
    if (!crc_right(sig, DVBT2_L1_PRE_BITS)) {
        dvbt2_l1_scramble(sig, DVBT2_L1_PRE_SIG);
        if (!crc_right(sig, DVBT2_L1_PRE_BITS))
            return false;
    }
    dvbt2_l1_pre_parse(sig, pre);
    return true;
}

bool dvbt2_l1_pre_decode(dvbt2_l1_decoder *decoder, const float *iq, const float *noise, dvbt2_l1_pre *pre)
{
    dvbt2_l1_decoder *d = decoder;
    if (d->pre_frames >= MAX_PRE_FRAMES)
        d->pre_frames = 0;
    for (uint32_t i = 0; i < DVBT2_L1_PRE_CELLS; i++) {
        dvbt2_l1_cell_llr(1, iq + 2 * i, noise[i], &d->pre_llr[i]);
        d->pre_sum[i] = d->pre_llr[i] + (d->pre_frames ? d->pre_sum[i] : 0);
    }
    d->pre_frames++;
    if (pre_from_llr(d, d->pre_sum, pre) || (d->pre_frames > 1 && pre_from_llr(d, d->pre_llr, pre))) {
        d->pre_frames = 0;
        return true;
    }
    return false;
}

/* ---- L1-post */

static bool same_post(const dvbt2_l1_pre *a, const dvbt2_l1_pre *b)
{
    return a->l1_mod == b->l1_mod && a->l1_post_size == b->l1_post_size &&
           a->l1_post_info_size == b->l1_post_info_size && a->num_rf == b->num_rf && a->s2 == b->s2 &&
           a->l1_repetition_flag == b->l1_repetition_flag && a->num_t2_frames == b->num_t2_frames &&
           a->l1_post_extension == b->l1_post_extension && a->l1_post_scrambled == b->l1_post_scrambled;
}

static ldpc_status prepare_post(dvbt2_l1_decoder *d, const dvbt2_l1_pre *pre, uint32_t n_p2, ldpc_error *err)
{
    dvbt2_l1_post_coding coding;
    ldpc_status status = dvbt2_l1_post_coding_of(pre, n_p2, &coding, err);
    if (status != LDPC_OK)
        return status;
    if (d->coding.blocks && same_post(pre, &d->post_pre) && !memcmp(&coding, &d->coding, sizeof(coding)))
        return LDPC_OK;
    d->post_pre = *pre;
    d->coding = coding;
    d->frame_idx = DVBT2_FRAME_IDX_UNKNOWN;
    dvbt2_l1_post_positions(&coding, &d->positions);
    dvbt2_l1_history_clear(d->history);
    return LDPC_OK;
}

static void post_llr(const dvbt2_l1_post_coding *coding, const float *iq, const float *noise, float *llr)
{
    uint32_t cells = coding->cells / coding->blocks;
    for (uint32_t i = 0; i < coding->cells; i++) {
        float of_cell[6], *block = llr + (size_t)(i / cells) * coding->n_post;
        dvbt2_l1_cell_llr(coding->bits_per_cell, iq + 2 * i, noise[i], of_cell);
        for (uint32_t b = 0; b < coding->bits_per_cell; b++)
            block[dvbt2_l1_post_bit(coding, i % cells, b)] = of_cell[b];
    }
}

/* Scrambles or descrambles the bits. */
static void scramble_post(dvbt2_l1_decoder *d)
{
    for (uint32_t b = 0; b < d->coding.blocks && d->post_pre.l1_post_scrambled; b++)
        dvbt2_l1_scramble(d->post_bits + b * d->coding.k_sig, d->coding.k_sig);
}

/* Decodes all blocks. Returns false if a block fails or the CRC is wrong. */
static bool post_from_llr(dvbt2_l1_decoder *d, const float *llr)
{
    const dvbt2_l1_post_coding *c = &d->coding;
    for (uint32_t b = 0; b < c->blocks; b++) {
        uint8_t *sig = d->post_bits + b * c->k_sig;
        if (!decode_block(d, &d->post, &d->positions, llr + (size_t)b * c->n_post, sig))
            return false;
    }
    scramble_post(d);
    return crc_right(d->post_bits, c->info);
}

/* Decodes L1-post from this frame. If that fails, combines it with previous frames. */
static bool post_decoded(dvbt2_l1_decoder *d)
{
    d->from_sum = false;
    if (post_from_llr(d, dvbt2_l1_history_newest(d->history)))
        return true;
    const dvbt2_l1_history_context context = {&d->post_pre, &d->coding, &d->positions, d->post.code,
                                              d->post.bch};
    const float *sum = dvbt2_l1_history_sum(d->history, &context, d->frame_idx);
    if (!sum || !post_from_llr(d, sum))
        return false;
    scramble_post(d);
    d->from_sum = dvbt2_l1_history_agrees(d->history, &context, d->post_bits);
    scramble_post(d);
    return d->from_sum;
}

bool dvbt2_l1_post_from_sum(const dvbt2_l1_decoder *decoder)
{
    return decoder->from_sum;
}

/* Increments the expected FRAME_IDX. After several failures FRAME_IDX is unknown. */
static void expect_next(dvbt2_l1_decoder *d, bool decoded)
{
    enum { MOST_FAILURES = 2 };
    d->failures = decoded ? 0 : d->failures + 1;
    if (decoded)
        d->frame_idx = d->parsed.dynamic.frame_idx;
    if (d->failures > MOST_FAILURES || !d->post_pre.num_t2_frames)
        d->frame_idx = DVBT2_FRAME_IDX_UNKNOWN;
    if (d->frame_idx != DVBT2_FRAME_IDX_UNKNOWN)
        d->frame_idx = (d->frame_idx + 1) % d->post_pre.num_t2_frames;
}

ldpc_status dvbt2_l1_post_decode(dvbt2_l1_decoder *decoder, const dvbt2_l1_pre *pre, uint32_t n_p2,
                                 const float *iq, const float *noise, dvbt2_l1_post *post, ldpc_error *err)
{
    dvbt2_l1_decoder *d = decoder;
    ldpc_status status = prepare_post(d, pre, n_p2, err);
    if (status != LDPC_OK)
        return status;
    post_llr(&d->coding, iq, noise, dvbt2_l1_history_push(d->history));
    if (!post_decoded(d)) {
        expect_next(d, false);
        return ldpc_fail(err, LDPC_AGAIN, "L1-post cannot be decoded: wrong CRC");
    }
    status = dvbt2_l1_post_parse(&d->post_pre, d->post_bits, d->coding.info, &d->parsed, err);
    expect_next(d, status == LDPC_OK);
    if (status == LDPC_OK)
        *post = d->parsed;
    return status;
}
