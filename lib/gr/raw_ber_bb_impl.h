/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_RAW_BER_BB_IMPL_H
#define INCLUDED_GR_LDPC_RAW_BER_BB_IMPL_H

#include <gnuradio/ldpc/raw_ber_bb.h>

#include "stats_clock.h"

#include <mutex>

namespace gr
{
namespace ldpc
{

class raw_ber_bb_impl : public raw_ber_bb
{
  public:
    raw_ber_bb_impl(int n, double stats_interval);

    bool start() override;
    bool stop() override;
    void forecast(int noutput_items, gr_vector_int &ninput_items_required) override;
    int general_work(int noutput_items, gr_vector_int &ninput_items, gr_vector_const_void_star &input_items,
                     gr_vector_void_star &output_items) override;

    uint64_t frames() const override;
    uint64_t errors() const override;
    double ber() const override;

  private:
    struct counters {
        uint64_t frames = 0, errors = 0;
    };

    int next_bits(int llrs, int bytes) const;
    void compare(const int8_t *llr, const uint8_t *packed, int bits);
    void publish();

    int d_n; /* LLRs per codeword */
    int d_bits = 0;
    uint64_t d_errors = 0;      /* errors of the current codeword */
    mutable std::mutex d_mutex; /* guards the fields below */
    stats_clock d_clock;
    counters d_total, d_published;
};

} // namespace ldpc
} // namespace gr

#endif
