/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_FEC_FRAMES_H
#define INCLUDED_GR_LDPC_FEC_FRAMES_H

#include <gnuradio/fec/generic_decoder.h>
#include <gnuradio/logger.h>

#include <cstddef>
#include <string>

namespace gr
{
namespace ldpc
{

/* The argument type of generic_work() depends on the version of GNU Radio. */
template <typename T, typename input> input input_of(void (T::*work)(input, void *));
using fec_input = decltype(input_of(&fec::generic_decoder::generic_work));

/* Logs a warning and returns false if `frame_size` is not a multiple of k. */
inline bool set_codewords(size_t frame_size, size_t k, size_t &codewords, const gr::logger_ptr &logger)
{
    if (frame_size == 0 || frame_size % k != 0) {
        const std::string text = "frame size " + std::to_string(frame_size) +
                                 " is not a multiple of k = " + std::to_string(k) + "; keeping " +
                                 std::to_string(codewords * k);
        logger->warn("{}", text);
        return false;
    }
    codewords = frame_size / k;
    return true;
}

} // namespace ldpc
} // namespace gr

#endif
