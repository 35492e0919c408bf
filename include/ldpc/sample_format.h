/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats of complex samples. */
#ifndef LDPC_SAMPLE_FORMAT_H
#define LDPC_SAMPLE_FORMAT_H

#include "ldpc/status.h"

/** Layout of a sample: I, then Q. */
typedef enum ldpc_sample_format {
    LDPC_CF32 = 0, /**< two floats */
    LDPC_CS16,     /**< two int16_t, full scale 32768 */
    LDPC_CS8,      /**< two int8_t, full scale 128 */
    LDPC_CU8,      /**< two uint8_t, zero level 127.5 */
} ldpc_sample_format;

#endif
