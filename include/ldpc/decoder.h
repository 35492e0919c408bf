/* SPDX-License-Identifier: BSD-3-Clause */
/* Decoders of LDPC codes.
 *
 *     ldpc_code *code;
 *     ldpc_decoder *dec;
 *     ldpc_decoder_params params;
 *     ldpc_decoder_params_init(&params);
 *     ldpc_code_create("dvbt2:64800:1/2", &code, NULL);
 *     ldpc_decoder_create(code, &params, &dec, NULL);
 *     ldpc_batch batch = { .n_codewords = 1, .llr = llr, .message = bits, .info = &info };
 *     ldpc_decode(dec, &batch);
 *
 * An LLR is ln(P(bit = 0) / P(bit = 1)): positive for bit 0. int8 LLRs are in steps of 1/llr_scale nats. 0 is
 * an erasure; -128 is read as -127. docs/arithmetic.md specifies all integer results bit for bit.
 */
#ifndef LDPC_DECODER_H
#define LDPC_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ldpc/code.h"
#include "ldpc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Check-node rule (docs/arithmetic.md). */
typedef enum ldpc_algorithm {
    /** three-min for DVB-S2X, ATSC 3.0, 5G, CCSDS and Ethernet; corrected min-sum for other binary codes;
     * min-sum or min-max for q > 2 */
    LDPC_ALGORITHM_AUTO = 0,
    LDPC_ALGORITHM_MIN_SUM,            /**< smallest magnitude of the messages from other edges */
    LDPC_ALGORITHM_OFFSET_MIN_SUM,     /**< min-sum minus ldpc_decoder_params.offset */
    LDPC_ALGORITHM_NORMALIZED_MIN_SUM, /**< min-sum times ldpc_decoder_params.factor */
    /** min-sum minus an offset that depends on the two smallest magnitudes */
    LDPC_ALGORITHM_CORRECTED_MIN_SUM,
    /** sum-product with exact box-plus in the log domain; float arithmetic only */
    LDPC_ALGORITHM_SUM_PRODUCT,
    /** min-max (Savin 2008) minimises the largest symbol cost; q > 2 only */
    LDPC_ALGORITHM_MIN_MAX,
    /** extended min-sum: the n_m = `kept` smallest costs per message; q > 2 and float arithmetic only */
    LDPC_ALGORITHM_EMS,
    /** min-sum minus offsets that depend on the three smallest magnitudes; binary codes only */
    LDPC_ALGORITHM_THREE_MIN,
} ldpc_algorithm;

/** Number format of posteriors and messages. */
typedef enum ldpc_arithmetic {
    /** float for sum-product and EMS; otherwise i8 for q > 2; otherwise i8 on the CPU, and i16 on a GPU or
     * with min_gpu_batch */
    LDPC_ARITHMETIC_AUTO = 0,
    LDPC_ARITHMETIC_I8,  /**< posteriors saturate to int8 */
    LDPC_ARITHMETIC_I16, /**< posteriors saturate at +-2047 */
    /** single precision; kernels agree within a tolerance */
    LDPC_ARITHMETIC_FLOAT,
} ldpc_arithmetic;

/** Order of the checks in an iteration. */
typedef enum ldpc_schedule {
    LDPC_SCHEDULE_AUTO = 0, /**< LDPC_SCHEDULE_LAYERED */
    LDPC_SCHEDULE_LAYERED,  /**< each layer uses the posteriors of the previous layer */
    LDPC_SCHEDULE_FLOODING, /**< all checks use the posteriors of the previous iteration */
} ldpc_schedule;

/** Names for files and command lines. The parsers return LDPC_ERR_PARAM for any other name.
 *
 *     algorithms   auto min-sum offset normalized corrected sum-product min-max ems three-min
 *     arithmetics  auto i8 i16 float
 *     schedules    auto layered flooding */
LDPC_API const char *ldpc_algorithm_name(ldpc_algorithm algorithm);
LDPC_API const char *ldpc_arithmetic_name(ldpc_arithmetic arithmetic);
LDPC_API const char *ldpc_schedule_name(ldpc_schedule schedule);
LDPC_API ldpc_status ldpc_algorithm_parse(const char *name, ldpc_algorithm *algorithm);
LDPC_API ldpc_status ldpc_arithmetic_parse(const char *name, ldpc_arithmetic *arithmetic);
LDPC_API ldpc_status ldpc_schedule_parse(const char *name, ldpc_schedule *schedule);

