/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/streams/fec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "receiver/complex.h"

enum {
    MOST_BITS = 64800,
    MOST_CELLS = 32400,
    MOST_POINTS = 256,
    /* number of frames at the start in which the rings are measured */
    RINGS_FRAMES = 8,
    /* Later, the rings are measured in every RINGS_PERIOD-th frame. */
    RINGS_PERIOD = 16,
    /* number of consecutive frames with errors after which the measured rings are discarded */
    RINGS_PATIENCE = 4,
    RINGS_ROUNDS = 3,
};

/* Factor of extrinsic LLRs. While parts of a frame have a wrong phase, the decoder overestimates them, and 0.75 keeps these
 * phases: 8PSK 2/3 with an LNB's phase noise, 1 Mbaud, 7.0 dB: 14 of 102 frames lost; 0.25 to 0.45: 1 or 2. */
static const float trust = 0.3f;

bool dvbs2_fec_init(dvbs2_fec *fec, uint32_t max_iterations)
{
    *fec = (dvbs2_fec){.max_iterations = max_iterations};
    fec->llr = ldpc_allocate(MOST_BITS, sizeof *fec->llr);
    fec->message = ldpc_allocate(MOST_BITS / 8, 1);
    fec->frame = ldpc_allocate(DVBS2_FEC_FRAME_BYTES, 1);
    fec->cell_llr = ldpc_allocate(DVBS2_MOST_CELL_BITS, sizeof *fec->cell_llr);
    fec->posterior = ldpc_allocate(MOST_BITS, sizeof *fec->posterior);
    fec->scaled = ldpc_allocate(MOST_CELLS, sizeof *fec->scaled);
    fec->moved_llr = ldpc_allocate(DVBS2_MOST_CELL_BITS, 1);
    fec->cell_noise = ldpc_allocate(MOST_CELLS, sizeof *fec->cell_noise);
    fec->labels = ldpc_allocate(DVBS2_MOST_CELL_BITS, 1);
    return fec->scaled && fec->moved_llr && fec->cell_noise && fec->labels && fec->llr && fec->cell_llr &&
           fec->posterior && fec->message && fec->frame;
}

static void free_chain(dvbs2_fec_chain *chain)
{
    ldpc_demapper_destroy(chain->demapper);
    ldpc_demapper_destroy(chain->moved);
    ldpc_decoder_destroy(chain->decoder);
    ldpc_bch_destroy(chain->bch);
    *chain = (dvbs2_fec_chain){0};
}

void dvbs2_fec_free(dvbs2_fec *fec)
{
    for (size_t i = 0; i < DVBS2_MOST_MODCODS; i++)
        free_chain(&fec->chains[i]);
    free(fec->llr);
    free(fec->cell_llr);
    free(fec->posterior);
    free(fec->scaled);
    free(fec->moved_llr);
    free(fec->cell_noise);
    free(fec->labels);
    free(fec->message);
    free(fec->frame);
}

static ldpc_status create_decoder(const char *name, uint32_t max_iterations, ldpc_decoder **decoder,
                                  ldpc_error *err)
{
    ldpc_code *code;
    ldpc_status status = ldpc_code_create(name, &code, err);
    if (status)
        return status;
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.max_iterations = max_iterations;
    params.packed = true;
    params.threads = 1;
    params.max_batch = 1;
    status = ldpc_decoder_create(code, &params, decoder, err);
    ldpc_code_destroy(code);
    return status;
}

ldpc_status dvbs2_fec_create_demapper(const ldpc_dvbs2_modcod *modcod, uint32_t n, ldpc_demapper **demapper,
                                      ldpc_error *err)
{
    static const float bpsk[] = {1, 1, -1, -1};
    ldpc_demapper_params params;
    ldpc_demapper_params_init(&params);
    if (modcod->modulation[0] == 'b') {
        params.points = bpsk;
        params.bits = 1;
        params.n = n;
    } else {
        params.code = modcod->code;
        params.modulation = modcod->modulation;
    }
    return ldpc_demapper_create(&params, demapper, err);
}

static ldpc_status create_chain(const ldpc_dvbs2_modcod *modcod, uint32_t max_iterations,
                                dvbs2_fec_chain *chain, ldpc_error *err)
{
    ldpc_status status = create_decoder(modcod->code, max_iterations, &chain->decoder, err);
    if (!status)
        status = dvbs2_fec_create_demapper(modcod, ldpc_code_n(ldpc_decoder_code(chain->decoder)),
                                           &chain->demapper, err);
    if (!status)
        status = ldpc_bch_create(modcod->code, &chain->bch, err);
    if (status)
        free_chain(chain);
    else
        dvbs2_rings_init(&chain->rings, ldpc_demapper_points(chain->demapper),
                         (uint32_t)ldpc_demapper_bits(chain->demapper));
    return status;
}

