/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detects the end of a block's input stream. */
#ifndef INCLUDED_GR_LDPC_STREAM_END_H
#define INCLUDED_GR_LDPC_STREAM_END_H

#include <gnuradio/block.h>

#include <cstddef>
#include <cstdint>

namespace gr
{
namespace ldpc
{

/* Used by blocks with one input that consists of whole codewords. The scheduler does not notify a block of
 * the end of a stream: it stops calling the block when forecast() requests more than the remaining items.
 * Therefore forecast() checks for the end itself. */
class stream_end
{
  public:
    /* `logger`: the block's logger; `codeword`: items per codeword. */
    stream_end(const gr::block &block, const gr::logger_ptr &logger, int codeword = 1)
        : d_block(block), d_logger(logger), d_codeword(codeword)
    {
    }

    void restart()
    {
        d_left = 0;
    }
    /* Number of remaining items at the end of the stream. */
    int left() const
    {
        return d_left;
    }

    /* Whether the upstream block is done and the input ends after the next `items` items. */
    bool is_last(size_t items) const;

    /* Whether the upstream block is done and less than a codeword remains. Logs the remaining items the
     * first time. */
    bool reached()
    {
        return reached(d_codeword, d_codeword);
    }
    /* Like reached() above, for codewords of several lengths: returns whether fewer than `needed` items
     * remain. The next codeword has `codeword` items. */
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
