/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the public API of nonbinary decoders. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { CODEWORDS = 70 };

/* Noisy codewords, with all outputs of the decoder. */
typedef struct nb_words {
    size_t n, k, q, p; /* n and k in bits */
    uint8_t *transmitted, *message, *codeword, *costs, *symbol_posterior;
    int8_t *llr;
    int16_t *posterior;
    ldpc_codeword_info info[CODEWORDS];
} nb_words;

static void *room(size_t bytes)
{
    void *memory = calloc(bytes, 1);
    assert_non_null(memory);
    return memory;
}

static nb_words open_words(const ldpc_code *code, double ebn0_db)
{
    nb_words w = {.p = ldpc_code_symbol_bits(code), .q = ldpc_code_order(code)};
    ldpc_sim_params params;
    ldpc_sim_params_init(&params);
    params.ebn0_db = ebn0_db;
    w.n = ldpc_code_n(code) * w.p;
    w.k = ldpc_code_k(code) * w.p;
    w.transmitted = room(CODEWORDS * w.k);
    w.message = room(CODEWORDS * w.k);
    w.codeword = room(CODEWORDS * w.n);
    w.llr = room(CODEWORDS * w.n);
    w.posterior = room(CODEWORDS * w.n * sizeof *w.posterior);
    w.costs = room(CODEWORDS * w.n / w.p * w.q);
    w.symbol_posterior = room(CODEWORDS * w.n / w.p * w.q);
    for (size_t i = 0; i < CODEWORDS; i++)
        assert_int_equal(ldpc_sim_frame(code, &params, LDPC_DEFAULT_LLR_SCALE, i, w.transmitted + i * w.k,
                                        w.llr + i * w.n, NULL),
                         LDPC_OK);
    return w;
}

static void close_words(nb_words *w)
{
    free(w->transmitted);
    free(w->message);
    free(w->codeword);
    free(w->llr);
    free(w->posterior);
    free(w->costs);
    free(w->symbol_posterior);
}

static ldpc_batch all_of(nb_words *w)
{
    return (ldpc_batch){.n_codewords = CODEWORDS,
                        .llr = w->llr,
                        .message = w->message,
                        .codeword = w->codeword,
                        .posterior = w->posterior,
                        .symbol_posterior = w->symbol_posterior,
                        .info = w->info};
}

/* At an Eb/N0 well above the threshold, every codeword is corrected. All outputs agree. */
static void test_every_code(void **state)
{
    (void)state;
    static const char *const names[] = {"bds:b1c:200",        "bds:b1c:88",        "bds:b2a:96",
                                        "bds:b2b:162",        "ccsds:nb:liva:128", "ccsds:nb:unbpb:128",
                                        "ccsds:nb:cnbpb:512", "standin:gf32:620"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ldpc_code *code = make_code(names[i]);
        ldpc_decoder *dec = make_decoder(code, NULL);
        nb_words w = open_words(code, 6.5);
        ldpc_batch batch = all_of(&w);
        assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
        assert_memory_equal(w.message, w.transmitted, CODEWORDS * w.k);
        for (size_t c = 0; c < CODEWORDS; c++) {
            assert_true(w.info[c].converged && w.info[c].decoded && w.info[c].unsatisfied == 0);
            assert_int_equal(ldpc_syndrome_weight(code, w.codeword + c * w.n), 0);
        }
        for (size_t bit = 0; bit < CODEWORDS * w.n; bit++) {
            assert_true(w.codeword[bit] ? w.posterior[bit] <= 0 : w.posterior[bit] >= 0);
            if (bit % w.p == 0) {
                uint32_t symbol = 0;
                for (size_t b = 0; b < w.p; b++)
                    symbol = 2 * symbol + w.codeword[bit + b];
                assert_int_equal(w.symbol_posterior[bit / w.p * w.q + symbol], 0);
            }
        }
        close_words(&w);
        ldpc_decoder_destroy(dec);
        ldpc_code_destroy(code);
    }
}

