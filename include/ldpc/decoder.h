/* SPDX-License-Identifier: BSD-3-Clause */
/* Decoders: LLRs in, bits out.
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
 * LLR everywhere: ln(P(bit = 0) / P(bit = 1)); positive favours bit 0. int8 LLRs are in steps of 1/llr_scale
 * nat, 0 is an erasure, -128 is read as -127. docs/arithmetic.md defines every integer result bit for bit.
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

/** Check-node rule: how the messages of a check follow from those of its other edges (docs/arithmetic.md). */
typedef enum ldpc_algorithm {
    /** the library's choice: three-min for codes of DVB-S2X, ATSC 3.0, 5G, CCSDS and Ethernet, corrected min-sum for all
     * others; over GF(q), q > 2, min-sum or min-max by the degree of the variable nodes */
    LDPC_ALGORITHM_AUTO = 0,
    LDPC_ALGORITHM_MIN_SUM,            /**< the smallest magnitude of the other edges, unchanged */
    LDPC_ALGORITHM_OFFSET_MIN_SUM,     /**< that minus ldpc_decoder_params.offset */
    LDPC_ALGORITHM_NORMALIZED_MIN_SUM, /**< min-sum times ldpc_decoder_params.factor */
    /** min-sum minus an offset that depends on the difference of the two smallest magnitudes of the check */
    LDPC_ALGORITHM_CORRECTED_MIN_SUM,
    LDPC_ALGORITHM_SUM_PRODUCT, /**< log-SPA, exact box-plus; float arithmetic only */
    /** min-max (Savin 2008): minimise the largest symbol cost; codes over GF(q), q > 2, only */
    LDPC_ALGORITHM_MIN_MAX,
    /** extended min-sum (EMS): min-sum on the n_m = `kept` smallest costs of each message; codes over GF(q),
     * q > 2, and float arithmetic only */
    LDPC_ALGORITHM_EMS,
    /** min-sum minus offsets that depend on the differences of the three smallest magnitudes of the check;
     * binary codes only */
    LDPC_ALGORITHM_THREE_MIN,
} ldpc_algorithm;

/** Number format of posteriors and messages. */
typedef enum ldpc_arithmetic {
    /** i8 on the CPU and over GF(q), i16 on a GPU and where both work (min_gpu_batch); float for sum-product
     * and EMS */
    LDPC_ARITHMETIC_AUTO = 0,
    LDPC_ARITHMETIC_I8,    /**< posteriors saturate to int8 */
    LDPC_ARITHMETIC_I16,   /**< posteriors saturate at +-2047 */
    LDPC_ARITHMETIC_FLOAT, /**< single precision; compared by tolerance, not by bytes */
} ldpc_arithmetic;

/** Order in which the checks of an iteration are processed. */
typedef enum ldpc_schedule {
    LDPC_SCHEDULE_AUTO = 0, /**< layered */
    LDPC_SCHEDULE_LAYERED,  /**< layer after layer, each with the posteriors of the one before */
    LDPC_SCHEDULE_FLOODING, /**< all checks with the posteriors of the iteration before */
} ldpc_schedule;

/** Names for files and command lines: "auto" "min-sum" "offset" "normalized" "corrected" "sum-product"
 * "min-max" "ems" "three-min" · "auto" "i8" "i16" "float" · "auto" "layered" "flooding". The parsers return
 * LDPC_ERR_PARAM for others. */
LDPC_API const char *ldpc_algorithm_name(ldpc_algorithm algorithm);
LDPC_API const char *ldpc_arithmetic_name(ldpc_arithmetic arithmetic);
LDPC_API const char *ldpc_schedule_name(ldpc_schedule schedule);
LDPC_API ldpc_status ldpc_algorithm_parse(const char *name, ldpc_algorithm *algorithm);
LDPC_API ldpc_status ldpc_arithmetic_parse(const char *name, ldpc_arithmetic *arithmetic);
LDPC_API ldpc_status ldpc_schedule_parse(const char *name, ldpc_schedule *schedule);

