/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The codewords of a block's input stream, and their tags on the way to its output stream. */
#include "codeword_stream.h"

#include <gnuradio/block_detail.h>

namespace gr
{
namespace ldpc
{

codeword_stream::codeword_stream(gr::block &block, const gr::logger_ptr &logger, size_t in_items,
                                 size_t out_items, const std::string &length_tag,
                                 const std::string &start_tag)
    : d_block(block), d_in_items(in_items), d_out_items(out_items),
      d_end(block, logger, static_cast<int>(in_items)), d_framing(in_items, length_tag, start_tag, logger),
      d_tags(in_items, out_items)
{
}

void codeword_stream::restart()
{
    d_end.restart();
    d_framing.restart();
    d_tags.restart();
}

/* Of the next items of the input. */
std::vector<tag_t> codeword_stream::tags(size_t items) const
{
    std::vector<tag_t> tags;
    const uint64_t begin = d_block.nitems_read(0);
    d_block.detail()->get_tags_in_range(tags, 0, begin, begin + items, d_block.unique_id());
    return tags;
}

size_t codeword_stream::available(size_t items)
{
    if (!d_framing.on() || items == 0)
        return items / d_in_items;
    const codeword_framing::front front = d_framing.look(tags(items), d_block.nitems_read(0), items);
    d_block.consume(0, static_cast<int>(front.drop));
    return front.codewords;
}

void codeword_stream::consume(size_t codewords)
{
    const size_t items = codewords * d_in_items;
    std::vector<tag_t> entering = tags(items);
    d_framing.rescale(entering, d_out_items);
    d_tags.enter(entering, d_block.nitems_read(0), codewords);
    d_block.consume(0, static_cast<int>(items));
}

void codeword_stream::leave(size_t before, size_t codewords)
{
    d_tags.leave(d_block.nitems_written(0) + before * d_out_items, codewords,
                 [this](const tag_t &tag) { d_block.detail()->add_item_tag(0, tag); });
}

} // namespace ldpc
} // namespace gr
