/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests blocks from C++, in flowgraphs and with invalid options. */
#include "qa_support.h"

#include <gnuradio/blocks/vector_sink.h>
#include <gnuradio/blocks/vector_source.h>
#include <gnuradio/ldpc/ldpc_decoder_cpu_bb.h>
#include <gnuradio/ldpc/ldpc_decoder_cpu_fb.h>
#include <gnuradio/ldpc/ldpc_decoder_gpu_bb.h>
#include <gnuradio/ldpc/ldpc_encoder_bb.h>
#include <gnuradio/ldpc/nb_ldpc_decoder.h>
#include <gnuradio/ldpc/nb_ldpc_encoder.h>
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
        const noisy_codewords codewords("wifi:1944:5/6", 23, 5.0);
        const std::vector<uint8_t> bytes(codewords.llrs.begin(), codewords.llrs.end());
        const auto source = gr::blocks::vector_source_b::make(bytes);
        const auto decoder = ldpc_decoder_cpu_bb::make(options_for("wifi:1944:5/6", threads));
        const auto sink = gr::blocks::vector_sink_b::make();
        const auto graph = gr::make_top_block("test");
        graph->connect(source, 0, decoder, 0);
        graph->connect(decoder, 0, sink, 0);
        graph->run();
        BOOST_CHECK(sink->data() == codewords.messages);
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
    const noisy_codewords codewords("dvbt2:16200:2/3", 3, 5.0);
    const auto source = gr::blocks::vector_source_b::make(codewords.messages);
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
    BOOST_CHECK(sink->data() == codewords.messages);
}

/* Decodes on a GPU if there is one, otherwise on the CPU. */
BOOST_AUTO_TEST_CASE(gpu_block_with_fallback)
{
    const noisy_codewords codewords("wimax:576:1/2", 40, 5.0);
    const std::vector<uint8_t> bytes(codewords.llrs.begin(), codewords.llrs.end());
    gpu_decoder_options options;
    static_cast<decoder_options &>(options) = options_for("wimax:576:1/2", 2);
    options.fallback = true;
    options.latency = 0.01;
    const auto decoder = ldpc_decoder_gpu_bb::make(options);
    const auto sink = gr::blocks::vector_sink_b::make();
    const auto graph = gr::make_top_block("test");
    graph->connect(gr::blocks::vector_source_b::make(bytes), 0, decoder, 0);
    graph->connect(decoder, 0, sink, 0);
    graph->run();
    BOOST_CHECK(sink->data() == codewords.messages);
    BOOST_CHECK(decoder->backend() != "gpu");

    options.fallback = false;
    if (decoder->backend() == "cpu")
        BOOST_CHECK_THROW(ldpc_decoder_gpu_bb::make(options), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(larger_field)
{
    const std::vector<uint8_t> symbols(44 * 7, 13);
    const auto encoder = nb_ldpc_encoder::make("bds:b1c:88", true);
    const auto coded = gr::blocks::vector_sink_b::make();
    const auto first = gr::make_top_block("encode");
    first->connect(gr::blocks::vector_source_b::make(symbols), 0, encoder, 0);
    first->connect(encoder, 0, coded, 0);
    first->run();

    /* The cost is 0 for the transmitted symbol, and 20 for all other symbols. */
    std::vector<uint8_t> costs;
    for (uint8_t sent : coded->data())
        for (int a = 0; a < 64; a++)
            costs.push_back(a == sent ? 0 : 20);
    nb_decoder_options options;
    options.code = "bds:b1c:88";
    options.input = "costs";
    options.symbols = true;
    const auto decoder = nb_ldpc_decoder::make(options);
    const auto sink = gr::blocks::vector_sink_b::make();
    const auto second = gr::make_top_block("decode");
    second->connect(gr::blocks::vector_source_b::make(costs), 0, decoder, 0);
    second->connect(decoder, 0, sink, 0);
    second->run();
    BOOST_CHECK_EQUAL(costs.size(), 7u * 88u * 64u);
    BOOST_CHECK(sink->data() == symbols);
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
    options.output = "codewords";
    BOOST_CHECK_EXCEPTION(ldpc_decoder_cpu_fb::make(options), std::invalid_argument, says("output must be"));
    BOOST_CHECK_EXCEPTION(ldpc_encoder_bb::make("dvbt2:64800:7/8"), std::invalid_argument,
                          says("dvbt2:64800:7/8"));
    const auto decoder = ldpc_decoder_cpu_bb::make(options_for("wimax:576:1/2", 1));
    BOOST_CHECK_THROW(decoder->set_max_iterations(-1), std::invalid_argument);
    BOOST_CHECK_THROW(decoder->set_max_iterations(10001), std::invalid_argument);
}
