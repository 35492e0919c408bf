/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detects that every codeword fails, which indicates a wrong setting; a weak signal fails only sometimes. */
#ifndef INCLUDED_GR_LDPC_TOTAL_FAILURE_H
#define INCLUDED_GR_LDPC_TOTAL_FAILURE_H

#include <pmt/pmt.h>

#include <cstdint>

namespace gr
{
namespace ldpc
{

/* Tag on the output after a warning; it suppresses the warnings of downstream blocks. */
inline const pmt::pmt_t all_failed_key = pmt::mp("ldpc_all_failed");

class total_failure
{
  public:
    /* Number of codewords or frames before the warning. Receiving this many takes a second on a slow link,
     * and less on a fast link. */
    static constexpr uint64_t enough = 50;

    void restart()
    {
        d_known = false;
    }
    /* Returns true once, when all of `done` codewords since the restart have failed. */
    bool noticed(uint64_t done, uint64_t failed)
    {
        if (d_known || done < enough || failed < done)
            return false;
        d_known = true;
        return true;
    }
    /* Called when an upstream block has warned. */
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
