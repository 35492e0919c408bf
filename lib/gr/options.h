/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of blocks, checked and turned into libldpc's parameters. Values out of range throw
 * std::invalid_argument with one sentence. */
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

/* Throws unless the value is among those that are allowed; returns whether it is the first of them. */
bool is_first(const std::string &option, const std::string &value, const std::vector<std::string> &allowed);

uint32_t iterations_of(int value);

/* The options with their cache folder filled in, and a number that follows the algorithm in its own place. */
decoder_options complete(decoder_options options);

/* How long a GPU may take for a batch: GNU Radio's preference `gpu_timeout` in section [ldpc], in seconds, 60 where it is not
 * set; 0: without a limit. */
uint32_t gpu_timeout_ms();

/* For a decoder on `backend`, from complete options; the strings are theirs. */
ldpc_decoder_params params_of(const decoder_options &options, const char *backend);

} // namespace ldpc
} // namespace gr

#endif
