/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses the tags of a radio to detect lost samples and changes of the sample rate or the frequency. */
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

/* Reads the tags rx_time (whole seconds and a fraction of a second), rx_rate and rx_freq (Hz). Radios send these
 * tags at the start, after an overflow and when they are tuned. The block File Meta Source sends them at the start
 * of each of its segments. A resampler between the radio and this block does not change the values of tags.
 * Therefore only changes of rx_rate matter. The first tag of each kind is the reference.
 *
 *     samples          |                  |                 |
 *     rx_time          t0                 t1                t2
 *     samples are lost if t1 - t0 differs from samples / rate by more than two samples and 1e-6 of the time */
class radio_tags
{
  public:
    explicit radio_tags(const gr::logger_ptr &logger) : d_logger(logger) {}

    /* `rate` is the sample rate at the block's input, Hz. */
    void restart(double rate);
    /* Sets a new sample rate, chosen by the user, which applies from item `item` on. The next tag rx_rate
     * becomes the reference, because the user may have changed the radio's rate at the same time. */
    void set_rate(uint64_t item, double rate);
    double rate() const
    {
        return d_rate;
    }

    static bool is_one(const tag_t &tag);

    struct change {
        bool gap;         /* whether samples before the item are lost or repeated */
        uint64_t missing; /* number of lost samples; 0 if the number is unknown */
        bool tuned;       /* whether the frequency or rate() changes at this item */
    };
    /* Reads the tags on item `item`, and returns what changes at this item. Each call must have a larger
     * `item` than the last one. */
    change read(const std::vector<tag_t> &tags, uint64_t item);

  private:
    void move_reference(uint64_t item);
    void look_for_gap(const pmt::pmt_t &time, uint64_t item, change &found);
    bool is_new_rate(double radio, uint64_t item);
    bool is_new_frequency(double frequency);

    const gr::logger_ptr &d_logger;
    double d_rate = 0;             /* current sample rate at the input, Hz */
    double d_own_rate = 0;         /* sample rate at the input while rx_rate has the value d_first_radio_rate,
                                    * Hz */
    double d_first_radio_rate = 0; /* reference value of rx_rate, Hz */
    double d_radio_rate = 0;       /* last value of rx_rate, Hz; 0 before the first tag rx_rate */
    double d_frequency = 0;        /* last value of rx_freq, Hz */
    bool d_timed = false;          /* whether a tag rx_time has been received */
    bool d_tuned = false;          /* whether a tag rx_freq has been received */
    bool d_warned = false;
    uint64_t d_item = 0; /* index of the reference item; its time is d_seconds + d_fraction */
    uint64_t d_seconds = 0;
    double d_fraction = 0;
};

} // namespace ldpc
} // namespace gr

#endif
