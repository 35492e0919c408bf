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
 * An LLR is ln(P(bit = 0) / P(bit = 1)); a positive LLR favours bit 0. int8 LLRs are multiples of 1/llr_scale
 * nats; 0 is an erasure, and -128 is read as -127. docs/arithmetic.md specifies all integer results bit for
 * bit.
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

/** Check-node rule (docs/arithmetic.md). It computes the message to each edge of a check from the messages of
 * the other edges of this check. */
typedef enum ldpc_algorithm {
    /** three-min for codes of DVB-S2X, ATSC 3.0, 5G, CCSDS and Ethernet; corrected min-sum for all other
     * binary codes; min-sum or min-max for codes over GF(q), q > 2, depending on the degree of the variable
     * nodes */
    LDPC_ALGORITHM_AUTO = 0,
    LDPC_ALGORITHM_MIN_SUM,            /**< smallest magnitude of the messages from the other edges */
    LDPC_ALGORITHM_OFFSET_MIN_SUM,     /**< min-sum, reduced by ldpc_decoder_params.offset */
    LDPC_ALGORITHM_NORMALIZED_MIN_SUM, /**< min-sum, multiplied by ldpc_decoder_params.factor */
    /** min-sum, reduced by an offset that depends on the difference of the two smallest magnitudes of the
     * check */
    LDPC_ALGORITHM_CORRECTED_MIN_SUM,
    /** log-domain sum-product with the exact box-plus operation; float arithmetic only */
    LDPC_ALGORITHM_SUM_PRODUCT,
    /** min-max (Savin 2008), which minimises the largest symbol cost; only for codes over GF(q), q > 2 */
    LDPC_ALGORITHM_MIN_MAX,
    /** extended min-sum (EMS), which is min-sum on the n_m = `kept` smallest costs of each message; only for
     * codes over GF(q), q > 2, and float arithmetic */
    LDPC_ALGORITHM_EMS,
    /** min-sum, reduced by offsets that depend on the differences of the three smallest magnitudes of the
     * check; binary codes only */
    LDPC_ALGORITHM_THREE_MIN,
} ldpc_algorithm;

/** Number format of posteriors and messages. */
typedef enum ldpc_arithmetic {
    /** float for sum-product and EMS; otherwise i8 on the CPU and for codes over GF(q), i16 on a GPU and with
     * min_gpu_batch */
    LDPC_ARITHMETIC_AUTO = 0,
    LDPC_ARITHMETIC_I8,  /**< posteriors saturate to int8 */
    LDPC_ARITHMETIC_I16, /**< posteriors saturate at +-2047 */
    /** single precision; the results of different kernels agree only within a tolerance */
    LDPC_ARITHMETIC_FLOAT,
} ldpc_arithmetic;

/** Order in which the checks of an iteration are processed. */
typedef enum ldpc_schedule {
    LDPC_SCHEDULE_AUTO = 0, /**< the default; the same as LDPC_SCHEDULE_LAYERED */
    LDPC_SCHEDULE_LAYERED,  /**< layer by layer, with the posteriors that the previous layer updated */
    LDPC_SCHEDULE_FLOODING, /**< all checks use the posteriors of the previous iteration */
} ldpc_schedule;

/** Names for files and command lines. Algorithms: "auto" "min-sum" "offset" "normalized" "corrected"
 * "sum-product" "min-max" "ems" "three-min". Arithmetics: "auto" "i8" "i16" "float". Schedules: "auto"
 * "layered" "flooding". The parsers return LDPC_ERR_PARAM for any other name. */
LDPC_API const char *ldpc_algorithm_name(ldpc_algorithm algorithm);
LDPC_API const char *ldpc_arithmetic_name(ldpc_arithmetic arithmetic);
LDPC_API const char *ldpc_schedule_name(ldpc_schedule schedule);
LDPC_API ldpc_status ldpc_algorithm_parse(const char *name, ldpc_algorithm *algorithm);
LDPC_API ldpc_status ldpc_arithmetic_parse(const char *name, ldpc_arithmetic *arithmetic);
LDPC_API ldpc_status ldpc_schedule_parse(const char *name, ldpc_schedule *schedule);