/** How to decode. Always start from ldpc_decoder_params_init(). Strings are copied. */
typedef struct ldpc_decoder_params {
    size_t size;                /**< set by the init function; see version.h, "Compatibility" */
    ldpc_algorithm algorithm;   /**< default auto */
    ldpc_arithmetic arithmetic; /**< default auto */
    ldpc_schedule schedule;     /**< default auto = layered */
    uint32_t max_iterations;    /**< 0 .. 10000, default 50 */
    bool early_stop;            /**< end a codeword's iterations when its syndrome is zero; default true */
    float llr_scale;            /**< int8 LLR steps per nat, 0.25 .. 64; default LDPC_DEFAULT_LLR_SCALE */
    /** offset min-sum: 0 .. 63 LLR steps, whole ones in i8 and i16; negative (default) = the library's choice
     */
    float offset;
    /** normalised min-sum: 1/16 .. 1, whole sixteenths in i8 and i16; 0 (default) = the library's choice */
    float factor;
    uint32_t kept; /**< EMS: costs kept of each message (n_m), 1 .. q; 0 (default) = the library's choice */
    /** message and codeword bits 8 per byte, most significant first, the last byte of each codeword filled
     * with zeros; default false: one bit per byte */
    bool packed;
    /** create the decoder on the CPU where the GPU cannot be used, has no memory for it or does not support it: then
     * ldpc_decoder_message() has the reason, and `kernel` has no effect; default false: creation fails */
    bool fallback;
    const char *
        backend; /**< what decodes: "cpu" (default, also for NULL), "gpu" = CUDA, else OpenCL; "cuda", "opencl" */
    const char *kernel;    /**< one of ldpc_kernel_list(); NULL (default) or "" = the best */
    uint32_t threads;      /**< CPU threads, 1 .. 1024, default 1; 0 = one per core */
    size_t max_batch;      /**< largest batch in codewords, 1 .. 2^20; 0 (default) = the backend's choice */
    const char *cache_dir; /**< folder for compiled kernels and tuning; NULL (default) = none; see
                              ldpc_cache_dir_check() */
    const char
        *devices; /**< GPUs that share the batches: "0", "0,1", "all"; NULL (default) = "0". OpenCL: also
                                "gpu", "cpu" (all of that kind), or a part of the name of a device or its platform */
    /** backend "cuda", or "gpu" that means it: batches of fewer codewords are decoded on the CPU, all others on the GPU;
     * 0 (default) = all on the GPU. ldpc-tune measures the best value. */
    size_t min_gpu_batch;
    uint32_t streams; /**< batches in flight on each GPU, 1 .. 64; 0 (default) = the backend's choice */
    /** integer decoders of binary codes limit channel LLRs to +-llr_limit steps, 1 .. 127; 127 = no limit, 0 = the
     * default, LDPC_DEFAULT_LLR_LIMIT. Messages have a limit too, and a bit whose LLR is wrong by more than they add up to
     * is never corrected. It counts steps: for codes of high rate it should grow with llr_scale. Bits that are zero in every codeword of a
     * shortened code start from 127 whatever the limit. Float arithmetic and codes over GF(q), q > 2, have no limit. */
    uint32_t llr_limit;
} ldpc_decoder_params;

#define LDPC_DEFAULT_LLR_SCALE 3.0f
#define LDPC_DEFAULT_LLR_LIMIT 30 /* LLR steps */

/** Fill in the defaults of a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API void ldpc_decoder_params_init_sized(ldpc_decoder_params *params, size_t size);

/** Fill in the defaults. */
static inline void ldpc_decoder_params_init(ldpc_decoder_params *params)
{
    ldpc_decoder_params_init_sized(params, sizeof *params);
}

/** Set the algorithm by text: a name as above, or "offset:STEPS" or "normalized:FACTOR", such as "normalized:0.75",
 * which set the offset or the factor as well. LDPC_ERR_PARAM for other texts, and for a text with a number where
 * the parameter has been set before; `params` is then unchanged. */
LDPC_API ldpc_status ldpc_decoder_params_set_algorithm(ldpc_decoder_params *params, const char *text,
                                                       ldpc_error *err);

/** Result of one codeword. */
typedef struct ldpc_codeword_info {
    /** iterations done. With early_stop 0 when the hard decisions of the input are a codeword; without it
     * always max_iterations */
    uint32_t iterations;
    uint32_t unsatisfied; /**< unsatisfied checks of the result */
    uint8_t converged; /**< 1 if unsatisfied == 0. An input of nothing but zeros and NaN converges: its hard
                          decisions are the all-zero codeword. With llr_limit above 30 a right message of a
                          5G code may be without it: docs/codes.md */
    uint8_t decoded;   /**< 0 if the device failed before the codeword was decoded: its bits are undefined */
} ldpc_codeword_info;

