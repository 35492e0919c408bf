/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_DVBT2_DEMODULATOR_IMPL_H
#define INCLUDED_GR_LDPC_DVBT2_DEMODULATOR_IMPL_H

#include <gnuradio/ldpc/dvbt2_demodulator.h>

#include "radio_tags.h"
#include "stats_clock.h"

#include <ldpc/dvbt2.h>

#include <array>
#include <memory>
#include <mutex>

namespace gr
{
namespace ldpc
{

class dvbt2_demodulator_impl : public dvbt2_demodulator
{
  public:
    dvbt2_demodulator_impl(const dvbt2_receiver_params &params, size_t sample_bytes, double status_interval);

    bool start() override;
    bool stop() override;
    void forecast(int noutput_items, gr_vector_int &ninput_items_required) override;
    int general_work(int noutput_items, gr_vector_int &ninput_items, gr_vector_const_void_star &input_items,
                     gr_vector_void_star &output_items) override;

    void set_plps(const std::vector<int> &plps) override;
    void set_channel(double bandwidth, double sample_rate) override;
    bool locked() const override;
    pmt::pmt_t status() const override;
    pmt::pmt_t l1() const override;
    std::vector<float> impulse_response() const override;

  private:
    void make_receiver();
    void change(const dvbt2_receiver_params &changed);
    size_t follow_tags(size_t count);
    void apply(const radio_tags::change &change);
    double slowness() const;
    void warn_of_silence(size_t samples);
    bool pull(uint32_t output, size_t room, gr_vector_void_star &output_items);
    void log_losses();
    void publish_l1();
    void publish_status();
    void publish_pictures(const gr_complex *cells, size_t count);

    dvbt2_receiver_params d_params;
    const size_t d_sample_bytes;
    std::unique_ptr<dvbt2_receiver, decltype(&dvbt2_receiver_destroy)> d_receiver;
    std::vector<size_t> d_produced; /* number of cells that this call has output for each PLP */
    bool d_frame_began = false;     /* a T2 frame has started in this call */
    bool d_more = false;
    bool d_pictures_due = false; /* publish the next cells */
    double d_sample_rate;        /* sample rate set by the user, Hz */
    radio_tags d_radio;
    uint64_t d_untagged = 0; /* first item with unread tags */
    bool d_may_warn = true;  /* no frame was found yet, and no warning was logged */
    double d_silence = 0;    /* duration of the samples before the first frame, seconds */
    double d_look_at = 1;    /* value of d_silence, in seconds, at which the status is examined next */
    std::array<uint64_t, DVBT2_LOSSES> d_losses{}; /* number of logged losses of lock, by cause */
    mutable std::mutex d_mutex;                    /* guards the receiver and the fields below */
    stats_clock d_clock;
    pmt::pmt_t d_l1 = pmt::PMT_NIL;
};

} // namespace ldpc
} // namespace gr

#endif
