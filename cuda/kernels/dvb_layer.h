/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants of the kernel "dvb" for host and device. */
#ifndef LDPC_CUDA_DVB_LAYER_H
#define LDPC_CUDA_DVB_LAYER_H

enum {
    LANES = 360, /* checks of a layer */
    THREADS = 384,
    LOOP_LAYERS = 3, /* layers of a loop pass */
    CODED = 8,       /* codes per word */
};

enum {
    DVB_REPEAT_BITS = 2,
    DVB_REPEATS_END = 28, /* bits below: repeats */
    DVB_PADS = 28,
    DVB_FIRST_GLOBAL = 30,
    DVB_BARRIER = 31, /* a barrier follows the layer */
};

#endif
