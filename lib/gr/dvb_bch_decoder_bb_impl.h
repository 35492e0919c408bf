/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_DVB_BCH_DECODER_BB_IMPL_H
#define INCLUDED_GR_LDPC_DVB_BCH_DECODER_BB_IMPL_H

#include <gnuradio/ldpc/dvb_bch_decoder_bb.h>

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

class dvb_bch_decoder_bb_impl : public dvb_bch_decoder_bb
{
  public:
    dvb_bch_decoder_bb_impl(const std::string &code, bool packed, double stats_interval, bool codewords,
                            const std::vector<std::string> &codes);

    bool start() override;
    bool stop() override;
    void forecast(int noutput_items, gr_vector_int &ninput_items_required) override;
    int general_work(int noutput_items, gr_vector_int &ninput_items, gr_vector_const_void_star &input_items,
                     gr_vector_void_star &output_items) override;

    int n() const override
    {
        return ldpc_bch_n(d_bch[0].get());
    }
    int k() const override
    {
        return ldpc_bch_k(d_bch[0].get());
    }
    int t() const override
    {
        return ldpc_bch_t(d_bch[0].get());
    }
    std::string code() const override
    {
        return ldpc_bch_name(d_bch[0].get());
    }
    uint64_t frames() const override;
    uint64_t failed() const override;
    uint64_t corrected_bits() const override;

  private:
    struct counters {
        uint64_t frames = 0, failed = 0, corrected_frames = 0, corrected_bits = 0;
    };

    using bch_handle = std::unique_ptr<ldpc_bch, decltype(&ldpc_bch_destroy)>;

    static std::vector<bch_handle> make_bchs(const std::vector<std::string> &codes);
    std::vector<codeword_items> sizes(bool codewords) const;
    void record(size_t frames, size_t items);
    void publish();

    std::vector<bch_handle> d_bch; /* BCH codes of the options `code` and `codes` */
    bool d_packed;
    std::vector<codeword_items> d_sizes; /* per frame */
    code_tags d_code_tags;
    codeword_stream d_codewords;
    std::vector<int32_t> d_corrected;
    mutable std::mutex d_mutex; /* guards the fields below */
    stats_clock d_clock;
    counters d_total, d_published;
    total_failure d_failure;
};

} // namespace ldpc
} // namespace gr

#endif
