/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detects lost samples and changes of rate or frequency from the tags of a radio. */
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

/* Reads the tags rx_time (whole seconds and a fraction of a second), rx_rate and rx_freq (Hz). Radios send
 * them at the start, after an overflow and when they are tuned. File Meta Source sends them at the start of
 * its segments. Resamplers do not change the value of rx_rate, so only changes of rx_rate are used. The first
 * tag of each kind is the reference.
 *
 *     samples          |                  |                 |
 *     rx_time          t0                 t1                t2
 *     samples are lost if t1 - t0 differs from samples / rate by more than two samples and 1e-6 of the time */
class radio_tags
{
  public:
    explicit radio_tags(const gr::logger_ptr &logger) : d_logger(logger) {}

    /* rate: sample rate at the input, Hz */
    void restart(double rate);
    /* Sets the sample rate from `item` on, independent of tags. */
    void set_rate(uint64_t item, double rate);
    double rate() const
    {
        return d_rate;
    }

    static bool is_one(const tag_t &tag);

    struct change {
        bool gap;         /* samples before the item were lost or repeated */
        uint64_t missing; /* lost samples; 0: unknown */
        bool tuned;       /* frequency or rate() changes here */
    };
    /* Call read() in the order of the items. */
    change read(const std::vector<tag_t> &tags, uint64_t item);

  private:
    void move_reference(uint64_t item);
    void look_for_gap(const pmt::pmt_t &time, uint64_t item, change &found);
    bool is_new_rate(double radio, uint64_t item);
    bool is_new_frequency(double frequency);

    const gr::logger_ptr &d_logger;
    double d_rate = 0;             /* sample rate at the input, Hz */
    double d_own_rate = 0;         /* sample rate in Hz while rx_rate is d_first_radio_rate */
    double d_first_radio_rate = 0; /* reference of rx_rate, Hz */
    double d_radio_rate = 0;       /* last rx_rate, Hz; 0 before the first rx_rate */
    double d_frequency = 0;        /* last rx_freq, Hz */
    bool d_timed = false;          /* a tag rx_time was received */
    bool d_tuned = false;          /* a tag rx_freq was received */
    bool d_warned = false;
    uint64_t d_item = 0; /* item at time d_seconds + d_fraction */
    uint64_t d_seconds = 0;
    double d_fraction = 0;
};

} // namespace ldpc
} // namespace gr

#endif
