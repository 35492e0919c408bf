/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codewords of a block's input stream, and propagation of their tags to its output stream. */
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

/* For blocks with one input and one output that process whole codewords in order, with the tag propagation
 * policy TPP_DONT. */
class codeword_stream
{
  public:
    /* `sizes`: one element per code. */
    codeword_stream(gr::block &block, const gr::logger_ptr &logger, const std::vector<codeword_items> &sizes,
                    const framing_tags &tags);

    void restart();

    /* Whether the upstream block is done and less than a codeword remains. */
    bool ended()
    {
        return d_end.reached(least(), static_cast<int>(d_framing.codeword()));
    }
    /* Number of items that forecast() must request. */
    int needed() const
    {
        return d_end.is_last(SIZE_MAX) ? least() : static_cast<int>(d_framing.needed());
    }
    /* A run of contiguous codewords of one code. */
    struct run {
        size_t codewords, code;
    };
    /* Returns the first run among the next `items` items of the input; `in`: the items (needed only if they
     * are packed bits). If items before the run belong to no codeword, consumes them and returns no run,
     * because general_work()'s pointer is no longer valid. */
    run available(size_t items, const void *in = nullptr);
    /* Accepts codewords and their tags; consumes the items. */
    void consume(const run &codewords);

    /* Adds the tags of the next `items` output items, before which this call of general_work() has produced
     * `before` items. */
    void leave(size_t before, size_t items);

    /* Number of input items dropped since the restart, because they were outside codewords or in an
     * incomplete codeword at the end. */
    uint64_t dropped() const
    {
        return d_framing.dropped() + static_cast<uint64_t>(d_end.left());
    }

  private:
    /* The value of needed() when the upstream block is done: an incomplete packet is then output as it is. */
    int least() const
    {
        return static_cast<int>(std::min(d_framing.needed(), d_framing.codeword()));
    }
    std::vector<tag_t> tags(size_t items) const; /* tags of the next input items */

    gr::block &d_block;
    std::vector<codeword_items> d_sizes;
    stream_end d_end;
    codeword_framing d_framing;
    codeword_tags d_tags;
};

} // namespace ldpc
} // namespace gr

#endif