static void test_symbol_costs(void **state)
{
    (void)state;
    ldpc_code *code = make_code("bds:b1c:88");
    ldpc_decoder *dec = make_decoder(code, NULL);
    nb_words w = open_words(code, 1.5), other = open_words(code, 1.5);
    for (size_t s = 0; s < CODEWORDS * w.n / w.p; s++)
        for (uint32_t a = 0; a < w.q; a++) {
            int cost = 0;
            for (size_t b = 0; b < w.p; b++) {
                int llr = w.llr[s * w.p + b];
                cost += a >> (w.p - 1 - b) & 1 ? (llr > 0 ? llr : 0) : (llr < 0 ? -llr : 0);
            }
            w.costs[s * w.q + a] = (uint8_t)(cost < 255 ? cost : 255);
        }
    ldpc_batch bits = all_of(&other), costs = all_of(&w);
    costs.llr = NULL;
    costs.symbol_costs = w.costs;
    assert_int_equal(ldpc_decode(dec, &bits), LDPC_OK);
    assert_int_equal(ldpc_decode(dec, &costs), LDPC_OK);
    assert_memory_equal(w.codeword, other.codeword, CODEWORDS * w.n);
    assert_memory_equal(w.posterior, other.posterior, CODEWORDS * w.n * sizeof *w.posterior);
    assert_memory_equal(w.symbol_posterior, other.symbol_posterior, CODEWORDS * w.n / w.p * w.q);
    for (size_t i = 0; i < CODEWORDS; i++)
        assert_int_equal(w.info[i].iterations, other.info[i].iterations);
    close_words(&w);
    close_words(&other);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

/* Symbol costs in nats, symbol costs in steps, and LLRs of bits must give equal results. A constant added to
 * all costs of a symbol has no effect. Infinite costs and NaN have no effect. */
static void test_float_symbol_costs(void **state)
{
    (void)state;
    ldpc_code *code = make_code("bds:b1c:88");
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.arithmetic = LDPC_ARITHMETIC_FLOAT;
    params.algorithm = LDPC_ALGORITHM_SUM_PRODUCT;
    params.max_iterations = 10;
    ldpc_decoder *dec = make_decoder(code, &params);
    nb_words w = open_words(code, 1.5), other = open_words(code, 1.5);
    size_t count = CODEWORDS * w.n / w.p * w.q;
    float *nat = room(count * sizeof *nat);
    for (size_t i = 0; i < count; i++)
        for (size_t b = 0; b < w.p; b++) {
            float llr = (float)w.llr[i / w.q * w.p + b] / LDPC_DEFAULT_LLR_SCALE;
            nat[i] += i % w.q >> (w.p - 1 - b) & 1 ? llr / 2 : -llr / 2;
        }
    ldpc_batch bits = all_of(&other), costs = all_of(&w);
    costs.llr = NULL;
    costs.symbol_costs_float = nat;
    assert_int_equal(ldpc_decode(dec, &bits), LDPC_OK);
    assert_int_equal(ldpc_decode(dec, &costs), LDPC_OK);
    size_t differ = 0;
    for (size_t i = 0; i < CODEWORDS * w.n; i++)
        differ += w.codeword[i] != other.codeword[i];
    for (size_t i = 0; i < CODEWORDS; i++)
        assert_true(!w.info[i].converged == !other.info[i].converged);
    assert_true(differ < CODEWORDS * w.n / 100);
    for (size_t i = 0; i < count; i++)
        nat[i] = i % w.q == 5 ? 0 : i % 7 ? INFINITY : 1000;
    nat[3] = NAN;
    assert_int_equal(ldpc_decode(dec, &costs), LDPC_OK);
    for (size_t i = w.p; i < CODEWORDS * w.n; i++) /* these costs exceed all sums of messages */
        assert_int_equal(w.codeword[i], 5 >> (w.p - 1 - i % w.p) & 1);
    costs.symbol_costs = w.costs;
    assert_int_equal(ldpc_decode(dec, &costs), LDPC_ERR_PARAM);
    ldpc_decoder_destroy(dec);
    dec = make_decoder(code, NULL);
    costs.symbol_costs = NULL;
    assert_int_equal(ldpc_decode(dec, &costs), LDPC_ERR_PARAM);
    assert_non_null(
        strstr(ldpc_decoder_message(dec), "symbol_costs_float: expected a decoder with float arithmetic"));
    free(nat);
    close_words(&w);
    close_words(&other);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

/* Several threads decode batches of one codeword. Their bits must be equal, packed or unpacked. */
static void test_submit_and_pack(void **state)
{
    (void)state;
    ldpc_code *code = make_code("bds:b2b:162");
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    ldpc_decoder *plain = make_decoder(code, &params);
    params.threads = 2;
    params.packed = true;
    params.max_batch = 1;
    ldpc_decoder *single = make_decoder(code, &params);
    nb_words w = open_words(code, 1.8);
    ldpc_batch batch = all_of(&w);
    assert_int_equal(ldpc_decode(plain, &batch), LDPC_OK);
    size_t bytes = (w.k + 7) / 8;
    uint8_t *packed = room(CODEWORDS * bytes);
    ldpc_codeword_info info[CODEWORDS];
    size_t collected = 0;
    for (size_t i = 0; i < CODEWORDS; i++) {
        ldpc_batch one = {
            .n_codewords = 1, .llr = w.llr + i * w.n, .message = packed + i * bytes, .info = info + i};
        while (ldpc_submit(single, &one) == LDPC_AGAIN) {
            assert_int_equal(ldpc_collect(single, -1, NULL), LDPC_OK);
            collected++;
        }
    }
    while (ldpc_collect(single, -1, NULL) == LDPC_OK)
        collected++;
    assert_int_equal(collected, CODEWORDS);
    for (size_t i = 0; i < CODEWORDS; i++) {
        assert_int_equal(info[i].iterations, w.info[i].iterations);
        for (size_t b = 0; b < w.k; b++)
            assert_int_equal(packed[i * bytes + b / 8] >> (7 - b % 8) & 1, w.message[i * w.k + b]);
    }
    free(packed);
    close_words(&w);
    ldpc_decoder_destroy(plain);
    ldpc_decoder_destroy(single);
    ldpc_code_destroy(code);
}

static void test_choices(void **state)
{
    (void)state;
    ldpc_code *two = make_code("bds:b1c:88"), *three = make_code("standin:gf32:620");
    ldpc_decoder *dec = make_decoder(two, NULL);
    assert_int_equal(ldpc_decoder_algorithm(dec), LDPC_ALGORITHM_MIN_SUM);
    assert_int_equal(ldpc_decoder_arithmetic(dec), LDPC_ARITHMETIC_I8);
    ldpc_decoder_destroy(dec);
    dec = make_decoder(three, NULL);
    assert_int_equal(ldpc_decoder_algorithm(dec), LDPC_ALGORITHM_MIN_MAX);
    ldpc_decoder_destroy(dec);
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.kernel = "ref";
    dec = make_decoder(two, &params);
    assert_string_equal(ldpc_decoder_kernel(dec), "ref");
    ldpc_decoder_destroy(dec);
    params.kernel = "";
    params.arithmetic = LDPC_ARITHMETIC_FLOAT;
    dec = make_decoder(two, &params);
    assert_string_equal(ldpc_decoder_kernel(dec), "float");
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(two);
    ldpc_code_destroy(three);
}

/* Tests every algorithm in float. Far above the threshold there must be no errors. Min-max must give the
 * results of 8-bit arithmetic. */
static void test_float(void **state)
{
    (void)state;
    static const ldpc_algorithm algorithms[] = {LDPC_ALGORITHM_MIN_MAX, LDPC_ALGORITHM_MIN_SUM,
                                                LDPC_ALGORITHM_EMS, LDPC_ALGORITHM_SUM_PRODUCT};
    ldpc_code *code = make_code("bds:b1c:88");
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.arithmetic = LDPC_ARITHMETIC_FLOAT;
    ldpc_sim_params sim;
    ldpc_sim_params_init(&sim);
    sim.max_frames = 100;
    sim.ebn0_db = 4;
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        ldpc_sim_result result = {0};
        params.algorithm = algorithms[i];
        ldpc_decoder *dec = make_decoder(code, &params);
        assert_int_equal(ldpc_decoder_arithmetic(dec), LDPC_ARITHMETIC_FLOAT);
        assert_int_equal(ldpc_sim_run(dec, &sim, &result, NULL), LDPC_OK);
        assert_int_equal(result.frame_errors, 0);
        ldpc_decoder_destroy(dec);
    }
    params.algorithm = LDPC_ALGORITHM_MIN_MAX;
    ldpc_decoder *floating = make_decoder(code, &params);
    params.arithmetic = LDPC_ARITHMETIC_I8;
    ldpc_decoder *fixed = make_decoder(code, &params);
    nb_words a = open_words(code, 3), b = open_words(code, 3);
    ldpc_batch batch_a = all_of(&a), batch_b = all_of(&b);
    assert_int_equal(ldpc_decode(floating, &batch_a), LDPC_OK);
    assert_int_equal(ldpc_decode(fixed, &batch_b), LDPC_OK);
    size_t same = 0;
    for (size_t w = 0; w < CODEWORDS; w++)
        same += a.info[w].iterations == b.info[w].iterations &&
                memcmp(a.message + w * a.k, b.message + w * b.k, a.k) == 0;
    assert_true(same >= CODEWORDS - 3);
    close_words(&a);
    close_words(&b);
    ldpc_decoder_destroy(floating);
    ldpc_decoder_destroy(fixed);
    ldpc_code_destroy(code);
}

static void check_refused(const ldpc_code *code, const ldpc_decoder_params *params, ldpc_status expected,
                          const char *part)
{
    ldpc_decoder *dec;
    ldpc_error err = {""};
    assert_int_equal(ldpc_decoder_create(code, params, &dec, &err), expected);
    assert_null(dec);
    if (!strstr(err.message, part))
        fail_msg("\"%s\" does not contain \"%s\"", err.message, part);
}

static void test_refusals(void **state)
{
    (void)state;
    ldpc_code *nonbinary = make_code("bds:b1c:88"), *binary = make_code("wifi:648:1/2");
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.algorithm = LDPC_ALGORITHM_MIN_MAX;
    check_refused(binary, &params, LDPC_ERR_PARAM, "wifi:648:1/2 is binary");
    params.algorithm = LDPC_ALGORITHM_CORRECTED_MIN_SUM;
    check_refused(nonbinary, &params, LDPC_ERR_UNSUPPORTED, "GF(64)");
    params.algorithm = LDPC_ALGORITHM_THREE_MIN;
    check_refused(nonbinary, &params, LDPC_ERR_UNSUPPORTED, "three-min");
    ldpc_decoder_params_init(&params);
    params.arithmetic = LDPC_ARITHMETIC_I16;
    check_refused(nonbinary, &params, LDPC_ERR_UNSUPPORTED, "i8");

    ldpc_decoder_params_init(&params);
    params.algorithm = LDPC_ALGORITHM_EMS;
    check_refused(binary, &params, LDPC_ERR_PARAM, "ems: expected a code over GF(q), q > 2");
    params.kept = 65;
    check_refused(nonbinary, &params, LDPC_ERR_PARAM, "kept 65");
    params.kept = 64;
    params.arithmetic = LDPC_ARITHMETIC_I8;
    check_refused(nonbinary, &params, LDPC_ERR_UNSUPPORTED, "float");

    ldpc_decoder *dec = make_decoder(binary, NULL);
    int8_t llr[648] = {0};
    uint8_t costs[1] = {0};
    ldpc_batch batch = {.n_codewords = 1, .llr = llr, .symbol_posterior = costs};
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_ERR_PARAM);
    assert_non_null(strstr(ldpc_decoder_message(dec), "GF(q), q > 2"));
    batch = (ldpc_batch){.n_codewords = 1, .symbol_costs = costs};
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_ERR_PARAM);
    ldpc_decoder_destroy(dec);

    dec = make_decoder(nonbinary, NULL);
    batch = (ldpc_batch){.n_codewords = 1, .llr = llr, .symbol_costs = costs};
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_ERR_PARAM);
    batch = (ldpc_batch){.n_codewords = 1};
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_ERR_NULL);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(nonbinary);
    ldpc_code_destroy(binary);
}

