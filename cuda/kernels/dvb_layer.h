/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants of the kernel "dvb" on the host (dvb.c) and on the device (dvb.cuh). */
#ifndef LDPC_CUDA_DVB_LAYER_H
#define LDPC_CUDA_DVB_LAYER_H

enum {
    LANES = 360,     /* checks of a layer */
    THREADS = 384,   /* threads of a block: one for each check, in whole warps */
    LOOP_LAYERS = 3, /* layers that the loop processes in one pass */
    CODED = 8,       /* messages whose codes are in one word of compressed messages */
};

/* The flags of a layer. From bit 0 on there are two bits for each edge that may repeat a column of its layer:
 * the occurrence of the column in the layer, 0 for the first. */
enum {
    DVB_REPEAT_BITS = 2,
    DVB_REPEATS_END = 28,  /* bits below: repeats */
    DVB_PADS = 28,         /* two bits: how many of the first edges are padding */
    DVB_FIRST_GLOBAL = 30, /* the column group of the first edge is in global memory */
    DVB_BARRIER = 31,      /* a barrier follows the layer */
};

#endif
