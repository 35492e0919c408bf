/* SPDX-License-Identifier: BSD-3-Clause */
/* Bit layout of a pass, which chip_text.c writes and chip.cuh reads. */
#ifndef LDPC_CUDA_CHIP_PASS_H
#define LDPC_CUDA_CHIP_PASS_H

/* Bit offsets in Pass.flags. */
enum {
    CHIP_PASS_CHECKS = 0,
    CHIP_PASS_KIND = 10,
    CHIP_PASS_DEGREE = 16,
    CHIP_PASS_BARRIER = 23,
    CHIP_PASS_TWIN_DEGREE = 24,
    CHIP_PASS_MISSING_EDGE = 31,
};

#define CHIP_NONE           0xffffffffu
#define CHIP_SHARED_MESSAGE 0x80000000u
#define CHIP_LEAF           0x80000000u /* the location is a leaf */

#endif