/** Parameters of a decoder. Initialise with ldpc_decoder_params_init(). Strings are copied. */
typedef struct ldpc_decoder_params {
    size_t size;                /**< set by the init function; see version.h, "Compatibility" */
    ldpc_algorithm algorithm;   /**< default LDPC_ALGORITHM_AUTO */
    ldpc_arithmetic arithmetic; /**< default LDPC_ARITHMETIC_AUTO */
    ldpc_schedule schedule;     /**< default LDPC_SCHEDULE_AUTO */
    uint32_t max_iterations;    /**< maximum number of iterations, 0 .. 10000; default 50 */
    bool early_stop;            /**< stop decoding a codeword when its syndrome is zero; default true */
    float llr_scale;            /**< int8 LLR steps per nat, 0.25 .. 64; default LDPC_DEFAULT_LLR_SCALE */
    /** offset of offset min-sum: 0 .. 63 LLR steps, an integer in i8 and i16 arithmetic; a negative value
     * (default) = the library chooses */
    float offset;
    /** factor of normalised min-sum: 1/16 .. 1, a multiple of 1/16 in i8 and i16 arithmetic; 0 (default) =
     * the library chooses */
    float factor;
    /** number of costs n_m that EMS keeps per message, 1 .. q; 0 (default) = the library chooses */
    uint32_t kept;
    /** true: message and codeword bits are packed 8 per byte, most significant bit first, and the last byte
     * of each codeword is padded with zeros; false (default): one bit per byte */
    bool packed;
    /** true: create the decoder on the CPU if the GPU cannot be used, is out of memory or does not support
     * the decoder; ldpc_decoder_message() then gives the reason, and `kernel` has no effect. false (default):
     * creation fails in this case */
    bool fallback;
    /** "cpu" (the default, also if NULL), "cuda", "opencl", or "gpu", which selects CUDA if it is usable and
     * otherwise OpenCL */
    const char *backend;
    const char *kernel; /**< one of ldpc_kernel_list(); NULL (default) or "" = the library chooses */
    uint32_t threads;   /**< number of CPU threads, 1 .. 1024, default 1; 0 = one per core */
    /** maximum batch size in codewords, 1 .. 2^20; 0 (default) = the backend chooses */
    size_t max_batch;
    /** folder where compiled kernels and tuning results are stored, see ldpc_cache_dir_check(); NULL
     * (default) = they are not stored */
    const char *cache_dir;
    /** GPUs that share the batches: "0", "0,1", "all"; NULL (default) = "0". OpenCL also accepts "gpu" or
     * "cpu" (all devices of that type), and part of the name of a device or platform */
    const char *devices;
    /** CUDA only: batches with fewer codewords than this are decoded on the CPU, larger batches on the GPU; 0
     * (default) = all batches on the GPU. ldpc-tune measures the best value. */
    size_t min_gpu_batch;
    /** maximum number of batches in flight on each GPU, 1 .. 64; 0 (default) = the backend chooses */
    uint32_t streams;
    /** Integer decoders of binary codes limit channel LLRs to +-llr_limit steps, 1 .. 127; 127 = no limit; 0
     * (default) = LDPC_DEFAULT_LLR_LIMIT. The limit is useful because check messages are limited too: a wrong
     * channel LLR that is larger than the sum of all messages to its bit is never corrected. Because the unit
     * is LLR steps, the limit should grow with llr_scale for codes of high rate. Shortened bits, which are
     * always zero, start from 127 for any limit. The limit is ignored in float arithmetic and for q > 2. */
    uint32_t llr_limit;
} ldpc_decoder_params;

#define LDPC_DEFAULT_LLR_SCALE 3.0f
#define LDPC_DEFAULT_LLR_LIMIT 30 /* limit of channel LLRs in steps */

/** Set the defaults in a struct of `size` bytes. Only callers that do not use these headers need this
 * function. */
LDPC_API void ldpc_decoder_params_init_sized(ldpc_decoder_params *params, size_t size);

