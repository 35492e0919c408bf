/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests that the pipeline keeps the order, rejects codewords when it is full, and starts batches at once. */
#include "pipeline.h"
#include "qa_support.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstring>
#include <random>

using namespace gr::ldpc;

namespace
{

constexpr size_t count = 500;

struct fixture {
    noisy_codewords codewords{"wimax:576:1/2", count, 1.0};
    decoder_handle decoder;
    word_shape shape;
    std::vector<uint8_t> expected;
    std::vector<ldpc_codeword_info> expected_info;
    std::vector<uint8_t> got;
    std::vector<ldpc_codeword_info> got_info;

    fixture()
        : shape{codewords.n, 1, codewords.k, true, false}, expected(count * codewords.k), expected_info(count)
    {
        ldpc_decoder_params params;
        ldpc_decoder_params_init(&params);
        params.threads = 3;
        decoder = make_decoder(codewords.code.get(), params);
        const ldpc_batch batch =
            make_batch(shape, count, codewords.llrs.data(), expected.data(), expected_info.data());
        check(decoder.get(), ldpc_decode(decoder.get(), &batch));
    }

    decoder_handle decoder_of_two() const
    {
        ldpc_decoder_params params;
        ldpc_decoder_params_init(&params);
        params.max_batch = 2;
        params.threads = 2;
        return make_decoder(codewords.code.get(), params);
    }

    pipeline::writer from(size_t start)
    {
        return [=](size_t first, size_t n_codewords, void *llr) {
            std::memcpy(llr, &codewords.llrs[(start + first) * codewords.n], n_codewords * codewords.n);
        };
    }

    pipeline::reader to_results()
    {
        return [this](size_t n_codewords, const uint8_t *out, const ldpc_codeword_info *info) {
            got.insert(got.end(), out, out + n_codewords * codewords.k);
            got_info.insert(got_info.end(), info, info + n_codewords);
        };
    }

    void check_results(size_t n_codewords)
    {
        BOOST_REQUIRE_EQUAL(got.size(), n_codewords * codewords.k);
        BOOST_CHECK(std::equal(got.begin(), got.end(), expected.begin()));
        for (size_t w = 0; w < n_codewords; w++) {
            BOOST_CHECK_EQUAL(got_info[w].iterations, expected_info[w].iterations);
            BOOST_CHECK_EQUAL(got_info[w].converged, expected_info[w].converged);
        }
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(words_keep_their_order, fixture)
{
    for (size_t batch : {1, 2, 7, 64}) {
        pipeline line(decoder.get(), shape, batch);
        std::mt19937 random(static_cast<unsigned>(batch));
        size_t sent = 0;
        got.clear();
        got_info.clear();
        while (got_info.size() < count) {
            sent += line.put(std::min<size_t>(random() % 20, count - sent), from(sent));
            if (sent == count || line.full())
                line.wait();
            line.take(random() % 20, to_results());
        }
        BOOST_CHECK(line.empty());
        check_results(count);
    }
}

BOOST_FIXTURE_TEST_CASE(a_single_word_starts_at_once, fixture)
{
    pipeline line(decoder.get(), shape, 100);
    BOOST_CHECK(line.empty());
    BOOST_CHECK(!line.ready());
    BOOST_CHECK_EQUAL(line.put(1, from(0)), 1u);
    BOOST_CHECK(!line.empty());
    line.wait();
    BOOST_CHECK(line.ready());
    BOOST_CHECK_EQUAL(line.take(5, to_results()), 1u);
    BOOST_CHECK(line.empty());
    check_results(1);
}

BOOST_FIXTURE_TEST_CASE(a_full_pipeline_takes_no_more_and_loses_nothing, fixture)
{
    pipeline line(decoder.get(), shape, 4);
    const size_t sent = line.put(count, from(0));
    BOOST_CHECK(line.full());
    BOOST_CHECK_GE(sent, 4 * ldpc_decoder_depth(decoder.get()));
    BOOST_CHECK_LT(sent, count);
    BOOST_CHECK_EQUAL(line.put(1, from(sent)), 0u);
    while (!line.empty()) {
        line.wait();
        BOOST_CHECK(line.ready());
        line.take(3, to_results());
    }
    check_results(sent);
}

BOOST_FIXTURE_TEST_CASE(clear_forgets_everything, fixture)
{
    pipeline line(decoder.get(), shape, 4);
    line.put(50, from(100));
    line.clear();
    BOOST_CHECK(line.empty());
    BOOST_CHECK(!line.ready());
    BOOST_CHECK_EQUAL(line.take(50, to_results()), 0u);
    BOOST_CHECK_EQUAL(line.put(3, from(0)), 3u);
    while (!line.empty()) {
        line.wait();
        line.take(3, to_results());
    }
    check_results(3);
}

BOOST_FIXTURE_TEST_CASE(words_wait_for_others_as_long_as_they_may, fixture)
{
    using clock = pipeline::clock;
    pipeline patient(decoder.get(), shape, 100, std::chrono::hours(1));
    BOOST_CHECK(patient.due() == clock::time_point::max());
    patient.put(3, from(0));
    patient.start();
    BOOST_CHECK(patient.due() > clock::now() + std::chrono::minutes(59));
    BOOST_CHECK_EQUAL(patient.take(3, to_results()), 0u);
    patient.put(97, from(3)); /* full: no batch is waiting */
    BOOST_CHECK(patient.due() == clock::time_point::max());
    while (got_info.size() < 100) {
        patient.wait();
        patient.take(100, to_results());
    }
    patient.put(2, from(100)); /* wait() starts incomplete batches */
    patient.wait();
    patient.take(2, to_results());
    check_results(102);

    pipeline hasty(decoder.get(), shape, 100, std::chrono::milliseconds(1));
    hasty.put(3, from(0));
    while (hasty.due() > clock::now() && hasty.due() != clock::time_point::max())
        ;
    hasty.start();
    BOOST_CHECK(hasty.due() == clock::time_point::max());
    hasty.clear();
}

/* A second decoder takes over after the first decoder has refused a batch of more than two codewords. */
BOOST_FIXTURE_TEST_CASE(another_decoder_takes_over, fixture)
{
    const decoder_handle small = decoder_of_two();
    pipeline line(small.get(), shape, 4);
    BOOST_CHECK_EQUAL(line.put(1, from(0)), 1u);
    line.wait();
    line.put(4, from(1)); /* refused: too many codewords */
    BOOST_CHECK_EQUAL(line.take(5, to_results()), 1u);
    BOOST_CHECK(line.ready());
    BOOST_CHECK_THROW(line.take(5, to_results()), std::invalid_argument);
    line.replace(decoder.get());
    while (!line.empty()) {
        line.wait();
        line.take(5, to_results());
    }
    check_results(5);
}

BOOST_FIXTURE_TEST_CASE(a_refused_batch_is_not_due, fixture)
{
    using clock = pipeline::clock;
    const decoder_handle small = decoder_of_two();
    pipeline line(small.get(), shape, 100, std::chrono::milliseconds(1));
    line.put(3, from(0));
    while (!line.ready()) {
        BOOST_REQUIRE(line.due() != clock::time_point::max());
        line.start();
    }
    BOOST_CHECK(line.due() == clock::time_point::max());
    BOOST_CHECK_THROW(line.take(3, to_results()), std::invalid_argument);
    line.replace(decoder.get()); /* without further latency */
    BOOST_CHECK(line.due() == clock::time_point::max());
    while (got_info.size() < 3) {
        line.wait();
        line.take(3, to_results());
    }
    check_results(3);
}
