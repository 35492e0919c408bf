/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests codes that are given by the positions of ones. The expected values come from Gaussian elimination. */
#include <stdlib.h>
#include <string.h>

#include "code/code_helpers.h"
#include "code/encoder.h"

typedef struct ones {
    uint32_t m, n;
    size_t count;
    uint32_t *checks, *variables;
    uint8_t *matrix; /* [m * n] */
} ones;

static ones ones_open(uint32_t m, uint32_t n)
{
    ones h = {.m = m,
              .n = n,
              .checks = allocate(m * n * 4),
              .variables = allocate(m * n * 4),
              .matrix = allocate(m * n)};
    memset(h.matrix, 0, m * n);
    return h;
}

static void ones_close(ones *h)
{
    free(h->checks);
    free(h->variables);
    free(h->matrix);
}

static void ones_list(ones *h)
{
    h->count = 0;
    for (uint32_t i = 0; i < h->m * h->n; i++)
        if (h->matrix[i]) {
            h->checks[h->count] = i / h->n;
            h->variables[h->count++] = i % h->n;
        }
}

static ldpc_code *ones_code(const ones *h)
{
    ldpc_error err;
    ldpc_code *code;
    if (ldpc_code_create_edges(h->m, h->n, h->checks, h->variables, h->count, &code, &err))
        fail_msg("%s", err.message);
    return code;
}

/* Elimination begins with the last column. Columns without a pivot become message columns. */
static uint32_t eliminate(ones *h, uint32_t *message)
{
    uint32_t rank = 0, k = 0;
    for (uint32_t v = h->n; v-- > 0;) {
        uint32_t pivot = rank;
        while (pivot < h->m && !h->matrix[pivot * h->n + v])
            pivot++;
        if (pivot == h->m) {
            message[k++] = v;
            continue;
        }
        for (uint32_t j = 0; j < h->n; j++) {
            uint8_t swap = h->matrix[pivot * h->n + j];
            h->matrix[pivot * h->n + j] = h->matrix[rank * h->n + j];
            h->matrix[rank * h->n + j] = swap;
        }
        for (uint32_t i = 0; i < h->m; i++)
            if (i != rank && h->matrix[i * h->n + v])
                for (uint32_t j = 0; j < h->n; j++)
                    h->matrix[i * h->n + j] ^= h->matrix[rank * h->n + j];
        rank++;
    }
    for (uint32_t i = 0; i < k / 2; i++) { /* ascending */
        uint32_t swap = message[i];
        message[i] = message[k - 1 - i];
        message[k - 1 - i] = swap;
    }
    return k;
}

/* Compares k and the message columns. Then encodes messages in all lanes and checks the syndromes. */
static void check_against_elimination(ones *h)
{
    uint64_t seed = 7;
    ldpc_code *code = ones_code(h);
    uint32_t *message_columns = allocate(h->n * sizeof *message_columns);
    uint32_t k = eliminate(h, message_columns);
    assert_int_equal(ldpc_code_k(code), k);
    assert_int_equal(ldpc_code_n(code), h->n);
    assert_memory_equal(ldpc_code_message_columns(code), message_columns, k * sizeof *message_columns);

    enum { CODEWORDS = 65 };
    uint8_t *message = allocate(CODEWORDS * k), *codewords = allocate(CODEWORDS * h->n);
    for (size_t i = 0; i < CODEWORDS * k; i++)
        message[i] = (uint8_t)(random_bits(&seed) >> 63);
    assert_int_equal(ldpc_encode(code, message, CODEWORDS, codewords), k ? LDPC_OK : LDPC_ERR_PARAM);
    for (size_t w = 0; k && w < CODEWORDS; w++) {
        assert_int_equal(ldpc_syndrome_weight(code, codewords + w * h->n), 0);
        for (uint32_t i = 0; i < k; i++)
            assert_int_equal(codewords[w * h->n + message_columns[i]], message[w * k + i]);
    }
    free(message);
    free(codewords);
    free(message_columns);
    ldpc_code_destroy(code);
}

/* Makes sparse, dense, wide and tall matrices, some with repeated, dependent or empty checks, or with empty
 * columns. */
