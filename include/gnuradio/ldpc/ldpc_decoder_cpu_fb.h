/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder on the CPU with float LLRs. */
#ifndef INCLUDED_GR_LDPC_DECODER_CPU_FB_H
#define INCLUDED_GR_LDPC_DECODER_CPU_FB_H

#include <gnuradio/ldpc/ldpc_decoder_base.h>

namespace gr
{
namespace ldpc
{

/*!
 * \brief LDPC decoder on the CPU with float LLRs.
 *
 * LLRs are in nats. Unless arithmetic = "float", they are quantised to int8 with steps of 1/llr_scale nats.
 */
class GR_LDPC_API ldpc_decoder_cpu_fb : virtual public ldpc_decoder_base
{
  public:
    typedef std::shared_ptr<ldpc_decoder_cpu_fb> sptr;

    /*! \throws std::invalid_argument if an option is invalid */
    static sptr make(const decoder_options &options);
};

} // namespace ldpc
} // namespace gr

#endif
