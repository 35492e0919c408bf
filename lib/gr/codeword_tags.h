/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tags of a stream of codewords on their way through a decoder. */
#ifndef INCLUDED_GR_LDPC_CODEWORD_TAGS_H
#define INCLUDED_GR_LDPC_CODEWORD_TAGS_H

#include <gnuradio/tags.h>
#include <pmt/pmt.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace gr
{
namespace ldpc
{

/* Bits that the BCH decoder corrected. */
inline const pmt::pmt_t corrected_key = pmt::mp("bch_corrected");

/* Items of a codeword on both sides of a block. */
struct codeword_items {
    size_t in, out;
    size_t packed =
        0; /* bits that are packed into the bytes on the input side; 0: items are something else */
};

/* A tag on input item i of a codeword belongs to output item floor(i * out / in) of the same codeword, whatever
 * the rate. GNU Radio's own propagation rounds to the nearest item of the stream, which at rates up to 1/2 is
 * the next codeword's for a tag on the last LLR. Output items are counted from restart(). */
class codeword_tags
{
  public:
    void restart()
    {
        d_tags.clear();
        d_entered = d_left = 0;
    }

    /* `count` codewords enter, and these tags with them; the first one begins at item `begin` of the input. */
    void enter(const std::vector<tag_t> &tags, uint64_t begin, size_t count, const codeword_items &items)
    {
        for (const tag_t &tag : tags) {
            const uint64_t item = tag.offset - begin, codeword = item / items.in;
            const uint64_t place = item % items.in * items.out / items.in;
            d_tags.push_back(tag);
            d_tags.back().offset = d_entered + codeword * items.out + place;
        }
        d_entered += count * items.out;
    }

    /* `count` items leave; the first one is item `begin` of the output. Their tags go to `add`. */
    template <class Add> void leave(uint64_t begin, size_t count, Add add)
    {
        const uint64_t first = d_left;
        d_left += count;
        for (; !d_tags.empty() && d_tags.front().offset < d_left; d_tags.pop_front()) {
            tag_t &tag = d_tags.front();
            tag.offset = tag.offset - first + begin;
            add(tag);
        }
    }

  private:
    uint64_t d_entered = 0, d_left = 0; /* output items of the codewords so far */
    std::deque<tag_t> d_tags;           /* inside; offsets count output items since the restart */
};

} // namespace ldpc
} // namespace gr

#endif