/* The decoder returns the all-zero codeword for cells without information. Scrambled frames are never
 * all-zero. */
static bool is_zero(const uint8_t *frame, size_t bytes)
{
    return frame[0] == 0 && memcmp(frame, frame + 1, bytes - 1) == 0;
}

bool dvbs2_fec_outer(const ldpc_bch *bch, const uint8_t *message, bool decoded, uint8_t *frame,
                     int32_t *corrected)
{
    *corrected = LDPC_BCH_FAILED;
    ldpc_bch_decode(bch, message, 1, true, frame, corrected);
    return *corrected == LDPC_BCH_FAILED || !decoded || is_zero(frame, ldpc_bch_k(bch) / 8);
}

/* ---- rings */

static void move_points(dvbs2_fec_chain *chain)
{
    const uint32_t bits = (uint32_t)ldpc_demapper_bits(chain->demapper);
    float points[2 * MOST_POINTS];
    ldpc_demapper_params params;
    ldpc_demapper_destroy(chain->moved);
    chain->moved = NULL;
    if (!chain->rings.active)
        return;
    chain->moved_power = dvbs2_rings_points(&chain->rings, bits, points);
    ldpc_demapper_params_init(&params);
    params.points = points;
    params.bits = bits;
    params.n = (uint32_t)ldpc_demapper_n(chain->demapper);
    chain->rings.active = ldpc_demapper_create(&params, &chain->moved, NULL) == LDPC_OK;
}

/* Writes the labels of the first `count` cells to fec->labels. */
static void decide(dvbs2_fec *fec, const dvbs2_fec_chain *chain, size_t count)
{
    const size_t n = ldpc_demapper_n(chain->demapper), bits = ldpc_demapper_bits(chain->demapper);
    const uint16_t *order = ldpc_demapper_order(chain->demapper);
    uint8_t *labels = fec->labels;
    for (size_t i = 0; i < n; i++)
        labels[order[i]] = fec->posterior[i] < 0;
    for (size_t c = 0; c < count; c++) {
        uint8_t label = 0;
        for (size_t b = 0; b < bits; b++)
            label = (uint8_t)(2 * label + labels[c * bits + b]);
        labels[c] = label;
    }
}

static void learn_rings(dvbs2_fec *fec, dvbs2_fec_chain *chain, const float complex *cells)
{
    const size_t count = ldpc_demapper_n(chain->demapper) / ldpc_demapper_bits(chain->demapper);
    decide(fec, chain, count);
    dvbs2_rings_learn(&chain->rings, cells, fec->labels, count);
    move_points(chain);
}

/* Scales the cells to the demapper's points, whose mean power is 1. */
static ldpc_status demap_moved(dvbs2_fec *fec, const dvbs2_fec_chain *chain, const dvbs2_pl_frame *frame)
{
    const size_t n = ldpc_demapper_n(chain->demapper), count = ldpc_demapper_cells(chain->moved);
    const uint16_t *order = ldpc_demapper_order(chain->demapper);
    const float scale = 1 / sqrtf(chain->moved_power);
    const ldpc_cells cells = {.size = sizeof cells,
                              .n_codewords = 1,
                              .iq = (const float *)fec->scaled,
                              .cell_noise = fec->cell_noise};
    dvbs2_rings_noise(&chain->rings, frame->cells, count, fec->cell_noise);
    for (size_t i = 0; i < count; i++) {
        fec->scaled[i] = frame->cells[i] * scale;
        fec->cell_noise[i] *= scale * scale;
    }
    const ldpc_status status = ldpc_demap(chain->moved, &cells, fec->moved_llr);
    for (size_t i = 0; i < n; i++)
        fec->llr[i] = fec->moved_llr[order[i]];
    return status;
}

/* ---- decoding */

static int clamp(int value, int most)
{
    return value > most ? most : value < -most ? -most : value;
}

static void quantise(const ldpc_demapper *demapper, const float *cell_llr, int8_t *llr)
{
    const uint16_t *order = ldpc_demapper_order(demapper);
    for (size_t i = 0; i < ldpc_demapper_n(demapper); i++)
        llr[i] = (int8_t)clamp((int)lrintf(cell_llr[order[i]] * LDPC_DEFAULT_LLR_SCALE), 127);
}