/** Set the defaults. */
static inline void ldpc_decoder_params_init(ldpc_decoder_params *params)
{
    ldpc_decoder_params_init_sized(params, sizeof *params);
}

/** Set the algorithm from text: one of the names above, or "offset:STEPS" or "normalized:FACTOR" (for example
 * "normalized:0.75"), which also sets params.offset or params.factor. Returns LDPC_ERR_PARAM and leaves
 * `params` unchanged if the text is invalid, or if it contains a number although the offset or factor is
 * already set. */
LDPC_API ldpc_status ldpc_decoder_params_set_algorithm(ldpc_decoder_params *params, const char *text,
                                                       ldpc_error *err);

/** Result of one codeword. */
typedef struct ldpc_codeword_info {
    /** number of iterations. With early_stop, this is 0 if the hard decisions of the input are already a
     * codeword; without early_stop, it is always max_iterations */
    uint32_t iterations;
    uint32_t unsatisfied; /**< number of unsatisfied checks of the result */
    /** 1 if unsatisfied == 0. An input of only zeros and NaN converges, because its hard decisions are the
     * all-zero codeword. If llr_limit is above 30, a 5G codeword whose message is correct may have converged
     * == 0 (docs/codes.md) */
    uint8_t converged;
    /** 0 if the device failed before this codeword was decoded; then the bits of the codeword are
     * undefined */
    uint8_t decoded;
} ldpc_codeword_info;

/** One batch of codewords, stored without gaps. For a code over GF(q), n and k below stand for n * log2 q and
 * k * log2 q bits; the most significant bit of each symbol comes first. The caller owns the buffers, which
 * must not overlap. Exactly one of the four inputs must not be NULL; each output may be NULL. On failure the
 * outputs are undefined. */
typedef struct ldpc_batch {
    /** sizeof(ldpc_batch), or 0 to use the fields of version 1.0 only; see version.h, "Compatibility" */
    size_t size;
    size_t n_codewords;
    /** n_codewords * n LLRs as multiples of 1/llr_scale nats; -128 is read as -127 */
    const int8_t *llr;
    /** n_codewords * n LLRs in nats, for float arithmetic only; the decoder limits them to +-256 and reads
     * NaN as 0 */
    const float *llr_float;
    /** only for codes over GF(q), q > 2: for each symbol, the q costs ln P(best) - ln P(a) of the values a =
     * 0 .. q - 1, in LLR steps */
    const uint8_t *symbol_costs;
    /** the same costs in nats, for float arithmetic only. Adding a constant to all q costs of a symbol does
     * not change the result */
    const float *symbol_costs_float;
    uint8_t *message;  /**< n_codewords * k bits, or n_codewords * ceil(k/8) bytes if packed */
    uint8_t *codeword; /**< n_codewords * n bits, or n_codewords * ceil(n/8) bytes if packed */
    /** n_codewords * n posterior LLRs in steps: -128 .. 127 in i8 arithmetic, -2047 .. 2047 in i16; in float
     * arithmetic they are rounded and saturated to int16. A transmitted constant zero has 127 */
    int16_t *posterior;
    /** only for codes over GF(q), q > 2: q posterior costs per symbol in LLR steps, 0 .. 255; the smallest of
     * the q costs is 0 */
    uint8_t *symbol_posterior;
    ldpc_codeword_info *info; /**< out: n_codewords records, one per codeword */
} ldpc_batch;

/** A decoder of one code with one set of parameters. It owns scratch memory, and either threads or device
 * buffers.
 *
 * Threads: only one thread at a time may use a decoder, with one exception: while one thread calls submit,
 * decode_device and setters, another thread may call collect, which waits for batches but not for these
 * calls. Any thread may call ldpc_decoder_abandon().
 *
 * fork(): a child process has copies of its parent's decoders, but not their threads, locks and GPUs. The
 * child may destroy these copies, but should create its own decoders. It may use the copy of a CPU decoder
 * with `threads` = 1 that never submitted a batch, because such a decoder has no threads. For all other
 * copies, every call except the getters fails with LDPC_ERR_THREAD. */
