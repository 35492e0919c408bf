/* SPDX-License-Identifier: BSD-3-Clause */
/* Another project's decoder behind three functions, so that peers.py times all of them alike. One such decoder
 * and turns.c, which calls it, make a program. */
#ifndef LDPC_BENCH_TURNS_H
#define LDPC_BENCH_TURNS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is to be decoded: the same again and again. */
typedef struct turns_work {
    const char *code;               /* the decoder's own name of it, from peers.py */
    int iterations;                 /* of each codeword; a decoder without such a switch may stop earlier */
    int offset;                     /* of offset min-sum, in LLR steps; others ignore it */
    size_t words;                   /* codewords, a multiple of 64 */
    size_t n, k;                    /* LLRs and message bits of a codeword */
    const int8_t *llr;              /* words * n, positive favours bit 0, -127 .. 127, 64-byte aligned */
    const uint32_t *message_column; /* k columns of the parity-check matrix */
} turns_work;

/* Makes the decoder and brings the LLRs into its type and sign; not timed. */
void peer_start(const turns_work *work);

/* Decodes all codewords, from LLRs codeword after codeword to bits codeword after codeword; timed. */
void peer_decode(void);

/* A message bit of what was decoded last. */
int peer_bit(size_t word, size_t i);

#ifdef __cplusplus
}
#endif

#endif