static void test_random_matrices(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int round = 0; round < 400; round++) {
        ones h = ones_open(1 + random_below(&seed, 90), 1 + random_below(&seed, 120));
        uint32_t density = 1 + random_below(&seed, round % 2 ? 6 : 100), copies = random_below(&seed, h.m);
        for (uint32_t i = 0; i < h.m * h.n; i++)
            h.matrix[i] = random_below(&seed, 200) < density;
        for (uint32_t i = 0; round % 3 == 0 && i < copies; i++) { /* a sum of two other checks */
            uint32_t a = random_below(&seed, h.m), b = random_below(&seed, h.m), c = random_below(&seed, h.m);
            for (uint32_t j = 0; j < h.n; j++)
                h.matrix[a * h.n + j] = h.matrix[b * h.n + j] ^ h.matrix[c * h.n + j];
        }
        ones_list(&h);
        check_against_elimination(&h);
        ones_close(&h);
    }
}

/* The null space of the checks has more than 64 dimensions, the size of a word. */
static void test_redundant_checks(void **state)
{
    (void)state;
    enum { N = 273 };
    static const uint32_t differences[] = {1,   2,   4,   8,   16,  32,  64,  91, 117,
                                           128, 137, 182, 195, 205, 234, 239, 256};
    ones h = ones_open(N, N);
    for (uint32_t i = 0; i < N; i++)
        for (size_t d = 0; d < sizeof differences / sizeof *differences; d++)
            h.matrix[i * N + (i + differences[d]) % N] = 1;
    ones_list(&h);
    ldpc_code *code = ones_code(&h);
    assert_int_equal(ldpc_code_k(code), 191);
    assert_int_equal(ldpc_code_girth(code, 8), 6);
    ldpc_code_destroy(code);
    check_against_elimination(&h);
    ones_close(&h);
}

/* A random (3,6)-regular code has no efficient encoder, because too many columns would be set aside
 * (code/encoder.h). */
static void test_limit_of_columns_aside(void **state)
{
    (void)state;
    enum { M = 1000, N = 2000 };
    uint64_t seed = 3;
    uint32_t *checks = allocate(3 * N * sizeof *checks), *variables = allocate(3 * N * sizeof *variables);
    for (uint32_t e = 0; e < 3 * N; e++) {
        variables[e] = e / 3;
        do
            checks[e] = random_below(&seed, M);
        while ((e % 3 > 0 && checks[e] == checks[e - 1]) || (e % 3 > 1 && checks[e] == checks[e - 2]));
    }
    ldpc_error err;
    ldpc_code *code;
    assert_int_equal(ldpc_code_create_edges(M, N, checks, variables, 3 * N, &code, &err), LDPC_OK);
    uint32_t k = ldpc_code_k(code), aside = code->encoder->aside;

    for (int most = 0; most < 2; most++) {
        ldpc_encoder_close(code->encoder);
        free(code->message);
        code->encoder = NULL;
        code->message = NULL;
        code->k = 0;
        uint32_t order[N];
        for (uint32_t v = 0; v < N; v++)
            order[v] = v;
        assert_int_equal(ldpc_encoder_open(code, order, most ? 0 : aside - 1, LDPC_MAX_OPERATIONS),
                         LDPC_ERR_LIMIT); /* a given order cannot be changed */
        assert_int_equal(ldpc_encoder_open(code, NULL, most ? 0 : aside - 1, LDPC_MAX_OPERATIONS), LDPC_OK);
        assert_int_equal(ldpc_code_has_encoder(code), !most);
        if (most) {
            uint8_t message[N - M] = {0}, codeword[N];
            assert_int_equal(code->k, N - M);
            for (uint32_t i = 0; i < code->k; i++)
                assert_int_equal(code->message[i], i);
            assert_int_equal(ldpc_encode(code, message, 1, codeword), LDPC_ERR_LIMIT);
        } else {
            assert_int_equal(code->k, k);
            assert_true(code->encoder->aside < aside);
            uint8_t *message = allocate(k), *codeword = allocate(N);
            for (uint32_t i = 0; i < k; i++)
                message[i] = (uint8_t)(random_bits(&seed) >> 63);
            assert_int_equal(ldpc_encode(code, message, 1, codeword), LDPC_OK);
            assert_int_equal(ldpc_syndrome_weight(code, codeword), 0);
            for (uint32_t i = 0; i < k; i++)
                assert_int_equal(codeword[code->message[i]], message[i]);
            free(message);
            free(codeword);
        }
    }
    ldpc_code_destroy(code);
    free(checks);
    free(variables);
}

static void test_small_sizes(void **state)
{
    (void)state;
    ones h = ones_open(1, 1); /* no check contains this bit, so it is a message bit */
    ones_list(&h);
    check_against_elimination(&h);
    h.matrix[0] = 1; /* forces the bit to zero: k = 0 */
    ones_list(&h);
    ldpc_code *code = ones_code(&h);
    assert_int_equal(ldpc_code_k(code), 0);
    ldpc_code_destroy(code);
    ones_close(&h);
}

