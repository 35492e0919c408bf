/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_DVBT2_PLP_DECODER_IMPL_H
#define INCLUDED_GR_LDPC_DVBT2_PLP_DECODER_IMPL_H

#include "stats_clock.h"
#include "stream_end.h"

#include <gnuradio/ldpc/dvbt2_plp_decoder.h>
#include <ldpc/dvbt2_plp.h>

#include <memory>
#include <mutex>

namespace gr
{
namespace ldpc
{

class dvbt2_plp_decoder_impl : public dvbt2_plp_decoder
{
  public:
    /* `fallback`: the CPU goes on when another backend fails */
    dvbt2_plp_decoder_impl(const dvbt2_plp_decoder_params &params, bool fallback, double stats_interval);

    bool start() override;
    bool stop() override;
    void forecast(int noutput_items, gr_vector_int &ninput_items_required) override;
    int general_work(int noutput_items, gr_vector_int &ninput_items, gr_vector_const_void_star &input_items,
                     gr_vector_void_star &output_items) override;

    pmt::pmt_t counters() const override;

  private:
    void make_decoder();
    size_t follow_tags(size_t taken, size_t count);
    void feed(const gr_complex *cells, const float *noise, size_t count);
    void report(ldpc_status status);
    pmt::pmt_t stats() const;
    void publish();
    void publish_frames();

    const dvbt2_plp_decoder_params d_params; /* its strings are literals */
    const bool d_fallback;
    bool d_may_fall_back = false; /* it has not done so yet */
    std::unique_ptr<::dvbt2_plp_decoder, decltype(&dvbt2_plp_decoder_destroy)> d_decoder;
    stream_end d_end;
    bool d_finished = false; /* all cells of the stream have been decoded */
    bool d_more = false;     /* there may be packets that did not fit into the output */
    bool d_known = false;    /* d_frame is the one that the next cells belong to */
    dvbt2_plp_frame d_frame = {};
    uint32_t d_first = 0; /* number of the next cell within it */
    int d_plp = -1;       /* PLP_ID of the last frame */
    std::vector<tag_t> d_tags;
    mutable std::mutex d_mutex;
    stats_clock d_clock;
};

} // namespace ldpc
} // namespace gr

#endif
