/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks from C++: a flowgraph, and wrong options. */
#include "qa_support.h"

#include <gnuradio/blocks/vector_sink.h>
#include <gnuradio/blocks/vector_source.h>
#include <gnuradio/ldpc/ldpc_decoder_cpu_bb.h>
#include <gnuradio/ldpc/ldpc_decoder_cpu_fb.h>
#include <gnuradio/ldpc/ldpc_encoder_bb.h>
#include <gnuradio/top_block.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <stdexcept>

using namespace gr::ldpc;

namespace
{

decoder_options options_for(const char *code, int threads)
{
    decoder_options options;
    options.code = code;
    options.threads = threads;
    return options;
}

} // namespace

BOOST_AUTO_TEST_CASE(bytes_through_a_flowgraph)
{
    for (int threads : {1, 2, 0}) {
        const noisy_words words("wifi:1944:5/6", 23, 5.0);
        const std::vector<uint8_t> bytes(words.llrs.begin(), words.llrs.end());
        const auto source = gr::blocks::vector_source_b::make(bytes);
        const auto decoder = ldpc_decoder_cpu_bb::make(options_for("wifi:1944:5/6", threads));
        const auto sink = gr::blocks::vector_sink_b::make();
        const auto graph = gr::make_top_block("test");
        graph->connect(source, 0, decoder, 0);
        graph->connect(decoder, 0, sink, 0);
        graph->run();
        BOOST_CHECK(sink->data() == words.messages);
        BOOST_CHECK_EQUAL(decoder->frames(), 23u);
        BOOST_CHECK_EQUAL(decoder->failed(), 0u);
        BOOST_CHECK_GT(decoder->mean_iterations(), 0);
        BOOST_CHECK_EQUAL(decoder->n(), 1944);
        BOOST_CHECK_EQUAL(decoder->k(), 1620);
        BOOST_CHECK_EQUAL(decoder->code(), "wifi:1944:5/6");
    }
}

BOOST_AUTO_TEST_CASE(encoder_and_float_decoder)
{
    const noisy_words words("dvbt2:16200:2/3", 3, 5.0);
    const auto source = gr::blocks::vector_source_b::make(words.messages);
    const auto encoder = ldpc_encoder_bb::make("dvbt2:16200:2/3");
    const auto coded = gr::blocks::vector_sink_b::make();
    const auto first = gr::make_top_block("encode");
    first->connect(source, 0, encoder, 0);
    first->connect(encoder, 0, coded, 0);
    first->run();
    const std::vector<uint8_t> bits = coded->data();
    BOOST_REQUIRE_EQUAL(bits.size(), 3u * 16200u);

    std::vector<float> llrs(bits.size());
    std::transform(bits.begin(), bits.end(), llrs.begin(), [](uint8_t bit) { return bit ? 2.0f : -2.0f; });
    decoder_options options = options_for("dvbt2:16200:2/3", 1);
    options.llr_sign = "negative";
    const auto decoder = ldpc_decoder_cpu_fb::make(options);
    const auto sink = gr::blocks::vector_sink_b::make();
    const auto second = gr::make_top_block("decode");
    second->connect(gr::blocks::vector_source_f::make(llrs), 0, decoder, 0);
    second->connect(decoder, 0, sink, 0);
    second->run();
    BOOST_CHECK(sink->data() == words.messages);
}

BOOST_AUTO_TEST_CASE(wrong_options_throw_one_sentence)
{
    const auto says = [](const std::string &part) {
        return [=](const std::exception &error) {
            return std::string(error.what()).find(part) != std::string::npos;
        };
    };
    BOOST_CHECK_EXCEPTION(ldpc_decoder_cpu_bb::make(options_for("wimax:577:1/2", 1)), std::invalid_argument,
                          says("wimax:577:1/2"));
    BOOST_CHECK_EXCEPTION(ldpc_decoder_cpu_bb::make(options_for("wimax:576:1/2", -1)), std::invalid_argument,
                          says("threads must be"));
    decoder_options options = options_for("wimax:576:1/2", 1);
    options.output = "words";
    BOOST_CHECK_EXCEPTION(ldpc_decoder_cpu_fb::make(options), std::invalid_argument, says("output must be"));
    BOOST_CHECK_EXCEPTION(ldpc_encoder_bb::make("dvbt2:64800:7/8"), std::invalid_argument,
                          says("dvbt2:64800:7/8"));
    const auto decoder = ldpc_decoder_cpu_bb::make(options_for("wimax:576:1/2", 1));
    BOOST_CHECK_THROW(decoder->set_max_iterations(-1), std::invalid_argument);
    BOOST_CHECK_THROW(decoder->set_max_iterations(10001), std::invalid_argument);
}