/** Parameters of a decoder. Initialise with ldpc_decoder_params_init(). Strings are copied. */
typedef struct ldpc_decoder_params {
    size_t size;                /**< see version.h */
    ldpc_algorithm algorithm;   /**< default LDPC_ALGORITHM_AUTO */
    ldpc_arithmetic arithmetic; /**< default LDPC_ARITHMETIC_AUTO */
    ldpc_schedule schedule;     /**< default LDPC_SCHEDULE_AUTO */
    uint32_t max_iterations;    /**< 0 .. 10000; default 50 */
    bool early_stop;            /**< stop decoding a codeword at zero syndrome; default true */
    float llr_scale;            /**< LLR steps per nat, 0.25 .. 64; default LDPC_DEFAULT_LLR_SCALE */
    /** offset min-sum: offset in LLR steps, 0 .. 63, an integer for i8 and i16; negative (default) =
     * automatic */
    float offset;
    /** normalised min-sum: 1/16 .. 1, in steps of 1/16 for i8 and i16; 0 (default) = automatic */
    float factor;
    /** EMS: number of costs n_m kept per message, 1 .. q; 0 (default) = automatic */
    uint32_t kept;
    /** true: bits are packed 8 per byte, most significant first, and each codeword is padded with zeros to a
     * whole byte; false (default): one bit per byte */
    bool packed;
    /** use the CPU if the GPU cannot be used, is out of memory or does not support the decoder;
     * ldpc_decoder_message() gives the reason, and `kernel` has no effect. Default false: creation fails */
    bool fallback;
    /** "cpu" (default, or NULL), "cuda", "opencl" or "gpu" (CUDA if usable, otherwise OpenCL) */
    const char *backend;
    const char *kernel; /**< one of ldpc_kernel_list(); NULL (default) or "" = automatic */
    uint32_t threads;   /**< CPU threads, 1 .. 1024, default 1; 0 = one per core */
    /** codewords per batch, 1 .. 2^20; 0 (default) = automatic */
    size_t max_batch;
    /** folder of compiled kernels and tuning results, see ldpc_cache_dir_check(); NULL (default) = none */
    const char *cache_dir;
    /** GPUs that share the batches: "0" (default, or NULL), "0,1", "all"; OpenCL also "gpu", "cpu" (all
     * devices of this type), or part of a device or platform name */
    const char *devices;
    /** CUDA only: smaller batches are decoded on the CPU; 0 (default) = all on the GPU. ldpc-tune measures
     * the best value */
    size_t min_gpu_batch;
    /** batches in flight per GPU, 1 .. 64; 0 (default) = automatic */
    uint32_t streams;
    /** limit of channel LLRs in steps, 1 .. 127; 127 = no limit, 0 (default) = LDPC_DEFAULT_LLR_LIMIT. Check
     * messages are limited too, so a larger wrong LLR might never be corrected. At high code rates, increase
     * the limit with llr_scale. Shortened bits have an LLR of 127. Ignored in float arithmetic, and ignored
     * for q > 2 */
    uint32_t llr_limit;
} ldpc_decoder_params;

#define LDPC_DEFAULT_LLR_SCALE 3.0f
#define LDPC_DEFAULT_LLR_LIMIT 30 /* steps */

/** Set the defaults in a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API void ldpc_decoder_params_init_sized(ldpc_decoder_params *params, size_t size);

/** Set the defaults. */
static inline void ldpc_decoder_params_init(ldpc_decoder_params *params)
{
    ldpc_decoder_params_init_sized(params, sizeof *params);
}

/** Set the algorithm by name, or by "offset:STEPS" or "normalized:FACTOR" ("normalized:0.75"), which also
 * sets params.offset or params.factor. Returns LDPC_ERR_PARAM if the text is invalid, or if this member is
 * already set; `params` is then unchanged. */
LDPC_API ldpc_status ldpc_decoder_params_set_algorithm(ldpc_decoder_params *params, const char *text,
                                                       ldpc_error *err);

