/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the simulation and the encoder with any parameters. Counts and frames must not depend on the sizes of
 * blocks and batches. */
#include "batches.h"

enum { MOST_BLOCKS = 3, MOST_MESSAGE = 2048, MOST_LLRS = 4096, FRAMES = 3 };

static ldpc_sim_params sim_params(fuzz_input *in)
{
    ldpc_sim_params sim;
    ldpc_sim_params_init(&sim);
    uint32_t flags = fuzz_byte(in);
    sim.ebn0_db = (double)fuzz_byte(in) / 8 - 8;
    if (flags & 1) { /* any number */
        uint64_t bits = (uint64_t)fuzz_word32(in) << 32 | fuzz_word32(in);
        memcpy(&sim.ebn0_db, &bits, sizeof bits);
    }
    sim.esn0 = flags & 2;
    sim.zero_codeword = flags & 4;
    sim.modulation = (ldpc_modulation)fuzz_below(in, LDPC_MODULATION_256QAM + 1);
    sim.fading = (ldpc_fading)(flags >> 3 & 1);
    if (flags & 128) {
        sim.channel = (ldpc_sim_channel)(1 + (flags >> 3 & 1));
        sim.modulation = LDPC_MODULATION_BPSK;
        sim.fading = LDPC_FADING_NONE;
        sim.probability = sim.ebn0_db / 16;
    }
    sim.seed = fuzz_byte(in);
    sim.point = flags & 16 ? fuzz_word32(in) : fuzz_byte(in);
    sim.first_frame = flags & 32 ? (uint64_t)fuzz_word32(in) << 32 | fuzz_word32(in) : fuzz_byte(in);
    sim.max_frames =
        /* mostly less than one block */
        fuzz_below(in, flags & 64 ? MOST_BLOCKS * LDPC_SIM_BLOCK + 1 : 9);
    sim.max_frame_errors = fuzz_byte(in);
    return sim;
}

static void check_frames(const ldpc_code *code, const ldpc_sim_params *sim)
{
    static uint8_t messages[FRAMES * MOST_MESSAGE], message[MOST_MESSAGE], codeword[MOST_LLRS];
    static int8_t llrs[FRAMES * MOST_LLRS], llr[MOST_LLRS];
    size_t bits = ldpc_code_symbol_bits(code), n = ldpc_code_n(code) * bits, k = ldpc_code_k(code) * bits;
    FUZZ_CHECK(n <= MOST_LLRS && k <= MOST_MESSAGE);
    ldpc_error err;
    ldpc_status status = ldpc_sim_frames(code, sim, 3, FRAMES, messages, llrs, NULL, &err);
    for (size_t i = 0; i < FRAMES && status == LDPC_OK; i++) {
        FUZZ_CHECK(ldpc_sim_frame(code, sim, 3, sim->first_frame + i, message, llr, NULL) == LDPC_OK);
        FUZZ_CHECK(!memcmp(message, messages + i * k, k) && !memcmp(llr, llrs + i * n, n));
        if (!ldpc_code_has_encoder(code))
            continue;
        FUZZ_CHECK(ldpc_encode(code, message, 1, codeword) == LDPC_OK);
        if (ldpc_code_n(code) == ldpc_code_columns(code))
            FUZZ_CHECK(ldpc_syndrome_weight(code, codeword) == 0);
    }
}

static void check_blocks(ldpc_decoder *dec, const ldpc_sim_params *sim, const ldpc_sim_result *expected)
{
    static ldpc_sim_block blocks[MOST_BLOCKS + 1];
    ldpc_sim_result counted = {0};
    ldpc_error err;
    FUZZ_CHECK(ldpc_sim_blocks(dec, sim, 0, sim->max_frames, blocks, &err) == LDPC_OK);
    size_t count = (sim->max_frames + LDPC_SIM_BLOCK - 1) / LDPC_SIM_BLOCK;
    FUZZ_CHECK(ldpc_sim_count(ldpc_decoder_code(dec), sim, blocks, count, &counted) <= count);
    FUZZ_CHECK(!memcmp(&counted, expected, sizeof counted));
    FUZZ_CHECK(counted.frame_errors <= counted.frames && counted.bit_errors <= counted.bits);
    FUZZ_CHECK(counted.undetected <= counted.frame_errors && counted.frames <= sim->max_frames);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const ldpc_code *code = fuzz_code(fuzz_below(&in, FUZZ_CODES));
    ldpc_sim_params sim = sim_params(&in);
    ldpc_decoder_params params = fuzz_params(&in, code);
    ldpc_sim_result result;
    ldpc_decoder *dec;
    ldpc_error err = {""};
    check_frames(code, &sim);
    if (ldpc_decoder_create(code, &params, &dec, NULL))
        return 0;
    ldpc_status status = ldpc_sim_run(dec, &sim, &result, &err);
    if (status == LDPC_OK && sim.max_frames)
        check_blocks(dec, &sim, &result);
    else if (status)
        FUZZ_CHECK(err.message[0]);
    ldpc_decoder_destroy(dec);
    return 0;
}
