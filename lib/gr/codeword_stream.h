/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codewords of a block's input stream, and their tags. */
#ifndef INCLUDED_GR_LDPC_CODEWORD_STREAM_H
#define INCLUDED_GR_LDPC_CODEWORD_STREAM_H

#include "codeword_framing.h"
#include "codeword_tags.h"
#include "stream_end.h"

#include <gnuradio/block.h>

#include <algorithm>

namespace gr
{
namespace ldpc
{

/* Input and output of a block that processes whole codewords. The block must use TPP_DONT and have one input
 * and one output. */
class codeword_stream
{
  public:
    codeword_stream(gr::block &block, const gr::logger_ptr &logger, const std::vector<codeword_items> &sizes,
                    const framing_tags &tags);

    void restart();

    bool ended()
    {
        return d_end.reached(least(), static_cast<int>(d_framing.codeword()));
    }
    int needed() const
    {
        return d_end.is_last(SIZE_MAX) ? least() : static_cast<int>(d_framing.needed());
    }
    /* Contiguous codewords of one code. */
    struct run {
        size_t codewords, code;
    };
    /* Returns the codewords within the next `items` input items. If other items precede the first codeword,
     * consumes these items and returns no codewords. `in` is needed for packed bits only. */
    run available(size_t items, const void *in = nullptr);
    void consume(const run &codewords);

    /* Adds the tags of the output items with the indices before .. before + items - 1 in this call. */
    void leave(size_t before, size_t items);

    /* Input items dropped since the restart, including an incomplete codeword at the end. */
    uint64_t dropped() const
    {
        return d_framing.dropped() + static_cast<uint64_t>(d_end.left());
    }

  private:
    int least() const
    {
        return static_cast<int>(std::min(d_framing.needed(), d_framing.codeword()));
    }
    std::vector<tag_t> tags(size_t items) const;

    gr::block &d_block;
    std::vector<codeword_items> d_sizes;
    stream_end d_end;
    codeword_framing d_framing;
    codeword_tags d_tags;
};

} // namespace ldpc
} // namespace gr

#endif
