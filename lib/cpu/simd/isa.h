/* SPDX-License-Identifier: BSD-3-Clause */
/* The instruction set of this compilation. The build compiles every lib/.../isa_*.c once per instruction set
 * (cmake/LdpcIsa.cmake). This header defines:
 *
 *   LDPC_ISA_SYMBOL(prefix_)   prefix_<name>, a symbol that this compilation exports
 *   LDPC_ISA_NAME              "<name>"
 *   LDPC_ISA_FEATURES          required features LDPC_CPU_...
 *   LDPC_ISA_<FAMILY>          one of SCALAR, SSE41, AVX2, AVX512, NEON
 *
 * LDPC_ISA_256_BITS, defined before the first include, gives AVX-512 registers of 256 bits.
 */
#ifndef LDPC_SIMD_ISA_H
#define LDPC_SIMD_ISA_H

#include "cpu/cpu_features.h"

#if !defined(LDPC_ISA)
#define LDPC_ISA        scalar
#define LDPC_ISA_SCALAR 1
#endif

#if defined(LDPC_ISA_256_BITS) && defined(LDPC_ISA_AVX512)
#undef LDPC_ISA_AVX512
#define LDPC_ISA_AVX512_256 1
#endif

#if defined(LDPC_ISA_AVX512VBMI)
#define LDPC_ISA_AVX512   1
#define LDPC_ISA_FEATURES (LDPC_CPU_AVX512BW | LDPC_CPU_AVX512VBMI)
#elif defined(LDPC_ISA_AVX512)
#define LDPC_ISA_FEATURES LDPC_CPU_AVX512BW
#elif defined(LDPC_ISA_AVX512_256) /* 256-bit registers */
#define LDPC_ISA_AVX2     1
#define LDPC_ISA_FEATURES LDPC_CPU_AVX512BW
#elif defined(LDPC_ISA_AVX2_MASK) /* without byte blends */
#define LDPC_ISA_AVX2     1
#define LDPC_ISA_FEATURES LDPC_CPU_AVX2
#elif defined(LDPC_ISA_AVX2)
#define LDPC_ISA_FEATURES LDPC_CPU_AVX2
#elif defined(LDPC_ISA_SSE41)
#define LDPC_ISA_FEATURES LDPC_CPU_SSE41
#elif defined(LDPC_ISA_NEON)
#define LDPC_ISA_FEATURES LDPC_CPU_NEON
#elif defined(LDPC_ISA_SCALAR)
#define LDPC_ISA_FEATURES 0
#else
#error "no features of this instruction set"
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LDPC_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LDPC_SANITIZED 1
#endif
#endif

#ifdef __OPTIMIZE__
#define FORCE_INLINE static inline __attribute__((always_inline))
#else
#define FORCE_INLINE static inline
#endif

#if defined(__clang__)
#define UNROLL_FULLY _Pragma("clang loop unroll(full)")
#else
#define UNROLL_FULLY _Pragma("GCC unroll 32")
#endif

#define LDPC_ISA_JOIN_(a, b)    a##b
#define LDPC_ISA_JOIN(a, b)     LDPC_ISA_JOIN_(a, b)
#define LDPC_ISA_STRING_(a)     #a
#define LDPC_ISA_STRING(a)      LDPC_ISA_STRING_(a)
#define LDPC_ISA_SYMBOL(prefix) LDPC_ISA_JOIN(prefix, LDPC_ISA)
#define LDPC_ISA_NAME           LDPC_ISA_STRING(LDPC_ISA)

#endif
