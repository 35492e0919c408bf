/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/l1/l1_history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "dvbt2/l1/l1_fields.h"

enum {
    FRAMES = 4,
    LLRS = DVBT2_MAX_L1_POST_BLOCKS * DVBT2_L1_N,
    SIG_BITS = DVBT2_MAX_L1_POST_BLOCKS * DVBT2_L1_POST_BCH,
};

/* Minimum agreement of two frames with equal L1-post, relative to the expected agreement. */
static const double least_agreement = 0.5;

struct dvbt2_l1_history {
    float *llr[FRAMES]; /* ring of LLRs */
    uint32_t pushed;    /* frames since the last reset */
    float sum[LLRS];
    uint8_t sig[SIG_BITS], message[DVBT2_L1_POST_BCH], bch_codeword[DVBT2_L1_POST_K], codeword[DVBT2_L1_N];
};

ldpc_status dvbt2_l1_history_create(dvbt2_l1_history **history, ldpc_error *err)
{
    dvbt2_l1_history *h = *history = ldpc_allocate(1, sizeof(*h));
    if (!h)
        return ldpc_fail_memory(err);
    for (int i = 0; i < FRAMES; i++) {
        h->llr[i] = ldpc_allocate(LLRS, sizeof(float));
        if (!h->llr[i]) {
            dvbt2_l1_history_destroy(h);
            *history = NULL;
            return ldpc_fail_memory(err);
        }
    }
    return LDPC_OK;
}

void dvbt2_l1_history_destroy(dvbt2_l1_history *history)
{
    if (!history)
        return;
    for (int i = 0; i < FRAMES; i++)
        free(history->llr[i]);
    free(history);
}

void dvbt2_l1_history_clear(dvbt2_l1_history *history)
{
    history->pushed = 0;
}

float *dvbt2_l1_history_push(dvbt2_l1_history *history)
{
    return history->llr[history->pushed++ % FRAMES];
}

const float *dvbt2_l1_history_newest(const dvbt2_l1_history *history)
{
    return history->llr[(history->pushed - 1) % FRAMES];
}

/* Finds the first bit of FRAME_IDX of this frame, and of the next frame (0 without L1 repetition). */
static bool find_frame_idx(const dvbt2_l1_pre *pre, uint32_t first[2])
{
    enum { FIXED = 35, RF = 35, FEF = 34, PLP = 89, RESERVED = 32, DYNAMIC = 79, PLP_DYNAMIC = 48 };
    uint32_t copies = pre->l1_repetition_flag ? 2 : 1;
    uint32_t config = FIXED + RF * pre->num_rf + (pre->s2 & 1 ? FEF : 0) + RESERVED;
    uint32_t fixed = config + copies * DYNAMIC, each = PLP + copies * PLP_DYNAMIC;
    if (pre->l1_post_extension || pre->l1_post_info_size < fixed || (pre->l1_post_info_size - fixed) % each)
        return false;
    uint32_t n_plp = (pre->l1_post_info_size - fixed) / each;
    first[0] = config + n_plp * PLP;
    first[1] = copies == 2 ? first[0] + DYNAMIC + n_plp * PLP_DYNAMIC : 0;
    return true;
}

static void put(uint8_t *bits, uint32_t value, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        bits[i] = value >> (count - 1 - i) & 1;
}

/* Writes the XOR of the signalling bits of two frames to h->sig. The FRAME_IDX of the frames are a and b. */
static void difference(dvbt2_l1_history *h, const dvbt2_l1_history_context *x, const uint32_t first[2],
                       uint32_t a, uint32_t b)
{
    uint32_t frames = x->pre->num_t2_frames;
    memset(h->sig, 0, x->coding->blocks * x->coding->k_sig);
    uint32_t affine = dvbt2_crc32(h->sig, x->coding->info);
    put(h->sig + first[0], a ^ b, 8);
    if (first[1])
        put(h->sig + first[1], (a + 1) % frames ^ (b + 1) % frames, 8);
    put(h->sig + x->coding->info, dvbt2_crc32(h->sig, x->coding->info) ^ affine, DVBT2_L1_CRC);
}

static size_t llr_count(const dvbt2_l1_history_context *x)
{
    return (size_t)x->coding->blocks * x->coding->n_post;
}

