/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_DVB_DEMAPPER_CB_IMPL_H
#define INCLUDED_GR_LDPC_DVB_DEMAPPER_CB_IMPL_H

#include <gnuradio/ldpc/dvb_demapper_cb.h>

#include "codeword_stream.h"
#include "stats_clock.h"

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
        return static_cast<int>(d_formats[0].size.out);
    }
    int cells() const override
    {
        return static_cast<int>(d_formats[0].size.in);
    }

  private:
    struct counters {
        uint64_t frames = 0;
        double noise = 0; /* sum over all frames */
    };

    struct format {
        demapper_handle demapper;
        codeword_items size; /* cells and LLRs per codeword */
        std::string modulation, code;
        pmt::pmt_t code_tag;                 /* ldpc_code */
        pmt::pmt_t xfecframe = pmt::PMT_NIL; /* selects this format */
    };

    static std::vector<format> make_formats(const demapper_options &options);
    std::vector<codeword_items> sizes() const;
    code_tags xfecframe_tags() const;
    void message(const pmt::pmt_t &message);
    void follow_tags(uint64_t first_cell, size_t cells);
    void demap(const format &now, const float *iq, const float *noise, int8_t *llr);
    double mean_noise() const;
    void publish();

    demapper_options d_options;
    std::vector<format> d_formats; /* formats that the options `code`, `modulation` and `modcods` select */
    code_tags d_code_tags;
    codeword_stream d_codewords;
    size_t d_format = 0; /* format of the last FEC block */
    pmt::pmt_t d_tag;
    std::vector<tag_t> d_tags;
    mutable std::mutex d_mutex; /* guards the fields below */
    double d_noise;             /* noise power per cell; 0: the block estimates it from the cells */
    stats_clock d_clock;
    counters d_total, d_published;
    double d_last_noise = 0; /* mean noise power of the last interval */
};

} // namespace ldpc
} // namespace gr

#endif
