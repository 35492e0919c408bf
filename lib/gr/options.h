/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Validation and conversion of block options to libldpc's parameters. Invalid values throw
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

/* Returns whether the value is the first of the allowed names. Throws if the value is not an allowed name. */
bool is_first(const std::string &option, const std::string &value, const std::vector<std::string> &allowed);

uint32_t iterations_of(int value);

/* Returns the options with the default cache directory. A number after the algorithm's name moves to the
 * option for that number. */
decoder_options complete(decoder_options options);

/* Converts option `gpu_timeout`, seconds, to milliseconds; 0: no limit. */
uint32_t gpu_timeout_ms(double seconds);

/* Returns parameters for a decoder on `backend` from complete options; the parameters refer to the strings of
 * the options. */
ldpc_decoder_params params_of(const decoder_options &options, const char *backend);

} // namespace ldpc
} // namespace gr

#endif
