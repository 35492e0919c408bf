/* SPDX-License-Identifier: BSD-3-Clause */
/* Bit layout of the parameters of a pass of the kernel "chip". The host writes them (chip_text.c), and the
 * device reads them (chip.cuh). */
#ifndef LDPC_CUDA_CHIP_PASS_H
#define LDPC_CUDA_CHIP_PASS_H

/* First bit of each field of Pass.flags. The field `checks` has 10 bits, `kind` has 6 bits, and each degree
 * has 7 bits. */
enum {
    CHIP_PASS_CHECKS = 0,
    CHIP_PASS_KIND = 10,
    CHIP_PASS_DEGREE = 16,
    CHIP_PASS_BARRIER = 23,
    CHIP_PASS_TWIN_DEGREE = 24,
    CHIP_PASS_MISSING_EDGE = 31,
};

#define CHIP_NONE           0xffffffffu
#define CHIP_SHARED_MESSAGE 0x80000000u /* flag in the offset of messages: they are in shared memory */
#define CHIP_LEAF           0x80000000u /* flag in the location of a column: a leaf, in global memory */

#endif
