/* SPDX-License-Identifier: BSD-3-Clause */
/* Interface between the CUDA backend and its kernels: one row per kernel in kernels.c. A row turns a plan
 * into a program: source text or machine code, its tables, and the shape of a launch. */
#ifndef LDPC_CUDA_KERNEL_H
#define LDPC_CUDA_KERNEL_H

#include "cuda/kernels/launch_args.h"
#include "plan/plan.h"

/* Position of each column in the memory of kernels (column_positions.c): group * z + lane. Transmitted order
 * is different. */
typedef struct ldpc_cuda_positions {
    int32_t *source;       /* [positions]: index among the n LLRs, LDPC_CUDA_UNKNOWN or LDPC_CUDA_KNOWN */
    uint32_t *codeword_at; /* [n]: position of each transmitted symbol, LDPC_CUDA_ZERO for a constant zero */
    uint32_t *message_at;  /* [k] */
} ldpc_cuda_positions;

ldpc_status ldpc_cuda_positions_make(const ldpc_code *code, ldpc_cuda_positions *positions);
void ldpc_cuda_positions_free(ldpc_cuda_positions *positions);

#define LDPC_CUDA_LEAST_THREADS    32    /* minimum number of threads of a thread block: a warp */
#define LDPC_CUDA_CONSTANT_BYTES   65536 /* bytes of constant memory that every GPU gives a program */
#define LDPC_CUDA_LEAST_CAPABILITY 75    /* required by the PTX of half.cuh and dialect_opencl.cuh */

/* Properties of a GPU that kernels depend on. */
typedef struct ldpc_cuda_device {
    int capability; /* compute capability: 10 * major + minor */
    int sms;
    unsigned most_threads;      /* maximum number of threads of a thread block */
    size_t shared_bytes;        /* bytes of shared memory available to one thread block */
    size_t shared_bytes_per_sm; /* shared memory that all thread blocks of a multiprocessor share, bytes */
    size_t l2_bytes;
    bool warps;  /* has warps of 32 threads that can wait for each other, and inline PTX */
    bool cpu;    /* OpenCL on a CPU */
    bool opencl; /* compiles OpenCL C; shared and global memory have no common addresses */
} ldpc_cuda_device;

/* The program that decodes the codewords of a plan. */
typedef struct ldpc_cuda_program {
    char *source;        /* source for NVRTC, owned; if NULL, `image` is used */
    const void *image;   /* machine code that is part of this library */
    uint32_t *table;     /* owned */
    size_t table_words;  /* size of the table, words of 32 bits */
    unsigned threads;    /* threads of a thread block */
    unsigned codewords;  /* codewords that a thread block decodes together */
    unsigned min_blocks; /* number of thread blocks per multiprocessor for which registers must suffice; 0: no
                          * requirement */
    bool over_link;      /* reads LLRs and writes results in an order that is efficient over the link to the
                          * host */
    size_t shared_bytes; /* shared memory of a thread block, bytes */
    size_t scratch_bytes; /* bytes of scratch memory of a thread block in global memory. If this is not 0, the
                           * kernel is persistent: one wave of thread blocks is launched and decodes all
                           * codewords. */
    size_t most_blocks; /* number of concurrent thread blocks above which the kernel becomes no faster; 0: no
                         * such limit */
} ldpc_cuda_program;

struct cu_stream;
struct ldpc_cuda_engine; /* engine.h */
struct ldpc_cuda_batch;

typedef struct ldpc_cuda_kernel {
    const char *name;
    bool nonbinary; /* for codes over GF(q), q > 2 */
    bool compiled;  /* compiled by NVRTC when a decoder is created */
    bool baked;     /* rule and early stop are part of the program, which is compiled again after a change */
    bool opencl;    /* the source is also valid OpenCL C (dialect.cuh) */
    bool for_gpus;  /* chosen for a CPU only if the caller names it: compilers for CPUs take minutes */
    bool by_name;   /* the kernel is used only if the caller names it */
    /* Returns the minimum number of threads of a thread block for the plan on any device, or 0 if the kernel
     * does not support the plan. */
    unsigned (*least_threads)(const ldpc_plan *plan, const ldpc_cuda_device *device);
    /* LDPC_OK, LDPC_ERR_MEMORY, or LDPC_ERR_UNSUPPORTED if the kernel does not support the plan's current
     * early stop, offset or factor. The caller has zeroed *program. */
    ldpc_status (*make)(const ldpc_plan *plan, const ldpc_cuda_device *device, ldpc_cuda_program *program);
    /* Starts all launches of a batch with ldpc_cuda_engine_start(). NULL: a single launch decodes a batch. */
    ldpc_status (*launch)(const struct ldpc_cuda_engine *engine, struct cu_stream *stream,
                          const struct ldpc_cuda_batch *batch, ldpc_error *err);
} ldpc_cuda_kernel;

/* Concatenates two strings; the caller frees the result. NULL when out of memory. */
char *ldpc_cuda_join(const char *first, const char *second);

void ldpc_cuda_program_free(ldpc_cuda_program *program);

/* Returns kernel i: first the regular kernels, slowest first, then the additional kernels; NULL past the end.
 * */
const ldpc_cuda_kernel *ldpc_cuda_kernel_at(size_t i);

/* Returns additional kernel i (additional.c), which exists only in a benchmark or test; NULL past the end. */
const ldpc_cuda_kernel *ldpc_cuda_additional_kernel_at(size_t i);

/* Returns the least number of threads of the kernel's thread block for the plan, or 0: the kernel does not
 * support the code or the plan. */
unsigned ldpc_cuda_least_threads(const ldpc_cuda_kernel *kernel, const ldpc_plan *plan,
                                 const ldpc_cuda_device *device);

/* Returns whether the kernel supports the plan with the device's number of threads. */
bool ldpc_cuda_supports(const ldpc_cuda_kernel *kernel, const ldpc_plan *plan,
                        const ldpc_cuda_device *device);

extern const ldpc_cuda_kernel ldpc_cuda_any, ldpc_cuda_float, ldpc_cuda_chip, ldpc_cuda_straight,
    ldpc_cuda_dvb, ldpc_cuda_nb_pairs;

/* Source of device code, and "any" compiled at build time (NULL without nvcc), for the rule three-min and for all others;
 * embed.cmake generates them. */
extern const char ldpc_cuda_text_half[];
extern const char ldpc_cuda_text_any[], ldpc_cuda_text_float_codewords[], ldpc_cuda_text_chip[],
    ldpc_cuda_text_straight[], ldpc_cuda_text_dvb[], ldpc_cuda_text_nb_pairs[];
extern const char ldpc_cuda_text_channel_math[], ldpc_cuda_text_simulate[];
const void *ldpc_cuda_image_any(void);
const void *ldpc_cuda_image_any_three_min(void);

#endif
