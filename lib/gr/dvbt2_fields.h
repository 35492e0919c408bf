/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts structs of libdvbt2 to PMT dictionaries, and reads the tag dvbt2_frame. */
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

/* Returns L1-pre and the configurable part of L1-post as the dictionary {"pre": {...}, "post": {..., "plps":
 * ({...}, ...)}}. The values of "rf", "aux" and "extensions" in "post" are vectors, as is "plps". */
pmt::pmt_t l1_dict(const dvbt2_l1_pre &pre, const dvbt2_l1_post &post);

inline const pmt::pmt_t dvbt2_frame_key = pmt::mp("dvbt2_frame");

/* frame_dict() returns the value of the tag dvbt2_frame for a frame, with all fields that
 * dvbt2_plp_decoder_feed() reads. frame_of() reads a frame from such a value; it returns false if `dict` is
 * another value. */
pmt::pmt_t frame_dict(const dvbt2_plp_frame &frame);
bool frame_of(const pmt::pmt_t &dict, dvbt2_plp_frame &frame);

} // namespace ldpc
} // namespace gr

#endif
