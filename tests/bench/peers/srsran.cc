// SPDX-License-Identifier: BSD-3-Clause
// srsRAN's 5G decoder: layered normalised min-sum in 8 bits, one codeword at a time. Without a CRC it does all iterations.
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <vector>

#ifdef __AVX512BW__
#include "lib/phy/upper/channel_coding/ldpc/ldpc_decoder_avx512.h"
typedef srsran::ldpc_decoder_avx512 fastest;
#else
#include "lib/phy/upper/channel_coding/ldpc/ldpc_decoder_avx2.h"
typedef srsran::ldpc_decoder_avx2 fastest;
#endif
#include "turns.h"

static const turns_work *work;
static std::unique_ptr<srsran::ldpc_decoder> decoder;
static srsran::ldpc_decoder::configuration configuration;
static std::vector<srsran::log_likelihood_ratio> inputs;
static std::deque<srsran::dynamic_bit_buffer> outputs; // they must not move

// The code is such as 1:384: base graph, lifting size.
void peer_start(const turns_work *w)
{
    work = w;
    unsigned graph, lifting;
    if (sscanf(w->code, "%u:%u", &graph, &lifting) != 2)
        exit(2);
    decoder = std::make_unique<fastest>(false);
    configuration.base_graph =
        graph == 1 ? srsran::ldpc_base_graph_type::BG1 : srsran::ldpc_base_graph_type::BG2;
    configuration.lifting_size = static_cast<srsran::ldpc::lifting_size_t>(lifting);
    configuration.max_iterations = unsigned(w->iterations);
    inputs.assign(w->llr, w->llr + w->words * w->n);
    for (size_t word = 0; word < w->words; word++)
        outputs.emplace_back((graph == 1 ? 22 : 10) * lifting);
}

void peer_decode()
{
    const srsran::span<const srsran::log_likelihood_ratio> all(inputs);
    for (size_t word = 0; word < work->words; word++)
        decoder->decode(outputs[word], all.subspan(word * work->n, work->n), nullptr, configuration);
}

int peer_bit(size_t word, size_t i)
{
    return outputs[word].extract(work->message_column[i], 1);
}
