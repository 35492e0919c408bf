/* SPDX-License-Identifier: BSD-3-Clause */
/* Interface between the CUDA backend and its kernels. A kernel turns a plan into source or machine code,
 * tables, and the shape of a launch. */
#ifndef LDPC_CUDA_KERNEL_H
#define LDPC_CUDA_KERNEL_H

#include "cuda/kernels/launch_args.h"
#include "plan/plan.h"

/* Positions of columns in the memory of kernels: group * z + lane (column_positions.c). */
typedef struct ldpc_cuda_positions {
    int32_t *source;       /* [positions] index of the LLR, 0 .. n-1, or LDPC_CUDA_UNKNOWN or
                            * LDPC_CUDA_KNOWN */
    uint32_t *codeword_at; /* [n] position of each transmitted symbol, or LDPC_CUDA_ZERO */
    uint32_t *message_at;  /* [k] */
} ldpc_cuda_positions;

ldpc_status ldpc_cuda_positions_make(const ldpc_code *code, ldpc_cuda_positions *positions);
void ldpc_cuda_positions_free(ldpc_cuda_positions *positions);

#define LDPC_CUDA_LEAST_THREADS    32    /* minimum number of threads per thread block: a warp */
#define LDPC_CUDA_CONSTANT_BYTES   65536 /* constant memory of a program on every GPU, bytes */
#define LDPC_CUDA_LEAST_CAPABILITY 75    /* minimum capability for the inline PTX */

/* Properties of a GPU. */
typedef struct ldpc_cuda_device {
    int capability; /* compute capability: 10 * major + minor */
    int sms;
    unsigned most_threads;      /* maximum number of threads per thread block */
    size_t shared_bytes;        /* maximum shared memory of a thread block, bytes */
    size_t shared_bytes_per_sm; /* shared memory of a multiprocessor, bytes */
    size_t l2_bytes;
    bool warps;  /* has warps of 32 threads and inline PTX */
    bool cpu;    /* OpenCL on a CPU */
    bool opencl; /* OpenCL C, with separate address spaces for shared and global memory */
} ldpc_cuda_device;

typedef struct ldpc_cuda_program {
    char *source;       /* owned; NULL: `image` is used */
    const void *image;  /* machine code built with the library */
    uint32_t *table;    /* owned */
    size_t table_words; /* 32-bit words */
    unsigned threads;   /* threads per thread block */
    unsigned codewords; /* codewords that a thread block decodes together */
    unsigned
        min_blocks; /* minimum thread blocks per multiprocessor, which limits the registers; 0: no limit */
    bool over_link; /* the kernel may access LLRs and results over the link */
    size_t shared_bytes;  /* shared memory of a thread block, bytes */
    size_t scratch_bytes; /* Scratch memory of a thread block, bytes; 0: none. With scratch memory, a launch
                           * has one wave of blocks. */
    size_t most_blocks;   /* more thread blocks are not faster; 0: no limit */
} ldpc_cuda_program;

struct cu_stream;
struct ldpc_cuda_engine; /* engine.h */
struct ldpc_cuda_batch;

typedef struct ldpc_cuda_kernel {
    const char *name;
    bool nonbinary; /* for codes over GF(q), q > 2 */
    bool compiled;  /* NVRTC compiles it when a decoder is created */
    bool baked;     /* rule and early stop are compiled in */
    bool opencl;    /* the source is also OpenCL C (dialect.cuh) */
    bool for_gpus;  /* on CPUs only if requested by name: compilers for CPUs take minutes */
    bool by_name;   /* only if requested by name */
    /* Returns the minimum number of threads per thread block, or 0 for an unsupported plan. */
    unsigned (*least_threads)(const ldpc_plan *plan, const ldpc_cuda_device *device);
    /* Writes a program to the zeroed *program. Returns LDPC_OK, LDPC_ERR_MEMORY, or LDPC_ERR_UNSUPPORTED. */
    ldpc_status (*make)(const ldpc_plan *plan, const ldpc_cuda_device *device, ldpc_cuda_program *program);
    /* Launches a batch; NULL: with one launch of the program. */
    ldpc_status (*launch)(const struct ldpc_cuda_engine *engine, struct cu_stream *stream,
                          const struct ldpc_cuda_batch *batch, ldpc_error *err);
} ldpc_cuda_kernel;

/* Returns both strings joined, or NULL. The caller frees the result. */
char *ldpc_cuda_join(const char *first, const char *second);

void ldpc_cuda_program_free(ldpc_cuda_program *program);

/* Returns kernel i, or NULL. Regular kernels come first, from slowest to fastest, then additional kernels. */
const ldpc_cuda_kernel *ldpc_cuda_kernel_at(size_t i);

/* Returns additional kernel i (additional.c), or NULL. Only benchmarks and tests have any. */
const ldpc_cuda_kernel *ldpc_cuda_additional_kernel_at(size_t i);

/* Returns the minimum number of threads per thread block, or 0 if code or plan is unsupported. */
unsigned ldpc_cuda_least_threads(const ldpc_cuda_kernel *kernel, const ldpc_plan *plan,
                                 const ldpc_cuda_device *device);

bool ldpc_cuda_supports(const ldpc_cuda_kernel *kernel, const ldpc_plan *plan,
                        const ldpc_cuda_device *device);

extern const ldpc_cuda_kernel ldpc_cuda_any, ldpc_cuda_float, ldpc_cuda_chip, ldpc_cuda_straight,
    ldpc_cuda_dvb, ldpc_cuda_nb_pairs;

/* Device code, and machine code of "any" (NULL without nvcc), generated by embed.cmake. */
extern const char ldpc_cuda_text_half[];
extern const char ldpc_cuda_text_any[], ldpc_cuda_text_float_codewords[], ldpc_cuda_text_chip[],
    ldpc_cuda_text_straight[], ldpc_cuda_text_dvb[], ldpc_cuda_text_nb_pairs[];
extern const char ldpc_cuda_text_channel_math[], ldpc_cuda_text_simulate[];
const void *ldpc_cuda_image_any(void);
const void *ldpc_cuda_image_any_three_min(void);

#endif
