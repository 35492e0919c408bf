/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder on the CPU: int8 LLRs in, decisions out. */
#ifndef INCLUDED_GR_LDPC_DECODER_CPU_BB_H
#define INCLUDED_GR_LDPC_DECODER_CPU_BB_H

#include <gnuradio/ldpc/ldpc_decoder_base.h>

namespace gr
{
namespace ldpc
{

/*!
 * \brief LDPC decoder on the CPU, int8 LLRs in.
 *
 * LLRs in steps of 1/llr_scale nat; -128 is read as -127.
 */
class GR_LDPC_API ldpc_decoder_cpu_bb : virtual public ldpc_decoder_base
{
  public:
    typedef std::shared_ptr<ldpc_decoder_cpu_bb> sptr;

    /*! \throws std::invalid_argument with one sentence when an option makes no sense */
    static sptr make(const decoder_options &options);
};

} // namespace ldpc
} // namespace gr

#endif
