/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LDPC_CUDA_UNPACK_H
#define LDPC_CUDA_UNPACK_H

#include <stddef.h>
#include <stdint.h>

/* Bits, 8 per byte, most significant first, to one per byte. */
void ldpc_cuda_unpack(const uint8_t *packed, size_t bits, uint8_t *to);

#endif
