/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts the options of a block to parameters of libldpc. Invalid values throw std::invalid_argument. */
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

/* Returns whether `value` is the first allowed name. Throws if `value` is not allowed. */
bool is_first(const std::string &option, const std::string &value, const std::vector<std::string> &allowed);

uint32_t iterations_of(int value);

/* Returns options with the default cache directory. An algorithm such as "normalized:0.75" is split into name
 * and value. */
decoder_options complete(decoder_options options);

/* Converts `gpu_timeout` from seconds to milliseconds. 0: no limit. */
uint32_t gpu_timeout_ms(double seconds);

/* `options` must be the result of complete(). The parameters point to strings of `options`, which must
 * outlive them. */
ldpc_decoder_params params_of(const decoder_options &options, const char *backend);

} // namespace ldpc
} // namespace gr

#endif
