/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Owners of libldpc's handles, and exceptions for status codes. */
#ifndef INCLUDED_GR_LDPC_HANDLES_H
#define INCLUDED_GR_LDPC_HANDLES_H

#include <ldpc/ldpc.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace gr
{
namespace ldpc
{

struct code_deleter {
    void operator()(ldpc_code *code) const
    {
        ldpc_code_destroy(code);
    }
};
struct decoder_deleter {
    void operator()(ldpc_decoder *decoder) const
    {
        ldpc_decoder_destroy(decoder);
    }
};
struct packet_format_deleter {
    void operator()(ldpc_packet_format *format) const
    {
        ldpc_packet_format_destroy(format);
    }
};
using code_handle = std::unique_ptr<ldpc_code, code_deleter>;
using decoder_handle = std::unique_ptr<ldpc_decoder, decoder_deleter>;
using packet_format_handle = std::unique_ptr<ldpc_packet_format, packet_format_deleter>;

/* Throws std::invalid_argument, std::bad_alloc or std::runtime_error if the status is not LDPC_OK. */
void check(ldpc_status status, const std::string &message);
/* Throws an exception with the decoder's error message unless `status` is LDPC_OK. */
void check(const ldpc_decoder *decoder, ldpc_status status);

/* Returns log2 q for codes over GF(q), 1 for binary codes. */
int symbol_bits(const ldpc_code *code);
int codeword_bits(const ldpc_code *code);
int message_bits(const ldpc_code *code);

/* `name` may also be "alist:", "nbalist:" or "qc:" with a file name, or with a line break and the text of a
 * file. */
code_handle make_code(const std::string &name);
/* Throws std::invalid_argument if the code is binary. */
code_handle make_nonbinary_code(const std::string &name);
/* Returns `code`. Throws std::invalid_argument if the code has no encoder. */
code_handle encodable(code_handle code);
/* Throws std::invalid_argument unless `crc` is 16 or 32. */
packet_format_handle make_packet_format(const ldpc_code *code, int crc);
decoder_handle make_decoder(const ldpc_code *code, const ldpc_decoder_params &params);

/* After the time limit, `give_up` abandons the decoder. */
struct time_limit {
    using clock = std::chrono::steady_clock;

    clock::duration longest = clock::duration::zero(); /* zero: no limit */
    std::function<void()> give_up;

    /* Returns the deadline of a batch, or clock::time_point::max() without a limit. */
    clock::time_point end(clock::time_point submitted) const;
};

/* Waits for the oldest batch. `submitted` is the time of its submission. */
ldpc_status collect_in_time(ldpc_decoder *decoder, const time_limit &limit,
                            time_limit::clock::time_point submitted, std::string &error);

} // namespace ldpc
} // namespace gr

#endif
