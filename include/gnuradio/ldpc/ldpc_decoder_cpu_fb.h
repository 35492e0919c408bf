/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder on the CPU: float LLRs in, decisions out. */
#ifndef INCLUDED_GR_LDPC_DECODER_CPU_FB_H
#define INCLUDED_GR_LDPC_DECODER_CPU_FB_H

#include <gnuradio/ldpc/ldpc_decoder_base.h>

namespace gr
{
namespace ldpc
{

/*!
 * \brief LDPC decoder on the CPU, float LLRs in.
 *
 * LLRs in nat. They are quantised to int8 in steps of 1/llr_scale nat, except for arithmetic = "float", which
 * takes them as they are.
 */
class GR_LDPC_API ldpc_decoder_cpu_fb : virtual public ldpc_decoder_base
{
  public:
    typedef std::shared_ptr<ldpc_decoder_cpu_fb> sptr;

    /*! \throws std::invalid_argument with one sentence when an option makes no sense */
    static sptr make(const decoder_options &options);
};

} // namespace ldpc
} // namespace gr

#endif
