/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes and parameters that are drawn at random. A name always gives the same code. */
#ifndef LDPC_TEST_DRAWS_H
#define LDPC_TEST_DRAWS_H

#include "samples.h"

/* Names of drawn codes are "drawn:KIND:NUMBER"; the same name is the same code. Kinds:
 *   qc         1 to 40 layers, 2 to 68 column groups, lifting size 1 to 1024, rows of 1 to 30 blocks, several circulants in a
 *              block, punctured and shortened columns, parity parts of several forms; sometimes missing edges, columns that
 *              alternate between groups, transmitted constants
 *   small      the same with at most 512 columns
 *   irregular  without circulants, checks of degree 1 to 30
 *   dvb        lifting size 360, 32400 columns and more, the staircase of DVB's codes with missing edges
 *   nonbinary  over GF(4) to GF(256), irregular
 *   mixed      one of the binary kinds, mostly qc */
bool is_drawn(const char *name);

/* Returns NULL if the name has no valid kind or an allocation fails. */
ldpc_code *drawn_code_create(const char *name);

/* Draws early stop, iterations, packing, LLR scale, and the numbers that the rule params->algorithm needs. */
void draw_params(random_state *random, const ldpc_code *code, ldpc_decoder_params *params);

/* Draws a rule, an arithmetic and a schedule for binary codes, then calls draw_params(). */
void draw_decoder(random_state *random, const ldpc_code *code, ldpc_decoder_params *params);

#endif
