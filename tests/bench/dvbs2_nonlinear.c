/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the lowest Es/N0 (steps of 0.1 dB) at which no frame is lost after the second one: without an amplifier, and
 * with it for receivers without some of their parts. Usage:
 * dvbs2_nonlinear [FRAMES [PLS_CODE [BACK_OFF_DB [SEED]]]]
 *
 * Saleh's model amplifies 4 samples per symbol. Channel: an echo of -14 dB after 1.25 symbols, carrier offset, noise,
 * IQ imbalance of 0.7 dB and 4 degrees. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dvbs2/frame/decoding.h"
#include "dvbs2/support/sender.h"
#include "dvbs2/sync/symbol_source.h"

enum { RATIO = 4, DELAY = 5 /* samples */, ITERATIONS = 50, STARTS = 2 /* frames that may be lost */ };
/* Parts of a receiver. Further passes remove the interference that the amplifier causes. */
enum { RINGS = 1, EQUALISER = 2, PASSES = 4, ALL = RINGS | EQUALISER | PASSES };

static const double pi = 3.14159265358979323846, roll_off = 0.2, none = INFINITY;
static const double echo_db = -14, offset = 0.0113 /* cycles per symbol */, image_db = 0.7, image_degrees = 4;
static const double first_db = 5, last_db = 35;

static uint32_t seed = 2; /* of the noise */

typedef struct signal {
    float complex *clean, *received;
    size_t count, frames;
    uint8_t code;
} signal_of;

static void *reserve(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        exit(1);
    return memory;
}

/* ---- signal */

static double power_of(const float complex *x, size_t count)
{
    double power = 0;
    for (size_t i = 0; i < count; i++)
        power += creal((double complex)(x[i] * conjf(x[i])));
    return power / (double)count;
}

static void scale(float complex *x, size_t count, double gain)
{
    for (size_t i = 0; i < count; i++)
        x[i] *= (float)gain;
}

/* The input back-off is relative to the saturation at an amplitude of 1. The phase turns by 45 degrees there. */
static void amplify(float complex *x, size_t count, double back_off_db)
{
    scale(x, count, pow(10, -back_off_db / 20) / sqrt(power_of(x, count)));
    for (size_t i = 0; i < count; i++) {
        const double power = creal((double complex)(x[i] * conjf(x[i]))), turn = pi / 2 * power / (1 + power);
        x[i] *= (float complex)(2 / (1 + power) * (cos(turn) + sin(turn) * I));
    }
}

/* back_off_db: `none` without an amplifier */
static signal_of make_signal(uint8_t code, size_t frames, double back_off_db)
{
    const size_t most = frames * sender_length(code);
    signal_of s = {.clean = reserve(RATIO * most, sizeof *s.clean),
                   .received = reserve(RATIO * most, sizeof *s.received),
                   .frames = frames,
                   .code = code};
    sender transmitter = {.seed = 1};
    size_t symbols = 0;
    for (size_t i = 0; i < frames; i++)
        symbols += sender_frame(&transmitter, code, s.received + symbols);
    s.count = sender_shape(s.received, symbols, RATIO, roll_off, s.clean);
    if (back_off_db < none)
        amplify(s.clean, s.count, back_off_db);
    for (size_t i = s.count; i-- > DELAY;)
        s.clean[i] += (float)pow(10, echo_db / 20) * s.clean[i - DELAY] * I;
    scale(s.clean, s.count, 1 / sqrt(power_of(s.clean, s.count)));
    return s;
}

static void free_signal(signal_of *s)
{
    free(s->clean);
    free(s->received);
}

static void receive_signal(signal_of *s, double esn0_db)
{
    const float gain = (float)pow(10, image_db / 20), angle = (float)(image_degrees * pi / 180);
    memcpy(s->received, s->clean, s->count * sizeof *s->clean);
    channel(s->received, s->count, 0.2, offset / RATIO, esn0_db - 10 * log10(RATIO));
    for (size_t i = 0; i < s->count; i++) {
        const float re = crealf(s->received[i]), im = cimagf(s->received[i]);
        s->received[i] = re * gain + (im * cosf(angle) + re * sinf(angle)) * I;
    }
}

/* ---- receiver */

typedef struct receiver {
    dvbs2_symbol_source source;
    dvbs2_synchroniser sync;
    dvbs2_decoding decoding;
    int parts;
    size_t frames, lost, right; /* lost: after the first STARTS frames */
} receiver;

/* Creates the decoder of a MODCOD with a frame without signal, and removes the measurement of its rings. */
static void fix_points(dvbs2_fec *fec, uint8_t code)
{
    const dvbs2_frame_format format = dvbs2_frame_format_of(code);
    float complex *cells = reserve(format.cells, sizeof *cells);
    const dvbs2_pl_frame frame = {.format = format, .cells = cells, .noise = 1};
    dvbs2_fec_result result;
    if (dvbs2_fec_decode(fec, &frame, &result, NULL) != LDPC_OK)
        exit(1);
    fec->chains[format.modcod].rings.count = 1;
    free(cells);
}

