/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants of the kernel "dvb" for host and device. */
#ifndef LDPC_CUDA_DVB_LAYER_H
#define LDPC_CUDA_DVB_LAYER_H

enum {
    LANES = 360,     /* checks of a layer */
    THREADS = 384,   /* threads per thread block: one per check, in whole warps */
    LOOP_LAYERS = 3, /* layers of a loop pass */
    CODED = 8,       /* codes per word */
};

/* Flags of a layer. Bits 2e and 2e + 1 are the occurrence of edge e, if the layer repeats columns. */
enum {
    DVB_REPEAT_BITS = 2,
    DVB_REPEATS_END = 28,  /* bits below: repeats */
    DVB_PADS = 28,         /* two bits: number of padding edges */
    DVB_FIRST_GLOBAL = 30, /* column group of the first edge is in global memory */
    DVB_BARRIER = 31,      /* a barrier follows the layer */
};

#endif
