/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which items of a stream make up codewords, as its tags say. */
#ifndef INCLUDED_GR_LDPC_CODEWORD_FRAMING_H
#define INCLUDED_GR_LDPC_CODEWORD_FRAMING_H

#include "codeword_tags.h"

#include <gnuradio/logger.h>
#include <gnuradio/tags.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace gr
{
namespace ldpc
{

/* Tags that say which of several codes the codewords have from there on. */
struct code_tags {
    pmt::pmt_t key;
    std::function<int(const pmt::pmt_t &value)> choose; /* which code the value means; -1: none of them */
};

extern const pmt::pmt_t code_key; /* ldpc_code */
/* Tags ldpc_code whose value is one of these names. */
code_tags name_tags(const std::vector<std::string> &names);
/* The options of a block, a code and those that tags may choose besides, as one list. */
std::vector<std::string> all_codes(const std::string &code, const std::vector<std::string> &codes);

/* Names of the tags; "" and nullptr: none. Only one kind may be given. */
struct framing_tags {
    std::string length, start;
    const code_tags *code = nullptr; /* must outlive the framing */
};

/* A segment is a run of codewords of one code without gaps:
 *
 *   length tags   [tag: codeword ... codeword][tag: codeword ...]   a packet; its length is the tag's value, or less:
 *                                                                   up to the next tag that can be right
 *   start tags    [tag: codeword ... codeword| part of one |tag:    up to the next start tag
 *   code tags     the same, and the tag's value chooses the code; up to the first tag code 0
 *
 * Items outside of segments are dropped, and so are packets whose length is no multiple of the codeword, and
 * what follows a tag that means none of the codes. Without such tags the whole stream is one segment.
 *
 * A codeword of packed bits whose padding is not 0 is dropped; in a packet all of it, and so a packet of codewords with
 * padding is looked at when it is complete. One that is longer than `most_items` begins to leave before that: the padding of its
 * last codewords is not looked at. */
class codeword_framing
{
  public:
    /* `sizes`: one for each code. Several kinds of tags throw std::invalid_argument. */
    codeword_framing(const std::vector<codeword_items> &sizes, const framing_tags &tags,
                     const gr::logger_ptr &logger);

    /* Items have to be looked at before they are taken as codewords. */
    bool on() const
    {
        return d_length || d_start || d_code || d_padded;
    }
    void restart();

    /* The next `available` items of the input, from item `begin` on, which are at `in`, with all their tags: how many of
     * them to drop, or, where that is 0, how many codewords of code `code` follow each other. `last`: no other items follow. */
    struct front {
        size_t drop, codewords, code;
    };
    front look(const std::vector<tag_t> &tags, uint64_t begin, size_t available, const void *in,
               size_t most_items, bool last);

    /* Items that have to be there before look() can find more than it has found. */
    size_t needed() const
    {
        return d_needed;
    }
    /* Items of the next codeword, as far as tags have been seen. */
    size_t codeword() const
    {
        return d_items[d_segments.empty() ? 0 : d_segments.front().code];
    }

    /* Tags of items that leave: length tags count `out_items` items for each codeword now; those that begin
     * no packet are removed. */
    void rescale(std::vector<tag_t> &tags, size_t out_items) const;

    /* Items dropped since the restart. */
    uint64_t dropped() const
    {
        return d_dropped;
    }

  private:
    struct segment {
        uint64_t begin, end;
        bool good; /* whole codewords of a known code: not to be dropped */
        size_t code;
    };
    void add(const tag_t &tag);
    void add_packet(const tag_t &tag);
    void add_start(const tag_t &tag);
    void add_code(const tag_t &tag);
    void begin_segment(const segment &next);
    void leave_behind(uint64_t begin);
    uint64_t end_of_run() const;
    front drop(size_t items);
    bool has_zero_padding(const uint8_t *codeword, size_t code);
    front padded_codewords(size_t codewords, const uint8_t *in);
    front padded_packet(uint64_t begin, size_t available, const uint8_t *in, size_t most_items, bool last);
    void warn_once(bool &warned, const std::string &text) const;

    std::vector<size_t> d_items, d_packed; /* of a codeword of each code: items, packed bits or 0 */
    bool d_padded;                         /* some of the codes have padding */
    size_t d_least, d_needed;
    std::string d_length_name;
    pmt::pmt_t d_length, d_start; /* empty: not used */
    const code_tags *d_code;
    const gr::logger_ptr &d_logger;
    std::deque<segment> d_segments; /* whose begin has been seen, not yet left behind */
    uint64_t d_dropped = 0;
    bool d_length_warned = false, d_short_warned = false, d_outside_warned = false, d_code_warned = false,
         d_padding_warned = false;
};

} // namespace ldpc
} // namespace gr

#endif