typedef struct ldpc_decoder ldpc_decoder;

/**
 * Create a decoder. This function chooses kernel, memory layout and launch shape, and allocates all memory,
 * with two exceptions: the first batch with posteriors or symbol costs allocates GPU buffers for these
 * values, and the first call of ldpc_decode_device() allocates scratch memory for that function.
 *
 * @param code    may be destroyed afterwards: the decoder holds a reference
 * @param params  NULL for the defaults
 * @param dec     out: the decoder, or NULL on failure
 * @param err     out: error message; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_PARAM, LDPC_ERR_BACKEND, LDPC_ERR_UNSUPPORTED, LDPC_ERR_MEMORY,
 *         LDPC_ERR_THREAD, LDPC_ERR_DEVICE
 */
LDPC_API ldpc_status ldpc_decoder_create(const ldpc_code *code, const ldpc_decoder_params *params,
                                         ldpc_decoder **dec, ldpc_error *err);

/**
 * Wait for the compilation of the decoder's kernel. On a CUDA GPU, some kernels are compiled for the code and
 * the parameters, which takes seconds unless cache_dir holds the result. An integer decoder without
 * params.kernel does not wait for the compiler. It starts with the kernel "any", which computes the same
 * results more slowly. When the compiled kernel is ready, the decoder changes to it between two batches. The
 * same happens after a setter that needs another kernel. Programs that measure speed should call this
 * function first.
 *
 * The compiler runs in a child process (docs/gpu.md, "While a kernel is compiled"). If the program calls
 * wait() for any child, that call may return this process, and SIGCHLD is raised when the process ends. A
 * decoder with params.kernel starts no child process.
 *
 * @param timeout_us  maximum wait in microseconds; 0 = do not wait, negative = no limit
 * @return LDPC_OK: the decoder uses its kernel, or the next suitable kernel if its kernel could not be
 * compiled (then ldpc_decoder_message() reports it). LDPC_AGAIN: timeout. Any other status: the kernel cannot
 * be loaded, and "any" remains in use. Only the thread that submits batches may call this function. Batches
 * may be in flight.
 */
LDPC_API ldpc_status ldpc_decoder_wait_kernel(ldpc_decoder *dec, int64_t timeout_us);

/**
 * Check whether decoders would use this folder for compiled kernels. Anyone who can write to the folder could
 * choose the code that the GPU executes. Therefore the folder and its files must belong to the current user
 * or to root, and only their owner may have write permission. Decoders ignore any other folder and compile
 * their kernels; a program may print the error message as a warning.
 *
 * @return LDPC_OK, also if cache_dir is NULL or the folder does not exist yet; LDPC_ERR_FILE
 */
LDPC_API ldpc_status ldpc_cache_dir_check(const char *cache_dir, ldpc_error *err);

/** Wait for the batches in flight and free the decoder; NULL is allowed. After ldpc_decoder_abandon(), a GPU
 * decoder neither waits nor frees. */
LDPC_API void ldpc_decoder_destroy(ldpc_decoder *dec);

/**
 * Abandon a decoder whose GPU hangs. From then on, every call on the decoder fails immediately with
 * LDPC_ERR_DEVICE. Calls in which other threads wait for the GPU also return this status: ldpc_collect(),
 * ldpc_decode(), ldpc_submit(), setters, ldpc_decoder_wait_kernel(), simulations and ldpc_decoder_destroy().
 * A call that is inside the GPU driver cannot be interrupted: it returns when the driver returns. No other
 * call waits for it. The library has no timeout of its own: a caller that needs a timeout calls this function
 * when ldpc_collect() has returned LDPC_AGAIN for too long.
 *
 * The batches in flight are lost. Their LLRs are unchanged, and another decoder may decode them. After
 * ldpc_decoder_destroy() the library does not access their buffers, but the GPU may still write to memory
 * from ldpc_decoder_alloc() and to registered memory: such memory must never be reused, unmapped or freed.
 * The memory of an abandoned GPU decoder, on host and GPU, is deliberately leaked, because freeing it would
 * wait for the GPU. Other decoders on the same GPU are not abandoned, and their calls may wait for it.
 *
 * Any thread may call this function, also during calls of other threads on the decoder, but not after
 * ldpc_decoder_destroy() has returned and not from `notify`. When it returns, no call of `notify` is in
 * progress, and no further call follows. NULL is allowed.
 */
