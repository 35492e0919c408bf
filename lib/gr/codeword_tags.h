/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tags of a stream of codewords on their way through a decoder. */
#ifndef INCLUDED_GR_LDPC_CODEWORD_TAGS_H
#define INCLUDED_GR_LDPC_CODEWORD_TAGS_H

#include <gnuradio/tags.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace gr
{
namespace ldpc
{

/* A tag on input item i of a codeword belongs to output item floor(i * out_items / in_items) of the same
 * codeword, whatever the rate. GNU Radio's own propagation rounds to the nearest item of the stream, which at
 * rates up to 1/2 is the next codeword's for a tag on the last LLR. Codewords are counted from restart(). */
class codeword_tags
{
  public:
    codeword_tags(size_t in_items, size_t out_items) : d_in_items(in_items), d_out_items(out_items) {}

    void restart()
    {
        d_tags.clear();
        d_in = d_out = 0;
    }

    /* `count` codewords enter, and these tags with them; the first one begins at item `begin` of the input.
     */
    void enter(const std::vector<tag_t> &tags, uint64_t begin, size_t count)
    {
        for (const tag_t &tag : tags) {
            const uint64_t item = tag.offset - begin, codeword = item / d_in_items;
            const uint64_t place = item % d_in_items * d_out_items / d_in_items;
            d_tags.push_back(tag);
            d_tags.back().offset = (d_in + codeword) * d_out_items + place;
        }
        d_in += count;
    }

    /* `count` codewords leave; the first one begins at item `begin` of the output. Their tags go to `add`. */
    template <class Add> void leave(uint64_t begin, size_t count, Add add)
    {
        const uint64_t first = d_out * d_out_items;
        d_out += count;
        for (; !d_tags.empty() && d_tags.front().offset < d_out * d_out_items; d_tags.pop_front()) {
            tag_t &tag = d_tags.front();
            tag.offset = tag.offset - first + begin;
            add(tag);
        }
    }

  private:
    size_t d_in_items, d_out_items; /* of a codeword */
    uint64_t d_in = 0, d_out = 0;   /* codewords so far */
    std::deque<tag_t> d_tags;       /* inside; offsets count output items since the restart */
};

} // namespace ldpc
} // namespace gr

#endif