/* ldpc_encode() is not used, because it allocates memory. */
static void encode_ldpc(const ldpc_code *code, const uint8_t *message, uint8_t *codeword)
{
    const uint32_t k = ldpc_code_k(code), checks = ldpc_code_checks(code);
    memcpy(codeword, message, k);
    for (uint32_t c = 0; c < checks; c++) {
        uint32_t degree;
        const uint32_t *column = ldpc_code_check(code, c, &degree);
        uint8_t parity = c > 0 ? codeword[k + c - 1] : 0;
        for (uint32_t i = 0; i < degree; i++)
            parity ^= column[i] < k ? codeword[column[i]] : 0;
        codeword[k + c] = parity;
    }
}

/* Encodes block b of h->sig into h->codeword. Returns false if out of memory. */
static bool encode_block(dvbt2_l1_history *h, const dvbt2_l1_history_context *x, uint32_t b)
{
    memset(h->message, 0, sizeof(h->message));
    for (uint32_t i = 0; i < x->positions->n_sig; i++)
        h->message[x->positions->sig[i]] = h->sig[b * x->coding->k_sig + i];
    if (ldpc_bch_encode(x->bch, h->message, 1, false, h->bch_codeword) != LDPC_OK)
        return false;
    encode_ldpc(x->code, h->bch_codeword, h->codeword);
    return true;
}

static bool add_frame(dvbt2_l1_history *h, const dvbt2_l1_history_context *x, const float *llr)
{
    const dvbt2_l1_post_coding *c = x->coding;
    for (uint32_t b = 0; b < c->blocks; b++) {
        if (!encode_block(h, x, b))
            return false;
        for (uint32_t i = 0; i < c->n_post; i++) {
            size_t at = (size_t)b * c->n_post + i;
            h->sum[at] += h->codeword[x->positions->sent[i]] & 1 ? -llr[at] : llr[at];
        }
    }
    return true;
}

/* Returns false if out of memory. */
static bool add_frames(dvbt2_l1_history *h, const dvbt2_l1_history_context *x, const uint32_t first[2],
                       uint32_t frame_idx)
{
    uint32_t frames = x->pre->num_t2_frames;
    memcpy(h->sum, dvbt2_l1_history_newest(h), llr_count(x) * sizeof(float));
    for (uint32_t age = 1; age < FRAMES && age < h->pushed; age++) {
        difference(h, x, first, frame_idx, (frame_idx + frames * FRAMES - age) % frames);
        if (!add_frame(h, x, h->llr[(h->pushed - 1 - age) % FRAMES]))
            return false;
    }
    return true;
}

static double energy(const float *llr, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)llr[i] * llr[i];
    return sum;
}

/* Returns -1 if out of memory. */
static int32_t best_frame_idx(dvbt2_l1_history *h, const dvbt2_l1_history_context *x, const uint32_t first[2])
{
    int32_t best = -1;
    double most = -1;
    for (uint32_t i = 0; i < x->pre->num_t2_frames; i++) {
        if (!add_frames(h, x, first, i))
            return -1;
        double e = energy(h->sum, llr_count(x));
        if (e > most) {
            most = e;
            best = (int32_t)i;
        }
    }
    return best;
}

const float *dvbt2_l1_history_sum(dvbt2_l1_history *history, const dvbt2_l1_history_context *context,
                                  int32_t frame_idx)
{
    uint32_t first[2];
    if (history->pushed < 2 || !find_frame_idx(context->pre, first))
        return NULL;
    if (frame_idx == DVBT2_FRAME_IDX_UNKNOWN)
        frame_idx = best_frame_idx(history, context, first);
    bool known = frame_idx >= 0 && frame_idx < context->pre->num_t2_frames;
    return known && add_frames(history, context, first, (uint32_t)frame_idx) ? history->sum : NULL;
}

bool dvbt2_l1_history_agrees(dvbt2_l1_history *history, const dvbt2_l1_history_context *context,
                             const uint8_t *sig)
{
    const dvbt2_l1_post_coding *c = context->coding;
    const float *llr = dvbt2_l1_history_newest(history);
    double agreement = 0, expected = 0;
    memcpy(history->sig, sig, c->blocks * c->k_sig);
    for (uint32_t b = 0; b < c->blocks; b++) {
        if (!encode_block(history, context, b))
            return false;
        for (uint32_t i = 0; i < c->n_post; i++) {
            const double one = (double)llr[(size_t)b * c->n_post + i];
            agreement += history->codeword[context->positions->sent[i]] & 1 ? -one : one;
            expected += one * tanh(one / 2);
        }
    }
    return agreement > least_agreement * expected;
}