/** One batch: LLRs in, results out. Codewords follow each other without gaps. For a code over GF(q), n and k
 * stand for n * log2 q and k * log2 q bits below, the bits of a symbol most significant first. The buffers
 * are the caller's and must not overlap. Exactly one of the four inputs is given; every output may be NULL.
 * After an error the outputs are undefined. */
typedef struct ldpc_batch {
    size_t size; /**< 0, or sizeof this struct to use fields younger than 1.0: version.h, "Compatibility" */
    size_t n_codewords;
    /** n_codewords * n LLRs in steps of 1/llr_scale nat; -128 is read as -127 */
    const int8_t *llr;
    /** n_codewords * n LLRs in nat, limited to +-256, NaN read as 0; float arithmetic only, which takes `llr`
     * too */
    const float *llr_float;
    /** codes over GF(q), q > 2: for each symbol the costs ln P(best) - ln P(a) of a = 0 .. q - 1, in LLR
     * steps */
    const uint8_t *symbol_costs;
    /** the same in nat; float arithmetic only. A constant added to the q costs of a symbol changes nothing.
     */
    const float *symbol_costs_float;
    uint8_t *message;  /**< n_codewords * k bits, or n_codewords * ceil(k/8) bytes when packed */
    uint8_t *codeword; /**< n_codewords * n bits, or n_codewords * ceil(n/8) bytes when packed */
    /** n_codewords * n posteriors in LLR steps: -128 .. 127 in i8, -2047 .. 2047 in i16; of float rounded,
     * and saturated to int16; 127 for a symbol that is zero by definition */
    int16_t *posterior;
    /** codes over GF(q), q > 2: q costs for each symbol in LLR steps, 0 .. 255, the smallest one 0 */
    uint8_t *symbol_posterior;
    ldpc_codeword_info *info; /**< n_codewords records */
} ldpc_batch;

/** A decoder of one code with one set of parameters: its plan, scratch memory, threads or device buffers.
 * Only one thread at a time may use it, except that one thread may submit, decode in the GPU's memory and change parameters while
 * another collects: that thread waits for batches only, not for these calls. Any thread may call ldpc_decoder_abandon().
 *
 * fork(): the child has a copy of each decoder of its parent, but not of its threads, locks and GPUs. It may
 * destroy the copy. A CPU decoder with `threads` = 1 for which nothing was submitted has no threads of its
 * own: the child may go on using it. On all other copies every call fails with LDPC_ERR_THREAD and one
 * sentence; only the getters still work. A child creates its own decoders. */
typedef struct ldpc_decoder ldpc_decoder;

/**
 * Make a decoder. All choices (kernel, memory layout, launch shape) and allocations are made here, except the
 * GPU's buffers for posteriors and symbol costs, which the first batch with them allocates, and the scratch memory that the first
 * ldpc_decode_device() allocates.
 *
 * @param code    may be destroyed afterwards: the decoder keeps a reference
 * @param params  NULL for the defaults
 * @param dec     receives the decoder, or NULL after a failure
 * @param err     receives the sentence about a failure; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_PARAM, LDPC_ERR_BACKEND, LDPC_ERR_UNSUPPORTED, LDPC_ERR_MEMORY,
 *         LDPC_ERR_THREAD, LDPC_ERR_DEVICE
 */
LDPC_API ldpc_status ldpc_decoder_create(const ldpc_code *code, const ldpc_decoder_params *params,
                                         ldpc_decoder **dec, ldpc_error *err);

/**
 * Wait for the decoder's kernel. On a CUDA GPU some kernels are compiled for the code and the parameters, which takes
 * seconds unless cache_dir has them. A decoder with integer arithmetic that was not told which kernel to use does not wait
 * for that: it begins with the kernel "any", which is slower and gives the same results, and changes to the other
 * one between two batches; likewise after a setter. Programs that measure speed call this first.
 *
 * Another process compiles meanwhile, a child of this one (docs/gpu.md, "While a kernel is compiled"): wait() for any child may
 * return it, and SIGCHLD tells of its end. A decoder whose kernel was named starts none.
 *
 * @param timeout_us  how long to wait in microseconds: 0 = do not wait, negative = as long as it takes
 * @return LDPC_OK: the decoder has its kernel, or the next one where that cannot be compiled (ldpc_decoder_message()); LDPC_AGAIN:
 *         not in time; else it cannot be loaded: "any" remains in use. The thread that submits may call this,
 *         also with batches in flight.
 */