LDPC_API void ldpc_decoder_abandon(ldpc_decoder *dec);

/** Decode a batch of 1 .. ldpc_decoder_max_batch() codewords and return when it is decoded. LDPC_ERR_RANGE:
 * n_codewords is out of range. LDPC_ERR_NULL: the batch has no input. LDPC_ERR_PARAM: the code or the
 * arithmetic does not support this kind of input, or submitted batches have not been collected.
 * LDPC_ERR_THREAD: called in a forked child. LDPC_ERR_DEVICE, LDPC_ERR_MEMORY: GPU failure. */
LDPC_API ldpc_status ldpc_decode(ldpc_decoder *dec, const ldpc_batch *batch);

/**
 * Decode codewords in GPU memory and write the results to GPU memory, without transfers to the host.
 *
 * @param stream  CUstream or cudaStream_t of the decoder's first GPU, NULL = the default stream. The call
 *                returns when the work has been enqueued; the results are complete when the stream has
 *                executed the work.
 * @param batch   all buffers are in GPU memory; bits are always packed
 *
 * Calls on one decoder may use several streams. They may overlap with submitted batches and with
 * ldpc_decode(), and do not wait for them. If the kernel needs scratch memory, the calls are executed in
 * order, even on different streams; the first call allocates that memory. As in CUDA's own libraries, the
 * caller synchronises access to its buffers: the LLRs must be ready in stream order, and LLRs and results
 * must not be overwritten or freed before the stream has executed the work. Setters that load a kernel, and
 * ldpc_decoder_destroy(), wait for the GPU. The call cannot be captured into a CUDA graph.
 *
 * @return the statuses of ldpc_submit(), or LDPC_ERR_UNSUPPORTED if the backend is not "cuda"
 */
LDPC_API ldpc_status ldpc_decode_device(ldpc_decoder *dec, void *stream, const ldpc_batch *batch);

/** Does the same as ldpc_decoder_slice(), but writes to a struct of `size` bytes. Only callers that do not
 * use these headers need this function. */
LDPC_API void ldpc_decoder_slice_sized(const ldpc_decoder *dec, const ldpc_batch *batch, size_t first,
                                       size_t count, ldpc_batch *slice, size_t size);

/** Returns a batch that consists of codewords first .. first + count - 1 of another batch for this decoder
 * and uses the same buffers. Use it to split a batch that exceeds ldpc_decoder_max_batch(). n_codewords of
 * the result is 0 if an argument is NULL or out of range. */
static inline ldpc_batch ldpc_decoder_slice(const ldpc_decoder *dec, const ldpc_batch *batch, size_t first,
                                            size_t count)
{
    ldpc_batch slice;
    ldpc_decoder_slice_sized(dec, batch, first, count, &slice, sizeof slice);
    return slice;
}

/** Start decoding a batch and return immediately. The struct is copied; its buffers must not be accessed
 * until the batch has been collected. LDPC_AGAIN: this batch was not started, because ldpc_decoder_depth()
 * batches are already in flight. All other statuses are those of ldpc_decode(). */
LDPC_API ldpc_status ldpc_submit(ldpc_decoder *dec, const ldpc_batch *batch);

/**
 * Wait for the oldest submitted batch and remove it from the queue.
 *
 * @param timeout_us  maximum wait in microseconds; 0 = do not wait, negative = no limit
 * @param batch       out: the batch as submitted, including `size`; may be NULL
 * @return LDPC_OK; LDPC_AGAIN if the timeout expired and the batch remains in the queue; LDPC_EMPTY if no
 * batch is in flight; otherwise the error of the batch, which has been removed from the queue
 *
 * If a GPU hangs without a driver error, this timeout is the only sign of the failure: see
 * ldpc_decoder_abandon().
 */
