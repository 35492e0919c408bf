/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Versioned structs of the receiver, which the receiver of a band uses too. */
#ifndef DVBS2_LAYOUTS_H
#define DVBS2_LAYOUTS_H

#include "base/versioned.h"

extern const ldpc_layout dvbs2_receiver_params_layout, dvbs2_status_layout;

#endif
