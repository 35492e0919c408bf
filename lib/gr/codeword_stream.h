/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The codewords of a block's input stream, and their tags on the way to its output stream. */
#ifndef INCLUDED_GR_LDPC_CODEWORD_STREAM_H
#define INCLUDED_GR_LDPC_CODEWORD_STREAM_H

#include "codeword_framing.h"
#include "codeword_tags.h"
#include "stream_end.h"

#include <gnuradio/block.h>

namespace gr
{
namespace ldpc
{

/* For blocks with one input and one output where codewords enter and leave whole and in order, with the tag
 * propagation policy TPP_DONT. */
class codeword_stream
{
  public:
    /* Items of a codeword on both sides; names of tags as codeword_framing has them. */
    codeword_stream(gr::block &block, const gr::logger_ptr &logger, size_t in_items, size_t out_items,
                    const std::string &length_tag, const std::string &start_tag);

    void restart();

    /* The upstream block is done and less than a codeword is left. */
    bool ended()
    {
        return d_end.reached();
    }

    /* Codewords among the `items` next items of the input. Items in front of them that belong to none are
     * consumed; then the answer is 0, because general_work()'s pointer does not hold any longer. */
    size_t available(size_t items);
    /* Codewords, and their tags, enter; consumes the items. */
    void consume(size_t codewords);
    /* Codewords leave, their tags with them; `before` have left already in this call of general_work(). */
    void leave(size_t before, size_t codewords);

    /* Input items dropped since the restart: they belonged to no codeword. */
    uint64_t dropped() const
    {
        return d_framing.dropped();
    }

  private:
    std::vector<tag_t> tags(size_t items) const;

    gr::block &d_block;
    size_t d_in_items, d_out_items;
    stream_end d_end;
    codeword_framing d_framing;
    codeword_tags d_tags;
};

} // namespace ldpc
} // namespace gr

#endif
