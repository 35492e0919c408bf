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
 * nat, 0 means nothing known, -128 is read as -127. docs/arithmetic.md defines every integer result bit for
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

/** How a check node answers. */
typedef enum ldpc_algorithm {
    LDPC_ALGORITHM_AUTO = 0,           /**< the library's choice: corrected min-sum */
    LDPC_ALGORITHM_MIN_SUM,            /**< the minimum of the others, as it is */
    LDPC_ALGORITHM_OFFSET_MIN_SUM,     /**< minus an offset */
    LDPC_ALGORITHM_NORMALIZED_MIN_SUM, /**< times a factor */
    LDPC_ALGORITHM_CORRECTED_MIN_SUM,  /**< minus an offset that depends on the distance of the two minima */
    LDPC_ALGORITHM_SUM_PRODUCT,        /**< log-SPA, exact box-plus; float arithmetic only */
    LDPC_ALGORITHM_MIN_MAX,            /**< the smallest largest cost; codes over larger fields only */
    LDPC_ALGORITHM_EMS, /**< min-sum on the smallest costs of a message; the same; float arithmetic only */
    LDPC_ALGORITHM_THREE_MIN, /**< offsets that depend on the distances of the three smallest; binary codes */
} ldpc_algorithm;

/** What the numbers are. */
typedef enum ldpc_arithmetic {
    LDPC_ARITHMETIC_AUTO = 0, /**< i8 on the CPU, i16 on a GPU; float for sum-product */
    LDPC_ARITHMETIC_I8,       /**< posteriors saturate to int8 */
    LDPC_ARITHMETIC_I16,      /**< posteriors saturate at +-2047 */
    LDPC_ARITHMETIC_FLOAT,    /**< single precision; compared by tolerance, not by bytes */
} ldpc_arithmetic;

/** In which order checks are visited. */
typedef enum ldpc_schedule {
    LDPC_SCHEDULE_AUTO = 0, /**< layered */
    LDPC_SCHEDULE_LAYERED,  /**< layer after layer, each seeing the newest posteriors */
    LDPC_SCHEDULE_FLOODING, /**< all checks see the posteriors of the last iteration */
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
    ldpc_algorithm algorithm;   /**< default auto */
    ldpc_arithmetic arithmetic; /**< default auto */
    ldpc_schedule schedule;     /**< default auto = layered */
    uint32_t max_iterations;    /**< 0 .. 10000, default 50 */
    bool early_stop;            /**< stop a word at its first zero syndrome, default true */
    float llr_scale;            /**< int8 LLR steps per nat, 0.25 .. 64; default LDPC_DEFAULT_LLR_SCALE */
    float offset;               /**< offset min-sum: LLR steps; negative (default) = the library's choice */
    float factor;               /**< normalised min-sum: 1/16 .. 1; 0 (default) = the library's choice */
    uint32_t kept; /**< EMS: costs of a message that are kept, 1 .. q; 0 (default) = the library's choice */
    bool packed;   /**< message and codeword bits 8 per byte, most significant first, each word padded to
                        a whole byte; default false: one bit per byte */
    const char *backend; /**< "auto" (default), "cpu", "cuda" */
    const char
        *kernel;      /**< force one row of the backend's kernel table by name; NULL (default) or "" = best */
    uint32_t threads; /**< CPU threads, default 1; 0 = one per core */
    size_t max_batch; /**< most words of one batch, default 0 = the backend's choice */
    const char *cache_dir; /**< folder for compiled kernels and tuning; NULL (default) = none */
    const char *devices;   /**< GPUs that share the batches: "0", "0,1", "all"; NULL (default) = "0" */
    uint32_t streams; /**< batches in flight on each GPU, 0 (default) = the backend's choice, at most 64 */
    size_t
        min_gpu_batch;  /**< backend "auto": batches of fewer words are decoded on the CPU and all others on
                         the  GPU, where there is one; 0 (default) = all on the CPU. ldpc-tune measures it. */
    bool breadth_first; /**< GPU, ldpc_decode() of more words than one stream takes: all copies, then all
                           kernels; default false = stream after stream, which is sooner done with the first
                           words */
} ldpc_decoder_params;

#define LDPC_DEFAULT_LLR_SCALE 3.0f

LDPC_API void ldpc_decoder_params_init(ldpc_decoder_params *params);

