/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenAirInterface's 5G decoder: flooding min-sum in 8 bits, one codeword at a time. It ends early when the parity checks hold, or,
 * as here, when a given CRC does: this one never does, and so all iterations are done. */
#include <stdio.h>
#include <stdlib.h>

#include "openair1/PHY/CODING/nrLDPC_extern.h"
#include "turns.h"

int32_t LDPCdecoder(t_nrLDPC_dec_params *, uint8_t, uint8_t, uint8_t, int8_t *, int8_t *,
                    t_nrLDPC_time_stats *, decode_abort_t *);

/* What the rest of OpenAirInterface defines and its headers use. */
static log_t silent;
log_t *g_log = &silent;
int opp_enabled;

void logRecord_mt(const char *file, const char *function, int line, int component, int level,
                  const char *format, ...)
{
    (void)function, (void)component, (void)level;
    fprintf(stderr, "%s:%d: %s\n", file, line, format);
}

void exit_function(const char *file, const char *function, const int line, const char *reason,
                   const int assertion)
{
    (void)function, (void)assertion;
    fprintf(stderr, "%s:%d: %s\n", file, line, reason);
    exit(1);
}

static const turns_work *work;
static t_nrLDPC_dec_params parameters;
static uint8_t *outputs; /* bits, most significant first */
static size_t output_bytes;

static int crc_that_fails(uint8_t *bytes, uint32_t bits, uint8_t type)
{
    (void)bytes, (void)bits, (void)type;
    return 0;
}

/* The code is such as 1:384:13: base graph, lifting size, rate 1/3. */
void peer_start(const turns_work *w)
{
    unsigned graph, lifting, rate;
    work = w;
    if (sscanf(w->code, "%u:%u:%u", &graph, &lifting, &rate) != 3)
        exit(2);
    parameters.BG = (uint8_t)graph;
    parameters.Z = (uint16_t)lifting;
    parameters.R = (uint8_t)rate;
    parameters.numMaxIter = (uint8_t)w->iterations;
    parameters.outMode = nrLDPC_outMode_BIT;
    parameters.check_crc = crc_that_fails;
    output_bytes = (w->n / 8 + 64) / 64 * 64; /* it writes all n bits */
    outputs = aligned_alloc(64, output_bytes * w->words);
}

void peer_decode(void)
{
    static t_nrLDPC_time_stats times;
    for (size_t word = 0; word < work->words; word++) {
        decode_abort_t none = {0};
        LDPCdecoder(&parameters, 0, 0, 1, (int8_t *)work->llr + word * work->n,
                    (int8_t *)outputs + word * output_bytes, &times, &none);
    }
}

int peer_bit(size_t word, size_t i)
{
    const uint32_t column = work->message_column[i];
    return outputs[word * output_bytes + column / 8] >> (7 - column % 8) & 1;
}
