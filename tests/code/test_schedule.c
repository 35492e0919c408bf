/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the results of code/schedule.h with their definitions. */
#include <stdlib.h>
#include <string.h>

#include "code/code_helpers.h"
#include "code/schedule.h"

/* Codes with and without repeated groups, split circulants and missing edges. Also codes with z = 1 and codes
 * over GF(64). */
static const char *const names[] = {
    "wifi:648:1/2",    "nr:bg2:4:200",      "ccsds:c2:8160",
    "dvbs2:16200:1/4", "dvbs2:16200:3/4",   "wigig:672:3/4",
    "bds:b1c:88",      "atsc3:16200:13/15", "alist:" LDPC_TESTS_DIR "/code/broulim_14_7.alist"};

typedef void check_code(const ldpc_code *code);

static void for_all_codes(check_code *check)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ldpc_code *code = create(names[i]);
        check(code);
        ldpc_code_destroy(code);
    }
}

static uint32_t number_of_blocks(const ldpc_code *code)
{
    return code->layer_start[code->layers];
}

static bool layer_has(const ldpc_code *code, uint32_t layer, uint32_t group)
{
    for (uint32_t b = code->layer_start[layer]; b < code->layer_start[layer + 1]; b++)
        if (code->blocks[b].group == group)
            return true;
    return false;
}

static bool layers_share(const ldpc_code *code, uint32_t one, uint32_t other)
{
    for (uint32_t b = code->layer_start[one]; b < code->layer_start[one + 1]; b++)
        if (layer_has(code, other, code->blocks[b].group))
            return true;
    return false;
}

/* ---- occurrences */

static void check_occurrences(const ldpc_code *code)
{
    uint32_t most = 0;
    for (uint32_t l = 0; l < code->layers; l++)
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
            uint32_t earlier = 0;
            for (uint32_t i = code->layer_start[l]; i < b; i++)
                earlier += code->blocks[i].group == code->blocks[b].group;
            assert_int_equal(code->blocks[b].occurrence, earlier);
            most = earlier > most ? earlier : most;
        }
    assert_int_equal(code->max_occurrence, most);
}

static void test_occurrences(void **state)
{
    (void)state;
    for_all_codes(check_occurrences);
    ldpc_code *code;
    const char *text = "3 2 5\n0,1,4 2 -1\n-1 0,3 3\n"; /* two layers with repeated groups */
    assert_int_equal(ldpc_code_create_qc(text, strlen(text), &code, NULL), LDPC_OK);
    assert_int_equal(code->max_occurrence, 2);
    check_occurrences(code);
    ldpc_code_destroy(code);
}

/* ---- stages */

/* Tests the example that is drawn in schedule.h. */
static void test_stages_by_hand(void **state)
{
    (void)state;
    static const uint32_t checks[] = {0, 0, 1, 1, 2, 2, 3, 4, 4}, columns[] = {0, 1, 2, 3, 1, 4, 5, 3, 4};
    static const uint32_t start[] = {0, 3, 4, 5}, order[] = {0, 1, 3, 2, 4}, of[] = {0, 0, 1, 0, 2};
    static const uint32_t keys[] = {7, 7, 0, 2, 1}, order_by_key[] = {3, 0, 1, 2, 4};
    ldpc_code *code;
    ldpc_stages stages;
    assert_int_equal(ldpc_code_create_edges(5, 6, checks, columns, 9, &code, NULL), LDPC_OK);
    assert_true(ldpc_stages_make(code, NULL, &stages));
    assert_int_equal(stages.count, 3);
    assert_memory_equal(stages.start, start, sizeof start);
    assert_memory_equal(stages.order, order, sizeof order);
    assert_memory_equal(stages.of, of, sizeof of);
    ldpc_stages_free(&stages);
    assert_true(ldpc_stages_make(code, keys, &stages));
    assert_memory_equal(stages.start, start, sizeof start);
    assert_memory_equal(stages.order, order_by_key, sizeof order_by_key);
    ldpc_stages_free(&stages);
    ldpc_code_destroy(code);
}

static uint32_t first_stage(const ldpc_code *code, const ldpc_stages *stages, uint32_t layer)
{
    uint32_t stage = 0;
    for (uint32_t l = 0; l < layer; l++)
        if (layers_share(code, l, layer) && stages->of[l] >= stage)
            stage = stages->of[l] + 1;
    return stage;
}

static bool comes_before(const uint32_t *key, uint32_t a, uint32_t b)
{
    return key[a] < key[b] || (key[a] == key[b] && a < b);
}