static ldpc_status demap(dvbs2_fec *fec, const dvbs2_fec_chain *chain, const dvbs2_pl_frame *frame)
{
    const ldpc_cells cells = {.n_codewords = 1, .iq = (const float *)frame->cells, .noise = frame->noise};
    if (frame->llr) {
        quantise(chain->demapper, frame->llr, fec->llr);
        return LDPC_OK;
    }
    return chain->moved ? demap_moved(fec, chain, frame) : ldpc_demap(chain->demapper, &cells, fec->llr);
}

/* Returns whether the LLRs after decoding a frame for the first time are used: to measure rings, or to train the
 * equaliser. Writing them takes a third of the time of a decoder that corrects few errors. */
static bool uses_posterior(const dvbs2_fec_chain *chain, const dvbs2_pl_frame *frame)
{
    return chain->rings.count > 1 || !frame->format.pilots;
}

/* posterior: whether to write fec->posterior */
static ldpc_status decode(dvbs2_fec *fec, dvbs2_fec_chain *chain, const dvbs2_pl_frame *frame, bool posterior,
                          dvbs2_fec_result *result)
{
    ldpc_codeword_info info = {0};
    const ldpc_batch batch = {.n_codewords = 1,
                              .llr = fec->llr,
                              .message = fec->message,
                              .posterior = posterior ? fec->posterior : NULL,
                              .info = &info};
    ldpc_status status = demap(fec, chain, frame);
    if (!status)
        status = ldpc_decode(chain->decoder, &batch);
    result->frame = fec->frame;
    result->broken = true;
    if (status)
        return status;
    result->broken = dvbs2_fec_outer(chain->bch, fec->message, info.decoded, fec->frame, &result->corrected);
    result->iterations += info.iterations;
    return status;
}

static void forget_rings(dvbs2_fec_chain *chain)
{
    dvbs2_rings_forget(&chain->rings);
    move_points(chain);
}

static ldpc_status find_rings(dvbs2_fec *fec, dvbs2_fec_chain *chain, const dvbs2_pl_frame *frame,
                              dvbs2_fec_result *result)
{
    ldpc_status status = LDPC_OK;
    for (int round = 0; round < RINGS_ROUNDS && result->broken && !status; round++) {
        dvbs2_rings_forget(&chain->rings);
        learn_rings(fec, chain, frame->cells);
        if (!chain->moved)
            break;
        status = decode(fec, chain, frame, true, result);
    }
    if (result->broken)
        forget_rings(chain);
    return status;
}

/* Decodes a frame and measures the rings. */
static ldpc_status decode_and_measure(dvbs2_fec *fec, dvbs2_fec_chain *chain, const dvbs2_pl_frame *frame,
                                      bool posterior, dvbs2_fec_result *result)
{
    const ldpc_status status = decode(fec, chain, frame, posterior, result);
    if (status || chain->rings.count < 2)
        return status;
    const uint32_t known = chain->rings.frames;
    if (result->broken)
        return known == 0 ? find_rings(fec, chain, frame, result) : LDPC_OK;
    if (known < RINGS_FRAMES || chain->frames % RINGS_PERIOD == 0)
        learn_rings(fec, chain, frame->cells);
    return LDPC_OK;
}

ldpc_status dvbs2_fec_decode(dvbs2_fec *fec, const dvbs2_pl_frame *frame, dvbs2_fec_result *result,
                             ldpc_error *err)
{
    dvbs2_fec_chain *chain = &fec->chains[frame->format.modcod];
    *result = (dvbs2_fec_result){.corrected = LDPC_BCH_FAILED};
    ldpc_status status = LDPC_OK;
    if (!chain->bch)
        status = create_chain(dvbs2_modcod(frame->format.modcod), fec->max_iterations, chain, err);
    if (!status && chain->failures >= RINGS_PATIENCE)
        forget_rings(chain);
    if (!status)
        status = decode_and_measure(fec, chain, frame, uses_posterior(chain, frame), result);
    if (status || chain->rings.count < 2)
        return status;
    chain->frames++;
    chain->failures = result->broken ? chain->failures + 1 : 0;
    return LDPC_OK;
}

ldpc_status dvbs2_fec_decode_other_cells(dvbs2_fec *fec, const dvbs2_pl_frame *frame,
                                         dvbs2_fec_result *result, ldpc_error *err)
{
    (void)err;
    dvbs2_fec_chain *chain = &fec->chains[frame->format.modcod];
    *result = (dvbs2_fec_result){.corrected = LDPC_BCH_FAILED};
    const ldpc_status status = decode_and_measure(fec, chain, frame, true, result);
    if (!status && !result->broken)
        chain->failures = 0;
    return status;
}

