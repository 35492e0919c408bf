// SPDX-License-Identifier: BSD-3-Clause
// Le Gal's and Jego's offset min-sum for AVX2: 32 codewords side by side, 8-bit posteriors, 6-bit messages. The code is a
// table at compile time (Constantes/constantes_sse.h, which peers.py writes). Positive favours bit 1 there.
#include <cstring>
#include <vector>

#include "CDecoder/OMS/CDecoder_OMS_fixed_AVX.h"
#include "turns.h"

static const size_t FRAMES = 32;

static const turns_work *work;
static CDecoder_OMS_fixed_AVX *decoder;
static __m256i *inputs, *outputs; // bytes, aligned as the decoder wants them

void peer_start(const turns_work *w)
{
    work = w;
    decoder = new CDecoder_OMS_fixed_AVX;
    decoder->setVarRange(SAT_NEG_VAR, SAT_POS_VAR);
    decoder->setMsgRange(SAT_NEG_MSG, SAT_POS_MSG);
    decoder->setOffset(w->offset);
    const size_t bytes = w->words * w->n;
    inputs = new __m256i[bytes / sizeof(__m256i)];
    outputs = new __m256i[bytes / sizeof(__m256i)];
    for (size_t i = 0; i < bytes; i++)
        reinterpret_cast<char *>(inputs)[i] = char(-w->llr[i]);
}

void peer_decode()
{
    for (size_t i = 0; i < work->words * work->n; i += FRAMES * work->n)
        decoder->decode(reinterpret_cast<char *>(inputs) + i, reinterpret_cast<char *>(outputs) + i,
                        work->iterations);
}

int peer_bit(size_t word, size_t i)
{
    return reinterpret_cast<char *>(outputs)[word * work->n + work->message_column[i]] != 0;
}