LDPC_API ldpc_status ldpc_collect(ldpc_decoder *dec, int64_t timeout_us, ldpc_batch *batch);

/** Allocate and free host memory for batches. The result is NULL if memory is exhausted. For a GPU decoder,
 * the memory is pinned, so the GPU accesses it directly (bits only if they are packed). The CPU must copy
 * batches in other memory. The memory must be freed before ldpc_decoder_destroy(); after
 * ldpc_decoder_abandon() it is not freed. A forked child must not access the memory. */
LDPC_API void *ldpc_decoder_alloc(ldpc_decoder *dec, size_t bytes);
LDPC_API void ldpc_decoder_free(ldpc_decoder *dec, void *memory);

/**
 * Pin a buffer of the caller, such that the GPU accesses batches in any part of the buffer directly, as in
 * memory from ldpc_decoder_alloc(). Registering and unregistering are slow, because the system locks or
 * unlocks each page. The buffer must be unregistered before it is unmapped or freed and before
 * ldpc_decoder_destroy(), while no batch is in flight. If registering fails, batches in the buffer are still
 * decoded, with an additional copy.
 *
 * @return LDPC_OK (for a CPU decoder, the function does nothing); LDPC_ERR_NULL; LDPC_ERR_RANGE (bytes = 0);
 *         LDPC_ERR_UNSUPPORTED (the driver cannot pin memory, for example OpenCL); LDPC_ERR_THREAD in a
 *         forked child; LDPC_ERR_DEVICE, LDPC_ERR_MEMORY (the driver refused, for example because the memory
 *         is already registered)
 */
LDPC_API ldpc_status ldpc_decoder_register(ldpc_decoder *dec, void *memory, size_t bytes);

/** Undo ldpc_decoder_register() for this address. LDPC_ERR_DEVICE, LDPC_ERR_MEMORY: the memory is still
 * registered and must never be unmapped or freed, because the driver refused to unregister it, or because the
 * decoder was abandoned and the GPU may still use the memory. */
LDPC_API ldpc_status ldpc_decoder_unregister(ldpc_decoder *dec, void *memory);

/** Call `notify(context)` from a worker thread whenever a submitted batch is done. NULL disables
 * notification; when the function returns, no call of the previous `notify` is in progress. LDPC_ERR_PARAM:
 * batches are in flight. `notify` must return quickly (for example, set a flag or signal a condition) and
 * must not call functions of the decoder. If it acquires a lock, the program must not hold this lock while it
 * calls ldpc_collect(), a setter or ldpc_decoder_destroy(). */
LDPC_API ldpc_status ldpc_decoder_set_notify(ldpc_decoder *dec, void (*notify)(void *context), void *context);

/** Change a parameter for all later batches. Waits for the batches in flight. Only the thread that submits
 * batches may call this function. On failure the decoder is unchanged. LDPC_ERR_PARAM: the value is out of
 * the range in ldpc_decoder_params. LDPC_ERR_UNSUPPORTED: the decoder's kernel does not support the value; a
 * new decoder would choose another kernel. LDPC_ERR_MEMORY, LDPC_ERR_DEVICE: GPU failure.
 *
 * A CPU decoder chooses at its creation how many codewords it decodes together, and this choice depends on
 * early_stop. After a change of early_stop, a new decoder may therefore be faster. On a GPU, early_stop,
 * offset and factor are compiled into most kernels: the kernel for the new value is read from cache_dir or
 * compiled as described at ldpc_decoder_wait_kernel(). If params.kernel is set, the kernel is compiled before
 * the call returns. */
LDPC_API ldpc_status ldpc_decoder_set_max_iterations(ldpc_decoder *dec, uint32_t max_iterations);
LDPC_API ldpc_status ldpc_decoder_set_early_stop(ldpc_decoder *dec, bool early_stop);
LDPC_API ldpc_status ldpc_decoder_set_offset(ldpc_decoder *dec, float offset); /**< offset min-sum only */
LDPC_API ldpc_status ldpc_decoder_set_factor(ldpc_decoder *dec, float factor); /**< normalised min-sum only */

