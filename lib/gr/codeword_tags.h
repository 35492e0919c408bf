/* SPDX-License-Identifier: GPL-3.0-or-later */
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

/* Number of bits corrected by the BCH decoder, or -1 for a failure. */
inline const pmt::pmt_t corrected_key = pmt::mp("bch_corrected");

struct codeword_items {
    size_t in, out;
    size_t packed = 0; /* bits of the input codeword if it is packed, otherwise 0 */
};

/* Moves a tag on input item i of a codeword to output item floor(i * out / in). GNU Radio rounds to the
 * nearest item, which may be in the next codeword. Output items are counted from restart(). */
class codeword_tags
{
  public:
    void restart()
    {
        d_tags.clear();
        d_entered = d_left = 0;
    }

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

    /* Calls `add` for each tag of the output items begin .. begin + count - 1. */
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
    uint64_t d_entered = 0, d_left = 0; /* output items since the restart */
    std::deque<tag_t> d_tags;           /* Offsets count output items since the restart. */
};

} // namespace ldpc
} // namespace gr

#endif
