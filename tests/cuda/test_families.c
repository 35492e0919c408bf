/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests which kernel is chosen on a large GPU, for each code of the standards and for narrow layers. Needs no
 * GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cuda/kernels/kernel.h"
#include "cuda/kernels/split_layers.h"
#include "code/repeat_accumulate.h"
#include "ldpc/ldpc.h"

static const ldpc_cuda_device hopper = {.capability = 90,
                                        .warps = true,
                                        .most_threads = 1024,
                                        .sms = 132,
                                        .shared_bytes = 232448,
                                        .shared_bytes_per_sm = 233472};

/* Returns the last kernel of the list that supports the plan. */
static const char *kernel_of(const ldpc_code *code, ldpc_arithmetic arithmetic, bool early_stop)
{
    ldpc_decoder_params params;
    ldpc_plan plan;
    const ldpc_cuda_kernel *kernel;
    const char *best = NULL;
    ldpc_decoder_params_init(&params);
    params.arithmetic = arithmetic;
    params.early_stop = early_stop;
    assert_int_equal(ldpc_plan_init(&plan, code, &params, arithmetic, NULL), LDPC_OK);
    for (size_t i = 0; (kernel = ldpc_cuda_kernel_at(i)); i++)
        if (!kernel->by_name && ldpc_cuda_supports(kernel, &plan, &hopper))
            best = kernel->name;
    ldpc_plan_clear(&plan);
    assert_non_null(best);
    return best;
}

/* Codes for which "chip" is chosen. Some have few dense layers with thousands of columns of degree 1. Some
 * have no lifting size. In some, the bits of stopped codewords need too much shared memory. */
