/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvb_bit_deinterleaver_bb_impl.h"

#include <gnuradio/io_signature.h>

namespace gr
{
namespace ldpc
{

dvb_bit_deinterleaver_bb::sptr dvb_bit_deinterleaver_bb::make(const std::string &code,
                                                              const std::string &modulation)
{
    return gnuradio::make_block_sptr<dvb_bit_deinterleaver_bb_impl>(code, modulation);
}

static demapper_options options_of(const std::string &code, const std::string &modulation)
{
    demapper_options options;
    options.code = code;
    options.modulation = modulation;
    options.deinterleave = false; /* rejects cells with padding bits */
    return options;
}

dvb_bit_deinterleaver_bb_impl::dvb_bit_deinterleaver_bb_impl(const std::string &code,
                                                             const std::string &modulation)
    : gr::sync_block("dvb_bit_deinterleaver_bb", io_signature::make(1, 1, sizeof(int8_t)),
                     io_signature::make(1, 1, sizeof(int8_t))),
      d_demapper(make_demapper(options_of(code, modulation))),
      d_n(static_cast<int>(ldpc_demapper_n(d_demapper.get())))
{
    set_output_multiple(d_n);
}

int dvb_bit_deinterleaver_bb_impl::work(int noutput_items, gr_vector_const_void_star &input_items,
                                        gr_vector_void_star &output_items)
{
    ldpc_bits_deinterleave(d_demapper.get(), static_cast<size_t>(noutput_items / d_n),
                           static_cast<const int8_t *>(input_items[0]),
                           static_cast<int8_t *>(output_items[0]));
    return noutput_items;
}

} // namespace ldpc
} // namespace gr
