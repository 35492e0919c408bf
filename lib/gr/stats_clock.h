/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics messages of a block: intervals and dictionaries. */
#ifndef INCLUDED_GR_LDPC_STATS_CLOCK_H
#define INCLUDED_GR_LDPC_STATS_CLOCK_H

#include <pmt/pmt.h>

#include <chrono>
#include <stdexcept>
#include <string>

namespace gr
{
namespace ldpc
{

inline const pmt::pmt_t stats_port = pmt::mp("stats");

class stats_clock
{
  public:
    explicit stats_clock(double interval) : d_interval(interval)
    {
        if (!(interval >= 0))
            throw std::invalid_argument("stats_interval must be at least 0 seconds (0: no messages), not " +
                                        std::to_string(interval));
    }

    bool on() const
    {
        return d_interval.count() > 0;
    }
    bool due() const
    {
        return on() && clock::now() - d_last >= d_interval;
    }
    /* Returns the seconds since the last call or the start, and begins the next interval. */
    double lap()
    {
        const clock::time_point last = d_last;
        d_last = clock::now();
        return std::chrono::duration<double>(d_last - last).count();
    }

  private:
    using clock = std::chrono::steady_clock;
    std::chrono::duration<double> d_interval;
    clock::time_point d_last = clock::now();
};

/* Dictionary of a message. */
class stats_dict
{
  public:
    void add(const char *key, uint64_t value)
    {
        add(key, pmt::from_uint64(value));
    }
    void add(const char *key, double value)
    {
        add(key, pmt::from_double(value));
    }
    void add(const char *key, const std::string &value)
    {
        add(key, pmt::mp(value));
    }
    const pmt::pmt_t &get() const
    {
        return d_dict;
    }

  private:
    void add(const char *key, const pmt::pmt_t &value)
    {
        d_dict = pmt::dict_add(d_dict, pmt::mp(key), value);
    }
    pmt::pmt_t d_dict = pmt::make_dict();
};

} // namespace ldpc
} // namespace gr

#endif
