/* SPDX-License-Identifier: BSD-3-Clause */
/* The nonbinary CPU kernels (nonbinary_batch.c, docs/nonbinary.md).
 *
 * A message is a vector of q symbol costs, cost(a) = ln P(best) - ln P(a): 0 .. 255 in LLR steps, the
 * smallest 0.
 */
#ifndef LDPC_NONBINARY_KERNEL_H
#define LDPC_NONBINARY_KERNEL_H

#include "code/nonbinary.h"
#include "cpu/cpu_kernel.h"
#include "cpu/simd/isa.h"

#define LDPC_NB_MAX_COST 255

/* Parameters of decoding. */
typedef struct ldpc_nb_spec {
    ldpc_algorithm algorithm;
    bool maximum;
    bool flooding;
    bool early_stop;
    uint32_t max_iterations;
    uint32_t kept; /* EMS: costs kept per message */
    float llr_scale;
} ldpc_nb_spec;

/* Codewords decoded together. Exactly one of the four inputs is not NULL. */
typedef struct ldpc_nb_group {
    size_t codewords;
    const int8_t *llr;        /* input: codewords * n * p LLRs of bits */
    const float *llr_float;   /* input (float): codewords * n * p bit LLRs in nats */
    const uint8_t *costs;     /* input: codewords * n * q symbol costs */
    const float *costs_float; /* input (float arithmetic): codewords * n * q symbol costs, nats */
    uint8_t *symbols;         /* output: codewords * n decided symbols */
    uint8_t *posterior;       /* output: codewords * n * q symbol costs, or NULL */
    ldpc_codeword_info *info; /* output: one element per codeword */
} ldpc_nb_group;

/* A decoder of groups of codewords. */
typedef struct ldpc_nb_decoder {
    ldpc_cpu_row row;
    size_t codewords;
    uint32_t min_order; /* smallest supported field order q */
    size_t (*scratch_bytes)(const ldpc_code *code, bool flooding);
    void (*decode)(const ldpc_code *code, const ldpc_nb_spec *spec, uint8_t *scratch,
                   const ldpc_nb_group *group);
} ldpc_nb_decoder;

bool ldpc_nb_supports(const ldpc_plan *plan); /* 8-bit arithmetic */
ldpc_status ldpc_nb_tables_create(const ldpc_plan *plan, const ldpc_nb_decoder *decoder,
                                  ldpc_cpu_tables **tables);
void ldpc_nb_tables_destroy(ldpc_cpu_tables *tables);
void ldpc_nb_decode_batch(const ldpc_cpu_tables *tables, void *scratch, const ldpc_batch *batch);

#define LDPC_NB_ROW(kernel, kernel_name, nb_decoder, supports_plan)                                          \
    static ldpc_status create(const ldpc_plan *plan, ldpc_cpu_tables **tables)                               \
    {                                                                                                        \
        return ldpc_nb_tables_create(plan, &(nb_decoder), tables);                                           \
    }                                                                                                        \
    extern const ldpc_cpu_kernel kernel;                                                                     \
    const ldpc_cpu_kernel kernel = {                                                                         \
        .name = kernel_name,                                                                                 \
        .features = LDPC_ISA_FEATURES,                                                                       \
        .nonbinary = true,                                                                                   \
        .supports = supports_plan,                                                                           \
        .create = create,                                                                                    \
        .destroy = ldpc_nb_tables_destroy,                                                                   \
        .decode = ldpc_nb_decode_batch,                                                                      \
    }

#endif
