/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_ERROR_RATE_IMPL_H
#define INCLUDED_GR_LDPC_ERROR_RATE_IMPL_H

#include <gnuradio/ldpc/ldpc_error_rate.h>

#include "stats_clock.h"

#include <deque>
#include <mutex>

namespace gr
{
namespace ldpc
{

class ldpc_error_rate_impl : public ldpc_error_rate
{
  public:
    ldpc_error_rate_impl(int frame, int window, bool packed, double text_interval);

    bool start() override;
    bool stop() override;
    void forecast(int noutput_items, gr_vector_int &ninput_items_required) override;
    int general_work(int noutput_items, gr_vector_int &ninput_items, gr_vector_const_void_star &input_items,
                     gr_vector_void_star &output_items) override;

    uint64_t frames() const override;
    uint64_t frame_errors() const override;
    uint64_t bit_errors() const override;
    double ber() const override;
    double fer() const override;

  private:
    struct counters {
        uint64_t frames = 0, frame_errors = 0, bit_errors = 0;

        void add(uint64_t errors)
        {
            frames++;
            frame_errors += errors > 0;
            bit_errors += errors;
        }
        void remove(uint64_t errors)
        {
            frames--;
            frame_errors -= errors > 0;
            bit_errors -= errors;
        }
    };

    double ber_of(const counters &counts) const;
    static double fer_of(const counters &counts);
    void end_frame(int frame, gr_vector_void_star &output_items);
    std::string text() const;
    void publish();

    const int d_bits, d_items; /* per frame */
    const size_t d_window;     /* frames */
    const bool d_packed;
    int d_compared = 0;
    uint64_t d_errors = 0;         /* bit errors of the current frame */
    std::deque<uint64_t> d_recent; /* number of bit errors in each frame of the window */
    counters d_in_window;
    mutable std::mutex d_mutex; /* guards the fields below */
    stats_clock d_clock;
    counters d_total;
};

} // namespace ldpc
} // namespace gr

#endif
