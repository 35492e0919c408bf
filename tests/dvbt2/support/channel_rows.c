/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/support/channel_rows.h"

#include <math.h>

static const channel_mode uk = {
    .name = "32K ext 256QAM 2/3, 1/128, PP7",
    .mode = {.fft = DVBT2_FFT_32K,
             .guard = DVBT2_GUARD_1_128,
             .pilot_pattern = 7,
             .extended = true,
             .n_data_symbols = 59},
    .modulation = "256qam",
    .plp_mod = 3,
    .plp_cod = 2,
    .ti_blocks = 3,
    .frames = 6
};
static const channel_mode wide = {
    .name = "32K 256QAM 3/5, 1/8, PP2",
    .mode = {.fft = DVBT2_FFT_32K, .guard = DVBT2_GUARD_1_8, .pilot_pattern = 2, .n_data_symbols = 26},
    .modulation = "256qam",
    .plp_mod = 3,
    .plp_cod = 1,
    .ti_blocks = 2,
    .frames = 12
};
static const channel_mode robust = {
    .name = "32K ext 16QAM 1/2, 1/8, PP2",
    .mode = {.fft = DVBT2_FFT_32K,
             .guard = DVBT2_GUARD_1_8,
             .pilot_pattern = 2,
             .extended = true,
             .n_data_symbols = 26},
    .modulation = "16qam",
    .plp_mod = 1,
    .plp_cod = 0,
    .ti_blocks = 2,
    .frames = 12
};
static const channel_mode small = {
    .name = "8K ext 64QAM 2/3, 1/16, PP4",
    .mode = {.fft = DVBT2_FFT_8K,
             .guard = DVBT2_GUARD_1_16,
             .pilot_pattern = 4,
             .extended = true,
             .n_data_symbols = 62},
    .modulation = "64qam",
    .plp_mod = 2,
    .plp_cod = 2,
    .ti_blocks = 1,
    .frames = 20
};
static const channel_mode fast = {
    .name = "2K 64QAM 2/3, 1/8, PP3",
    .mode = {.fft = DVBT2_FFT_2K, .guard = DVBT2_GUARD_1_8, .pilot_pattern = 3, .n_data_symbols = 120},
    .modulation = "64qam",
    .plp_mod = 2,
    .plp_cod = 2,
    .ti_blocks = 1,
    .frames = 40
};
static const channel_mode shortest = {
    .name = "1K 64QAM 2/3, 1/8, PP3",
    .mode = {.fft = DVBT2_FFT_1K, .guard = DVBT2_GUARD_1_8, .pilot_pattern = 3, .n_data_symbols = 120},
    .modulation = "64qam",
    .plp_mod = 2,
    .plp_cod = 2,
    .ti_blocks = 1,
    .frames = 40
};
static const channel_mode tough = {
    .name = "8K ext 16QAM 1/2, 1/16, PP4",
    .mode = {.fft = DVBT2_FFT_8K,
             .guard = DVBT2_GUARD_1_16,
             .pilot_pattern = 4,
             .extended = true,
             .n_data_symbols = 62},
    .modulation = "16qam",
    .plp_mod = 1,
    .plp_cod = 0,
    .ti_blocks = 1,
    .frames = 20
};

static const char offset_asked[] = "+-50 kHz (NorDig, not verified)";
static const char echo_asked[] =
    "echo of 0 dB from 1.95 us to 95 % of the guard interval (NorDig, not verified)";
static const char neighbour_asked[] = "+28 to +30 dB (NorDig and D-Book, not verified)";

/* clang-format off */
#define AIR(function, ...) .air = {{function, {__VA_ARGS__}}}
#define TUNER(function, ...) .tuner = {{function, {__VA_ARGS__}}}

