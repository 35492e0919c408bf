/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the options of blocks and converts them to parameters of libldpc. Invalid values throw
 * std::invalid_argument. */
#ifndef INCLUDED_GR_LDPC_OPTIONS_H
#define INCLUDED_GR_LDPC_OPTIONS_H

#include <gnuradio/ldpc/ldpc_decoder_base.h>

#include <string>
#include <vector>

namespace gr
{
namespace ldpc
{

[[noreturn]] void wrong(const std::string &option, const std::string &expected, const std::string &got);

/* Returns whether `value` is the first of the allowed names. Throws an exception if it is not an allowed
 * name. */
bool is_first(const std::string &option, const std::string &value, const std::vector<std::string> &allowed);

uint32_t iterations_of(int value);

/* Returns the options with the default cache directory filled in. If the name of the algorithm has a number,
 * this number is moved to the option that it sets. */
decoder_options complete(decoder_options options);

/* Converts option `gpu_timeout` from seconds to milliseconds. 0 means no time limit. */
uint32_t gpu_timeout_ms(double seconds);

/* Returns the parameters for a decoder on `backend`. `options` must be the result of complete(). The
 * parameters point to strings in `options`, which must therefore outlive them. */
ldpc_decoder_params params_of(const decoder_options &options, const char *backend);

} // namespace ldpc
} // namespace gr

#endif
