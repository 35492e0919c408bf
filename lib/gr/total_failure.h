/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detects that every codeword fails. The cause is a wrong setting rather than a weak signal, with which only
 * some codewords fail. */
#ifndef INCLUDED_GR_LDPC_TOTAL_FAILURE_H
#define INCLUDED_GR_LDPC_TOTAL_FAILURE_H

#include <pmt/pmt.h>

#include <cstdint>

namespace gr
{
namespace ldpc
{

/* Tag that a block adds to its output when it warns, so that downstream blocks do not warn again. */
inline const pmt::pmt_t all_failed_key = pmt::mp("ldpc_all_failed");

class total_failure
{
  public:
    /* When this number of codewords or frames have failed, a warning is logged. Receiving them takes about a
     * second on a slow link, and less on a fast link. */
    static constexpr uint64_t enough = 50;

    void restart()
    {
        d_known = false;
    }
    /* Returns true, once, if at least `enough` codewords are done since the restart and all of them have
     * failed. */
    bool noticed(uint64_t done, uint64_t failed)
    {
        if (d_known || done < enough || failed < done)
            return false;
        d_known = true;
        return true;
    }
    /* Call this when an upstream block has already warned. */
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