/** Result of one codeword. */
typedef struct ldpc_codeword_info {
    /** number of iterations; with early_stop, 0 if the input is already a codeword */
    uint32_t iterations;
    uint32_t unsatisfied; /**< unsatisfied checks of the result */
    /** 1 if unsatisfied == 0. An input of only zeros and NaN converges to the all-zero codeword. With
     * llr_limit above 30, 5G codewords with a correct message may not converge (docs/codes.md) */
    uint8_t converged;
    /** 0 if the device failed before it decoded this codeword; its bits are undefined */
    uint8_t decoded;
} ldpc_codeword_info;

/** One batch of codewords, adjacent in memory. Over GF(q), n and k stand for n * log2 q and k * log2 q bits,
 * most significant bit of a symbol first. The caller owns the buffers, which must not overlap. Exactly one of
 * the four inputs is not NULL; outputs may be NULL. On failure, outputs are undefined. */
typedef struct ldpc_batch {
    /** sizeof(ldpc_batch), or 0 for the fields of version 1.0, see version.h */
    size_t size;
    size_t n_codewords;
    /** n_codewords * n LLRs in steps of 1/llr_scale nats; -128 is read as -127 */
    const int8_t *llr;
    /** n_codewords * n LLRs in nats, limited to +-256; NaN is read as 0; float arithmetic only */
    const float *llr_float;
    /** q > 2: for each symbol, q costs ln P(best) - ln P(a), a = 0 .. q - 1, in LLR steps */
    const uint8_t *symbol_costs;
    /** q > 2, float arithmetic only: costs in nats. The decoder ignores a constant that is added to all q
     * costs of a symbol */
    const float *symbol_costs_float;
    uint8_t *message;  /**< n_codewords * k bits, or n_codewords * ceil(k/8) bytes if packed */
    uint8_t *codeword; /**< n_codewords * n bits, or n_codewords * ceil(n/8) bytes if packed */
    /** n_codewords * n posterior LLRs in LLR steps. Range: i8 -128 .. 127, i16 -2047 .. 2047. Float values are
     * rounded to int16. A transmitted constant zero has the value 127 */
    int16_t *posterior;
    /** q > 2: q posterior costs per symbol in LLR steps, 0 .. 255, the smallest 0 */
    uint8_t *symbol_posterior;
    ldpc_codeword_info *info; /**< out: n_codewords records */
} ldpc_batch;

/** A decoder of one code with one set of parameters. It owns scratch memory, and threads or device buffers.
 *
 * Threads: only one thread at a time may use a decoder. Exceptions: one thread may call ldpc_collect() while
 * another calls ldpc_submit(), ldpc_decode_device() and setters, and any thread may call
 * ldpc_decoder_abandon().
 *
 * fork(): a child has no threads, locks or GPUs of its parent's decoders. It may destroy them, but should
 * create its own decoders. It may use a CPU decoder with `threads` = 1 that never submitted a batch.
 * Otherwise, every call except getters fails with LDPC_ERR_THREAD. */
typedef struct ldpc_decoder ldpc_decoder;

/**
 * Create a decoder, with all memory. Exceptions: the first batch with posteriors or symbol costs allocates
 * GPU buffers for them, and the first ldpc_decode_device() its scratch memory.
 *
 * @param code    the code; the decoder holds a reference
 * @param params  NULL for the defaults
 * @param dec     out: the decoder, or NULL on failure
 * @param err     out: error message; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_PARAM, LDPC_ERR_BACKEND, LDPC_ERR_UNSUPPORTED, LDPC_ERR_MEMORY,
 * LDPC_ERR_THREAD, LDPC_ERR_DEVICE
 */
LDPC_API ldpc_status ldpc_decoder_create(const ldpc_code *code, const ldpc_decoder_params *params,
                                         ldpc_decoder **dec, ldpc_error *err);

/**
 * Wait for the decoder's kernel. Some CUDA kernels are compiled for code and parameters, which takes seconds
 * unless cache_dir has the result. Meanwhile, an integer decoder uses the slower kernel "any" with equal
 * results. It changes to the compiled kernel between two batches. Setters may start a compilation too.
 * Programs that measure speed should call this function first.
 *
 * The compiler runs in a child process (docs/gpu.md, "While a kernel is compiled"): SIGCHLD is raised, and a
 * wait() for any child may return this process. A decoder with params.kernel waits for the compiler and
 * starts no process.
 *
 * Only the thread that submits batches may call this function. Batches may be in flight.
 *
 * @param timeout_us  maximum wait in microseconds; 0 = do not wait, negative = no limit
 * @return LDPC_OK: the kernel, or the next suitable kernel if it could not be compiled
 * (ldpc_decoder_message() reports it). LDPC_AGAIN: timeout. Otherwise: the kernel cannot be loaded, and "any"
 * remains in use
 */
