/* SPDX-License-Identifier: BSD-3-Clause */
/* Random codes and parameters. A name always gives the same code. */
#ifndef LDPC_TEST_DRAWS_H
#define LDPC_TEST_DRAWS_H

#include "samples.h"

/* Names of drawn codes are "drawn:KIND:NUMBER". Kinds:
 *   qc         1 to 40 layers, 2 to 68 column groups, lifting size 1 to 1024, rows of 1 to 30 blocks, several
 *              circulants in a block, punctured and shortened columns, several parity parts; sometimes
 *              missing edges, columns that alternate between groups, transmitted constants
 *   small      qc with at most 512 columns
 *   irregular  without circulants, checks of degree 1 to 30
 *   dvb        lifting size 360, 32400 columns and more, DVB's staircase with missing edges
 *   nonbinary  over GF(4) to GF(256), irregular
 *   mixed      one of the binary kinds, mostly qc */
bool is_drawn(const char *name);

/* Returns NULL if the kind is invalid or memory is insufficient. */
ldpc_code *drawn_code_create(const char *name);

/* Draws early stop, iterations, packing, LLR scale, and parameters of the rule params->algorithm. */
void draw_params(random_state *random, const ldpc_code *code, ldpc_decoder_params *params);

/* Also calls draw_params(). */
void draw_decoder(random_state *random, const ldpc_code *code, ldpc_decoder_params *params);

#endif
