/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libldpc's handles with C++ ownership, and its statuses as exceptions. */
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
using code_handle = std::unique_ptr<ldpc_code, code_deleter>;
using decoder_handle = std::unique_ptr<ldpc_decoder, decoder_deleter>;

/* Throws unless the status is LDPC_OK: std::invalid_argument for the caller's mistakes, std::bad_alloc or
 * std::runtime_error. */
void check(ldpc_status status, const std::string &message);
/* The same, with the message of the decoder whose call failed. */
void check(const ldpc_decoder *decoder, ldpc_status status);

/* Bits, and so LLRs, of a codeword and of a message: a symbol of a code over GF(q) has log2 q of them. */
int symbol_bits(const ldpc_code *code);
int codeword_bits(const ldpc_code *code);
int message_bits(const ldpc_code *code);

/* A code by its name. After "alist:", "nbalist:" or "qc:" stands a file's name, or a line break and the text of the file. */
code_handle make_code(const std::string &name);
/* A code over a larger field; others throw std::invalid_argument. */
code_handle make_nonbinary_code(const std::string &name);
/* The code if it can be encoded; else std::invalid_argument. */
code_handle encodable(code_handle code);
decoder_handle make_decoder(const ldpc_code *code, const ldpc_decoder_params &params);

/* How long a decoder may take for a batch; a decoder that takes longer is given up by `give_up`, which abandons it. */
struct time_limit {
    using clock = std::chrono::steady_clock;

    clock::duration longest = clock::duration::zero(); /* zero: no limit */
    std::function<void()> give_up;

    /* When a batch that was submitted at this time is late; clock::time_point::max(): never. */
    clock::time_point end(clock::time_point submitted) const;
};

/* Waits for the oldest batch of the decoder, which was submitted at this time. Returns as ldpc_collect() does, and the sentence about
 * a failure. */
ldpc_status collect_in_time(ldpc_decoder *decoder, const time_limit &limit,
                            time_limit::clock::time_point submitted, std::string &error);

} // namespace ldpc
} // namespace gr

#endif
