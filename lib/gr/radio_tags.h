/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Missing samples and changes of rate and frequency, from the tags of a radio. */
#ifndef INCLUDED_GR_LDPC_RADIO_TAGS_H
#define INCLUDED_GR_LDPC_RADIO_TAGS_H

#include <gnuradio/logger.h>
#include <gnuradio/tags.h>

#include <cstdint>
#include <vector>

namespace gr
{
namespace ldpc
{

/* Tags rx_time (seconds as an integer, and a fraction), rx_rate and rx_freq (Hz). Radios set them at the start, after an
 * overflow and when they are tuned, and File Meta Source at each of its segments. A resampler between radio and block
 * passes them on as they are, so that only changes of rx_rate count. The first tag of each kind is a reference.
 *
 *     samples          |                  |                 |
 *     rx_time          t0                 t1                t2
 *     missing, if t1 - t0 differs from samples / rate by more than two samples and 1e-6 of the time */
class radio_tags
{
  public:
    explicit radio_tags(const gr::logger_ptr &logger) : d_logger(logger) {}

    /* `rate`: of the block's samples, Hz. */
    void restart(double rate);
    /* Another rate from item `item` on, which comes from the user. The next rx_rate is a reference again: that of the radio,
     * which he may have changed at the same time. */
    void set_rate(uint64_t item, double rate);
    double rate() const
    {
        return d_rate;
    }

    static bool is_one(const tag_t &tag);

    struct change {
        bool gap;         /* samples are missing before the item, or come again */
        uint64_t missing; /* how many are missing; 0: not known */
        bool tuned;       /* the frequency is another one from the item on, or rate() */
    };
    /* What changes at item `item`, whose tags these are. Items come in order, each of them once. */
    change read(const std::vector<tag_t> &tags, uint64_t item);

  private:
    void move_reference(uint64_t item);
    void look_for_gap(const pmt::pmt_t &time, uint64_t item, change &found);
    bool is_new_rate(double radio, uint64_t item);
    bool is_new_frequency(double frequency);

    const gr::logger_ptr &d_logger;
    double d_rate = 0;             /* of the samples now */
    double d_own_rate = 0;         /* of the samples while rx_rate was d_first_radio_rate */
    double d_first_radio_rate = 0; /* the reference */
    double d_radio_rate = 0;       /* the last rx_rate; 0: none yet */
    double d_frequency = 0;        /* the last rx_freq */
    bool d_timed = false;          /* there has been an rx_time */
    bool d_tuned = false;          /* there has been an rx_freq */
    bool d_warned = false;
    uint64_t d_item = 0; /* its time is d_seconds + d_fraction */
    uint64_t d_seconds = 0;
    double d_fraction = 0;
};

} // namespace ldpc
} // namespace gr

#endif
