/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common functions of the bindings of libdvbt2. */
#ifndef LIBDVBT2_BINDINGS_H
#define LIBDVBT2_BINDINGS_H

#include "../receiver_bindings.h"

#include "ldpc/dvbt2.h"
#include "ldpc/dvbt2_plp.h"

/* Return the items of a contiguous buffer with one dimension. */
py::buffer_info floats_of(const py::buffer &buffer, const char *what);
py::buffer_info complex_of(const py::buffer &buffer, const char *what);

/* Return all fields of a struct by name (ldpc/dvbt2_fields.h). */
py::dict l1_pre_dict(const dvbt2_l1_pre &pre);
py::dict l1_post_dict(const dvbt2_l1_post &post);
py::dict plp_dict(const dvbt2_l1_plp &plp);
py::dict status_dict(const dvbt2_status &status);
py::dict signalling_dict(const dvbt2_plp_signalling &signalling);
py::dict counters_dict(const dvbt2_plp_counters &counters);

void bind_receiver(py::module_ &module);
void bind_plp_decoder(py::module_ &module);

#endif
