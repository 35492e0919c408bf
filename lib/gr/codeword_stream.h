/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The codewords of a block's input stream, and their tags on the way to its output stream. */
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

/* For blocks with one input and one output where codewords enter and leave whole and in order, with the tag
 * propagation policy TPP_DONT. */
class codeword_stream
{
  public:
    /* `sizes`: one for each code. */
    codeword_stream(gr::block &block, const gr::logger_ptr &logger, const std::vector<codeword_items> &sizes,
                    const framing_tags &tags);

    void restart();

    /* The upstream block is done and less than a codeword is left. */
    bool ended()
    {
        return d_end.reached(least(), static_cast<int>(d_framing.codeword()));
    }
    /* Items that forecast() has to ask for. */
    int needed() const
    {
        return d_end.is_last(SIZE_MAX) ? least() : static_cast<int>(d_framing.needed());
    }
    /* Codewords of one code that follow each other. */
    struct run {
        size_t codewords, code;
    };
    /* The first run among the `items` next items of the input; `in`: where they are, if they are packed bits.
     * Items in front of it that belong to none are consumed; then the answer is none, because general_work()'s pointer
     * does not hold any longer. */
    run available(size_t items, const void *in = nullptr);
    /* Codewords, and their tags, enter; consumes the items. */
    void consume(const run &codewords);

    /* The output's next `items` leave, their tags with them; `before` have left already in this call of
     * general_work(). */
    void leave(size_t before, size_t items);

    /* Input items dropped since the restart: they belonged to no codeword, or the stream ended inside of it. */
    uint64_t dropped() const
    {
        return d_framing.dropped() + static_cast<uint64_t>(d_end.left());
    }

  private:
    /* As needed(), when the upstream block is done: a packet that is not complete leaves as it is. */
    int least() const
    {
        return static_cast<int>(std::min(d_framing.needed(), d_framing.codeword()));
    }
    std::vector<tag_t> tags(size_t items) const; /* of the next items of the input */

    gr::block &d_block;
    std::vector<codeword_items> d_sizes;
    stream_end d_end;
    codeword_framing d_framing;
    codeword_tags d_tags;
};

} // namespace ldpc
} // namespace gr

#endif
