/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which items of a stream make up codewords, as its tags say. */
#ifndef INCLUDED_GR_LDPC_CODEWORD_FRAMING_H
#define INCLUDED_GR_LDPC_CODEWORD_FRAMING_H

#include <gnuradio/logger.h>
#include <gnuradio/tags.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace gr
{
namespace ldpc
{

/* A segment is a run of codewords without gaps:
 *
 *   length tags   [tag: codeword ... codeword][tag: codeword ...]   a packet; its length is the tag's value
 *   start tags    [tag: codeword ... codeword| part of one |tag:    up to the next start tag
 *
 * Items outside of segments are dropped, and so are packets whose length is no multiple of the codeword. With
 * neither name the whole stream is one segment. */
class codeword_framing
{
  public:
    /* Codewords of `items` items; "" = no such tag. Both tags together throw std::invalid_argument. */
    codeword_framing(size_t items, const std::string &length_tag, const std::string &start_tag,
                     const gr::logger_ptr &logger);

    /* Items have to be looked at before they are taken as codewords. */
    bool on() const
    {
        return d_length || d_start;
    }
    void restart();

    /* The next `available` items of the input, from item `begin` on, with all their tags: how many of them to
     * drop, or, where that is 0, how many codewords follow each other. */
    struct front {
        size_t drop, codewords;
    };
    front look(const std::vector<tag_t> &tags, uint64_t begin, size_t available);

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
        bool good; /* whole codewords: not to be dropped */
    };
    void add_packet(const tag_t &tag);
    void add_start(const tag_t &tag);
    uint64_t end_of_run() const;
    front drop(size_t items);
    void warn_once(bool &warned, const std::string &text) const;

    size_t d_items;
    std::string d_length_name;
    pmt::pmt_t d_length, d_start; /* empty: not used */
    const gr::logger_ptr &d_logger;
    std::deque<segment> d_segments; /* whose begin has been seen, not yet left behind */
    uint64_t d_dropped = 0;
    bool d_length_warned = false, d_outside_warned = false;
};

} // namespace ldpc
} // namespace gr

#endif
