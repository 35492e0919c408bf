/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The structs of libdvbt2 as PMT dictionaries, and the tag that carries a PLP's frame from block to block. */
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

/* L1-pre and the configurable part of L1-post: {"pre": {...}, "post": {..., "plps": ({...}, ...)}}; "rf", "aux" and
 * "extensions" of "post" are vectors likewise */
pmt::pmt_t l1_dict(const dvbt2_l1_pre &pre, const dvbt2_l1_post &post);

inline const pmt::pmt_t dvbt2_frame_key = pmt::mp("dvbt2_frame");

/* The tag dvbt2_frame: all that dvbt2_plp_decoder_feed() looks at, and back. False: it is something else. */
pmt::pmt_t frame_dict(const dvbt2_plp_frame &frame);
bool frame_of(const pmt::pmt_t &dict, dvbt2_plp_frame &frame);

} // namespace ldpc
} // namespace gr

#endif
