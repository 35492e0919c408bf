/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detects that all codewords fail. A setting is then probably wrong. */
#ifndef INCLUDED_GR_LDPC_TOTAL_FAILURE_H
#define INCLUDED_GR_LDPC_TOTAL_FAILURE_H

#include <pmt/pmt.h>

#include <cstdint>

namespace gr
{
namespace ldpc
{

/* A block that finds this tag does not repeat the warning of an earlier block. */
inline const pmt::pmt_t all_failed_key = pmt::mp("ldpc_all_failed");

class total_failure
{
  public:
    /* about a second on a slow link */
    static constexpr uint64_t enough = 50;

    void restart()
    {
        d_known = false;
    }
    /* Returns true only once: when at least `enough` codewords were decoded and all of them failed. */
    bool noticed(uint64_t done, uint64_t failed)
    {
        if (d_known || done < enough || failed < done)
            return false;
        d_known = true;
        return true;
    }
    void is_known()
    {
        d_known = true;
    }

  private:
    bool d_known = false;
};

} // namespace ldpc
} // namespace gr

#endif
