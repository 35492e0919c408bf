/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C++ ownership of libldpc's handles, and exceptions for its statuses. */
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

/* Throws unless the status is LDPC_OK: std::invalid_argument for invalid arguments, otherwise std::bad_alloc or
 * std::runtime_error. */
void check(ldpc_status status, const std::string &message);
/* Throws like the function above; `message` is the error message of the decoder. */
void check(const ldpc_decoder *decoder, ldpc_status status);

/* Number of bits in a codeword and in a message; a symbol over GF(q) has log2 q bits. */
int symbol_bits(const ldpc_code *code);
int codeword_bits(const ldpc_code *code);
int message_bits(const ldpc_code *code);

/* Creates a code by name. "alist:", "nbalist:" or "qc:" is followed by a file name, or by a line break and the file's text. */
code_handle make_code(const std::string &name);
/* Creates a code over GF(q); throws std::invalid_argument if the code is binary. */
code_handle make_nonbinary_code(const std::string &name);
/* Returns the code; throws std::invalid_argument if it has no encoder. */
code_handle encodable(code_handle code);
/* Throws std::invalid_argument unless `crc` is 16 or 32. */
packet_format_handle make_packet_format(const ldpc_code *code, int crc);
decoder_handle make_decoder(const ldpc_code *code, const ldpc_decoder_params &params);

/* Time limit for decoding a batch; on a timeout, `give_up` abandons the decoder. */
struct time_limit {
    using clock = std::chrono::steady_clock;

    clock::duration longest = clock::duration::zero(); /* zero: no time limit */
    std::function<void()> give_up;

    /* Returns the deadline of a batch submitted at this time; clock::time_point::max(): no deadline. */
    clock::time_point end(clock::time_point submitted) const;
};

/* Waits for the decoder's oldest batch, which was submitted at this time. Returns the status of
 * ldpc_collect() and the error message. */
ldpc_status collect_in_time(ldpc_decoder *decoder, const time_limit &limit,
                            time_limit::clock::time_point submitted, std::string &error);

} // namespace ldpc
} // namespace gr

#endif
