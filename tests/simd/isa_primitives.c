/* SPDX-License-Identifier: BSD-3-Clause */
/* The primitives of primitive_list.inc for one instruction set. */
#include "simd/primitives.h"

#include <string.h>

#include "cpu/simd/simd.h"

#define SIZE REGISTER_BYTES

#if defined(V_PERMUTE)
#define PERMUTED v_permute_u8
#else
static vec PERMUTED(vec table, vec x)
{
    uint8_t entries[SIZE], bytes[SIZE];
    v_storeu(entries, table);
    v_storeu(bytes, x);
    for (int i = 0; i < SIZE; i++)
        bytes[i] = entries[bytes[i]];
    return v_loadu(bytes);
}
#endif

#if defined(V_WHERE)
#define WHERE(T)       v_subs_where_##T(*(const uint64_t *)(const void *)in[2], a, b)
#define SUBS_WHERE_S8  WHERE(s8)
#define SUBS_WHERE_S16 WHERE(s16)
#else
static vec subs_where(const vec less, vec a, const uint8_t *k, size_t lane_bytes)
{
    uint8_t bytes[2][REGISTER_BYTES];
    v_storeu(bytes[0], a);
    v_storeu(bytes[1], less);
    for (size_t i = 0; i < REGISTER_BYTES; i++)
        if (k[i / lane_bytes / 8] >> i / lane_bytes % 8 & 1)
            bytes[0][i] = bytes[1][i];
    return v_loadu(bytes[0]);
}
#define SUBS_WHERE_S8  subs_where(v_subs_s8(a, b), a, in[2], 1)
#define SUBS_WHERE_S16 subs_where(v_subs_s16(a, b), a, in[2], 2)
#endif

#if defined(V_FIRST)
#define LOAD_FIRST  v_load_first
#define STORE_FIRST v_store_first
#else
static vec LOAD_FIRST(const void *p, size_t n)
{
    uint8_t bytes[SIZE] = {0};
    memcpy(bytes, p, n);
    return v_loadu(bytes);
}
static void STORE_FIRST(void *p, size_t n, vec x)
{
    uint8_t bytes[SIZE];
    v_storeu(bytes, x);
    memcpy(p, bytes, n);
}
#endif

/* Each repetition must load the operands and store the result. */
#define AGAIN __asm__ volatile("" : : : "memory")

#define BYTES(name, statement, bytes, domain, meaning)                                                       \
    static void run_##name(const operands *ops, uint8_t *out, size_t times)                                  \
    {                                                                                                        \
        const uint8_t(*in)[2 * MAX_REGISTER_BYTES] = ops->reg;                                               \
        const unsigned k = ops->k;                                                                           \
        for (size_t t = 0; t < times; t++) {                                                                 \
            const vec a = v_load(in[0]), b = v_load(in[1]), c = v_load(in[2]), d = v_load(in[3]),            \
                      e = v_load(in[4]);                                                                     \
            (void)a, (void)b, (void)c, (void)d, (void)e, (void)k;                                            \
            statement;                                                                                       \
            AGAIN;                                                                                           \
        }                                                                                                    \
    }
#define LANES(name, type, primitive, domain, meaning) BYTES(name, v_storeu(out, primitive), , , )
#define MASK(name, type, primitive, meaning)          BYTES(name, *(uint64_t *)(void *)out = primitive, , , )
#define FLOATS(name, primitive, domain, meaning)                                                             \
    static void run_##name(const operands *ops, uint8_t *out, size_t times)                                  \
    {                                                                                                        \
        const uint8_t(*in)[2 * MAX_REGISTER_BYTES] = ops->reg;                                               \
        const unsigned k = ops->k;                                                                           \
        for (size_t t = 0; t < times; t++) {                                                                 \
            const vecf a = v_load_f32((const void *)in[0]), b = v_load_f32((const void *)in[1]);             \
            (void)a, (void)b, (void)k;                                                                       \
            v_store_f32((void *)out, primitive);                                                             \
            AGAIN;                                                                                           \
        }                                                                                                    \
    }
#include "simd/primitive_list.inc"
#undef BYTES
#undef LANES
#undef MASK
#undef FLOATS

#define BYTES(name, statement, bytes, domain, meaning) run_##name,
#define LANES(name, type, primitive, domain, meaning)  run_##name,
#define MASK(name, type, primitive, meaning)           run_##name,
#define FLOATS(name, primitive, domain, meaning)       run_##name,
static primitive_run *const runs[] = {
#include "simd/primitive_list.inc"
};

extern const primitive_set LDPC_ISA_SYMBOL(simd_primitives_);
const primitive_set LDPC_ISA_SYMBOL(simd_primitives_) = {
    {LDPC_ISA_NAME, LDPC_ISA_FEATURES},
    REGISTER_BYTES, runs
};
