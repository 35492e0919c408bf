/* SPDX-License-Identifier: BSD-3-Clause */
/* Status codes and error messages. Every function that can fail returns an ldpc_status. */
#ifndef LDPC_STATUS_H
#define LDPC_STATUS_H

/* Big-endian processors have not been tested. */
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

/** Status codes. A codeword that does not converge is a result (ldpc_codeword_info), not an error. */
typedef enum ldpc_status {
    LDPC_OK = 0,
    /* not failures, but the call has no result */
    LDPC_AGAIN =
        /** try again later. Submit: too many batches are in flight. Collect: the oldest batch is not decoded
         * yet. Push: pull all output first */
    1,
    LDPC_EMPTY = 2, /**< collect: no batch is in flight */
    /* arguments */
    LDPC_ERR_NULL = 10,  /**< a required pointer is NULL */
    LDPC_ERR_RANGE = 11, /**< a number is out of range: a batch without codewords, stream 300, noise -1 */
    LDPC_ERR_PARAM =
        12, /**< a parameter, or a combination of parameters, is invalid: factor 2.0, kernel "foo" */
    /* codes */
    LDPC_ERR_NAME = 20,   /**< no such code: "wimax:2304:1/3" */
    LDPC_ERR_FORMAT = 21, /**< a file, or L1 of a signal, is malformed; the message names the line or field */
    LDPC_ERR_LIMIT = 22,  /**< a well-formed code exceeds the documented limits */
    LDPC_ERR_FILE = 23,   /**< a file cannot be opened or read */
    /* resources */
    LDPC_ERR_MEMORY = 30, /**< out of memory */
    LDPC_ERR_THREAD =
        /** the system refused to start a thread, or a forked process used a decoder of its parent */
    31,
    /* backends */
    LDPC_ERR_BACKEND = 40,     /**< the backend is not in this build, or cannot be used on this machine */
    LDPC_ERR_UNSUPPORTED = 41, /**< the backend does not support this combination of code and parameters */
    LDPC_ERR_DEVICE = 42,      /**< the device failed: it was lost, or a launch or a copy failed */
} ldpc_status;

/** Error message, one sentence. Written by a failing function unless its argument is NULL. */
typedef struct ldpc_error {
    char message[512];
} ldpc_error;

/** Name of a status, e.g. "LDPC_ERR_NAME"; never NULL. */
LDPC_API const char *ldpc_status_string(ldpc_status status);

#ifdef __cplusplus
}
#endif
#endif
