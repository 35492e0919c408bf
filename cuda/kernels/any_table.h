/* SPDX-License-Identifier: BSD-3-Clause */
/* Format of the table that any.c writes and any.cu reads. */
#ifndef LDPC_CUDA_ANY_TABLE_H
#define LDPC_CUDA_ANY_TABLE_H

enum {
    ANY_CODEWORDS = 8,
    ANY_MOST_THREADS = 1024,
};

enum {
    ANY_STAGES,
    ANY_STAGES_AT,
    ANY_CHECK_START_AT,
    ANY_EDGES_AT,
    ANY_EDGES,
    ANY_POSITION_START_AT,
    ANY_POSITION_EDGES_AT,
    ANY_CHECKS,
    ANY_WAITING_EDGES,
    ANY_WAITING_AT,
    ANY_HEADER_WORDS,
};

/* 32-bit words of a stage. */
enum { ANY_STAGE_FIRST, ANY_STAGE_END, ANY_STAGE_REPEATS, ANY_STAGE_WAITING, ANY_STAGE_WORDS };

#endif
