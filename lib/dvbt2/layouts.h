/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes of the versioned result structs in version 1.0 (base/versioned.h). */
#ifndef DVBT2_LAYOUTS_H
#define DVBT2_LAYOUTS_H

#include "base/versioned.h"

extern const ldpc_layout dvbt2_status_layout, dvbt2_counters_layout;

#endif
