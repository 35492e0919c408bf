// SPDX-License-Identifier: BSD-3-Clause
// AFF3CT: layered offset min-sum across codewords, in 16 bits, or in 8 with -DPEER_BITS=8. The code is an alist file.
#include <cstdint>
#include <fstream>
#include <memory>
#include <vector>

#include "Module/Decoder/LDPC/BP/Horizontal_layered/Decoder_LDPC_BP_horizontal_layered_inter.hpp"
#include "Tools/Code/LDPC/AList/AList.hpp"
#include "Tools/Code/LDPC/Update_rule/OMS/Update_rule_OMS_simd.hpp"
#include "turns.h"

using namespace aff3ct;

#if PEER_BITS == 8
typedef int8_t number;
#else
typedef int16_t number;
#endif
typedef tools::Update_rule_OMS_simd<number> rule;

static const turns_work *work;
static std::unique_ptr<module::Decoder_SIHO<number, number>> decoder;
static std::vector<number> inputs, outputs;

void peer_start(const turns_work *w)
{
    work = w;
    std::ifstream file(w->code);
    const tools::Sparse_matrix matrix = tools::AList::read(file);
    const std::vector<unsigned> positions(w->message_column, w->message_column + w->k);
    decoder = std::make_unique<module::Decoder_LDPC_BP_horizontal_layered_inter<number, number, rule>>(
        int(w->k), int(w->n), w->iterations, matrix, positions, rule(number(w->offset)), false);
    decoder->set_n_frames(mipp::N<number>());
    inputs.assign(w->llr, w->llr + w->words * w->n);
    outputs.resize(w->words * w->k);
}

void peer_decode()
{
    for (size_t word = 0; word < work->words; word += decoder->get_n_frames())
        decoder->decode_siho(&inputs[word * work->n], &outputs[word * work->k]);
}

int peer_bit(size_t word, size_t i)
{
    return outputs[word * work->k + i] != 0;
}
