/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_DVB_BIT_DEINTERLEAVER_BB_IMPL_H
#define INCLUDED_GR_LDPC_DVB_BIT_DEINTERLEAVER_BB_IMPL_H

#include <gnuradio/ldpc/dvb_bit_deinterleaver_bb.h>

#include "dvb_demapper_cb_impl.h"

namespace gr
{
namespace ldpc
{

class dvb_bit_deinterleaver_bb_impl : public dvb_bit_deinterleaver_bb
{
  public:
    dvb_bit_deinterleaver_bb_impl(const std::string &code, const std::string &modulation);

    int work(int noutput_items, gr_vector_const_void_star &input_items,
             gr_vector_void_star &output_items) override;

    int n() const override
    {
        return d_n;
    }

  private:
    demapper_handle d_demapper; /* owns the interleaver table */
    int d_n;
};

} // namespace ldpc
} // namespace gr

#endif