LDPC_API ldpc_status ldpc_decoder_wait_kernel(ldpc_decoder *dec, int64_t timeout_us);

/**
 * Whether kernels in this folder are used. Whoever can write there decides what the GPU executes, so the
 * folder and its files must belong to this user (or root), and neither group nor others may write. Decoders
 * do not use any other folder and compile instead; a program may warn with this sentence.
 *
 * @return LDPC_OK, also for a folder that does not exist yet or NULL; LDPC_ERR_FILE
 */
LDPC_API ldpc_status ldpc_cache_dir_check(const char *cache_dir, ldpc_error *err);

/** Wait for the batches in flight, then free everything; NULL is allowed. After ldpc_decoder_abandon() a decoder on a GPU frees
 * nothing and waits for nothing. */
LDPC_API void ldpc_decoder_destroy(ldpc_decoder *dec);

/**
 * Give up a decoder whose GPU does not answer. From now on every call on it fails at once with LDPC_ERR_DEVICE, and calls that wait
 * for the GPU on other threads return so too: ldpc_collect(), ldpc_decode(), ldpc_submit(), setters, ldpc_decoder_wait_kernel(),
 * simulations and ldpc_decoder_destroy(). A call inside the GPU's driver cannot be interrupted: it returns when the driver does,
 * and no other call waits for it. The library has no time limit of its own: a caller who needs one calls this after an
 * ldpc_collect() that returned LDPC_AGAIN for too long.
 *
 * Batches in flight are lost, but not their LLRs: another decoder may decode them. After ldpc_decoder_destroy() the library does
 * not access their buffers; the GPU itself may still write results to memory of ldpc_decoder_alloc() and to registered memory, which
 * must therefore never be used for anything else, unmapped or freed. An abandoned GPU decoder is never freed, nor is its memory on
 * the host and on the GPU: freeing it would wait for the GPU. Other decoders on that GPU are not affected, and may wait for it.
 *
 * Any thread may call this, also while others are inside of calls on the decoder, but neither after ldpc_decoder_destroy() has
 * returned nor from `notify`. When it returns, no call of `notify` is under way, and none follows. NULL is allowed.
 */
LDPC_API void ldpc_decoder_abandon(ldpc_decoder *dec);

/** Decode a batch of 1 to ldpc_decoder_max_batch() codewords and return when it is done. LDPC_ERR_RANGE for
 * more or none; LDPC_ERR_NULL without an input; LDPC_ERR_PARAM for inputs that the code or the arithmetic does
 * not have, and while submitted batches have not been collected; LDPC_ERR_THREAD in a forked child;
 * LDPC_ERR_DEVICE, LDPC_ERR_MEMORY of a GPU. */
LDPC_API ldpc_status ldpc_decode(ldpc_decoder *dec, const ldpc_batch *batch);

/**
 * Decode codewords that are in the GPU's memory and leave the results there: nothing crosses the link to the
 * host.
 *
 * @param stream  CUstream or cudaStream_t of the decoder's first GPU, NULL = the default stream. The call
 * returns when the work has been issued on it; the results are there when the stream has reached that point.
 * @param batch   all addresses are the GPU's; bits are packed whatever the parameter `packed` says
 *
 * The calls on one decoder may use any number of streams. Submitted batches and ldpc_decode() may be under way
 * meanwhile, and neither waits for the other. Kernels that need scratch memory decode the calls in their order, also
 * on different streams; the first call allocates that memory. As with CUDA's own libraries, the caller orders the accesses to his
 * own buffers: on this stream the LLRs are there, and LLRs and results are not overwritten or freed before the stream has reached
 * the results. Setters that load a kernel, and ldpc_decoder_destroy(), wait for the GPU. The call cannot be captured into a CUDA
 * graph.
 *
 * @return as ldpc_submit(); LDPC_ERR_UNSUPPORTED where the backend is not "cuda"
 */
LDPC_API ldpc_status ldpc_decode_device(ldpc_decoder *dec, void *stream, const ldpc_batch *batch);

/** ldpc_decoder_slice() into a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API void ldpc_decoder_slice_sized(const ldpc_decoder *dec, const ldpc_batch *batch, size_t first,
                                       size_t count, ldpc_batch *slice, size_t size);

/** Codewords first .. first + count - 1 of a batch for this decoder, as a batch in the same buffers, to cut
 * one that is larger than ldpc_decoder_max_batch(). The result has n_codewords == 0 when an argument is NULL or
 * out of range. */