const channel_row channel_rows[] = {
    /* a: carrier */
    {"a1", "no disturbance", &uk, 20.3, 0, .asked = "C/N 20.3 dB (DIGITALEUROPE)"},
    {"a2", "no disturbance", &small, 15, 0, .quick = true},
    {"a3", "carrier offset of +480 kHz", &small, 18, 0, AIR(channel_carrier, 480e3), .asked = offset_asked},
    {"a4", "carrier drifts by 2 kHz/s", &uk, 22, 0, AIR(channel_carrier, 0, 2000)},
    {"a5", "carrier drifts by -2 kHz/s", &small, 17.5, 0, AIR(channel_carrier, 0, -2000)},
    {"a6", "carrier steps by 50 Hz", &uk, 22, 2, AIR(channel_carrier, 0, 0, 50)},
    {"a7", "carrier steps by 200 Hz", &uk, 22, 2, AIR(channel_carrier, 0, 0, 200)},
    {"a8", "carrier steps by 700 Hz", &uk, 22, 2, AIR(channel_carrier, 0, 0, 700)},
    {"a9", "carrier steps by 60 kHz", &uk, 22, 2, AIR(channel_carrier, 0, 0, 60e3)},
    {"a10", "carrier steps by 100 Hz", &small, 18, 2, AIR(channel_carrier, 0, 0, 100)},
    {"a11", "carrier steps by 500 Hz", &small, 18, 2, AIR(channel_carrier, 0, 0, 500)},
    {"a12", "carrier steps by 700 Hz", &small, 18, 2, AIR(channel_carrier, 0, 0, 700), .quick = true},
    {"a13", "carrier steps by 60 kHz", &small, 18, 2, AIR(channel_carrier, 0, 0, 60e3)},
    {"a14", "carrier drifts by 2 kHz/s", &fast, 17.5, 0, AIR(channel_carrier, 0, 2000)},
    {"a15", "carrier steps by half a carrier", &fast, 18, 2, AIR(channel_carrier, 0, 0, 2232), .quick = true},
    {"a16", "carrier +-500 Hz, 2 Hz sine", &small, 18, ANY_LOSS, AIR(channel_carrier_sine, 500, 2)},
    /* b: clock */
    {"b1", "clock drifts by 16 ppm/s", &uk, 22, 0, AIR(channel_clock, 16)},
    {"b2", "clock drifts by -16 ppm/s", &small, 17.5, 0, AIR(channel_clock, -16)},
    {"b3", "clock steps by 40 ppm", &uk, 22, 2, AIR(channel_clock, 0, 40)},
    {"b4", "clock steps by 40 ppm", &small, 18, 2, AIR(channel_clock, 0, 40), .quick = true},
    {"b5", "clock drifts by 16 ppm/s", &fast, 17.5, 0, AIR(channel_clock, 16)},
    {"b6", "clock steps by -40 ppm", &fast, 18, 2, AIR(channel_clock, 0, -40), .quick = true},
    {"b7", "clock +-20 ppm, 1.7 Hz sine", &uk, 22, 1, AIR(channel_clock, 0, 0, 20, 1.7)},
    {"b8", "clock +-20 ppm, 1.7 Hz sine", &small, 18, 1, AIR(channel_clock, 0, 0, 20, 1.7)},
    /* c: phase noise */
    {"c1", "phase noise of -75 dBc/Hz at 1 kHz, -20 dB a decade", &uk, 22, 0, AIR(channel_phase_noise, -75)},
    {"c2", "phase noise of -75 dBc/Hz up to 1 kHz, then -20 dB a decade", &uk, 22, 0, AIR(channel_phase_noise, -75, 1000)},
    {"c3", "phase noise of -75 dBc/Hz at 1 kHz, -20 dB a decade", &small, 18, 0, AIR(channel_phase_noise, -75)},
    {"c4", "the same, 10 dB more", &small, 18, 0, AIR(channel_phase_noise, -65)},
    {"c5", "the same, 15 dB more", &uk, 22, ANY_LOSS, AIR(channel_phase_noise, -60)},
    /* d: IQ imbalance */
    {"d1", "IQ imbalance of 1 dB and 5 degrees, DC of -10 dBc", &uk, 22, 0, TUNER(channel_imbalance, 1, 5, -10)},
    {"d2", "IQ imbalance of 3 dB and 15 degrees, DC of 0 dBc", &uk, 22, 1, TUNER(channel_imbalance, 3, 15, 0)},
    {"d3", "IQ imbalance of 1 dB and 5 degrees, DC of -10 dBc", &small, 18, 0, TUNER(channel_imbalance, 1, 5, -10), .quick = true},
    {"d4", "IQ imbalance of 3 dB and 15 degrees, DC of 0 dBc", &small, 18, 1, TUNER(channel_imbalance, 3, 15, 0)},
    /* e: clipping and coarse converters */
    {"e1", "clipped 6 dB above the rms", &uk, 22, 0, TUNER(channel_clip, 6)},
    {"e2", "clipped 3 dB above the rms", &uk, 22, ANY_LOSS, TUNER(channel_clip, 3)},
    {"e3", "clipped 6 dB above the rms", &small, 18, 0, TUNER(channel_clip, 6)},
    {"e4", "clipped 3 dB above the rms", &small, 18, ANY_LOSS, TUNER(channel_clip, 3)},
    {"e5", "clipped at the rms", &tough, 18, 0, TUNER(channel_clip, 0)},
    {"e6", "8 bits, -35 dB of full scale", &small, 30, 0, TUNER(channel_quantise, 8, -35), .quick = true},
    {"e7", "8 bits, -40 dB of full scale", &tough, 30, 0, TUNER(channel_quantise, 8, -40)},
    {"e8", "8 bits, 0 dB of full scale", &tough, 30, 0, TUNER(channel_quantise, 8, 0)},
    /* f: neighbours */
    {"f1", "T2 on both neighbour channels, +20 dB, 20 MS/s, 8 bits", &small, 19, 0,
     .tuner = {{channel_neighbours, {20}}, {channel_quantise, {8, -12}}}, .asked = neighbour_asked},
    {"f2", "T2 on both neighbour channels, +35 dB, 20 MS/s, 16 bits", &small, 19, 0,
     .tuner = {{channel_neighbours, {35}}, {channel_quantise, {16, -12}}}, .asked = neighbour_asked},
    {"f3", "T2 on both neighbour channels, +40 dB, 20 MS/s, 16 bits", &small, 19, 0,
     .tuner = {{channel_neighbours, {40}}, {channel_quantise, {16, -12}}}, .asked = neighbour_asked},
    /* g: interferers */
    {"g1", "tone of -40 dBc", &uk, 22, 1, TUNER(channel_tones, -40, 1.234567e6)},
    {"g2", "tone of -30 dBc", &uk, 22, 1, TUNER(channel_tones, -30, 1.234567e6)},
    {"g3", "tone of -20 dBc", &uk, 22, 1, TUNER(channel_tones, -20, 1.234567e6)},
    {"g4", "tone of -10 dBc", &uk, 22, 1, TUNER(channel_tones, -10, 1.234567e6)},
    {"g5", "tone of 0 dBc", &uk, 23.6, 1, TUNER(channel_tones, 0, 1.234567e6)},
    {"g6", "tone of -20 dBc", &small, 18, 1, TUNER(channel_tones, -20, 1.234567e6), .quick = true},
    {"g7", "tone of -10 dBc", &small, 18, 1, TUNER(channel_tones, -10, 1.234567e6)},
    {"g8", "tone of 0 dBc", &small, 19.1, 1, TUNER(channel_tones, 0, 1.234567e6)},
    {"g9", "tone of 0 dBc 40 Hz beside the middle", &small, 19.1, 1, TUNER(channel_tones, 0, 40)},
    {"g10", "tone of +10 dBc", &small, 22, ANY_LOSS, TUNER(channel_tones, 10, 1.234567e6)},
    {"g11", "16 tones of -30 dBc", &uk, 22, 1, TUNER(channel_tones, -30, -3e6, 16)},
    {"g12", "16 tones of -30 dBc", &small, 18, 1, TUNER(channel_tones, -30, -3e6, 16)},
    {"g13", "PAL with sound, -10 dBc", &uk, 22.6, 1, TUNER(channel_pal, -10)},
    {"g14", "PAL with sound, -10 dBc", &small, 18.1, 1, TUNER(channel_pal, -10)},
    {"g15", "PAL with sound, 0 dBc", &small, 22, ANY_LOSS, TUNER(channel_pal, 0)},
    {"g16", "microphone, FM 200 kHz wide, -20 dBc", &uk, 22.6, 1, TUNER(channel_fm, -20, 1.5e6)},
    {"g17", "microphone, FM 200 kHz wide, -20 dBc", &small, 18.1, 1, TUNER(channel_fm, -20, 1.5e6)},
    {"g18", "carrier 12.5 kHz wide, -10 dBc", &uk, 22.6, 1, TUNER(channel_narrow, -10, -2.2e6)},
    {"g19", "carrier 12.5 kHz wide, -10 dBc", &small, 18.1, 1, TUNER(channel_narrow, -10, -2.2e6)},
    {"g20", "tone of -3 dBc that sweeps by 10 MHz/s", &small, 22, ANY_LOSS, TUNER(channel_sweep, -3, 10)},
    /* h: bursts and impulses */
    {"h1", "100 us of noise of +20 dBc every 10 ms", &small, 18, 0, TUNER(channel_bursts, 100, 10, 20)},
    {"h2", "100 us of noise of +20 dBc every 10 ms", &tough, 18, 0, TUNER(channel_bursts, 100, 10, 20)},
    {"h3", "100 us of noise of +20 dBc every 10 ms", &robust, 18, 0, TUNER(channel_bursts, 100, 10, 20)},
    {"h4", "100 us of noise of +20 dBc every 10 ms", &uk, 22, ANY_LOSS, TUNER(channel_bursts, 100, 10, 20)},
    {"h5", "100 us of noise of +20 dBc in a symbol of each frame but the first: P2, after it, closing", &uk, 20.6, 0,
     TUNER(channel_bursts_in_symbols, 100, 20)},
    {"h6", "100 us of noise of +20 dBc in a symbol of each frame but the first", &small, 16, 0, TUNER(channel_bursts_in_symbols, 100, 20),
     .quick = true},
    {"h7", "100 us of noise of +20 dBc in a symbol of each frame but the first", &fast, 16, 0, TUNER(channel_bursts_in_symbols, 100, 20),
     .quick = true},
    {"h8", "1 us of noise of +30 dBc every ms", &uk, 22, 0, TUNER(channel_bursts, 1, 1, 30)},
    {"h9", "1 us of noise of +30 dBc every ms", &small, 18, 0, TUNER(channel_bursts, 1, 1, 30), .quick = true},
    {"h10", "1 us of noise of +30 dBc every ms", &fast, 18, 0, TUNER(channel_bursts, 1, 1, 30)},
    {"h11", "100 us of noise of +20 dBc in a symbol of each frame but the first", &shortest, 18, 0,
     TUNER(channel_bursts_in_symbols, 100, 20)},
    /* i: echoes */
    {"i1", "echo of 0 dB at 90 % of the guard interval, still", &uk, 23.5, 0, AIR(channel_echo, 25.2, 0, 0, 70), .asked = echo_asked},
    {"i2", "echo of 0 dB at 90 % of the guard interval, 5 Hz apart", &uk, 24.5, 0, AIR(channel_echo, 25.2, 0, 5), .asked = echo_asked},
    {"i3", "echo of 0 dB at 95 % of the guard interval, 1 Hz apart", &wide, 24, 0, AIR(channel_echo, 425.6, 0, 1), .asked = echo_asked},
    {"i4", "echo of 0 dB at 90 % of the guard interval, 5 Hz apart", &small, 20, 0, AIR(channel_echo, 50.4, 0, 5), .asked = echo_asked,
     .quick = true},
    {"i5", "echo of 0 dB at 20 us, 10 Hz apart", &uk, 24.5, 0, AIR(channel_echo, 20, 0, 10),
     .asked = "echo of 0 dB at 20 us, some Hz apart; C/N not known (DIGITALEUROPE)"},
    {"i6", "short echoes, six paths", &uk, 22.7, 0, AIR(channel_short_echoes, 0), .asked = "C/N 22.7 dB (DIGITALEUROPE)"},
    {"i7", "path of -3 dB 80 % of the guard interval before", &uk, 23, 0, AIR(channel_echo, -22.4, -3)},
    {"i8", "path of -3 dB 80 % of the guard interval before", &small, 19, 0, AIR(channel_echo, -44.8, -3)},
    {"i9", "path of -15 dB 120 % of the guard interval before", &uk, 24.6, 0, AIR(channel_echo, -33.6, -15)},
    {"i10", "path of -15 dB 120 % of the guard interval before", &small, 20.1, 0, AIR(channel_echo, -67.2, -15)},
    {"i11", "echo of -15 dB at 120 % of the guard interval", &uk, 24.6, 0, AIR(channel_echo, 33.6, -15)},
    {"i12", "echo of -15 dB at 107 % of the guard interval", &small, 20.1, 0, AIR(channel_echo, 59.9, -15)},
    {"i13", "echo of -15 dB at 125 % of the guard interval", &small, 20.1, 0, AIR(channel_echo, 70, -15)},
    {"i14", "three transmitters, 0, 8, 17 us, 0, -1, -3 dB, +3.3 and -4.6 Hz apart", &uk, 23, 0, AIR(channel_three_transmitters, 0)},
    /* j: fading */
    {"j1", "TU-6, 10 Hz", &uk, 32, 0, AIR(channel_tu6, 10)},
    {"j2", "TU-6, 10 Hz", &robust, 20, 0, AIR(channel_tu6, 10)},
    {"j3", "TU-6, 30 Hz", &robust, 20, 0, AIR(channel_tu6, 30)},
    {"j4", "TU-6, 80 Hz", &robust, 20, ANY_LOSS, AIR(channel_tu6, 80)},
    {"j5", "TU-6, 30 Hz", &small, 26, 0, AIR(channel_tu6, 30)},
    {"j6", "TU-6, 80 Hz", &small, 26, 0, AIR(channel_tu6, 80)},
    /* k: lost samples */
    {"k1", "1000 samples missing every 0.5 s", &uk, 22, 3, TUNER(channel_gaps, 1000, 500)},
    {"k2", "100000 samples missing every 0.5 s", &uk, 22, 3, TUNER(channel_gaps, 100e3, 500)},
    {"k3", "1000 samples missing every 0.5 s", &small, 18, 3, TUNER(channel_gaps, 1000, 500)},
    {"k4", "100000 samples missing every 0.5 s", &small, 18, 5, TUNER(channel_gaps, 100e3, 500)},
    {"k5", "100 us of zeros in a symbol of each frame but the first: P2, after it, closing", &uk, 20.6, 0,
     TUNER(channel_bursts_in_symbols, 100, -INFINITY)},
    {"k6", "33 us of zeros in a symbol of each frame but the first", &small, 16, 0, TUNER(channel_bursts_in_symbols, 33, -INFINITY),
     .quick = true},
    {"k7", "100 us of zeros in a symbol of each frame but the first", &small, 16, 0, TUNER(channel_bursts_in_symbols, 100, -INFINITY)},
    {"k8", "100 us of zeros in a symbol of each frame but the first", &fast, 16, 0, TUNER(channel_bursts_in_symbols, 100, -INFINITY)},
    {"k9", "10 ms of zeros every 0.5 s", &uk, 22, 3, TUNER(channel_bursts, 10e3, 500, -INFINITY)},
    {"k10", "10 ms of zeros every 0.5 s", &small, 18, 3, TUNER(channel_bursts, 10e3, 500, -INFINITY)},
    {"k11", "100 samples missing every 50 ms", &small, 18, ANY_LOSS, TUNER(channel_gaps, 100, 50)},
    /* l: a second signal */
    {"l1", "0.5 s of noise, then 32K ext 256QAM", &small, 22, 0, .then = &uk, .pause = 0.5},
    {"l2", "0.5 s of noise, then 16QAM 130 kHz higher", &small, 18, 0, .then = &tough, .pause = 0.5, .then_carrier = 130e3},
    {"l3", "in the middle of a frame 32K ext 256QAM", &small, 22, 1, .then = &uk, .pause = -1},
    {"l4", "in the middle of a frame 8K ext 64QAM", &uk, 22, 1, .then = &small, .pause = -1},
    {"l5", "0.5 s of noise, then the same signal", &small, 18, 0, .then = &small, .pause = 0.5},
    /* m: level */
    {"m1", "steps of 20 dB every 0.4 s", &uk, 22, 3, TUNER(channel_levels, 20, 400)},
    {"m2", "steps of -20 dB every 0.4 s", &small, 18, 3, TUNER(channel_levels, -20, 400)},
    {"m3", "one step of +20 dB", &fast, 18, 2, TUNER(channel_levels, 20, 0), .quick = true},
    {"m4", "+-10 dB, 3 Hz sine", &uk, 22, 2, TUNER(channel_level_sine, 10, 3)},
    {"m5", "+-10 dB, 3 Hz sine", &small, 18, 0, TUNER(channel_level_sine, 10, 3)},
    {"m6", "hum of +-5 dB, 50 Hz", &uk, 24, ANY_LOSS, TUNER(channel_level_sine, 5, 50)},
    {"m7", "hum of +-5 dB, 50 Hz", &small, 22, 0, TUNER(channel_level_sine, 5, 50)},
    /* n: mirrored spectrum */
    {"n1", "I and Q exchanged", &uk, 22, 0, TUNER(channel_mirror, 0)},
    {"n2", "I and Q exchanged", &small, 18, 0, TUNER(channel_mirror, 0), .quick = true},
    /* o: sampling rates */
    {"o1", "8 MS/s", &uk, 22, 0, AIR(channel_rate, 8e6)},
    {"o2", "10.37654321 MS/s", &uk, 22, 0, AIR(channel_rate, 10376543.21)},
    {"o3", "20 MS/s", &uk, 22, 0, AIR(channel_rate, 20e6)},
    {"o4", "8 MS/s", &small, 18, 0, AIR(channel_rate, 8e6)},
    {"o5", "12.5 MS/s", &small, 18, 0, AIR(channel_rate, 12.5e6)},
    {"o6", "rate given 300 ppm too high", &uk, 22, 1, AIR(channel_rate_error, 300)},
    {"o7", "rate given 1000 ppm too low", &uk, 22, 1, AIR(channel_rate_error, -1000)},
    {"o8", "rate given 1000 ppm too high", &small, 18, 1, AIR(channel_rate_error, 1000), .quick = true},
    /* p: incomplete frames at the ends */
    {"p1", "begins in the middle of a frame", &uk, 22, 1, TUNER(channel_cut, 0.5)},
    {"p2", "begins in the middle of a frame", &small, 18, 1, TUNER(channel_cut, 0.5), .quick = true},
    {"p3", "ends after 1.5 of 6 frames", &uk, 22, 5, TUNER(channel_cut, 0, 4.5)},
    {"p4", "ends after 1 of 6 frames", &uk, 22, 5, TUNER(channel_cut, 0, 5)},
    {"p5", "1 ms missing at the end", &uk, 22, 0, TUNER(channel_cut, 0, 0.0046)},
    /* q: 10 ms of absurd sample values */
    {"q1", "samples that are not a number", &small, 18, 2, TUNER(channel_absurd, NAN), .quick = true},
    {"q2", "infinite samples", &small, 18, 2, TUNER(channel_absurd, INFINITY)},
    {"q3", "samples of 3e38", &small, 18, 2, TUNER(channel_absurd, 3e38)},
    {"q4", "samples of 9e5", &small, 18, 2, TUNER(channel_absurd, 9e5)},
};
/* clang-format on */
const size_t channel_row_count = sizeof channel_rows / sizeof *channel_rows;
