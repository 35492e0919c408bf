/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder on the CPU with int8 LLRs. */
#ifndef INCLUDED_GR_LDPC_DECODER_CPU_BB_H
#define INCLUDED_GR_LDPC_DECODER_CPU_BB_H

#include <gnuradio/ldpc/ldpc_decoder_base.h>

namespace gr
{
namespace ldpc
{

/*!
 * \brief LDPC decoder on the CPU with int8 LLRs.
 *
 * An LLR step is 1/llr_scale nats. -128 is treated as -127.
 */
class GR_LDPC_API ldpc_decoder_cpu_bb : virtual public ldpc_decoder_base
{
  public:
    typedef std::shared_ptr<ldpc_decoder_cpu_bb> sptr;

    /*! \throws std::invalid_argument if an option is invalid */
    static sptr make(const decoder_options &options);
};

} // namespace ldpc
} // namespace gr

#endif
