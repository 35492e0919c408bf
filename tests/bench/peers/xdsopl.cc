// SPDX-License-Identifier: BSD-3-Clause
// xdsopl/LDPC: layered offset min-sum in 8 bits, as many codewords side by side as a register has bytes. It ends an iteration early
// when all of them are codewords, and has no switch against that.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>

#include "simd.hh"

#include "algorithms.hh"
#include "layered_decoder.hh"
#include "turns.h"

LDPCInterface *create_ldpc(char *standard, char prefix, int number); // its tables_handler.cc

#ifdef __AVX2__
static const int WIDTH = 32;
#else
static const int WIDTH = 16;
#endif
static const int STEPS = 2; // of a nat, from which it derives the offset

typedef SIMD<int8_t, WIDTH> lanes;
typedef OffsetMinSumAlgorithm<lanes, NormalUpdate<lanes>, STEPS> rule;

static const turns_work *work;
static LDPCDecoder<lanes, rule> decoder;
static lanes *codewords;
static int8_t *posteriors;

// The code is such as S2B4: standard, table.
void peer_start(const turns_work *w)
{
    work = w;
    char standard[] = {w->code[0], w->code[1], 0};
    LDPCInterface *code = create_ldpc(standard, w->code[2], atoi(w->code + 3));
    if (!code || size_t(code->code_len()) != w->n)
        exit(2);
    decoder.init(code);
    codewords = new lanes[w->n];
    posteriors = new int8_t[w->words * w->n];
}

void peer_decode()
{
    const size_t n = work->n, k = work->k;
    for (size_t first = 0; first < work->words; first += WIDTH) {
        for (int lane = 0; lane < WIDTH; lane++)
            for (size_t i = 0; i < n; i++)
                reinterpret_cast<int8_t *>(codewords + i)[lane] = work->llr[(first + lane) * n + i];
        decoder(codewords, codewords + k, work->iterations, WIDTH);
        for (int lane = 0; lane < WIDTH; lane++)
            for (size_t i = 0; i < n; i++)
                posteriors[(first + lane) * n + i] = reinterpret_cast<int8_t *>(codewords + i)[lane];
    }
}

int peer_bit(size_t word, size_t i)
{
    return posteriors[word * work->n + work->message_column[i]] < 0;
}
