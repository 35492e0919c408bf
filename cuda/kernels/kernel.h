/* SPDX-License-Identifier: BSD-3-Clause */
/* Interface between the CUDA backend and its kernels. Each kernel is a row of the table in kernels.c. A row
 * turns a plan into a program. The program consists of source text or machine code, tables, and the shape of
 * a launch. */
#ifndef LDPC_CUDA_KERNEL_H
#define LDPC_CUDA_KERNEL_H

#include "cuda/kernels/launch_args.h"
#include "plan/plan.h"

/* Positions of the columns in the memory of kernels: group * z + lane (column_positions.c). The order of
 * transmission is different. */
typedef struct ldpc_cuda_positions {
    int32_t *source;       /* [positions] index of the column's LLR among the n LLRs, or LDPC_CUDA_UNKNOWN, or
                            * LDPC_CUDA_KNOWN */
    uint32_t *codeword_at; /* [n] position of each transmitted symbol; LDPC_CUDA_ZERO for a constant zero */
    uint32_t *message_at;  /* [k] */
} ldpc_cuda_positions;

ldpc_status ldpc_cuda_positions_make(const ldpc_code *code, ldpc_cuda_positions *positions);
void ldpc_cuda_positions_free(ldpc_cuda_positions *positions);

#define LDPC_CUDA_LEAST_THREADS    32    /* minimum number of threads of a thread block: a warp */
#define LDPC_CUDA_CONSTANT_BYTES   65536 /* constant memory in bytes that every GPU has for a program */
#define LDPC_CUDA_LEAST_CAPABILITY 75    /* needed by the PTX of half.cuh and dialect_opencl.cuh */

/* Properties of a GPU on which kernels depend. */
typedef struct ldpc_cuda_device {
    int capability; /* compute capability: 10 * major + minor */
    int sms;
    unsigned most_threads;      /* maximum number of threads of a thread block */
    size_t shared_bytes;        /* maximum shared memory of one thread block in bytes */
    size_t shared_bytes_per_sm; /* shared memory of a multiprocessor in bytes, for all its thread blocks
                                 * together */
    size_t l2_bytes;
    bool warps;  /* whether the device has warps of 32 threads that can wait for each other, and inline PTX */
    bool cpu;    /* OpenCL on a CPU */
    bool opencl; /* whether the device compiles OpenCL C; shared memory and global memory then have separate
                  * address spaces */
} ldpc_cuda_device;

/* The program that decodes the codewords of a plan. */
typedef struct ldpc_cuda_program {
    char *source;         /* source for NVRTC, which the program owns; if NULL, `image` is used */
    const void *image;    /* machine code that was built together with the library */
    uint32_t *table;      /* owned */
    size_t table_words;   /* size of the table in 32-bit words */
    unsigned threads;     /* number of threads of a thread block */
    unsigned codewords;   /* number of codewords that a thread block decodes together */
    unsigned min_blocks;  /* the registers of a multiprocessor must suffice for this number of thread blocks;
                           * 0: no such requirement */
    bool over_link;       /* whether LLRs are read and results are written in an order that is efficient over
                          * the link to the host */
    size_t shared_bytes;  /* shared memory of a thread block in bytes */
    size_t scratch_bytes; /* Size in bytes of the scratch memory that a thread block needs in global memory.
                           * If it is not 0, the kernel is persistent: one wave of thread blocks is launched
                           * and decodes all codewords. */
    size_t most_blocks; /* with more concurrent thread blocks than this, the kernel is not faster; 0: no such
                         * limit */
} ldpc_cuda_program;

struct cu_stream;
struct ldpc_cuda_engine; /* engine.h */
struct ldpc_cuda_batch;

typedef struct ldpc_cuda_kernel {
    const char *name;
    bool nonbinary; /* true: for codes over GF(q), q > 2; false: for binary codes */
    bool compiled;  /* whether NVRTC compiles the kernel when a decoder is created */
    bool baked;     /* whether the rule and early stop are part of the program; if they change, it must be
                     * compiled again */
    bool opencl;    /* whether the source is also valid OpenCL C (dialect.cuh) */
    bool for_gpus;  /* whether a CPU uses this kernel only if the caller requests it by name, because
                     * compilers for CPUs take minutes */
    bool by_name;   /* whether the kernel is used only if the caller requests it by name */
    /* Returns the minimum number of threads of a thread block for the plan on any device, or 0 if the kernel
     * does not support the plan. */
    unsigned (*least_threads)(const ldpc_plan *plan, const ldpc_cuda_device *device);
    /* Writes a program to *program, which the caller has zeroed. Returns LDPC_OK or LDPC_ERR_MEMORY, or
     * LDPC_ERR_UNSUPPORTED if the kernel does not support the plan's early stop, offset or factor. */
    ldpc_status (*make)(const ldpc_plan *plan, const ldpc_cuda_device *device, ldpc_cuda_program *program);
    /* Starts all launches of a batch with ldpc_cuda_engine_start(). If NULL, a single launch decodes a batch.
     * Only a kernel of tests/bench/comparison has several launches. */
    ldpc_status (*launch)(const struct ldpc_cuda_engine *engine, struct cu_stream *stream,
                          const struct ldpc_cuda_batch *batch, ldpc_error *err);
} ldpc_cuda_kernel;

/* Returns the concatenation of two strings, which the caller must free. Returns NULL if there is not enough
 * memory. */
char *ldpc_cuda_join(const char *first, const char *second);

void ldpc_cuda_program_free(ldpc_cuda_program *program);

/* Returns kernel number i, or NULL if there are fewer kernels. The regular kernels come first, from the
 * slowest to the fastest. The additional kernels follow. */
const ldpc_cuda_kernel *ldpc_cuda_kernel_at(size_t i);

/* Returns additional kernel number i (additional.c), or NULL if there are fewer. Only a benchmark or a test
 * has additional kernels. */
const ldpc_cuda_kernel *ldpc_cuda_additional_kernel_at(size_t i);

/* Returns the minimum number of threads of a thread block for the plan, or 0 if the kernel does not support
 * the code or the plan. */
unsigned ldpc_cuda_least_threads(const ldpc_cuda_kernel *kernel, const ldpc_plan *plan,
                                 const ldpc_cuda_device *device);

/* Returns whether the kernel supports the plan on the device, including the device's limit on threads per
 * block. */
bool ldpc_cuda_supports(const ldpc_cuda_kernel *kernel, const ldpc_plan *plan,
                        const ldpc_cuda_device *device);

extern const ldpc_cuda_kernel ldpc_cuda_any, ldpc_cuda_float, ldpc_cuda_chip, ldpc_cuda_straight,
    ldpc_cuda_dvb, ldpc_cuda_nb_pairs;

/* Source of the device code, and machine code of "any" (for three-min, and for all other rules). The machine
 * code is compiled at build time; it is NULL if there is no nvcc. embed.cmake generates both. */
extern const char ldpc_cuda_text_half[];
extern const char ldpc_cuda_text_any[], ldpc_cuda_text_float_codewords[], ldpc_cuda_text_chip[],
    ldpc_cuda_text_straight[], ldpc_cuda_text_dvb[], ldpc_cuda_text_nb_pairs[];
extern const char ldpc_cuda_text_channel_math[], ldpc_cuda_text_simulate[];
const void *ldpc_cuda_image_any(void);
const void *ldpc_cuda_image_any_three_min(void);

#endif
