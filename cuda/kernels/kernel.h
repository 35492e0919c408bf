/* SPDX-License-Identifier: BSD-3-Clause */
/* What the CUDA backend and its kernels know of each other: one row per kernel in kernels.c. A row turns a
 * plan into a program: source text or machine code, its tables, and the shape of a launch. */
#ifndef LDPC_CUDA_KERNEL_H
#define LDPC_CUDA_KERNEL_H

#include "cuda/kernels/launch_args.h"
#include "plan/plan.h"

/* Where columns are in the memory of kernels (column_positions.c). The position of a column is group * z +
 * lane; transmitted order is another. */
typedef struct ldpc_cuda_positions {
    int32_t *source;       /* [positions]: index among the n LLRs, LDPC_CUDA_UNKNOWN or LDPC_CUDA_KNOWN */
    uint32_t *codeword_at; /* [n]: position of each transmitted symbol, LDPC_CUDA_ZERO for a constant zero */
    uint32_t *message_at;  /* [k] */
} ldpc_cuda_positions;

ldpc_status ldpc_cuda_positions_make(const ldpc_code *code, ldpc_cuda_positions *positions);
void ldpc_cuda_positions_free(ldpc_cuda_positions *positions);

#define LDPC_CUDA_LEAST_THREADS    32    /* of a thread block: a warp */
#define LDPC_CUDA_CONSTANT_BYTES   65536 /* in a program, on every GPU */
#define LDPC_CUDA_LEAST_CAPABILITY 75    /* of GPUs that take the PTX of half.cuh and dialect_opencl.cuh */

/* What kernels need to know of a GPU. */
typedef struct ldpc_cuda_device {
    int capability; /* 10 * major + minor */
    int sms;
    unsigned most_threads;      /* of a thread block */
    size_t shared_bytes;        /* that one thread block may have */
    size_t shared_bytes_per_sm; /* that all thread blocks of a multiprocessor share */
    size_t l2_bytes;
    bool warps;  /* of 32 threads, whose threads can wait for each other, with inline PTX */
    bool cpu;    /* OpenCL on a CPU */
    bool opencl; /* compiles OpenCL C; shared and global memory have no common addresses */
} ldpc_cuda_device;

/* The program that decodes the codewords of a plan. */
typedef struct ldpc_cuda_program {
    char *source;        /* for NVRTC, owned; NULL: image */
    const void *image;   /* machine code of this library */
    uint32_t *table;     /* owned */
    size_t table_words;  /* of 32 bits */
    unsigned threads;    /* of a thread block */
    unsigned codewords;  /* that a thread block decodes together */
    unsigned min_blocks; /* thread blocks of a multiprocessor that registers should suffice for; 0: any */
    bool over_link;      /* reads LLRs and writes results in an order that suits the link to the host */
    size_t shared_bytes; /* of a thread block */
    size_t
        scratch_bytes;  /* of a thread block in global memory; if not 0, the kernel is persistent: one wave of
                             thread blocks is launched, which decode all codewords */
    size_t most_blocks; /* not 0: more thread blocks at the same time are not faster */
} ldpc_cuda_program;

struct cu_stream;
struct ldpc_cuda_engine; /* engine.h */
struct ldpc_cuda_batch;

typedef struct ldpc_cuda_kernel {
    const char *name;
    bool nonbinary; /* for codes over GF(q), q > 2 */
    bool compiled;  /* by NVRTC when a decoder is created */
    bool baked;     /* rule and early stop are part of the program: if they change, it is compiled again */
    bool opencl;    /* its source is OpenCL C too (dialect.cuh) */
    bool for_gpus;  /* chosen for a CPU only if its name is given: compilers for CPUs take minutes */
    bool by_name;   /* never chosen unless its name is given */
    /* The threads that a thread block needs for the plan at least, whatever the device has; 0: the kernel does not support
     * the plan. */
    unsigned (*least_threads)(const ldpc_plan *plan, const ldpc_cuda_device *device);
    /* LDPC_OK, LDPC_ERR_MEMORY, or LDPC_ERR_UNSUPPORTED if the kernel does not support the plan's current
     * early stop, offset or factor. The caller has zeroed *program. */
    ldpc_status (*make)(const ldpc_plan *plan, const ldpc_cuda_device *device, ldpc_cuda_program *program);
    /* NULL: one launch decodes a batch. Else starts all launches of a batch with ldpc_cuda_engine_start(). */
    ldpc_status (*launch)(const struct ldpc_cuda_engine *engine, struct cu_stream *stream,
                          const struct ldpc_cuda_batch *batch, ldpc_error *err);
} ldpc_cuda_kernel;

/* Concatenates two strings; NULL when memory is short. The caller frees the result. */
char *ldpc_cuda_join(const char *first, const char *second);

void ldpc_cuda_program_free(ldpc_cuda_program *program);

/* i-th kernel, slowest first, then the additional ones; NULL past the end. */
const ldpc_cuda_kernel *ldpc_cuda_kernel_at(size_t i);

/* i-th kernel that only this program has; NULL past the end. */
const ldpc_cuda_kernel *ldpc_cuda_additional_kernel_at(size_t i);

/* The threads that a thread block of the kernel needs for the plan at least; 0: the code is not of the kernel's kind, or the
 * kernel does not support the plan. */
unsigned ldpc_cuda_least_threads(const ldpc_cuda_kernel *kernel, const ldpc_plan *plan,
                                 const ldpc_cuda_device *device);

/* Does the kernel support the plan, with the threads that the device has? */
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
