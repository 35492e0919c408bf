/* SPDX-License-Identifier: BSD-3-Clause */
/* The instruction sets of this build, from slow to fast. LDPC_EACH_ISA(X) expands to X(name) for each.
 * LDPC_EACH_NB_ISA(X) adds avx512vbmi. LDPC_EACH_SIMD(X) expands to X(objects, kernel, required features) for
 * binary codes.
 *
 * avx2_mask is faster than avx2 on CPUs with slow blends (Intel). avx512_256 has 256-bit registers, and must
 * precede avx512, which uses it for short rows (simd_kernels.c). */
#ifndef LDPC_ISA_LIST_H
#define LDPC_ISA_LIST_H

#include "cpu/cpu_features.h"

#if defined(LDPC_HAVE_SSE41)
#define LDPC_WITH_SSE41(X) X(sse41)
#define LDPC_SIMD_SSE41(X) X(sse41, sse41, LDPC_CPU_SSE41)
#else
#define LDPC_WITH_SSE41(X)
#define LDPC_SIMD_SSE41(X)
#endif
#if defined(LDPC_HAVE_AVX2)
#define LDPC_WITH_AVX2(X) X(avx2)
#if defined(LDPC_HAVE_AVX2_MASK)
#define LDPC_SIMD_AVX2(X) X(avx2_mask, avx2, LDPC_CPU_AVX2) X(avx2, avx2, LDPC_CPU_AVX2 | LDPC_CPU_BLEND)
#else
#define LDPC_SIMD_AVX2(X) X(avx2, avx2, LDPC_CPU_AVX2)
#endif
#else
#define LDPC_WITH_AVX2(X)
#define LDPC_SIMD_AVX2(X)
#endif
#if defined(LDPC_HAVE_AVX512)
#define LDPC_WITH_AVX512(X) X(avx512)
#define LDPC_SIMD_AVX512(X) X(avx512_256, avx512, LDPC_CPU_AVX512BW) X(avx512, avx512, LDPC_CPU_AVX512BW)
#else
#define LDPC_WITH_AVX512(X)
#define LDPC_SIMD_AVX512(X)
#endif
#if defined(LDPC_HAVE_AVX512VBMI)
#define LDPC_WITH_AVX512VBMI(X) X(avx512vbmi)
#else
#define LDPC_WITH_AVX512VBMI(X)
#endif
#if defined(LDPC_HAVE_NEON)
#define LDPC_WITH_NEON(X) X(neon)
#define LDPC_SIMD_NEON(X) X(neon, neon, LDPC_CPU_NEON)
#else
#define LDPC_WITH_NEON(X)
#define LDPC_SIMD_NEON(X)
#endif

#define LDPC_EACH_ISA(X) X(scalar) LDPC_WITH_SSE41(X) LDPC_WITH_AVX2(X) LDPC_WITH_AVX512(X) LDPC_WITH_NEON(X)

#define LDPC_EACH_NB_ISA(X) LDPC_EACH_ISA(X) LDPC_WITH_AVX512VBMI(X)

#define LDPC_EACH_SIMD(X)                                                                                    \
    X(scalar, scalar, 0)                                                                                     \
    LDPC_SIMD_SSE41(X) LDPC_SIMD_AVX2(X) LDPC_SIMD_AVX512(X) LDPC_SIMD_NEON(X)

#endif