/** What became of one word. */
typedef struct ldpc_codeword_info {
    uint32_t iterations;  /**< whole iterations done; 0 when the input was a codeword already */
    uint32_t unsatisfied; /**< unsatisfied checks of the result */
    uint8_t converged;    /**< 1 if unsatisfied == 0; so also where no LLR says anything (all 0, all NaN) */
    uint8_t decoded; /**< 0 if a device failure kept the word from being decoded (its bits are undefined) */
} ldpc_codeword_info;

/** One batch: LLRs in, results out. For a code over GF(q), n and k mean n * log2 q and k * log2 q here, the
 * bits of a symbol most significant first. Buffers are the caller's; outputs may be NULL, must not overlap,
 * and are undefined after an error. Word after word, without gaps. */
typedef struct ldpc_batch {
    size_t n_codewords;
    const int8_t *llr;           /**< n_codewords * n LLRs in steps of 1/llr_scale nat */
    const float *llr_float;      /**< or, for float arithmetic, n_codewords * n LLRs in nat */
    const uint8_t *symbol_costs; /**< or, for codes over GF(q > 2), q costs for each symbol: ln P(best) - ln
                                    P(a) of symbol a = 0 .. q-1 in LLR steps */
    const float *symbol_costs_float; /**< or, for float arithmetic, the same in nat; a constant added to all q
                                          of a symbol changes nothing. Just one of the four inputs is given */
    uint8_t *message;   /**< n_codewords * k bits, or n_codewords * ceil(k/8) bytes when packed */
    uint8_t *codeword;  /**< n_codewords * n bits, or n_codewords * ceil(n/8) bytes when packed */
    int16_t *posterior; /**< n_codewords * n posteriors in LLR steps (float arithmetic: rounded, saturated) */
    uint8_t *symbol_posterior; /**< codes over GF(q > 2) only: q costs for each symbol, smallest 0 */
    ldpc_codeword_info *info;  /**< n_codewords records */
} ldpc_batch;

/** A decoder: plan, scratch memory, threads or device buffers of one code and one set of parameters.
 *  One thread at a time may use it, except that one thread may submit while another collects. */
typedef struct ldpc_decoder ldpc_decoder;

/**
 * Make a decoder. All choices (kernel, layout, launch shape) and all allocations are made here.
 *
 * @param params  NULL for the defaults
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_PARAM, LDPC_ERR_BACKEND, LDPC_ERR_UNSUPPORTED, LDPC_ERR_MEMORY,
 *         LDPC_ERR_THREAD, LDPC_ERR_DEVICE
 */
LDPC_API ldpc_status ldpc_decoder_create(const ldpc_code *code, const ldpc_decoder_params *params,
                                         ldpc_decoder **dec, ldpc_error *err);

/** Wait for batches in flight, then give everything back; NULL is allowed. */
LDPC_API void ldpc_decoder_destroy(ldpc_decoder *dec);

/** Decode a batch and return when it is done. Any n_codewords from 1 to ldpc_decoder_max_batch().
 *  LDPC_ERR_PARAM while submitted batches are still uncollected. */
LDPC_API ldpc_status ldpc_decode(ldpc_decoder *dec, const ldpc_batch *batch);

/**
 * Decode words that are on the GPU and leave the results there: nothing crosses the link to the host.
 *
 * @param stream  CUstream or cudaStream_t of the decoder's first GPU, NULL = the default stream; the call
 * returns when the work has been put on it, the results are there when it has done that
 * @param batch   every address is the GPU's; bits are packed whatever the parameter `packed` says
 *
 * Calls on one decoder must be on one stream, or wait for each other. LDPC_ERR_UNSUPPORTED where the backend
 * is no GPU.
 */
LDPC_API ldpc_status ldpc_decode_device(ldpc_decoder *dec, void *stream, const ldpc_batch *batch);

/** Codewords first .. first + count - 1 of a batch for this decoder, as a batch in the same buffers: for
 * batches of more than ldpc_decoder_max_batch() codewords. Of no codewords when a pointer is NULL or the batch
 * does not have them all. */
LDPC_API ldpc_batch ldpc_decoder_slice(const ldpc_decoder *dec, const ldpc_batch *batch, size_t first,
                                       size_t count);

/** Start a batch and return at once. The buffers stay the decoder's until the batch has been collected; the
 * struct itself is copied. LDPC_AGAIN when ldpc_decoder_depth() batches are in flight. */
LDPC_API ldpc_status ldpc_submit(ldpc_decoder *dec, const ldpc_batch *batch);

