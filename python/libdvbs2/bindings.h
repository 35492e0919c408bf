/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the extension module libdvbs2._libdvbs2. */
#ifndef LDPC_DVBS2_BINDINGS_H
#define LDPC_DVBS2_BINDINGS_H

#include "../receiver_bindings.h"

#include "ldpc/dvbs2.h"

/* Names of the formats of an input stream, by TS/GS of the baseband header. */
extern const char *const kinds[];

py::dict dict_of(const dvbs2_status &status);

void bind_band(py::module_ &module);

#endif