static void test_order_and_view(void **state)
{
    (void)state;
    const uint32_t checks[] = {1, 0, 1, 0, 1}, variables[] = {4, 3, 0, 1, 2};
    ldpc_code *code;
    assert_int_equal(ldpc_code_create_edges(2, 5, checks, variables, 5, &code, NULL), LDPC_OK);
    uint32_t degree;
    const uint32_t *columns = ldpc_code_check(code, 1, &degree);
    const uint32_t want[] = {0, 2, 4};
    assert_int_equal(degree, 3);
    assert_memory_equal(columns, want, sizeof want);
    assert_null(ldpc_code_check(code, 2, &degree));
    assert_int_equal(ldpc_code_lifting_size(code), 1);
    assert_int_equal(ldpc_code_order(code), 2);
    assert_string_equal(ldpc_code_name(code), "edges");
    assert_string_equal(ldpc_code_standard(code), "");
    ldpc_code_destroy(code);
}

static void check_refused(uint32_t m, uint32_t n, const uint32_t *checks, const uint32_t *variables,
                          size_t edges, ldpc_status want, const char *part)
{
    ldpc_error err = {""};
    ldpc_code *code = (ldpc_code *)&err;
    assert_int_equal(ldpc_code_create_edges(m, n, checks, variables, edges, &code, &err), want);
    assert_null(code);
    if (!strstr(err.message, part))
        fail_msg("\"%s\" does not contain \"%s\"", err.message, part);
}

/* A code whose encoder needs too many operations has no encoder. */
static void test_limit_of_operations(void **state)
{
    (void)state;
    for (int enough = 0; enough < 2; enough++) {
        ldpc_code *code = create("ccsds:c2:8176");
        assert_true(code->encoder->aside > 0);
        ldpc_encoder_close(code->encoder);
        free(code->message);
        code->encoder = NULL;
        code->message = NULL;
        code->k = 0;
        assert_int_equal(ldpc_encoder_open(code, NULL, LDPC_MAX_ASIDE, enough ? LDPC_MAX_OPERATIONS : 1000),
                         LDPC_OK);
        assert_int_equal(ldpc_code_has_encoder(code), enough);
        assert_int_equal(code->k, enough ? 7156 : 8176 - 1022);
        ldpc_code_destroy(code);
    }
}

/* One check has a million columns. The search time must not be quadratic. */
static void test_long_check(void **state)
{
    (void)state;
    enum { N = 1 << 20 };
    uint32_t *checks = allocate(N * sizeof *checks), *variables = allocate(N * sizeof *variables);
    for (uint32_t i = 0; i < N; i++) {
        checks[i] = 0;
        variables[i] = i;
    }
    ldpc_code *code;
    assert_int_equal(ldpc_code_create_edges(N, N, checks, variables, N, &code, NULL), LDPC_OK);
    assert_int_equal(ldpc_code_k(code), N - 1);
    ldpc_code_destroy(code);
    free(checks);
    free(variables);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    const uint32_t good[] = {0, 1}, twice[] = {0, 0}, far[] = {0, 9};
    check_refused(2, 4, NULL, good, 2, LDPC_ERR_NULL, "must not be NULL");
    check_refused(2, 4, good, NULL, 2, LDPC_ERR_NULL, "must not be NULL");
    check_refused(0, 4, good, good, 2, LDPC_ERR_RANGE, "at least one of each");
    check_refused(2, 0, good, good, 2, LDPC_ERR_RANGE, "at least one of each");
    check_refused(2, 4, far, good, 2, LDPC_ERR_RANGE, "edge 1 is at check 9");
    check_refused(2, 4, good, far, 2, LDPC_ERR_RANGE, "column 9");
    check_refused(2, 4, twice, twice, 2, LDPC_ERR_PARAM, "check 0, column 0 is given twice");
    check_refused(2, UINT32_MAX, good, good, 2, LDPC_ERR_LIMIT, "at most");
    check_refused(UINT32_MAX, 4, good, good, 2, LDPC_ERR_LIMIT, "at most");
    assert_int_equal(ldpc_code_create_edges(2, 4, good, good, 2, NULL, NULL), LDPC_ERR_NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_matrices),        cmocka_unit_test(test_redundant_checks),
        cmocka_unit_test(test_limit_of_operations),    cmocka_unit_test(test_long_check),
        cmocka_unit_test(test_limit_of_columns_aside), cmocka_unit_test(test_small_sizes),
        cmocka_unit_test(test_order_and_view),         cmocka_unit_test(test_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
