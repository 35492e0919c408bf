/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_DVB_BB_DEFRAMER_BB_IMPL_H
#define INCLUDED_GR_LDPC_DVB_BB_DEFRAMER_BB_IMPL_H

#include "stats_clock.h"
#include "stream_end.h"

#include <gnuradio/ldpc/dvb_bb_deframer_bb.h>
#include <ldpc/dvb_fec.h>

#include <memory>
#include <mutex>
#include <vector>

namespace gr
{
namespace ldpc
{

class dvb_bb_deframer_bb_impl : public dvb_bb_deframer_bb
{
  public:
    dvb_bb_deframer_bb_impl(const std::string &code, bool packed, int stream, double stats_interval);

    bool start() override;
    bool stop() override;
    void forecast(int noutput_items, gr_vector_int &ninput_items_required) override;
    int general_work(int noutput_items, gr_vector_int &ninput_items, gr_vector_const_void_star &input_items,
                     gr_vector_void_star &output_items) override;

    int k() const override
    {
        return ldpc_bb_deframer_k(d_deframer.get());
    }
    std::string code() const override
    {
        return d_code;
    }
    std::map<std::string, uint64_t> counters() const override;

  private:
    void push(const uint8_t *frame, uint64_t offset);
    size_t pull(uint8_t *ts, size_t packets, uint64_t offset);
    void publish();

    std::string d_code;
    std::unique_ptr<ldpc_bb_deframer, decltype(&ldpc_bb_deframer_destroy)> d_deframer;
    bool d_packed;
    int d_in; /* items of a frame */
    stream_end d_end;
    bool d_more = false;        /* there may be packets to pull */
    std::vector<tag_t> d_tags;  /* for the next packet */
    mutable std::mutex d_mutex; /* for the deframer's counters and what follows */
    stats_clock d_clock;
    ldpc_bb_counters d_published = {};
};

} // namespace ldpc
} // namespace gr

#endif
