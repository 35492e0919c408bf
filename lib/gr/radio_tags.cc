/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detects lost samples and changes of rate or frequency from the tags of a radio. */
#include "radio_tags.h"

#include <pmt/pmt.h>

#include <cmath>

namespace gr
{
namespace ldpc
{

namespace
{

const pmt::pmt_t time_key = pmt::mp("rx_time");
const pmt::pmt_t rate_key = pmt::mp("rx_rate");
const pmt::pmt_t frequency_key = pmt::mp("rx_freq");

constexpr double tolerated_samples = 2;  /* because resamplers round tag positions */
constexpr double tolerated_share = 1e-6; /* because sample rates are rounded */
constexpr double longest_gap = 3600;     /* seconds; a longer gap means that the radio's clock was set */
constexpr double rounding = 1e-9;        /* relative, of a frequency */

/* Converts a PMT number of any type to double. Returns NaN for other values. */
double number_of(const pmt::pmt_t &value)
{
    if (pmt::is_uint64(value))
        return static_cast<double>(pmt::to_uint64(value));
    return pmt::is_real(value) || pmt::is_integer(value) ? pmt::to_double(value) : NAN;
}

bool is_whole(const pmt::pmt_t &value)
{
    return pmt::is_uint64(value) || (pmt::is_integer(value) && pmt::to_long(value) >= 0);
}

bool is_time(const pmt::pmt_t &value)
{
    return pmt::is_tuple(value) && pmt::length(value) == 2 && is_whole(pmt::tuple_ref(value, 0)) &&
           std::isfinite(number_of(pmt::tuple_ref(value, 1)));
}

} // namespace

void radio_tags::restart(double rate)
{
    d_rate = d_own_rate = rate;
    d_radio_rate = 0;
    d_timed = d_tuned = d_warned = false;
}

void radio_tags::set_rate(uint64_t item, double rate)
{
    move_reference(item);
    d_rate = d_own_rate = rate;
    d_radio_rate = 0;
}

bool radio_tags::is_one(const tag_t &tag)
{
    return pmt::eqv(tag.key, time_key) || pmt::eqv(tag.key, rate_key) || pmt::eqv(tag.key, frequency_key);
}

radio_tags::change radio_tags::read(const std::vector<tag_t> &tags, uint64_t item)
{
    change found = {};
    for (const tag_t &tag : tags) /* rx_time is read first, because the previous sample rate applies to it */
        if (pmt::eqv(tag.key, time_key))
            look_for_gap(tag.value, item, found);
    for (const tag_t &tag : tags) {
        if (pmt::eqv(tag.key, rate_key))
            found.tuned |= is_new_rate(number_of(tag.value), item);
        if (pmt::eqv(tag.key, frequency_key))
            found.tuned |= is_new_frequency(number_of(tag.value));
    }
    return found;
}

void radio_tags::move_reference(uint64_t item)
{
    d_fraction += static_cast<double>(item - d_item) / d_rate;
    d_item = item;
}

void radio_tags::look_for_gap(const pmt::pmt_t &time, uint64_t item, change &found)
{
    if (!is_time(time)) {
        if (!d_warned)
            d_logger->warn("ignoring a tag rx_time: its value must be a tuple of whole seconds and a "
                           "fraction, not {}",
                           pmt::write_string(time));
        d_warned = true;
        return;
    }
    const pmt::pmt_t whole = pmt::tuple_ref(time, 0);
    const uint64_t seconds =
        pmt::is_uint64(whole) ? pmt::to_uint64(whole) : static_cast<uint64_t>(pmt::to_long(whole));
    const double fraction = number_of(pmt::tuple_ref(time, 1));
    const double passed =
        static_cast<double>(static_cast<int64_t>(seconds - d_seconds)) + (fraction - d_fraction);
    const double expected = static_cast<double>(item - d_item) / d_rate;
    if (d_timed &&
        std::fabs(passed - expected) > tolerated_samples / d_rate + tolerated_share * std::fabs(passed)) {
        found.gap = true;
        const double missing = passed - expected;
        found.missing =
            missing > 0 && missing < longest_gap ? static_cast<uint64_t>(std::rint(missing * d_rate)) : 0;
    }
    d_timed = true;
    d_item = item;
    d_seconds = seconds;
    d_fraction = fraction;
}

/* Returns whether a tag rx_rate changes the sample rate. The first rx_rate is only a reference, because
 * resamplers do not change its value. Later values scale the sample rate. */
bool radio_tags::is_new_rate(double radio, uint64_t item)
{
    if (!(radio > 0 && std::isfinite(radio)) || radio == d_radio_rate)
        return false;
    const bool first = d_radio_rate == 0;
    d_radio_rate = radio;
    if (first) {
        d_first_radio_rate = radio;
        if (std::fabs(radio / d_rate - 1) > tolerated_share)
            d_logger->info("tag rx_rate: the radio's sample rate is {:.10g}, but this block expects "
                           "{:.10g}; correct only with a resampler between them",
                           radio, d_rate);
        return false;
    }
    move_reference(item);
    d_rate = radio * (d_own_rate / d_first_radio_rate); /* exact without a resampler */
    return true;
}

bool radio_tags::is_new_frequency(double frequency)
{
    if (!std::isfinite(frequency))
        return false;
    const bool changed = d_tuned && std::fabs(frequency - d_frequency) > rounding * std::fabs(frequency);
    d_tuned = true;
    d_frequency = frequency;
    return changed;
}

} // namespace ldpc
} // namespace gr
