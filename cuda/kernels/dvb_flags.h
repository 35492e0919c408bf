/* SPDX-License-Identifier: BSD-3-Clause */
/* The flags of a layer of the kernel "dvb": written by dvb.c, read by dvb.cuh. From bit 0 on there are two
 * bits for each edge that may repeat a column of its layer: the occurrence of the column in the layer, 0 for
 * the first. */
#ifndef LDPC_CUDA_DVB_FLAGS_H
#define LDPC_CUDA_DVB_FLAGS_H

enum {
    DVB_REPEAT_BITS = 2,
    DVB_REPEATS_END = 28,  /* bits below: repeats */
    DVB_PADS = 28,         /* two bits: how many of the first edges are padding */
    DVB_FIRST_GLOBAL = 30, /* the column group of the first edge is in global memory */
    DVB_BARRIER = 31,      /* a barrier follows the layer */
};

#endif