LDPC_API ldpc_status ldpc_decoder_wait_kernel(ldpc_decoder *dec, int64_t timeout_us);

/**
 * Check whether decoders would use this folder for compiled kernels. The GPU executes what the folder
 * contains. Therefore the folder and its files must belong to the user or root, and only their owner may
 * write them. Decoders ignore any other folder.
 *
 * @return LDPC_OK (also if cache_dir is NULL or does not exist yet), LDPC_ERR_FILE
 */
LDPC_API ldpc_status ldpc_cache_dir_check(const char *cache_dir, ldpc_error *err);

/** Wait for the batches in flight, and free the decoder; NULL is allowed. For an abandoned GPU decoder,
 * the call neither waits nor frees memory. */
LDPC_API void ldpc_decoder_destroy(ldpc_decoder *dec);

/**
 * Abandon a decoder whose GPU hangs. From then on, every call on the decoder fails at once with
 * LDPC_ERR_DEVICE. Calls that wait for the GPU in other threads return this status too: ldpc_collect(),
 * ldpc_decode(), ldpc_submit(), setters, ldpc_decoder_wait_kernel(), simulations and ldpc_decoder_destroy().
 * A call inside the GPU driver returns when the driver returns. The library has no timeout. Call this
 * function when ldpc_collect() has returned LDPC_AGAIN for too long.
 *
 * Batches in flight are lost; their LLRs are unchanged. After ldpc_decoder_destroy(), the GPU may still write
 * to memory from ldpc_decoder_alloc() and to registered memory. Never reuse, unmap or free such memory. The
 * memory of an abandoned GPU decoder is leaked, because freeing it would wait for the GPU. Other decoders on
 * this GPU are not abandoned and may wait for it.
 *
 * Any thread may call this function before ldpc_decoder_destroy() returns, but not from `notify`. When it
 * returns, no call of `notify` is in progress or follows. NULL is allowed.
 */
LDPC_API void ldpc_decoder_abandon(ldpc_decoder *dec);

/** Decode a batch of 1 .. ldpc_decoder_max_batch() codewords.
 *
 * @return LDPC_OK, LDPC_ERR_RANGE (n_codewords), LDPC_ERR_NULL (no input), LDPC_ERR_PARAM (the code or the
 * arithmetic does not support the input, or submitted batches are not collected), LDPC_ERR_THREAD (forked
 * child), LDPC_ERR_DEVICE and LDPC_ERR_MEMORY (GPU failure) */
LDPC_API ldpc_status ldpc_decode(ldpc_decoder *dec, const ldpc_batch *batch);

/**
 * Decode codewords from GPU memory to GPU memory.
 *
 * @param stream  CUstream or cudaStream_t of the decoder's first GPU, NULL = default stream. The call returns
 *                when the work is enqueued.
 * @param batch   all buffers are in GPU memory; bits are always packed
 *
 * Calls may use several streams, and may overlap with submitted batches and with ldpc_decode(). If the kernel
 * needs scratch memory, calls are executed in order; the first call allocates it. The caller synchronises its
 * buffers: LLRs must be ready in stream order. LLRs and results must not be overwritten or freed before the
 * stream has executed the work. Setters that load a kernel, and ldpc_decoder_destroy(), wait for the GPU. The
 * call cannot be captured into a CUDA graph.
 *
 * @return as ldpc_submit(), or LDPC_ERR_UNSUPPORTED if the backend is not "cuda"
 */
LDPC_API ldpc_status ldpc_decode_device(ldpc_decoder *dec, void *stream, const ldpc_batch *batch);

/** Like ldpc_decoder_slice(), for callers that do not use these headers. */
LDPC_API void ldpc_decoder_slice_sized(const ldpc_decoder *dec, const ldpc_batch *batch, size_t first,
                                       size_t count, ldpc_batch *slice, size_t size);

