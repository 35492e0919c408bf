/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_DVBT2_CELL_DEINTERLEAVER_CC_IMPL_H
#define INCLUDED_GR_LDPC_DVBT2_CELL_DEINTERLEAVER_CC_IMPL_H

#include <gnuradio/ldpc/dvbt2_cell_deinterleaver_cc.h>

#include "stream_end.h"

#include <ldpc/dvb_cells.h>

#include <atomic>
#include <memory>
#include <vector>

namespace gr
{
namespace ldpc
{

/* A TI block is gathered, then leaves FEC block by FEC block; then the next one is gathered. */
class dvbt2_cell_deinterleaver_cc_impl : public dvbt2_cell_deinterleaver_cc
{
  public:
    dvbt2_cell_deinterleaver_cc_impl(const std::string &code, const std::string &modulation, int fec_blocks,
                                     int ti_blocks, bool noise_input, const std::string &frame_tag);

    bool start() override;
    void forecast(int noutput_items, gr_vector_int &ninput_items_required) override;
    int general_work(int noutput_items, gr_vector_int &ninput_items, gr_vector_const_void_star &input_items,
                     gr_vector_void_star &output_items) override;

    int cells() const override
    {
        return static_cast<int>(d_cells);
    }
    int fec_blocks() const override
    {
        return static_cast<int>(d_fec_blocks);
    }

  private:
    void begin_frame(uint32_t fec_blocks);
    void begin_ti_block(uint32_t number);
    bool gathered() const
    {
        return d_filled == d_size * d_cells;
    }
    size_t follow_tags(uint64_t offset, size_t count);
    size_t gather(size_t available, const gr_vector_const_void_star &input_items, size_t skip);
    size_t hand_out(size_t room, const gr_vector_void_star &output_items, size_t skip);

    std::unique_ptr<ldpc_cell_deinterleaver, decltype(&ldpc_cell_deinterleaver_destroy)> d_deinterleaver;
    size_t d_ports;                        /* 2: noise too */
    size_t d_cells;                        /* of a FEC block */
    int d_first_fec_blocks;                /* as the caller said */
    std::atomic<uint32_t> d_fec_blocks{0}; /* of this frame */
    pmt::pmt_t d_tag;                      /* nil: none */
    stream_end d_end;
    bool d_logged = false; /* that the stream has ended too early */
    std::vector<tag_t> d_tags;
    uint64_t d_followed = -1;          /* offset of the last tag that was followed */
    std::vector<float> d_store[2];     /* a TI block of each port */
    uint32_t d_number = 0, d_size = 0; /* of the TI block in its frame; its FEC blocks */
    size_t d_filled = 0;               /* its cells gathered so far */
    uint32_t d_handed_out = 0;         /* its FEC blocks handed out */
    bool d_frame_start = true;         /* the next FEC block to leave is a frame's first */
};

} // namespace ldpc
} // namespace gr

#endif