ldpc_status dvbs2_fec_decode_again(dvbs2_fec *fec, const dvbs2_pl_frame *frame, dvbs2_fec_result *result,
                                   ldpc_error *err)
{
    dvbs2_fec_chain *chain = &fec->chains[frame->format.modcod];
    if (!chain->bch)
        return dvbs2_fec_decode(fec, frame, result, err);
    *result = (dvbs2_fec_result){.corrected = LDPC_BCH_FAILED};
    const ldpc_status status = decode(fec, chain, frame, true, result);
    if (status || result->broken)
        return status;
    chain->failures = 0;
    if (chain->rings.count >= 2 && chain->rings.frames < RINGS_FRAMES)
        learn_rings(fec, chain, frame->cells);
    return status;
}

ldpc_status dvbs2_fec_decode_clear(dvbs2_fec *fec, const dvbs2_pl_frame *frame, dvbs2_fec_result *result,
                                   ldpc_error *err)
{
    (void)err;
    dvbs2_fec_chain *chain = &fec->chains[frame->format.modcod];
    dvbs2_pl_frame clear = *frame;
    const dvbs2_rings measured = chain->rings;
    clear.cells = frame->clear;
    *result = (dvbs2_fec_result){.corrected = LDPC_BCH_FAILED};
    dvbs2_rings_forget(&chain->rings);
    learn_rings(fec, chain, clear.cells);
    const ldpc_status status = decode(fec, chain, &clear, true, result);
    chain->rings = measured;
    if (!status && !result->broken) {
        chain->failures = 0;
        if (measured.frames < RINGS_FRAMES)
            learn_rings(fec, chain, frame->cells);
    }
    move_points(chain);
    return status;
}

void dvbs2_fec_decided(dvbs2_fec *fec, const dvbs2_pl_frame *frame, size_t count, float complex *points)
{
    const dvbs2_fec_chain *chain = &fec->chains[frame->format.modcod];
    const float *p = ldpc_demapper_points(chain->demapper);
    decide(fec, chain, count);
    for (size_t i = 0; i < count; i++)
        points[i] = rx_cplx(p[2 * fec->labels[i]], p[2 * fec->labels[i] + 1]);
}

bool dvbs2_fec_points(const dvbs2_fec *fec, uint32_t modcod, float points[2 * DVBS2_RING_POINTS])
{
    const dvbs2_fec_chain *chain = &fec->chains[modcod];
    if (!chain->bch || chain->rings.count < 2)
        return false;
    const float *nominal = ldpc_demapper_points(chain->demapper);
    const uint32_t bits = (uint32_t)ldpc_demapper_bits(chain->demapper), n = 1u << bits;
    memcpy(points, nominal, 2 * n * sizeof *points);
    if (!chain->rings.active)
        return true;
    dvbs2_rings_points(&chain->rings, bits, points);
    float complex sum = 0;
    for (uint32_t i = 0; i < 2 * n; i += 2)
        sum += rx_mul_conj(rx_cplx(points[i], points[i + 1]), rx_cplx(nominal[i], nominal[i + 1]));
    const float complex turn = conjf(sum) / cabsf(sum);
    for (uint32_t i = 0; i < 2 * n; i += 2) {
        const float complex point = rx_mul(rx_cplx(points[i], points[i + 1]), turn);
        points[i] = crealf(point);
        points[i + 1] = cimagf(point);
    }
    return true;
}

/* ---- extrinsic information */

const float *dvbs2_fec_extrinsic(dvbs2_fec *fec, const dvbs2_pl_frame *frame)
{
    const ldpc_demapper *demapper = fec->chains[frame->format.modcod].demapper;
    const size_t n = ldpc_demapper_n(demapper);
    const uint16_t *order = ldpc_demapper_order(demapper);
    memset(fec->cell_llr, 0, DVBS2_MOST_CELL_BITS * sizeof *fec->cell_llr);
    fec->certainty = 0;
    for (size_t i = 0; i < n; i++) {
        const int channel = clamp(fec->llr[i], LDPC_DEFAULT_LLR_LIMIT); /* as the decoder limits it */
        fec->cell_llr[order[i]] = trust * (float)(fec->posterior[i] - channel) / LDPC_DEFAULT_LLR_SCALE;
        fec->certainty += abs(clamp(fec->posterior[i], LDPC_DEFAULT_LLR_LIMIT));
    }
    return fec->cell_llr;
}
