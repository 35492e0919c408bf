/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants of the kernel "dvb" that the host (dvb.c) and the device (dvb.cuh) use. */
#ifndef LDPC_CUDA_DVB_LAYER_H
#define LDPC_CUDA_DVB_LAYER_H

enum {
    LANES = 360,     /* checks of a layer */
    THREADS = 384,   /* number of threads of a thread block: one per check, rounded up to whole warps */
    LOOP_LAYERS = 3, /* number of layers that the loop processes in one pass */
    CODED = 8,       /* number of messages whose codes are in one word of compressed messages */
};

/* The flags of a layer. From bit 0 on, there are two bits for each edge that may repeat a column of its
 * layer. They contain the occurrence of the column in the layer, starting with 0. */
enum {
    DVB_REPEAT_BITS = 2,
    DVB_REPEATS_END = 28,  /* bits below: repeats */
    DVB_PADS = 28,         /* two bits: number of padding edges at the start of the layer */
    DVB_FIRST_GLOBAL = 30, /* the column group of the first edge is in global memory */
    DVB_BARRIER = 31,      /* a barrier follows the layer */
};

#endif
