/* SPDX-License-Identifier: BSD-3-Clause */
/* Status codes and error sentences: every function that can fail returns an ldpc_status. */
#ifndef LDPC_STATUS_H
#define LDPC_STATUS_H

/* No processor of the other byte order has been tested. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "libldpc supports little-endian processors only, and this one is big-endian"
#endif

#if defined(_WIN32)
#define LDPC_API
#elif defined(__GNUC__)
#define LDPC_API __attribute__((visibility("default")))
#else
#define LDPC_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What a function returns. A codeword that does not converge is a result (ldpc_codeword_info), not an error.
 */
typedef enum ldpc_status {
    LDPC_OK = 0,
    /* no failure, but no result either */
    LDPC_AGAIN =
        1, /**< not now: submit has too many batches in flight, collect's oldest is not done, push needs
                       a pull first */
    LDPC_EMPTY = 2, /**< collect: no batch is in flight */
    /* the caller's arguments */
    LDPC_ERR_NULL = 10, /**< a required pointer is NULL */
    LDPC_ERR_RANGE =
        11, /**< a number is outside its range: a batch without codewords, stream 300, noise -1 */
    LDPC_ERR_PARAM =
        12, /**< a parameter, or a combination of them, is not allowed: factor 2.0, kernel "foo" */
    /* codes */
    LDPC_ERR_NAME = 20,   /**< no such code: "wimax:2304:1/3" */
    LDPC_ERR_FORMAT = 21, /**< a file or a signal's L1 is malformed; the sentence names the line or field */
    LDPC_ERR_LIMIT = 22,  /**< well-formed, but larger than the documented limits */
    LDPC_ERR_FILE = 23,   /**< a file cannot be opened or read */
    /* resources */
    LDPC_ERR_MEMORY = 30, /**< out of memory */
    LDPC_ERR_THREAD =
        31, /**< the system refused a thread, or the threads of a decoder stayed behind at fork() */
    /* backends */
    LDPC_ERR_BACKEND = 40,     /**< that backend is not in this build, or not usable on this machine */
    LDPC_ERR_UNSUPPORTED = 41, /**< the backend does not support this combination of code and parameters */
    LDPC_ERR_DEVICE = 42,      /**< the device failed: it is lost, or refused a launch or a copy */
} ldpc_status;

/** The sentence about a failure. A function that fails fills it, when it was given one. */
typedef struct ldpc_error {
    char message[512];
} ldpc_error;

/** Name of a status, e.g. "LDPC_ERR_NAME"; never NULL. */
LDPC_API const char *ldpc_status_string(ldpc_status status);

#ifdef __cplusplus
}
#endif
#endif
