/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_DVBT2_PLP_DECODER_IMPL_H
#define INCLUDED_GR_LDPC_DVBT2_PLP_DECODER_IMPL_H

#include <gnuradio/ldpc/dvbt2_plp_decoder.h>

#include "stats_clock.h"
#include "total_failure.h"
#include "stream_end.h"

#include <ldpc/dvbt2_plp.h>

#include <memory>
#include <mutex>
#include <vector>

namespace gr
{
namespace ldpc
{

class dvbt2_plp_decoder_impl : public dvbt2_plp_decoder
{
  public:
    /* `warning`: why the CPU replaces the GPU, or "". */
    dvbt2_plp_decoder_impl(const dvbt2_plp_decoder_params &params, const std::string &warning,
                           double stats_interval, const dvbt2_cell_format *format);

    bool check_topology(int ninputs, int noutputs) override;
    bool start() override;
    bool stop() override;
    void forecast(int noutput_items, gr_vector_int &ninput_items_required) override;
    int general_work(int noutput_items, gr_vector_int &ninput_items, gr_vector_const_void_star &input_items,
                     gr_vector_void_star &output_items) override;

    void set_noise(double noise) override;
    pmt::pmt_t counters() const override;

  private:
    /* Cells and noise powers of a PLP, and their decoder. */
    struct plp_input {
        std::unique_ptr<::dvbt2_plp_decoder, decltype(&dvbt2_plp_decoder_destroy)> decoder{
            nullptr, dvbt2_plp_decoder_destroy};
        bool known = false; /* `frame` describes the next cells */
        dvbt2_plp_frame frame = {};
        uint32_t first = 0;
        bool fallback = false;
    };

    /* Interleaving frames of a given format, without L1 signalling. */
    struct known_frames {
        dvbt2_plp_format format = {};
        std::vector<gr_complex> cells; /* cells of the current frame */
        std::vector<float> noise;      /* noise power of each cell of a frame */
    };

    void make_decoder(plp_input &plp);
    bool has_format() const
    {
        return d_frames.format.fec_blocks > 0;
    }
    size_t gather(const gr_complex *cells, size_t count);
    bool common_waits() const;
    size_t take(size_t pair, size_t available, const gr_complex *cells, const float *noise);
    size_t follow_tags(size_t pair, size_t taken, size_t count);
    void feed(plp_input &plp, const gr_complex *cells, const float *noise, size_t count);
    bool fall_back(plp_input &plp, ldpc_status status);
    void report(plp_input &plp, ldpc_status status);
    pmt::pmt_t stats() const;
    void publish();
    void publish_frames();
    void warn_of_failure();
    ::dvbt2_plp_decoder *decoder() const
    {
        return d_data.decoder.get();
    }

    dvbt2_plp_decoder_params d_params; /* The strings are static. */
    plp_input d_common, d_data;        /* d_data uses the decoder in d_common */
    plp_input *const d_plps[2] = {&d_data, &d_common};
    known_frames d_frames;
    stream_end d_end;
    bool d_started = false;
    bool d_finished = false;
    bool d_more = false; /* the decoder may have packets */
    int d_plp = -1;      /* PLP_ID of the last frame */
    std::vector<tag_t> d_tags;
    total_failure d_failure;
    mutable std::mutex d_mutex;
    stats_clock d_clock;
};

} // namespace ldpc
} // namespace gr

#endif
