/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_DVB_BB_DEFRAMER_BB_IMPL_H
#define INCLUDED_GR_LDPC_DVB_BB_DEFRAMER_BB_IMPL_H

#include <gnuradio/ldpc/dvb_bb_deframer_bb.h>

#include "codeword_stream.h"
#include "stats_clock.h"
#include "total_failure.h"

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
    dvb_bb_deframer_bb_impl(const std::string &code, bool packed, int stream, double stats_interval,
                            const std::vector<std::string> &codes);

    bool start() override;
    bool stop() override;
    void forecast(int noutput_items, gr_vector_int &ninput_items_required) override;
    int general_work(int noutput_items, gr_vector_int &ninput_items, gr_vector_const_void_star &input_items,
                     gr_vector_void_star &output_items) override;

    int k() const override
    {
        return static_cast<int>(d_k);
    }
    std::string code() const override
    {
        return d_names[0];
    }
    std::map<std::string, uint64_t> counters() const override;

  private:
    std::vector<codeword_items> sizes();
    void set_code(size_t code);
    void push(const uint8_t *frame, size_t items, uint64_t offset);
    void publish_generic(const ldpc_bb_header &header);
    void warn_of_failure();
    size_t pull(uint8_t *ts, size_t packets, uint64_t offset);
    void publish();

    std::vector<std::string> d_names; /* of `code`, then of `codes` */
    std::unique_ptr<ldpc_bb_deframer, decltype(&ldpc_bb_deframer_destroy)> d_deframer;
    bool d_packed;
    int d_stream;                        /* ISI, or LDPC_BB_ANY_STREAM */
    size_t d_k;                          /* frame length of the first code in bits */
    size_t d_code = 0;                   /* current code of the deframer */
    std::vector<codeword_items> d_sizes; /* items per frame; approximate bytes per frame */
    code_tags d_code_tags;
    codeword_stream d_frames;
    bool d_more = false;        /* the deframer may have packets */
    std::vector<tag_t> d_tags;  /* tags of the next packet */
    mutable std::mutex d_mutex; /* guards the deframer's counters and the fields below */
    stats_clock d_clock;
    ldpc_bb_counters d_published = {};
    total_failure d_failure;
};

} // namespace ldpc
} // namespace gr

#endif
