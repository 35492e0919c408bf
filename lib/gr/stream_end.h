/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detects the end of the input stream of a block. */
#ifndef INCLUDED_GR_LDPC_STREAM_END_H
#define INCLUDED_GR_LDPC_STREAM_END_H

#include <gnuradio/block.h>

#include <cstddef>
#include <cstdint>

namespace gr
{
namespace ldpc
{

/* For blocks with one input, which is a stream of whole codewords. The scheduler does not tell a block that a
 * stream has ended. It only stops calling the block if forecast() requests more items than remain. Therefore
 * forecast() must detect the end itself. */
class stream_end
{
  public:
    /* `logger` is the block's logger, and `codeword` is the number of items in a codeword. */
    stream_end(const gr::block &block, const gr::logger_ptr &logger, int codeword = 1)
        : d_block(block), d_logger(logger), d_codeword(codeword)
    {
    }

    void restart()
    {
        d_left = 0;
    }
    /* Returns the number of remaining items when the stream has ended. */
    int left() const
    {
        return d_left;
    }

    /* Returns whether the stream ends after the next `items` items. */
    bool is_last(size_t items) const;

    /* Returns whether the upstream block is done and fewer items than a codeword are left. Logs the number of
     * remaining items, once. */
    bool reached()
    {
        return reached(d_codeword, d_codeword);
    }
    /* As reached() above, but for codewords of several lengths: returns whether fewer than `needed` items
     * remain. `codeword` is the number of items in the next codeword. */
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