/* Wrong bits in symbols are counted. The counts do not depend on kernel and batch size. */
static void test_simulation(void **state)
{
    (void)state;
    ldpc_code *code = make_code("bds:b1c:88");
    ldpc_sim_params sim;
    ldpc_sim_result first = {0}, second = {0};
    ldpc_sim_params_init(&sim);
    sim.ebn0_db = 1.5;
    sim.max_frames = 130;
    sim.max_frame_errors = 0;
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.max_iterations = 8;
    ldpc_decoder *dec = make_decoder(code, &params);
    assert_int_equal(ldpc_sim_run(dec, &sim, &first, NULL), LDPC_OK);
    ldpc_decoder_destroy(dec);
    params.kernel = "scalar";
    params.max_batch = 7;
    dec = make_decoder(code, &params);
    assert_int_equal(ldpc_sim_run(dec, &sim, &second, NULL), LDPC_OK);
    ldpc_decoder_destroy(dec);
    assert_int_equal(first.bits, 130 * 44 * 6);
    assert_int_equal(first.bit_errors, second.bit_errors);
    assert_int_equal(first.frame_errors, second.frame_errors);
    assert_int_equal(first.iterations, second.iterations);
    assert_true(first.frame_errors > 0 && first.frame_errors < 26);
    ldpc_code_destroy(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_code),
        cmocka_unit_test(test_symbol_costs),
        cmocka_unit_test(test_float_symbol_costs),
        cmocka_unit_test(test_submit_and_pack),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_simulation),
        cmocka_unit_test(test_float),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
