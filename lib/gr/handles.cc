/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Owners of libldpc's handles, and exceptions for status codes. */
#include "handles.h"

#include <algorithm>
#include <new>
#include <sstream>
#include <stdexcept>

namespace gr
{
namespace ldpc
{

void check(ldpc_status status, const std::string &message)
{
    if (status == LDPC_OK)
        return;
    const std::string text = message.empty() ? ldpc_status_string(status) : message;
    if (status == LDPC_ERR_MEMORY)
        throw std::bad_alloc();
    /* errors of arguments and codes */
    if (status >= LDPC_ERR_NULL && status <= LDPC_ERR_FILE)
        throw std::invalid_argument(text);
    throw std::runtime_error(text);
}

void check(const ldpc_decoder *decoder, ldpc_status status)
{
    if (status != LDPC_OK)
        check(status, ldpc_decoder_message(decoder));
}

int symbol_bits(const ldpc_code *code)
{
    int bits = 0;
    while (ldpc_code_order(code) >> (bits + 1))
        bits++;
    return bits;
}

int codeword_bits(const ldpc_code *code)
{
    return static_cast<int>(ldpc_code_n(code)) * symbol_bits(code);
}

int message_bits(const ldpc_code *code)
{
    return static_cast<int>(ldpc_code_k(code)) * symbol_bits(code);
}

static ldpc_status create_from_text(const std::string &kind, const std::string &text, ldpc_code **code,
                                    ldpc_error *error)
{
    if (kind != "alist" && kind != "nbalist" && kind != "qc")
        throw std::invalid_argument("unknown kind of code \"" + kind + "\" (expected alist, nbalist or qc)");
    const auto create = kind == "qc"        ? ldpc_code_create_qc
                        : kind == "nbalist" ? ldpc_code_create_nbalist
                                            : ldpc_code_create_alist;
    return create(text.data(), text.size(), code, error);
}

code_handle make_code(const std::string &name)
{
    ldpc_error error = {};
    ldpc_code *code = nullptr;
    const size_t text = name.find(":\n");
    const ldpc_status status =
        text == std::string::npos
            ? ldpc_code_create(name.c_str(), &code, &error)
            : create_from_text(name.substr(0, text), name.substr(text + 2), &code, &error);
    check(status, error.message);
    return code_handle(code);
}

code_handle make_nonbinary_code(const std::string &name)
{
    code_handle code = make_code(name);
    if (ldpc_code_order(code.get()) == 2)
        throw std::invalid_argument("code must be nonbinary, but \"" +
                                    std::string(ldpc_code_name(code.get())) +
                                    "\" is binary: use the blocks for binary codes");
    return code;
}

code_handle encodable(code_handle code)
{
    if (ldpc_code_k(code.get()) == 0)
        throw std::invalid_argument("this code has no message bits (k = 0): nothing to encode. Is its "
                                    "parity-check matrix transposed?");
    if (!ldpc_code_has_encoder(code.get()))
        throw std::invalid_argument("this code is too large for an encoder and can only be decoded");
    return code;
}

packet_format_handle make_packet_format(const ldpc_code *code, int crc)
{
    ldpc_error error = {};
    ldpc_packet_format *format = nullptr;
    const ldpc_status status = ldpc_packet_format_create(code, static_cast<uint32_t>(crc), &format, &error);
    check(status, error.message);
    return packet_format_handle(format);
}

decoder_handle make_decoder(const ldpc_code *code, const ldpc_decoder_params &params)
{
    ldpc_error error = {};
    ldpc_decoder *decoder = nullptr;
    const ldpc_status status = ldpc_decoder_create(code, &params, &decoder, &error);
    check(status, error.message);
    return decoder_handle(decoder);
}

time_limit::clock::time_point time_limit::end(clock::time_point submitted) const
{
    return longest > clock::duration::zero() ? submitted + longest : clock::time_point::max();
}

/* Returns the remaining time, but at least 0.1 s. Therefore a process that was suspended can still collect
 * finished batches. */
static int64_t microseconds_until(time_limit::clock::time_point end)
{
    const std::chrono::microseconds least(100000);
    const auto left = std::chrono::duration_cast<std::chrono::microseconds>(end - time_limit::clock::now());
    return std::max(left, least).count();
}

ldpc_status collect_in_time(ldpc_decoder *decoder, const time_limit &limit,
                            time_limit::clock::time_point submitted, std::string &error)
{
    const auto end = limit.end(submitted);
    const bool limited = end != time_limit::clock::time_point::max();
    ldpc_status status = ldpc_collect(decoder, limited ? microseconds_until(end) : -1, nullptr);
    if (status != LDPC_AGAIN) {
        error = status == LDPC_OK ? "" : ldpc_decoder_message(decoder);
        return status;
    }
    std::ostringstream sentence;
    sentence << "the GPU has not finished its work within "
             << std::chrono::duration<double>(limit.longest).count()
             << " s (parameter gpu_timeout): the GPU or its driver hangs";
    error = sentence.str();
    limit.give_up();
    return ldpc_collect(decoder, -1, nullptr);
}

} // namespace ldpc
} // namespace gr
