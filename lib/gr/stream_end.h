/* SPDX-License-Identifier: GPL-3.0-or-later */
/* End of a block's input stream. */
#ifndef INCLUDED_GR_LDPC_STREAM_END_H
#define INCLUDED_GR_LDPC_STREAM_END_H

#include <gnuradio/block.h>

#include <cstddef>
#include <cstdint>

namespace gr
{
namespace ldpc
{

/* For blocks with one input of whole codewords. If too few items remain for a codeword, forecast() must
 * request more items than remain. Otherwise the scheduler never stops the block. */
class stream_end
{
  public:
    /* codeword: items per codeword */
    stream_end(const gr::block &block, const gr::logger_ptr &logger, int codeword = 1)
        : d_block(block), d_logger(logger), d_codeword(codeword)
    {
    }

    void restart()
    {
        d_left = 0;
    }
    /* Returns the number of dropped items at the end of the stream. */
    int left() const
    {
        return d_left;
    }

    bool is_last(size_t items) const;

    /* Logs once how many items are dropped. */
    bool reached()
    {
        return reached(d_codeword, d_codeword);
    }
    /* codeword: number of items in the next codeword. */
    bool reached(int needed, int codeword);

  private:
    const gr::block &d_block;
    const gr::logger_ptr &d_logger;
    int d_codeword;
    int d_left = 0;
};

} // namespace ldpc
} // namespace gr

#endif
