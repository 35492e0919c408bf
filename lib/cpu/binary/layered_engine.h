/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of the SIMD kernels that is compiled once per instruction set and lane width (layered_kernel.h,
 * flooding_kernel.h). */
#ifndef LDPC_LAYERED_ENGINE_H
#define LDPC_LAYERED_ENGINE_H

#include "cpu/binary/layered.h"
#include "cpu/binary/weave.h"

#define LDPC_LAYERED_PARITIES 6

/* One iteration of flooding over all layers; `channel` are the posteriors' homes as they were loaded. */
typedef void ldpc_flood(const ldpc_layered_map *map, const void *program, void *posteriors,
                        const void *channel, void *messages);

typedef struct ldpc_layered_engine {
    uint32_t lane_bytes, register_bytes;
    /* What iterations read of the rule, which begins on a register's border. It is made for the batch whose
     * posteriors it names. */
    size_t (*program_bytes)(const ldpc_layered_map *map);
    void (*prepare)(const ldpc_layered_map *map, const ldpc_rule *rule, void *posteriors, void *program);
    /* One iteration over all layers. The first one clears the messages. */
    void (*iterate)(const ldpc_layered_map *map, const void *program, bool first, void *posteriors,
                    void *messages);
    ldpc_flood *flood; /* with a map for flooding */
    /* Repeat the first register of every group's home behind its row. */
    void (*mirror)(const ldpc_layered_map *map, void *posteriors);
    /* Parities of the posterior signs in `count` <= LDPC_LAYERED_PARITIES registers, from j on, of layer l:
     * one bit per lane, set where the check is not satisfied. Lanes behind the row and the absent lane are
     * not cleared. */
    void (*parities)(const ldpc_layered_map *map, uint32_t l, uint32_t j, uint32_t count,
                     const void *posteriors, uint64_t *parities);
    const ldpc_weaver *weaver;
} ldpc_layered_engine;

#define LDPC_LAYERED_ENGINES(isa)                                                                            \
    extern const ldpc_layered_engine ldpc_layered8_##isa, ldpc_layered16_##isa, ldpc_layered_float_##isa;    \
    extern ldpc_flood ldpc_flood8_##isa, ldpc_flood16_##isa, ldpc_flood_float_##isa;                         \
    extern const ldpc_weaver ldpc_weaver_##isa
LDPC_LAYERED_ENGINES(scalar);
LDPC_LAYERED_ENGINES(sse41);
LDPC_LAYERED_ENGINES(avx2_mask);
LDPC_LAYERED_ENGINES(avx2);
#define ldpc_layered_float_avx512_256 ldpc_layered_float_avx512 /* it has none of its own */
#define ldpc_weaver_avx512_256        ldpc_weaver_avx512
LDPC_LAYERED_ENGINES(avx512_256);
LDPC_LAYERED_ENGINES(avx512);
LDPC_LAYERED_ENGINES(neon);

#endif
