/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the instruction set of this compilation. The build compiles every lib/.../isa_*.c once per instruction
 * set. LDPC_ISA is set to the name of the instruction set, and LDPC_ISA_<NAME> is defined (cmake/LdpcIsa.cmake).
 * This header defines:
 *
 *   LDPC_ISA_SYMBOL(prefix_)   prefix_<name>, the name of a symbol that this compilation exports
 *   LDPC_ISA_NAME              "<name>"
 *   LDPC_ISA_FEATURES          the features LDPC_CPU_... that a CPU must have to run the code
 *   LDPC_ISA_<FAMILY>          exactly one of SCALAR, SSE41, AVX2, AVX512, NEON; a variant such as avx2_mask uses
 *                              the registers and primitives (simd.h) of its family
 *
 * If a source defines LDPC_ISA_256_BITS before its first include, AVX-512 also has registers of 256 bits.
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
#else /* otherwise the rows would need no features, and every CPU would choose them */
#error "no features of this instruction set"
#endif

/* With sanitizers, compiling long functions without branches takes minutes. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LDPC_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LDPC_SANITIZED 1
#endif
#endif

/* Without optimisation, inlining does not make the machine code smaller, and compilation takes ten times as
 * long. */
#ifdef __OPTIMIZE__
#define FORCE_INLINE static inline __attribute__((always_inline))
#else
#define FORCE_INLINE static inline
#endif

/* Unrolls the next loop so that arrays whose index is the loop variable stay in registers. The number of
 * rounds must be a constant and at most 32. Clang supports only its own pragma. */
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