static bool is_left(const char *name, ldpc_arithmetic arithmetic, bool early_stop)
{
    static const char *const always[] = {"atsc3:64800:2/15", "atsc3:64800:3/15", "atsc3:64800:4/15",
                                         "atsc3:64800:5/15", "atsc3:64800:7/15", "ethernet:2048"};
    static const char *const stopping[] = {"ccsds:ar4ja:16384:1/2", "nr:bg1:320:21120", "nr:bg1:352:23232",
                                           "nr:bg1:384:25344"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (strcmp(name, always[i]) == 0)
            return true;
    for (size_t i = 0; early_stop && i < sizeof stopping / sizeof *stopping; i++)
        if (strcmp(name, stopping[i]) == 0)
            return i == 0 || arithmetic == LDPC_ARITHMETIC_I16;
    return false;
}

static void test_kernels_of_families(void **state)
{
    const char *name;
    size_t count = 0;
    (void)state;
    for (size_t i = 0; (name = ldpc_code_list(i)); i++) {
        ldpc_code *code;
        assert_int_equal(ldpc_code_create(name, &code, NULL), LDPC_OK);
        for (int combination = 0; ldpc_code_order(code) == 2 && combination < 4; combination++) {
            ldpc_arithmetic arithmetic = combination & 1 ? LDPC_ARITHMETIC_I8 : LDPC_ARITHMETIC_I16;
            bool early_stop = combination & 2, left = is_left(name, arithmetic, early_stop);
            const char *kernel = kernel_of(code, arithmetic, early_stop);
            if (strcmp(kernel, "any") == 0 || (strcmp(kernel, "chip") == 0) != left)
                fail_msg("%s, %s, %s: %s", name, ldpc_arithmetic_name(arithmetic),
                         early_stop ? "early stop" : "fixed", kernel);
            count++;
        }
        ldpc_code_destroy(code);
    }
    assert_true(count > 1000);
}

/* "straight" supports checks with up to 64 edges. "chip" supports checks with up to 65 edges. */
static void test_long_rows(void **state)
{
    (void)state;
    for (int degree = 64; degree <= 65; degree++) {
        char text[2000];
        int length = snprintf(text, sizeof text, "%d 2 8\n", degree);
        for (int i = 0; i < 2 * degree; i++)
            length += snprintf(text + length, sizeof text - (size_t)length, "%d%c", i / degree * i % 8,
                               i % degree == degree - 1 ? '\n' : ' ');
        ldpc_code *code;
        assert_int_equal(ldpc_code_create_qc(text, (size_t)length, &code, NULL), LDPC_OK);
        assert_string_equal(kernel_of(code, LDPC_ARITHMETIC_I16, false), degree == 64 ? "straight" : "chip");
        ldpc_code_destroy(code);
    }
}

/* "straight" and "chip" count unsatisfied checks in 16 bits: 127 layers of 512 checks fit, 128 do not. */
static void test_many_checks(void **state)
{
    enum { GROUPS = 16, MOST_LAYERS = 128 };
    (void)state;
    for (int layers = MOST_LAYERS - 1; layers <= MOST_LAYERS; layers++) {
        char text[4 * GROUPS * MOST_LAYERS + 20];
        int length = snprintf(text, sizeof text, "%d %d 512\n", GROUPS, layers);
        for (int l = 0; l < layers; l++)
            for (int g = 0; g < GROUPS; g++) {
                bool edge = g == l % GROUPS || g == (l + 1 + l / GROUPS) % GROUPS;
                length += snprintf(text + length, sizeof text - (size_t)length, "%d%c",
                                   edge ? l * (g + 1) % 512 : -1, g == GROUPS - 1 ? '\n' : ' ');
            }
        ldpc_code *code;
        assert_int_equal(ldpc_code_create_qc(text, (size_t)length, &code, NULL), LDPC_OK);
        assert_string_equal(kernel_of(code, LDPC_ARITHMETIC_I16, true),
                            layers < MOST_LAYERS ? "straight" : "any");
        ldpc_code_destroy(code);
    }
}

/* In i16, posteriors of DVB codes exceed the range of half precision. */
static ldpc_code *make_dvb_like(uint32_t info_groups, uint32_t layers)
{
    enum { GROUP_DEGREE = 56 };
    static uint16_t addresses[150 * (1 + GROUP_DEGREE)];
    uint16_t *next = addresses;
    for (uint32_t edge = 0; edge < info_groups * GROUP_DEGREE; edge++) {
        if (edge % GROUP_DEGREE == 0)
            *next++ = GROUP_DEGREE;
        *next++ = (uint16_t)(edge % layers + layers * (edge * 7 % LDPC_RA_GROUP));
    }
    const ldpc_ra_code dvb = {.name = "own",
                              .standard = "none",
                              .n = (info_groups + layers) * LDPC_RA_GROUP,
                              .k = info_groups * LDPC_RA_GROUP,
                              .addresses = addresses};
    ldpc_code *code;
    assert_int_equal(ldpc_ra_make(&dvb, &code, NULL), LDPC_OK);
    return code;
}

/* The kernel "dvb" supports checks with at most 64 information bits. */
static void test_degrees_of_dvb(void **state)
{
    (void)state;
    for (uint32_t info_groups = 112; info_groups <= 113; info_groups++) {
        ldpc_code *code = make_dvb_like(info_groups, 98);
        assert_string_equal(kernel_of(code, LDPC_ARITHMETIC_I8, false), info_groups == 112 ? "dvb" : "any");
        ldpc_code_destroy(code);
    }
}

/* Columns of degree 1 have no messages. "straight" does not support codes with only such columns. */
static void test_no_messages(void **state)
{
    static const char text[] = "5 2 8\n0 1 2 -1 -1\n-1 -1 -1 3 4\n";
    ldpc_code *code;
    (void)state;
    assert_int_equal(ldpc_code_create_qc(text, sizeof text - 1, &code, NULL), LDPC_OK);
    assert_string_equal(kernel_of(code, LDPC_ARITHMETIC_I16, false), "chip");
    ldpc_code_destroy(code);
}

static uint32_t position_of(const ldpc_code *code, const ldpc_block *block, uint32_t lane)
{
    return block->group * code->z + (lane + block->shift) % code->z;
}

static void check_split(const char *name, uint32_t parts)
{
    ldpc_code *code, *split;
    assert_int_equal(ldpc_code_create(name, &code, NULL), LDPC_OK);
    assert_true(ldpc_can_split_layers(code, parts));
    split = ldpc_split_layers(code, parts);
    assert_non_null(split);
    assert_int_equal(split->z * parts, code->z);
    for (uint32_t l = 0; l < split->layers; l++) {
        uint32_t first = code->layer_start[l / parts], degree = code->layer_start[l / parts + 1] - first;
        assert_int_equal(split->layer_start[l + 1] - split->layer_start[l], degree);
        for (uint32_t e = 0; e < degree; e++)
            for (uint32_t i = 0; i < split->z; i++) {
                const ldpc_block *block = &split->blocks[split->layer_start[l] + e];
                uint32_t at = position_of(split, block, i), group = at / split->z, lane = at % split->z;
                uint32_t was = group / parts * code->z + lane * parts + group % parts;
                assert_int_equal(was, position_of(code, &code->blocks[first + e], i * parts + l % parts));
                assert_true(block->missing_lane != i ||
                            code->blocks[first + e].missing_lane == i * parts + l % parts);
            }
    }
    ldpc_split_layers_free(split);
    ldpc_code_destroy(code);
}

static void test_split_layers(void **state)
{
    (void)state;
    check_split("ccsds:ar4ja:16384:1/2", 4);
    check_split("ccsds:ar4ja:16384:2/3", 2);
    check_split("wimax:672:3/4B", 7);
    check_split("dvbs2x:64800:2/9", 3);
}

static void test_no_split_layers(void **state)
{
    ldpc_code *code;
    (void)state;
    assert_int_equal(ldpc_code_create("ccsds:tc:512", &code, NULL), LDPC_OK);
    assert_false(ldpc_can_split_layers(code, 2));
    ldpc_code_destroy(code);
    assert_int_equal(ldpc_code_create("wifi:648:1/2", &code, NULL), LDPC_OK);
    assert_false(ldpc_can_split_layers(code, 2)); /* z = 27 */
    ldpc_code_destroy(code);
}

/* If nvcc has compiled "any", this kernel does not need NVRTC. Otherwise the library contains its source. */
static void test_images_of_any(void **state)
{
    static const ldpc_algorithm rules[] = {LDPC_ALGORITHM_CORRECTED_MIN_SUM, LDPC_ALGORITHM_THREE_MIN};
    const void *const images[] = {ldpc_cuda_image_any(), ldpc_cuda_image_any_three_min()};
    ldpc_code *code;
    (void)state;
    assert_int_equal(ldpc_code_create("wifi:648:1/2", &code, NULL), LDPC_OK);
    assert_true((images[0] != images[1]) == (images[0] != NULL));
    for (int i = 0; i < 2; i++) {
        ldpc_decoder_params params;
        ldpc_plan plan;
        ldpc_cuda_program program = {0};
        ldpc_decoder_params_init(&params);
        params.algorithm = rules[i];
        assert_int_equal(ldpc_plan_init(&plan, code, &params, LDPC_ARITHMETIC_I16, NULL), LDPC_OK);
        assert_int_equal(ldpc_cuda_any.make(&plan, &hopper, &program), LDPC_OK);
        assert_ptr_equal(program.image, images[i]);
        assert_int_equal(program.source == NULL, images[i] != NULL);
        ldpc_cuda_program_free(&program);
        ldpc_plan_clear(&plan);
    }
    ldpc_code_destroy(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels_of_families), cmocka_unit_test(test_long_rows),
        cmocka_unit_test(test_many_checks),         cmocka_unit_test(test_degrees_of_dvb),
        cmocka_unit_test(test_no_messages),         cmocka_unit_test(test_split_layers),
        cmocka_unit_test(test_no_split_layers),     cmocka_unit_test(test_images_of_any)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
