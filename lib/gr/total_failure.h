/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notices that nothing succeeds: a setting is wrong then, whereas a weak signal fails now and then. */
#ifndef INCLUDED_GR_LDPC_TOTAL_FAILURE_H
#define INCLUDED_GR_LDPC_TOTAL_FAILURE_H

#include <pmt/pmt.h>

#include <cstdint>

namespace gr
{
namespace ldpc
{

/* A tag on the output of a block that has warned, so that the blocks after it need not. */
inline const pmt::pmt_t all_failed_key = pmt::mp("ldpc_all_failed");

class total_failure
{
  public:
    /* Codewords or frames until it is certain: a second of a slow link, less of a fast one. */
    static constexpr uint64_t enough = 50;

    void restart()
    {
        d_known = false;
    }
    /* True once: when `done` of them, counted since the restart, have all failed. */
    bool noticed(uint64_t done, uint64_t failed)
    {
        if (d_known || done < enough || failed < done)
            return false;
        d_known = true;
        return true;
    }
    /* Another block has warned. */
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
