/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_DVB_DEMAPPER_CB_IMPL_H
#define INCLUDED_GR_LDPC_DVB_DEMAPPER_CB_IMPL_H

#include "stats_clock.h"
#include "stream_end.h"

#include <gnuradio/ldpc/dvb_demapper_cb.h>
#include <ldpc/dvb_cells.h>

#include <memory>
#include <mutex>
#include <vector>

namespace gr
{
namespace ldpc
{

using demapper_handle = std::unique_ptr<ldpc_demapper, decltype(&ldpc_demapper_destroy)>;

demapper_handle make_demapper(const demapper_options &options);

class dvb_demapper_cb_impl : public dvb_demapper_cb
{
  public:
    explicit dvb_demapper_cb_impl(const demapper_options &options);

    bool start() override;
    bool stop() override;
    void forecast(int noutput_items, gr_vector_int &ninput_items_required) override;
    int general_work(int noutput_items, gr_vector_int &ninput_items, gr_vector_const_void_star &input_items,
                     gr_vector_void_star &output_items) override;

    void set_noise(double noise) override;
    double noise() const override;
    double mer_db() const override;
    uint64_t frames() const override;
    int n() const override
    {
        return d_n;
    }
    int cells() const override
    {
        return d_cells;
    }

  private:
    struct counters {
        uint64_t frames = 0;
        double noise = 0; /* sum over frames */
    };

    void message(const pmt::pmt_t &message);
    void follow_tags(uint64_t first_cell);
    void demap_word(const float *iq, const float *noise, int8_t *llr);
    double mean_noise() const;
    void publish();

    demapper_options d_options;
    demapper_handle d_demapper;
    int d_n, d_cells;
    stream_end d_end;
    pmt::pmt_t d_tag;
    std::vector<tag_t> d_tags;
    mutable std::mutex d_mutex; /* for what follows */
    double d_noise;             /* 0: measured */
    stats_clock d_clock;
    counters d_total, d_published;
    double d_last_noise = 0; /* of the last interval */
};

} // namespace ldpc
} // namespace gr

#endif
