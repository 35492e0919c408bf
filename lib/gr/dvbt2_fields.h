/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structs of libdvbt2 as PMT dictionaries. */
#ifndef INCLUDED_GR_LDPC_DVBT2_FIELDS_H
#define INCLUDED_GR_LDPC_DVBT2_FIELDS_H

#include <ldpc/dvbt2_fields.h>

#include <pmt/pmt.h>

namespace gr
{
namespace ldpc
{

pmt::pmt_t status_dict(const dvbt2_status &status);
pmt::pmt_t counters_dict(const dvbt2_plp_counters &counters);
pmt::pmt_t signalling_dict(const dvbt2_plp_signalling &signalling);

/* Returns {"pre": {...}, "post": {...}}. The fields "plps", "rf", "aux" and "extensions" of "post" are
 * vectors. */
pmt::pmt_t l1_dict(const dvbt2_l1_pre &pre, const dvbt2_l1_post &post);

inline const pmt::pmt_t dvbt2_frame_key = pmt::mp("dvbt2_frame");

/* frame_of() returns false if `dict` is not a frame description. */
pmt::pmt_t frame_dict(const dvbt2_plp_frame &frame);
bool frame_of(const pmt::pmt_t &dict, dvbt2_plp_frame &frame);

} // namespace ldpc
} // namespace gr

#endif