static void start(receiver *r, uint8_t code, int parts)
{
    const dvbs2_front_end_params params = {
        .format = LDPC_CF32, .sample_rate = RATIO * 1e6, .symbol_rate = 1e6, .roll_off = roll_off};
    *r = (receiver){.parts = parts};
    if (dvbs2_symbol_source_init(&r->source, &params, 1) != LDPC_OK ||
        !dvbs2_synchroniser_init(&r->sync, 0) || !dvbs2_decoding_init(&r->decoding, ITERATIONS, 1e6))
        exit(1);
    if (!(parts & PASSES))
        r->decoding.growth = r->decoding.budget = 0;
    if (!(parts & RINGS))
        fix_points(&r->decoding.fec, code);
}

static void stop(receiver *r)
{
    dvbs2_symbol_source_free(&r->source);
    dvbs2_synchroniser_free(&r->sync);
    dvbs2_decoding_free(&r->decoding);
}

static bool read_frame(receiver *r, dvbs2_pl_frame *frame)
{
    const bool got = dvbs2_synchroniser_read(&r->sync, frame);
    if (!(r->parts & EQUALISER)) /* it never has enough symbols */
        r->sync.equaliser = (dvbs2_equaliser){.symbols = -none};
    return got;
}

static void read_frames(receiver *r)
{
    dvbs2_pl_frame frame;
    dvbs2_fec_result result;
    while (read_frame(r, &frame)) {
        if (dvbs2_decoding_run(&r->decoding, &r->sync, &frame, &result, NULL) != LDPC_OK)
            exit(1);
        r->frames++;
        r->right += !result.broken;
        r->lost += result.broken && r->frames > STARTS;
    }
}

static bool move_symbols(receiver *r, bool last)
{
    size_t room;
    bool gap;
    float complex *symbols = dvbs2_synchroniser_room(&r->sync, &room);
    if (room < DVBS2_TIMING_BLOCK || !dvbs2_symbol_source_read(&r->source, last, symbols, &gap))
        return false;
    dvbs2_synchroniser_add(&r->sync, DVBS2_TIMING_BLOCK);
    return true;
}

/* Returns whether all frames after the first STARTS were received. */
static bool is_received(signal_of *s, double esn0_db, int parts, double *cd_db)
{
    static receiver r;
    sender_seed(seed);
    receive_signal(s, esn0_db);
    start(&r, s->code, parts);
    for (size_t done = 0; done < s->count && r.lost == 0;) {
        done += dvbs2_symbol_source_write(&r.source, s->received + done, s->count - done);
        while (move_symbols(&r, done == s->count))
            read_frames(&r);
    }
    *cd_db = -10 * log10((double)dvbs2_rings_distortion(
                       &r.decoding.fec.chains[dvbs2_frame_format_of(s->code).modcod].rings));
    stop(&r);
    return r.lost == 0 && r.right + STARTS + 1 >= s->frames;
}

/* ---- table */

/* Returns `none` if frames are lost at last_db. least_db is too low. Sets *cd_db to C/D at the threshold. */
static double threshold(signal_of *s, int parts, double least_db, double *cd_db)
{
    int most = (int)lrint(10 * last_db), least = (int)lrint(10 * least_db);
    double other;
    if (!is_received(s, last_db, parts, cd_db))
        return none;
    while (most - least > 1) {
        const int middle = (least + most) / 2;
        if (is_received(s, middle / 10.0, parts, &other)) {
            most = middle;
            *cd_db = other;
        } else
            least = middle;
    }
    return most / 10.0;
}

static void print(double db)
{
    if (db < none)
        printf(" %7.1f", db);
    else
        printf(" %7s", "-");
    fflush(stdout);
}

/* Measures all receivers for a MODCOD. */
static void measure(uint8_t code, size_t frames, double back_off_db)
{
    static const int parts[] = {0, RINGS, RINGS | EQUALISER, ALL};
    const ldpc_dvbs2_modcod *modcod = dvbs2_modcod(dvbs2_frame_format_of(code).modcod);
    double cd_db = none;
    signal_of linear = make_signal(code, frames, none);
    const double least_db = threshold(&linear, ALL, first_db, &cd_db);
    free_signal(&linear);
    for (double db = 2; db < 8; db += db < 3 ? 1 : 2) {
        if (back_off_db < none && db != back_off_db)
            continue;
        signal_of amplified = make_signal(code, frames, db);
        printf("%-6s %-20s %8.0f", modcod->modulation, modcod->code, db);
        print(least_db);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            const double reached = threshold(&amplified, parts[i], least_db - 1, &cd_db);
            print(reached);
            cd_db = reached < none ? cd_db : none;
        }
        print(cd_db);
        printf("\n");
        free_signal(&amplified);
    }
}

int main(int argc, char **argv)
{
    /* with pilots: 16APSK 2/3, 3/4, 9/10; 32APSK 3/4, 9/10; 64APSK 132/180, 5/6 */
    static const uint8_t codes[] = {73, 77, 93, 97, 113, 187, 199};
    const size_t frames = argc > 1 ? (size_t)atoi(argv[1]) : 25;
    const double back_off_db = argc > 3 ? atof(argv[3]) : none;
    seed = argc > 4 ? (uint32_t)atoi(argv[4]) : seed;
    printf("%-6s %-20s back-off  linear   fixed   rings    both     all     C/D\n", "", "");
    for (size_t i = 0; i < sizeof codes && argc < 3; i++)
        measure(codes[i], frames, none);
    if (argc > 2)
        measure((uint8_t)atoi(argv[2]), frames, back_off_db);
    return 0;
}