/* Getters return "", 0 or NULL if the handle is NULL. */

LDPC_API const ldpc_code *ldpc_decoder_code(const ldpc_decoder *dec);
LDPC_API const char *
ldpc_decoder_backend(const ldpc_decoder *dec); /**< backend in use: "cpu", "cuda", "opencl", "cpu+cuda" */
/** Kernel in use: "ref", "avx512", "straight" ... The kernel may change, see ldpc_decoder_wait_kernel(). */
LDPC_API const char *ldpc_decoder_kernel(const ldpc_decoder *dec);
/** algorithm in use; never LDPC_ALGORITHM_AUTO */
LDPC_API ldpc_algorithm ldpc_decoder_algorithm(const ldpc_decoder *dec);
/** arithmetic in use; never LDPC_ARITHMETIC_AUTO */
LDPC_API ldpc_arithmetic ldpc_decoder_arithmetic(const ldpc_decoder *dec);
/** schedule in use; never LDPC_SCHEDULE_AUTO */
LDPC_API ldpc_schedule ldpc_decoder_schedule(const ldpc_decoder *dec);
LDPC_API float ldpc_decoder_llr_scale(const ldpc_decoder *dec); /**< int8 LLR steps per nat */
/** Limit of the channel LLRs in steps, 1 .. 127; 127 = no limit. */
LDPC_API uint32_t ldpc_decoder_llr_limit(const ldpc_decoder *dec);
LDPC_API size_t ldpc_decoder_max_batch(const ldpc_decoder *dec); /**< maximum batch size in codewords */
/** Smallest batch, in codewords, that keeps all threads or multiprocessors busy. Decoders are fastest with
 * multiples of this number. It is an estimate until ldpc_decoder_wait_kernel() returns LDPC_OK. */
LDPC_API size_t ldpc_decoder_good_batch(const ldpc_decoder *dec);
LDPC_API size_t ldpc_decoder_depth(const ldpc_decoder *dec); /**< maximum number of batches in flight */
/** Number of codewords that a CPU thread or GPU thread block decodes together. */
LDPC_API size_t ldpc_decoder_lanes(const ldpc_decoder *dec);
/** Message of the last failed call on this decoder. Otherwise the message reports which kernel could not be
 * built and which kernel replaces it, or why the CPU replaces the GPU (fallback), or is "". The string is
 * valid until the next failure: if two threads use the decoder, read the message only while the other thread
 * is not in a call on the decoder. */
LDPC_API const char *ldpc_decoder_message(const ldpc_decoder *dec);

/** Name of the i-th backend of this build; NULL after the last backend. *reason receives "" if the backend
 * can be used on this machine, otherwise the reason why it cannot. `reason` may be NULL. */
LDPC_API const char *ldpc_backend_list(size_t i, const char **reason);

/**
 * Determine which backend a decoder with this `backend` and `fallback` would use on this machine.
 *
 * @param backend   as in ldpc_decoder_params
 * @param fallback  as in ldpc_decoder_params
 * @param chosen    out: "cpu", "cuda" or "opencl", a static string; NULL on failure
 * @param err       out: error message; if `fallback` is set, the reason why the GPU is not used, or ""; may
 *                  be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_PARAM (unknown backend), LDPC_ERR_BACKEND (not usable)
 */
LDPC_API ldpc_status ldpc_backend_choose(const char *backend, bool fallback, const char **chosen,
                                         ldpc_error *err);

/** Name of the i-th kernel of a backend (or "gpu") that this machine can run, in order of increasing speed;
 * NULL after the last kernel. */
LDPC_API const char *ldpc_kernel_list(const char *backend, size_t i);

/** Name of device i of a backend, numbered as in ldpc_decoder_params::devices. NULL after the last device,
 * and for backends that do not name devices (only "opencl" does). */
LDPC_API const char *ldpc_device_list(const char *backend, size_t i);

#ifdef __cplusplus
}
#endif
#endif
