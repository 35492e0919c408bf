/* SPDX-License-Identifier: BSD-3-Clause */
/* What the nonbinary kernels of the CPU share: their rows, and the way from a batch to symbols and back.
 *
 * Arithmetic (docs/nonbinary.md): a message is a vector of q costs, cost(a) = ln P(best) - ln P(a) in LLR
 * steps, 0 .. 255, the smallest 0.
 */
#ifndef LDPC_NB_KERNEL_H
#define LDPC_NB_KERNEL_H

#include "cpu/cpu_kernel.h"
#include "code/nonbinary.h"

#define LDPC_NB_MAX_COST 255

/* What a kernel is asked to do. */
typedef struct ldpc_nb_spec {
    ldpc_algorithm algorithm;
    bool maximum; /* min-max; else min-sum */
    bool flooding;
    bool early_stop;
    uint32_t max_iterations;
    uint32_t kept;   /* EMS: elements of a message */
    float llr_scale; /* float arithmetic: steps per nat */
} ldpc_nb_spec;

/* A group of words on its way through a kernel. */
typedef struct ldpc_nb_group {
    size_t words;             /* 1 .. the kernel's words */
    const int8_t *llr;        /* words * n * p bit LLRs, or NULL: */
    const float *llr_float;   /* float arithmetic: words * n * p bit LLRs in nat, or NULL: */
    const uint8_t *costs;     /* words * n * q costs, or NULL: */
    const float *costs_float; /* float arithmetic: words * n * q costs in nat */
    uint8_t *symbols;         /* words * n decided symbols */
    uint8_t *posterior;       /* words * n * q costs, or NULL */
    ldpc_codeword_info *info; /* words */
} ldpc_nb_group;

/* Bytes of scratch, and the decoder of one group. */
typedef size_t ldpc_nb_scratch_bytes(const ldpc_code *code, bool flooding);
typedef void ldpc_nb_decode(const ldpc_code *code, const ldpc_nb_spec *spec, uint8_t *scratch,
                            const ldpc_nb_group *group);

/* A decoder of one word at a time, for fields of at least `lanes` elements. */
typedef struct ldpc_nb_single {
    ldpc_cpu_row row;
    uint32_t lanes; /* more than those of the rows before it, or as many */
    ldpc_nb_scratch_bytes *scratch_bytes;
    ldpc_nb_decode *decode;
} ldpc_nb_single;

/* The members of a row of the kernel table, `words` codewords at once; batches of few words go to the best
 * ldpc_nb_single of this CPU. */
bool ldpc_nb_supports(const ldpc_plan *plan); /* 8-bit arithmetic */
ldpc_status ldpc_nb_tables_create(const ldpc_plan *plan, size_t words, unsigned features,
                                  ldpc_nb_scratch_bytes *scratch_bytes, ldpc_cpu_tables **tables);
void ldpc_nb_tables_destroy(ldpc_cpu_tables *tables);
void ldpc_nb_decode_batch(const ldpc_cpu_tables *tables, ldpc_nb_decode *decode, void *scratch,
                          const ldpc_batch *batch);

/* i-th row, slowest first; NULL past the end. */
const ldpc_cpu_kernel *ldpc_nb_kernel_at(size_t i);

#endif