static inline ldpc_batch ldpc_decoder_slice(const ldpc_decoder *dec, const ldpc_batch *batch, size_t first,
                                            size_t count)
{
    ldpc_batch slice;
    ldpc_decoder_slice_sized(dec, batch, first, count, &slice, sizeof slice);
    return slice;
}

/** Start a batch and return at once. The struct is copied; its buffers belong to the decoder until the batch
 * has been collected. LDPC_AGAIN when ldpc_decoder_depth() batches are in flight: nothing has been started.
 * Else as ldpc_decode(). */
LDPC_API ldpc_status ldpc_submit(ldpc_decoder *dec, const ldpc_batch *batch);

/**
 * Wait for the oldest submitted batch and take it out of the queue.
 *
 * @param timeout_us  how long to wait in microseconds: 0 = do not wait, negative = as long as it takes
 * @param batch       receives the batch as it was submitted, its size too; may be NULL
 * @return LDPC_OK; LDPC_AGAIN (not done in time); LDPC_EMPTY (nothing in flight); or the error of that batch,
 * which then leaves the queue too
 *
 * LDPC_AGAIN changes nothing. A GPU that hangs without an error of its driver shows here only: ldpc_decoder_abandon().
 */
LDPC_API ldpc_status ldpc_collect(ldpc_decoder *dec, int64_t timeout_us, ldpc_batch *batch);

/** Allocate and free host memory for batches; NULL when there is none left. For a GPU it is pinned memory,
 * from which and to which the GPU copies by itself (bits only when they are packed); other memory costs the
 * CPU one more copy. It must be freed before ldpc_decoder_destroy(); after ldpc_decoder_abandon() it stays in place.
 * A forked child must not access it. */
LDPC_API void *ldpc_decoder_alloc(ldpc_decoder *dec, size_t bytes);
LDPC_API void ldpc_decoder_free(ldpc_decoder *dec, void *memory);

/**
 * Register memory of the caller's, for batches anywhere in it: a GPU copies from and to it as it does with memory of
 * ldpc_decoder_alloc(). Both calls take a while, because the system locks or unlocks each page.
 * The memory must be unregistered before it is unmapped or freed and before ldpc_decoder_destroy(), with no batch in flight.
 * Where registering fails, batches in the memory are decoded all the same, with one more copy.
 *
 * @return LDPC_OK, also from a CPU decoder, to which all memory is the same; LDPC_ERR_NULL; LDPC_ERR_RANGE (bytes = 0);
 *         LDPC_ERR_UNSUPPORTED (a driver that cannot, such as OpenCL's); LDPC_ERR_THREAD in a forked child;
 *         LDPC_ERR_DEVICE, LDPC_ERR_MEMORY (the driver refuses, e.g. what is registered already)
 */
LDPC_API ldpc_status ldpc_decoder_register(ldpc_decoder *dec, void *memory, size_t bytes);

/** Undo ldpc_decoder_register() of this address. After LDPC_ERR_DEVICE or LDPC_ERR_MEMORY the memory is still registered, and must
 * never be unmapped or freed: the decoder was abandoned and the GPU may still use it, or the driver keeps it. */
LDPC_API ldpc_status ldpc_decoder_unregister(ldpc_decoder *dec, void *memory);

/** Call `notify(context)` from a worker thread whenever a submitted batch is done; NULL switches this off,
 * and no call is under way when that returns. LDPC_ERR_PARAM while batches are in flight. `notify` must be
 * quick (set a flag, signal a condition) and must not call the decoder; a lock that it takes must not be held
 * while waiting in collect, a setter or destroy. */
LDPC_API ldpc_status ldpc_decoder_set_notify(ldpc_decoder *dec, void (*notify)(void *context), void *context);

/** Change a parameter. The new value applies to batches that are started afterwards; the call waits for those
 * in flight. Only the thread that submits may call this. LDPC_ERR_PARAM for values outside the ranges of
 * ldpc_decoder_params, LDPC_ERR_UNSUPPORTED when the decoder's kernel does not support the new value: then
 * nothing has changed, and a new decoder chooses another kernel. A CPU decoder chose at creation how many
 * codewords it decodes together, for early_stop as it was then: after a change of early_stop a new decoder
 * may be faster. On a GPU early_stop, offset and factor are compiled into most kernels: the program comes from cache_dir, or
 * is compiled as ldpc_decoder_wait_kernel() says; if the kernel was named, it is compiled before the call returns. LDPC_ERR_MEMORY
 * or LDPC_ERR_DEVICE when the call fails, and nothing has changed then. */
