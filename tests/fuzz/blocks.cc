/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends any items, tags and messages to a block of gr-ldpc in buffers of any size. The flowgraph must end.
 * Its output must consist of whole units.
 *
 * Only a few hundred runs per second are possible, because each run starts a flowgraph with threads. */
#include "fuzz.h"

#include <gnuradio/blocks/message_debug.h>
#include <gnuradio/blocks/vector_sink.h>
#include <gnuradio/blocks/vector_source.h>
#include <gnuradio/ldpc/dvb_bb_deframer_bb.h>
#include <gnuradio/ldpc/dvb_bch_decoder_bb.h>
#include <gnuradio/ldpc/ldpc_decoder_cpu_bb.h>
#include <gnuradio/ldpc/ldpc_decoder_cpu_fb.h>
#include <gnuradio/ldpc/ldpc_decoder_pdu.h>
#include <gnuradio/ldpc/ldpc_encoder_bb.h>
#include <gnuradio/ldpc/ldpc_encoder_pdu.h>
#include <gnuradio/ldpc/ldpc_packet_decoder.h>
#include <gnuradio/ldpc/ldpc_packet_encoder.h>
#include <gnuradio/ldpc/nb_ldpc_decoder.h>
#include <gnuradio/logger.h>
#include <gnuradio/prefs.h>
#include <gnuradio/top_block.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace
{

constexpr size_t most_items = 6000, most_tags = 12;

struct unit {
    gr::block_sptr block;
    bool floats = false;
    size_t width = 1; /* items per unit */
};

const char *const tag_names[] = {
    "packet_len", "burst", "ldpc_iterations", "ldpc_converged", "codeword_failed", "bb_frame",
    "mine",       "",      "ldpc_code"};
/* The codes are short, because each run creates blocks. Codewords of the second code are four times as long
 * as those of the first. DVB blocks use the third code. */
const char *const code_names[] = {"ccsds:tc:128", "ccsds:tc:512", "dvbs2:16200:1/3"};
constexpr size_t code_n = 128, code_k = 64; /* n and k of the first code */

const char *tag_name(fuzz_input *in)
{
    return tag_names[fuzz_below(in, sizeof tag_names / sizeof *tag_names)];
}

/* Returns a PMT of any type. */
pmt::pmt_t value_of(fuzz_input *in)
{
    const uint32_t number = fuzz_word32(in);
    switch (fuzz_below(in, 10)) {
    case 0:
        return pmt::PMT_NIL;
    case 1:
        return pmt::from_bool(number & 1);
    case 2:
        return pmt::from_double((double)(int32_t)number);
    case 3:
        return pmt::from_double(std::numeric_limits<double>::quiet_NaN());
    case 4:
        return pmt::intern(number % 4 < 3 ? code_names[number % 4] : "text");
    case 5:
        return pmt::make_dict();
    case 6:
        return pmt::from_long((int32_t)number);
    case 7:
        return pmt::from_uint64((uint64_t)number << 32);
    default:
        return pmt::from_long(number % 2000); /* sometimes a valid length */
    }
}

gr::ldpc::decoder_options decoder_options(fuzz_input *in)
{
    static const char *const outputs[] = {"message", "codeword", "posterior"};
    static const char *const kernels[] = {"auto", "scalar"};
    static const char *const inputs[] = {"llrs", "hard", "hard-packed"};
    gr::ldpc::decoder_options options;
    const uint32_t flags = fuzz_byte(in);
    options.code = code_names[0];
    options.max_iterations = (int)fuzz_below(in, 6);
    options.output = outputs[fuzz_below(in, 3)];
    options.packed = flags & 1 && options.output != "posterior";
    options.tags = flags & 2;
    options.llr_sign = flags & 4 ? "negative" : "positive";
    options.kernel = kernels[flags >> 3 & 1];
    options.length_tag_name = flags & 16 ? tag_name(in) : "";
    options.start_tag = flags & 32 ? tag_name(in) : "";
    options.stats_interval = 0;
    if (flags & 64)
        options.codes = {code_names[1]};
    if (flags & 128)
        options.input = inputs[fuzz_below(in, 3)];
    return options;
}

size_t output_width(const gr::ldpc::decoder_options &options)
{
    const size_t bits = options.output == "message" ? code_k : code_n;
    return options.packed ? bits / 8 : bits;
}

unit make_unit(fuzz_input *in)
{
    const uint32_t choice = fuzz_below(in, 6);
    if (choice == 0 || choice == 1) {
        const auto options = decoder_options(in);
        if (choice == 1)
            return {gr::ldpc::ldpc_decoder_cpu_fb::make(options), true, output_width(options)};
        return {gr::ldpc::ldpc_decoder_cpu_bb::make(options), false, output_width(options)};
    }
    if (choice == 2) {
        const uint32_t flags = fuzz_byte(in);
        return {gr::ldpc::ldpc_encoder_bb::make(code_names[0], flags & 1 ? tag_name(in) : "",
                                                flags & 2 ? tag_name(in) : ""),
                false, code_n};
    }
    if (choice == 3 || choice == 4) {
        const uint32_t flags = fuzz_byte(in);
        const std::vector<std::string> codes(flags >> 1 & 1, code_names[2]);
        if (choice == 3)
            return {gr::ldpc::dvb_bch_decoder_bb::make("dvbs2:16200:1/4", flags & 1, 0, false, codes)};
        const int stream = (int)fuzz_below(in, 3) - 1;
        return {gr::ldpc::dvb_bb_deframer_bb::make("dvbs2:16200:1/4", true, stream, 0, codes), false, 188};
    }
    gr::ldpc::nb_decoder_options options;
    options.code = "bds:b1c:88";
    options.max_iterations = 1;
    options.backend = "cpu";
    options.stats_interval = 0;
    return {gr::ldpc::nb_ldpc_decoder::make(options)};
}

std::vector<gr::tag_t> tags_of(fuzz_input *in, size_t items)
{
    std::vector<gr::tag_t> tags(fuzz_below(in, most_tags));
    for (auto &tag : tags) {
        tag.offset = items ? fuzz_word32(in) % items : 0;
        tag.key = pmt::intern(tag_name(in));
        tag.value = value_of(in);
    }
    return tags;
}

void run(fuzz_input *in, const unit &u)
{
    const uint32_t flags = fuzz_byte(in);
    const size_t items = (fuzz_byte(in) << 5 | fuzz_byte(in)) % most_items;
    const auto tags = tags_of(in, items);
    std::vector<uint8_t> bytes(items);
    fuzz_fill(in, bytes.data(), items, fuzz_byte(in));
    const auto graph = gr::make_top_block("fuzz");
    const auto sink = gr::blocks::vector_sink_b::make();
    if (u.floats)
        graph->connect(
            gr::blocks::vector_source_f::make(std::vector<float>(bytes.begin(), bytes.end()), false, 1, tags),
            0, u.block, 0);
    else
        graph->connect(gr::blocks::vector_source_b::make(bytes, false, 1, tags), 0, u.block, 0);
    graph->connect(u.block, 0, sink, 0);
    if (flags & 1)
        u.block->set_max_noutput_items(u.block->output_multiple() * (1 + (int)(flags >> 4)));
    graph->run();
    FUZZ_CHECK(sink->data().size() % u.width == 0);
}

/* There must not be more output messages than input messages. The length of each message must be a multiple
 * of `width` bits. */
void check_messages(const gr::blocks::message_debug::sptr &store, uint32_t most, size_t width)
{
    const size_t count = (size_t)store->num_messages();
    FUZZ_CHECK(count <= most);
    for (size_t i = 0; i < count; i++) {
        const pmt::pmt_t message = store->get_message(i);
        FUZZ_CHECK(pmt::is_pair(message) && pmt::is_u8vector(pmt::cdr(message)));
        const auto bits = pmt::u8vector_elements(pmt::cdr(message));
        FUZZ_CHECK(!bits.empty() && bits.size() % width == 0);
        FUZZ_CHECK(std::all_of(bits.begin(), bits.end(), [](uint8_t bit) { return bit <= 1; }));
    }
}

using payload = std::vector<uint8_t>;

/* Without noise, packet encoder and decoder must return the payloads. */
void check_payloads(const gr::blocks::message_debug::sptr &store, const std::vector<payload> &payloads)
{
    FUZZ_CHECK((size_t)store->num_messages() == payloads.size());
    for (size_t i = 0; i < payloads.size(); i++)
        FUZZ_CHECK(pmt::u8vector_elements(pmt::cdr(store->get_message(i))) == payloads[i]);
}

/* Sends pairs and other values to PDU blocks. Vectors have any type and length. */
void post(fuzz_input *in)
{
    gr::ldpc::packet_decoder_options options;
    options.code = code_names[0];
    options.max_iterations = 2;
    const uint32_t kind = fuzz_byte(in);
    const bool encode = kind & 1, packets = kind & 2;
    options.crc = kind & 4 ? 16 : 32;
    options.input = encode ? "hard" : "llrs";
    const auto graph = gr::make_top_block("fuzz");
    const auto store = gr::blocks::message_debug::make();
    gr::block_sptr block;
    if (packets) {
        const gr::block_sptr decoder = gr::ldpc::ldpc_packet_decoder::make(options);
        block = encode ? gr::block_sptr(gr::ldpc::ldpc_packet_encoder::make(code_names[0], options.crc))
                       : decoder;
        graph->msg_connect(decoder, "pdus", store, "store");
        if (encode)
            graph->msg_connect(block, "pdus", decoder, "pdus");
    } else {
        block = encode ? gr::block_sptr(gr::ldpc::ldpc_encoder_pdu::make(code_names[0]))
                       : gr::block_sptr(gr::ldpc::ldpc_decoder_pdu::make(options));
        graph->msg_connect(block, "pdus", store, "store");
    }
    const uint32_t messages = 1 + fuzz_below(in, 4);
    std::vector<payload> payloads;
    for (uint32_t i = 0; i < messages; i++) {
        const size_t count = fuzz_byte(in) & 1 ? code_n : fuzz_byte(in);
        std::vector<uint8_t> bytes(count);
        fuzz_fill(in, bytes.data(), count, 4);
        const std::vector<float> floats(bytes.begin(), bytes.end());
        const bool of_bytes = fuzz_byte(in) & 1;
        const pmt::pmt_t vector =
            of_bytes ? pmt::init_u8vector(count, bytes) : pmt::init_f32vector(count, floats);
        const pmt::pmt_t meta = fuzz_byte(in) & 1 ? pmt::make_dict() : value_of(in);
        const bool pdu = fuzz_byte(in) & 1;
        if (pdu && of_bytes)
            payloads.push_back(bytes);
        block->_post(pmt::intern("pdus"), pdu ? pmt::cons(meta, vector) : value_of(in));
    }
    block->_post(pmt::intern("system"), pmt::cons(pmt::intern("done"), pmt::from_long(1)));
    graph->run();
    if (!packets)
        check_messages(store, messages, encode ? code_n : code_k);
    else if (encode)
        check_payloads(store, payloads);
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const bool quiet = [] {
        gr::logging::singleton().set_default_level(gr::log_level::off);
        return true;
    }();
    (void)quiet;
    fuzz_input in = {data, size};
    try {
        if (fuzz_below(&in, 7) == 6)
            post(&in);
        else
            run(&in, make_unit(&in));
    } catch (const std::invalid_argument &) { /* options that cannot be combined */
    }
    return 0;
}
