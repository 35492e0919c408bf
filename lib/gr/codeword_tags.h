/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves the tags of codewords from the input of a decoder to its output. */
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

/* Key of a tag whose value is the number of bits that the BCH decoder has corrected, or -1 if it could not
 * correct the codeword. */
inline const pmt::pmt_t corrected_key = pmt::mp("bch_corrected");

/* Number of input items and number of output items per codeword. */
struct codeword_items {
    size_t in, out;
    size_t packed = 0; /* number of bits in the packed bytes of an input codeword; 0 if the input is not
                        * packed */
};

/* Moves a tag on input item i of a codeword to output item floor(i * out / in) of the same codeword. GNU
 * Radio's own tag propagation rounds to the nearest output item: if the code rate is 1/2 or less, it moves a
 * tag on a codeword's last LLR to the next codeword. Output items are counted from restart(). */
class codeword_tags
{
  public:
    void restart()
    {
        d_tags.clear();
        d_entered = d_left = 0;
    }

    /* Records the tags of `count` codewords. `begin` is the index of their first input item. */
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

    /* Call this when `count` items are output, starting with output item `begin`. Calls `add` with each tag
     * of these items. */
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
    uint64_t d_entered = 0, d_left = 0; /* number of output items since the restart */
    std::deque<tag_t> d_tags;           /* tags not yet output; their offsets count output items since the
                                         * restart */
};

} // namespace ldpc
} // namespace gr

#endif