/** Returns a batch of codewords first .. first + count - 1, in the same buffers, to split a batch that
 * exceeds ldpc_decoder_max_batch(). Its n_codewords is 0 if an argument is NULL or out of range. */
static inline ldpc_batch ldpc_decoder_slice(const ldpc_decoder *dec, const ldpc_batch *batch, size_t first,
                                            size_t count)
{
    ldpc_batch slice;
    ldpc_decoder_slice_sized(dec, batch, first, count, &slice, sizeof slice);
    return slice;
}

/** Start decoding a batch and return immediately. The struct is copied; do not access its buffers until the
 * batch is collected. Returns LDPC_AGAIN if ldpc_decoder_depth() batches are in flight. Other errors are
 * those of ldpc_decode(). */
LDPC_API ldpc_status ldpc_submit(ldpc_decoder *dec, const ldpc_batch *batch);

/**
 * Wait for the oldest submitted batch and remove it from the queue.
 *
 * @param timeout_us  maximum wait in microseconds; 0 = do not wait, negative = no limit
 * @param batch       out: the batch as submitted, including `size`; may be NULL
 * @return LDPC_OK; LDPC_AGAIN if the timeout expired; LDPC_EMPTY if no batch is in flight; otherwise the
 * error of the batch, which is removed too
 *
 * A GPU may hang without a driver error: see ldpc_decoder_abandon().
 */
LDPC_API ldpc_status ldpc_collect(ldpc_decoder *dec, int64_t timeout_us, ldpc_batch *batch);

/** Allocate and free host memory for batches; NULL if out of memory. For a GPU decoder, the memory is pinned,
 * and the GPU accesses it without a copy (bits only if packed). Free it before ldpc_decoder_destroy();
 * ldpc_decoder_abandon() leaks it. A forked child must not access it. */
LDPC_API void *ldpc_decoder_alloc(ldpc_decoder *dec, size_t bytes);
LDPC_API void ldpc_decoder_free(ldpc_decoder *dec, void *memory);

/**
 * Pin a buffer of the caller, so that the GPU accesses batches in it without a copy. This is slow. Unregister
 * the buffer before it is unmapped or freed and before ldpc_decoder_destroy(), without batches in flight. If
 * registering fails, batches are copied.
 *
 * @return LDPC_OK (CPU decoder: nothing to do), LDPC_ERR_NULL, LDPC_ERR_RANGE (bytes = 0),
 * LDPC_ERR_UNSUPPORTED (the driver cannot pin memory, as in OpenCL), LDPC_ERR_THREAD (forked child),
 * LDPC_ERR_DEVICE, LDPC_ERR_MEMORY (the driver refused; the buffer may already be registered)
 */
LDPC_API ldpc_status ldpc_decoder_register(ldpc_decoder *dec, void *memory, size_t bytes);

/** Undo ldpc_decoder_register(). Returns LDPC_ERR_DEVICE or LDPC_ERR_MEMORY if the driver refused or the
 * decoder was abandoned. The memory is then still registered and must never be unmapped or freed. */
LDPC_API ldpc_status ldpc_decoder_unregister(ldpc_decoder *dec, void *memory);

/** Call `notify(context)` from a worker thread whenever a submitted batch is done; NULL disables it. When the
 * function returns, no call of the previous `notify` is in progress. Returns LDPC_ERR_PARAM if batches are
 * in flight. `notify` must return quickly and must not call the decoder. While the program calls
 * ldpc_collect(), a setter or ldpc_decoder_destroy(), it must not hold a lock that `notify` needs. */
LDPC_API ldpc_status ldpc_decoder_set_notify(ldpc_decoder *dec, void (*notify)(void *context), void *context);

/** Change a parameter for all later batches. Waits for the batches in flight. Only the thread that submits
 * batches may call it. On failure the decoder is unchanged.
 *
 * How many codewords a CPU decoder decodes together depends on early_stop at its creation. After a change of
 * early_stop, a new decoder may be faster. On a GPU, most kernels contain early_stop, offset and factor: the
 * new kernel is read from cache_dir or compiled, see ldpc_decoder_wait_kernel(). With params.kernel, it is
 * compiled before the call returns.
 *
 * @return LDPC_OK, LDPC_ERR_PARAM (out of range), LDPC_ERR_UNSUPPORTED (the kernel does not support the
 * value; a new decoder would), LDPC_ERR_MEMORY, LDPC_ERR_DEVICE (GPU failure) */
