/* SPDX-License-Identifier: BSD-3-Clause */
/* Status codes and error messages. */
#ifndef LDPC_STATUS_H
#define LDPC_STATUS_H

/* Big-endian processors are not tested. */
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

/** A codeword that does not converge is a result (ldpc_codeword_info), not an error. */
typedef enum ldpc_status {
    LDPC_OK = 0,
    /* no result, but no failure */
    LDPC_AGAIN =
        /** submit: too many batches are in flight; collect: the oldest batch is not decoded yet; push: pull
         * all output first */
    1,
    LDPC_EMPTY = 2, /**< collect: no batch is in flight */
    /* arguments */
    LDPC_ERR_NULL = 10,  /**< a required pointer is NULL */
    LDPC_ERR_RANGE = 11, /**< out of range: a batch without codewords, stream 300, noise -1 */
    LDPC_ERR_PARAM = 12, /**< invalid parameters: factor 2.0, kernel "foo" */
    /* codes */
    LDPC_ERR_NAME = 20,   /**< no such code: "wimax:2304:1/3" */
    LDPC_ERR_FORMAT = 21, /**< malformed file, or malformed L1 of a signal; the message names the line or
                           * field */
    LDPC_ERR_LIMIT = 22,  /**< a well-formed code exceeds the documented limits */
    LDPC_ERR_FILE = 23,   /**< a file cannot be opened or read */
    /* resources */
    LDPC_ERR_MEMORY = 30, /**< out of memory */
    LDPC_ERR_THREAD =
        /** no thread could be started, or a forked process used its parent's decoder */
    31,
    /* backends */
    LDPC_ERR_BACKEND = 40,     /**< the backend is not in this build, or cannot be used on this machine */
    LDPC_ERR_UNSUPPORTED = 41, /**< the backend does not support this code with these parameters */
    LDPC_ERR_DEVICE = 42,      /**< the device was lost, or a launch or copy failed */
} ldpc_status;

/** Error message, one sentence. A failing function writes it unless its argument is NULL. */
typedef struct ldpc_error {
    char message[512];
} ldpc_error;

/** Name of a status, e.g. "LDPC_ERR_NAME"; never NULL. */
LDPC_API const char *ldpc_status_string(ldpc_status status);

#ifdef __cplusplus
}
#endif
#endif