/**
 * Finish the oldest submitted batch.
 *
 * @param timeout_us  how long to wait for it: 0 = only look, negative = for ever
 * @param batch       out: the batch that is done (as submitted), may be NULL
 * @return LDPC_OK; LDPC_AGAIN (not ready in time); LDPC_EMPTY (nothing in flight); or the error of that
 * batch, which is then finished too
 */
LDPC_API ldpc_status ldpc_collect(ldpc_decoder *dec, int64_t timeout_us, ldpc_batch *batch);

/** Memory of the host for a decoder's batches, and back; NULL when there is none. A GPU copies from and to it
 * itself (bits where they are packed), while other memory is copied by the CPU once more. It may be used
 * after ldpc_decoder_destroy() no longer: free it before. */
LDPC_API void *ldpc_decoder_alloc(ldpc_decoder *dec, size_t bytes);
LDPC_API void ldpc_decoder_free(ldpc_decoder *dec, void *memory);

/** Have `notify(context)` called from a worker thread whenever a submitted batch is done; NULL switches it
 * off, and no call is under way when that returns. It must be quick (set a flag, signal a condition) and must
 * not call the decoder; a lock it takes must not be held while waiting in collect, a setter or destroy. Set
 * it while nothing is in flight. */
LDPC_API ldpc_status ldpc_decoder_set_notify(ldpc_decoder *dec, void (*notify)(void *context), void *context);

/** These may change between batches; they apply to batches started afterwards, and wait for those under way.
 * They belong to the thread that submits. LDPC_ERR_UNSUPPORTED when the decoder's kernel cannot go along:
 * make a new decoder. How many words a CPU kernel takes side by side was chosen for early stop as it was at
 * creation, and stays: a new decoder may be faster. */
LDPC_API ldpc_status ldpc_decoder_set_max_iterations(ldpc_decoder *dec, uint32_t max_iterations);
LDPC_API ldpc_status ldpc_decoder_set_early_stop(ldpc_decoder *dec, bool early_stop);
LDPC_API ldpc_status ldpc_decoder_set_offset(ldpc_decoder *dec, float offset); /**< offset min-sum only */
LDPC_API ldpc_status ldpc_decoder_set_factor(ldpc_decoder *dec, float factor); /**< normalised min-sum only */

/* Facts about a decoder. For a NULL handle they answer "", 0 or NULL. */

LDPC_API const ldpc_code *ldpc_decoder_code(const ldpc_decoder *dec);
LDPC_API const char *ldpc_decoder_backend(const ldpc_decoder *dec); /**< backend in use: "cpu" ... */
LDPC_API const char *ldpc_decoder_kernel(const ldpc_decoder *dec);  /**< kernel in use: "ref", "avx512" ... */
LDPC_API ldpc_algorithm ldpc_decoder_algorithm(const ldpc_decoder *dec);   /**< never auto */
LDPC_API ldpc_arithmetic ldpc_decoder_arithmetic(const ldpc_decoder *dec); /**< never auto */
LDPC_API ldpc_schedule ldpc_decoder_schedule(const ldpc_decoder *dec);     /**< never auto */
LDPC_API float ldpc_decoder_llr_scale(const ldpc_decoder *dec);            /**< int8 LLR steps per nat */
LDPC_API size_t ldpc_decoder_max_batch(const ldpc_decoder *dec);           /**< most words of one batch */
/** Words that fill the kernel; multiples are best. */
LDPC_API size_t ldpc_decoder_good_batch(const ldpc_decoder *dec);
LDPC_API size_t ldpc_decoder_depth(const ldpc_decoder *dec); /**< batches that may be in flight */
/** Words that a block of a GPU or a thread of the CPU decodes at once. */
LDPC_API size_t ldpc_decoder_lanes(const ldpc_decoder *dec);
/** Sentence about the last failure of a call on this decoder, "" if none. Valid until the next failure: when
 * two threads use the decoder, read it only while the other is outside. */
LDPC_API const char *ldpc_decoder_message(const ldpc_decoder *dec);

/** The i-th backend of this build, NULL past the end. *reason (may be NULL) receives "" when it is usable
 * here, else a sentence why not. */
LDPC_API const char *ldpc_backend_list(size_t i, const char **reason);

/** The i-th kernel of a backend that this machine can run, NULL past the end; slowest first. */
LDPC_API const char *ldpc_kernel_list(const char *backend, size_t i);

#ifdef __cplusplus
}
#endif
#endif