LDPC_API ldpc_status ldpc_decoder_set_max_iterations(ldpc_decoder *dec, uint32_t max_iterations);
LDPC_API ldpc_status ldpc_decoder_set_early_stop(ldpc_decoder *dec, bool early_stop);
LDPC_API ldpc_status ldpc_decoder_set_offset(ldpc_decoder *dec, float offset); /**< offset min-sum only */
LDPC_API ldpc_status ldpc_decoder_set_factor(ldpc_decoder *dec, float factor); /**< normalised min-sum only */

/* Getters return "", 0 or NULL if the handle is NULL. */

LDPC_API const ldpc_code *ldpc_decoder_code(const ldpc_decoder *dec);
LDPC_API const char *
ldpc_decoder_backend(const ldpc_decoder *dec); /**< "cpu", "cuda", "opencl" or "cpu+cuda" */
/** Kernel in use: "ref", "avx512", "straight" ... It may change later, see ldpc_decoder_wait_kernel(). */
LDPC_API const char *ldpc_decoder_kernel(const ldpc_decoder *dec);
/** algorithm in use, never LDPC_ALGORITHM_AUTO */
LDPC_API ldpc_algorithm ldpc_decoder_algorithm(const ldpc_decoder *dec);
/** arithmetic in use, never LDPC_ARITHMETIC_AUTO */
LDPC_API ldpc_arithmetic ldpc_decoder_arithmetic(const ldpc_decoder *dec);
/** schedule in use, never LDPC_SCHEDULE_AUTO */
LDPC_API ldpc_schedule ldpc_decoder_schedule(const ldpc_decoder *dec);
LDPC_API float ldpc_decoder_llr_scale(const ldpc_decoder *dec); /**< int8 LLR steps per nat */
/** Limit of channel LLRs, 1 .. 127 steps; 127 = no limit. */
LDPC_API uint32_t ldpc_decoder_llr_limit(const ldpc_decoder *dec);
LDPC_API size_t ldpc_decoder_max_batch(const ldpc_decoder *dec); /**< codewords */
/** Smallest batch, in codewords, that keeps all threads or multiprocessors busy. Multiples are fastest. This
 * is an estimate until ldpc_decoder_wait_kernel() returns LDPC_OK. */
LDPC_API size_t ldpc_decoder_good_batch(const ldpc_decoder *dec);
LDPC_API size_t ldpc_decoder_depth(const ldpc_decoder *dec); /**< batches in flight */
/** Number of codewords that a CPU thread or GPU thread block decodes together. */
LDPC_API size_t ldpc_decoder_lanes(const ldpc_decoder *dec);
/** Message of the last failed call. If no call has failed, the reason why a kernel was replaced or the CPU is
 * used (fallback), or "". Valid until the next failure. Do not read it while another thread is in a call on
 * the decoder. */
LDPC_API const char *ldpc_decoder_message(const ldpc_decoder *dec);

/** Name of the i-th backend; NULL after the last backend. *reason (may be NULL) is "", or why this machine
 * cannot use it. */
LDPC_API const char *ldpc_backend_list(size_t i, const char **reason);

/**
 * Find the backend that a decoder would use on this machine.
 *
 * @param backend   as in ldpc_decoder_params
 * @param fallback  as in ldpc_decoder_params
 * @param chosen    out: "cpu", "cuda" or "opencl", a static string; NULL on failure
 * @param err       out: error message, or with fallback why the GPU is not used, or ""; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_PARAM (unknown backend), LDPC_ERR_BACKEND (not usable)
 */
LDPC_API ldpc_status ldpc_backend_choose(const char *backend, bool fallback, const char **chosen,
                                         ldpc_error *err);

/** The i-th kernel of a backend (or "gpu") on this machine, from slow to fast; NULL after the last kernel. */
LDPC_API const char *ldpc_kernel_list(const char *backend, size_t i);

/** Name of device i, as in ldpc_decoder_params::devices. NULL after the last device, and for backends other
 * than "opencl". */
LDPC_API const char *ldpc_device_list(const char *backend, size_t i);

#ifdef __cplusplus
}
#endif
#endif
