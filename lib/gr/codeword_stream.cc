/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codewords of a block's input stream, and their tags. */
#include "codeword_stream.h"

#include <gnuradio/block_detail.h>
#include <gnuradio/buffer_reader.h>

namespace gr
{
namespace ldpc
{

codeword_stream::codeword_stream(gr::block &block, const gr::logger_ptr &logger,
                                 const std::vector<codeword_items> &sizes, const framing_tags &tags)
    : d_block(block), d_sizes(sizes), d_end(block, logger), d_framing(sizes, tags, logger)
{
}

void codeword_stream::restart()
{
    d_end.restart();
    d_framing.restart();
    d_tags.restart();
}

std::vector<tag_t> codeword_stream::tags(size_t items) const
{
    std::vector<tag_t> tags;
    const uint64_t begin = d_block.nitems_read(0);
    d_block.detail()->get_tags_in_range(tags, 0, begin, begin + items, d_block.unique_id());
    return tags;
}

codeword_stream::run codeword_stream::available(size_t items, const void *in)
{
    if (!d_framing.on() || items == 0)
        return {items / d_sizes[0].in, 0};
    /* the upstream block may not write before half of the buffer is free */
    const size_t most = d_block.detail()->input(0)->max_possible_items_available() / 2;
    const codeword_framing::front front =
        d_framing.look(tags(items), d_block.nitems_read(0), items, in, most, d_end.is_last(items));
    d_block.consume(0, static_cast<int>(front.drop));
    return {front.codewords, front.code};
}

void codeword_stream::consume(const run &codewords)
{
    const codeword_items &size = d_sizes[codewords.code];
    const size_t items = codewords.codewords * size.in;
    std::vector<tag_t> entering = tags(items);
    d_framing.rescale(entering, size.out);
    d_tags.enter(entering, d_block.nitems_read(0), codewords.codewords, size);
    d_block.consume(0, static_cast<int>(items));
}

void codeword_stream::leave(size_t before, size_t items)
{
    d_tags.leave(d_block.nitems_written(0) + before, items,
                 [this](const tag_t &tag) { d_block.detail()->add_item_tag(0, tag); });
}

} // namespace ldpc
} // namespace gr
