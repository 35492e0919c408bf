/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notices that a block's input stream has ended. */
#ifndef INCLUDED_GR_LDPC_STREAM_END_H
#define INCLUDED_GR_LDPC_STREAM_END_H

#include <gnuradio/block.h>

#include <cstddef>
#include <cstdint>

namespace gr
{
namespace ldpc
{

/* For blocks with one input whose items come in codewords. The scheduler tells a block nothing about the end
 * of a stream: it stops calling it once forecast() asks for more than is left. So forecast() has to look for
 * itself. */
class stream_end
{
  public:
    /* The logger is the block's own; `codeword` is the number of items of a codeword. */
    stream_end(const gr::block &block, const gr::logger_ptr &logger, int codeword = 1)
        : d_block(block), d_logger(logger), d_codeword(codeword)
    {
    }

    void restart()
    {
        d_left = 0;
    }
    /* Items that were left over when the end was noticed. */
    int left() const
    {
        return d_left;
    }

    /* The upstream block is done, and no item follows the next `items` of the input. */
    bool is_last(size_t items) const;

    /* True when the upstream block is done and less than a codeword is left. Logs the left-over items the
     * first time. */
    bool reached()
    {
        return reached(d_codeword, d_codeword);
    }
    /* The same for a stream of codewords of several lengths: less than `needed` items are left, and the
     * next codeword has `codeword` items. */
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