LDPC_API ldpc_status ldpc_decoder_set_max_iterations(ldpc_decoder *dec, uint32_t max_iterations);
LDPC_API ldpc_status ldpc_decoder_set_early_stop(ldpc_decoder *dec, bool early_stop);
LDPC_API ldpc_status ldpc_decoder_set_offset(ldpc_decoder *dec, float offset); /**< offset min-sum only */
LDPC_API ldpc_status ldpc_decoder_set_factor(ldpc_decoder *dec, float factor); /**< normalised min-sum only */

/* Facts about a decoder. For a NULL handle they return "", 0 or NULL. */

LDPC_API const ldpc_code *ldpc_decoder_code(const ldpc_decoder *dec);
LDPC_API const char *
ldpc_decoder_backend(const ldpc_decoder *dec); /**< backend in use: "cpu", "cuda", "opencl", "cpu+cuda" */
/** Kernel in use: "ref", "avx512", "straight" ... It may change: ldpc_decoder_wait_kernel(). */
LDPC_API const char *ldpc_decoder_kernel(const ldpc_decoder *dec);
LDPC_API ldpc_algorithm ldpc_decoder_algorithm(const ldpc_decoder *dec);   /**< never auto */
LDPC_API ldpc_arithmetic ldpc_decoder_arithmetic(const ldpc_decoder *dec); /**< never auto */
LDPC_API ldpc_schedule ldpc_decoder_schedule(const ldpc_decoder *dec);     /**< never auto */
LDPC_API float ldpc_decoder_llr_scale(const ldpc_decoder *dec);            /**< int8 LLR steps per nat */
/** Limit of channel LLRs in steps: never 0; 127 where there is none. */
LDPC_API uint32_t ldpc_decoder_llr_limit(const ldpc_decoder *dec);
LDPC_API size_t ldpc_decoder_max_batch(const ldpc_decoder *dec); /**< largest batch in codewords */
/** Smallest batch, in codewords, that keeps all threads or multiprocessors busy; decoders are fastest with
 * multiples of it. An estimate until ldpc_decoder_wait_kernel() says LDPC_OK. */
LDPC_API size_t ldpc_decoder_good_batch(const ldpc_decoder *dec);
LDPC_API size_t ldpc_decoder_depth(const ldpc_decoder *dec); /**< batches that may be in flight */
/** Codewords that a CPU thread, or a thread block of a GPU, decodes together with the kernel in use. */
LDPC_API size_t ldpc_decoder_lanes(const ldpc_decoder *dec);
/** Sentence about the last failure of a call on this decoder, or about a kernel that the library chose and could not build, and
 * the kernel that takes its place, or about a GPU that the CPU has replaced (fallback); "" if there is none. Valid until the next
 * failure: when two threads use the decoder, read it only while the other is in no call on it. */
LDPC_API const char *ldpc_decoder_message(const ldpc_decoder *dec);

/** Name of the i-th backend of this build, NULL past the end. *reason (may be NULL) receives "" when the
 * backend is usable on this machine, else a sentence that says why not. */
LDPC_API const char *ldpc_backend_list(size_t i, const char **reason);

/**
 * The backend that decoders with these parameters have on this machine.
 *
 * @param backend   as ldpc_decoder_params::backend
 * @param fallback  the CPU where the GPU cannot be used
 * @param chosen    receives "cpu", "cuda" or "opencl", a static string; NULL after a failure
 * @param err       receives the sentence about a failure, and with fallback the one about the GPU; else ""; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_PARAM (no backend has this name), LDPC_ERR_BACKEND (it cannot be used)
 */
LDPC_API ldpc_status ldpc_backend_choose(const char *backend, bool fallback, const char **chosen,
                                         ldpc_error *err);

/** Name of the i-th kernel of a backend ("gpu" too) that this machine can run, slowest first; NULL past the end. */
LDPC_API const char *ldpc_kernel_list(const char *backend, size_t i);

/** Name of device i of a backend, as ldpc_decoder_params::devices numbers them; NULL past the end, and where the
 * backend does not name its devices: "opencl" does. */
LDPC_API const char *ldpc_device_list(const char *backend, size_t i);

#ifdef __cplusplus
}
#endif
#endif