static void check_stages(const ldpc_code *code)
{
    ldpc_stages stages;
    uint32_t *key = allocate(code->layers * sizeof *key), most = 0;
    for (uint32_t l = 0; l < code->layers; l++)
        key[l] = code->layer_start[l + 1] - code->layer_start[l];
    assert_true(ldpc_stages_make(code, key, &stages));
    for (uint32_t l = 0; l < code->layers; l++) {
        assert_int_equal(stages.of[l], first_stage(code, &stages, l));
        most = stages.of[l] > most ? stages.of[l] : most;
    }
    assert_int_equal(stages.count, most + 1);
    assert_int_equal(stages.start[0], 0);
    assert_int_equal(stages.start[stages.count], code->layers);
    for (uint32_t s = 0; s < stages.count; s++)
        for (uint32_t i = stages.start[s]; i < stages.start[s + 1]; i++) {
            assert_int_equal(stages.of[stages.order[i]], s);
            assert_true(i == stages.start[s] || comes_before(key, stages.order[i - 1], stages.order[i]));
        }
    ldpc_stages_free(&stages);
    free(key);
}

static void test_stages(void **state)
{
    (void)state;
    for_all_codes(check_stages);
}

/* ---- barriers */

/* Returns the layer that writes the value of a block to memory. */
static uint32_t written_at(const ldpc_code *code, uint32_t layer, uint8_t write)
{
    return write == LDPC_BLOCK_WRITES ? layer : write == LDPC_BLOCK_WRITES_LATER ? layer + 1 : code->layers;
}

/* Returns whether layer `reader` reads values that layers `since` .. reader - 1 write. */
static bool must_wait(const ldpc_code *code, const uint8_t *write, uint32_t reader, uint32_t since)
{
    for (uint32_t l = since ? since - 1 : 0; l < reader; l++)
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
            const uint32_t at = written_at(code, l, write[b]);
            if (at >= since && at < reader && layer_has(code, reader, code->blocks[b].group))
                return true;
        }
    return false;
}

static void check_barriers_of(const ldpc_code *code, const uint8_t *write, const bool *barrier)
{
    uint32_t since = 0;
    for (uint32_t l = 0; l + 1 < code->layers; l++) {
        assert_int_equal(barrier[l], must_wait(code, write, l + 1, since));
        since = barrier[l] ? l + 1 : since;
    }
    assert_true(barrier[code->layers - 1]);
}

static void check_barriers(const ldpc_code *code)
{
    bool *barrier = allocate(code->layers * sizeof *barrier), *other = allocate(code->layers * sizeof *other);
    uint8_t *write = allocate(number_of_blocks(code));
    uint64_t seed = 1;
    memset(write, LDPC_BLOCK_WRITES, number_of_blocks(code));
    assert_true(ldpc_code_find_barriers(code, write, barrier));
    check_barriers_of(code, write, barrier);
    assert_true(ldpc_code_find_barriers(code, NULL, other));
    assert_memory_equal(barrier, other, code->layers * sizeof *barrier);
    for (int round = 0; round < 3; round++) {
        for (uint32_t b = 0; b < number_of_blocks(code); b++)
            write[b] = (uint8_t)random_below(&seed, 3);
        assert_true(ldpc_code_find_barriers(code, write, barrier));
        check_barriers_of(code, write, barrier);
    }
    free(barrier);
    free(other);
    free(write);
}

static void test_barriers(void **state)
{
    (void)state;
    for_all_codes(check_barriers);
}

/* ---- links */

static void check_links(const ldpc_code *code)
{
    const uint32_t blocks = number_of_blocks(code);
    uint32_t *previous = allocate(blocks * sizeof *previous), *next = allocate(blocks * sizeof *next);
    assert_true(ldpc_code_link_blocks(code, previous, next));
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t expected = b;
        do
            expected = (expected + 1) % blocks;
        while (code->blocks[expected].group != code->blocks[b].group);
        assert_int_equal(next[b], expected);
        assert_int_equal(previous[expected], b);
    }
    free(previous);
    free(next);
}

static void test_links(void **state)
{
    (void)state;
    for_all_codes(check_links);
}

static void test_posterior_bound(void **state)
{
    (void)state;
    static const uint32_t checks[] = {0, 0, 1, 1, 2}, columns[] = {0, 1, 1, 2, 1};
    ldpc_code *code;
    assert_int_equal(ldpc_code_create_edges(3, 3, checks, columns, 5, &code, NULL), LDPC_OK);
    assert_int_equal(ldpc_code_posterior_bound(code, 128, 31), 128 + 3 * 31);
    ldpc_code_destroy(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_occurrences), cmocka_unit_test(test_stages_by_hand),
        cmocka_unit_test(test_stages),      cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_links),       cmocka_unit_test(test_posterior_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
