/* SPDX-License-Identifier: BSD-3-Clause */
/* Bit layout of the parameters of a pass of the kernel "chip": the host writes them (chip_text.c), the device
 * reads them (chip.cuh). */
#ifndef LDPC_CUDA_CHIP_PASS_H
#define LDPC_CUDA_CHIP_PASS_H

/* Pass.flags: first bits. checks: 10 bits, kind: 6, degrees: 7 each. */
enum {
    CHIP_PASS_CHECKS = 0,
    CHIP_PASS_KIND = 10,
    CHIP_PASS_DEGREE = 16,
    CHIP_PASS_BARRIER = 23,
    CHIP_PASS_TWIN_DEGREE = 24,
    CHIP_PASS_MISSING_EDGE = 31,
};

#define CHIP_NONE           0xffffffffu
#define CHIP_SHARED_MESSAGE 0x80000000u /* flag in an offset of messages: they are in shared memory */
#define CHIP_LEAF           0x80000000u /* flag in a column's location: a leaf, in global memory */

#endif
