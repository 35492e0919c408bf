/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the girth with a plain search on random matrices, and with known values. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "code/code_helpers.h"

/* Computes the girth for comparison. Searches the shortest path from c to v without the edge (c, v), for each
 * edge. Path and edge form a cycle. */
static uint32_t shortest_cycle(const uint8_t *h, uint32_t m, uint32_t n, uint32_t c, uint32_t v)
{
    uint32_t distance[64], queue[64], head = 0, tail = 0;
    assert_true(m + n <= 64);
    memset(distance, 0xff, sizeof distance);
    distance[c] = 0;
    queue[tail++] = c;
    while (head < tail) {
        uint32_t node = queue[head++];
        for (uint32_t to = node < m ? m : 0; to < (node < m ? m + n : m); to++) {
            uint32_t check = node < m ? node : to, variable = (node < m ? to : node) - m;
            if (!h[check * n + variable] || (check == c && variable == v) || distance[to] != UINT32_MAX)
                continue;
            distance[to] = distance[node] + 1;
            queue[tail++] = to;
        }
    }
    return distance[m + v] == UINT32_MAX ? UINT32_MAX : distance[m + v] + 1;
}

static uint32_t plain_girth(const uint8_t *h, uint32_t m, uint32_t n)
{
    uint32_t girth = UINT32_MAX;
    for (uint32_t c = 0; c < m; c++)
        for (uint32_t v = 0; v < n; v++)
            if (h[c * n + v] && shortest_cycle(h, m, n, c, v) < girth)
                girth = shortest_cycle(h, m, n, c, v);
    return girth == UINT32_MAX ? 0 : girth;
}

/* pairs: no column has more than two ones, which makes cycles longer */
static void fill_random(uint8_t *h, uint32_t m, uint32_t n, bool pairs, uint64_t *seed)
{
    for (uint32_t v = 0; v < n; v++)
        for (uint32_t i = 0; i < 2 || (!pairs && i < 1 + random_below(seed, 4)); i++)
            h[random_below(seed, m) * n + v] = 1;
}

static void test_random_matrices(void **state)
{
    (void)state;
    uint64_t seed = 5;
    uint32_t seen[64] = {0};
    for (int round = 0; round < 800; round++) {
        bool pairs = round % 2;
        uint8_t h[32 * 32] = {0};
        uint32_t checks[32 * 32], variables[32 * 32];
        uint32_t m = pairs ? 32 : 1 + random_below(&seed, 32), n = 1 + random_below(&seed, 32);
        size_t edges = 0;
        fill_random(h, m, n, pairs, &seed);
        for (uint32_t i = 0; i < m * n; i++)
            if (h[i]) {
                checks[edges] = i / n;
                variables[edges++] = i % n;
            }
        ldpc_code *code;
        assert_int_equal(ldpc_code_create_edges(m, n, checks, variables, edges, &code, NULL), LDPC_OK);
        uint32_t girth = plain_girth(h, m, n);
        assert_int_equal(ldpc_code_girth(code, UINT32_MAX), girth);
        assert_int_equal(ldpc_code_girth(code, 64), girth);
        if (girth) {
            assert_int_equal(ldpc_code_girth(code, girth), girth);
            assert_int_equal(ldpc_code_girth(code, girth - 1), 0);
        }
        seen[girth]++;
        ldpc_code_destroy(code);
    }
    assert_true(seen[0] > 10 && seen[4] > 10 && seen[6] > 10 && seen[8] > 10 && seen[10] > 3 && seen[12] > 0);
}

/* The girth must not depend on whether the quasi-cyclic structure is known. */
static void check_without_structure(const char *name, uint32_t limit)
{
    ldpc_code *code = create(name), *plain;
    size_t needed;
    assert_int_equal(ldpc_code_write_alist(code, NULL, 0, &needed), LDPC_OK);
    char *text = allocate(needed);
    assert_int_equal(ldpc_code_write_alist(code, text, needed, &needed), LDPC_OK);
    assert_int_equal(ldpc_code_create_alist(text, needed - 1, &plain, NULL), LDPC_OK);
    assert_int_equal(ldpc_code_girth(code, limit), ldpc_code_girth(plain, limit));
    assert_true(ldpc_code_girth(code, limit) >= 4);
    free(text);
    ldpc_code_destroy(code);
    ldpc_code_destroy(plain);
}

static void test_structure(void **state)
{
    (void)state;
    check_without_structure("wifi:648:1/2", 12);
    check_without_structure("dvbs2:16200:8/9", 12);
    check_without_structure("ccsds:ar4ja:1024:1/2", 12);
}

/* For z <= 60, WiMAX 5/6 has cycles of length 4. Its variant v68 has a shift of 68 instead of 50, and girth
 * 6. */
static void test_known(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t girth;
    } known[] = {
        {"wimax:576:5/6",     4},
        {"wimax:1440:5/6",    4},
        {"wimax:1536:5/6",    6},
        {"wimax:576:5/6v68",  6},
        {"wimax:1440:5/6v68", 6},
        {"wimax:2304:5/6v68", 6},
        {"ccsds:c2:8176",     6},
        {"ethernet:2048",     6}
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ldpc_code *code = create(known[i].name);
        assert_int_equal(ldpc_code_girth(code, 8), known[i].girth);
        ldpc_code_destroy(code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_matrices),
        cmocka_unit_test(test_structure),
        cmocka_unit_test(test_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
