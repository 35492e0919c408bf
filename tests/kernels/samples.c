/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/dyadic.h"
#include "code/schedule.h"
#include "draws.h"

/* Codes of each family. Their lifting sizes are below, at and above vector lengths. Their rows have degrees 2
 * to 32. Some codes have missing edges. Some DVB codes have several blocks of a column in a layer. Some
 * groups are known, constant or only partly transmitted. */
static const char *const names[] = {
    "tiny",
    "irregular",
    "folded",
    "wide",
    "dense",
    "dyadic",
    "random",
    "wimax:576:1/2",
    "wimax:2304:1/2",
    "wimax:2304:5/6",
    "wimax:672:3/4B",
    "wifi:648:1/2",
    "wifi:1944:2/3",
    "wifi:1296:5/6",
    "wigig:672:13/16",
    "nr:bg1:16:1056",
    "nr:bg2:20:770:180",
    "ccsds:tc:128",
    "ccsds:ar4ja:1024:4/5",
    "ccsds:c2:8160",
    "ethernet:2048",
    "dvbc2:16200:5/6",
    "dvbs2x:15390:1/5",
    "atsc3:16200:2/15",
    "atsc3:16200:8/15",
    "dvbs2:16200:1/4",
    "dvbt2:16200:1/2",
    "dvbs2:16200:8/9",
    "dvbt2:64800:1/2",
    "dvbs2:64800:9/10",
};

const char *sample_code_name(size_t i)
{
    return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

random_state random_of(uint64_t seed, const char *name)
{
    random_state state = {seed};
    for (; *name; name++) {
        state.x += (unsigned char)*name;
        random_next(&state);
    }
    return state;
}

uint32_t random_next(random_state *state)
{
    state->x = state->x * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX generator */
    return (uint32_t)(state->x >> 32);
}

uint32_t random_below(random_state *state, uint32_t limit)
{
    return (uint32_t)((uint64_t)random_next(state) * limit >> 32);
}

/* ---- codes from ones */

static ldpc_code *create_tiny(void)
{
    static const char alist[] = "6 4\n2 4\n2 2 2 2 2 2\n3 3 4 2\n" /* sizes, degrees */
                                "1 3\n1 2\n2 3\n1 4\n2 3\n3 4\n"   /* the checks of each column */
                                "1 2 4 0\n2 3 5 0\n1 3 5 6\n4 6 0 0\n";
    ldpc_code *code;
    return ldpc_code_create_alist(alist, strlen(alist), &code, NULL) ? NULL : code;
}

static ldpc_code *create_irregular(void)
{
    enum { M = 130, N = 260 };
    static uint32_t checks[M * 40], columns[M * 40];
    static uint8_t used[N];
    random_state random = {12345};
    size_t edges = 0;
    for (uint32_t c = 0; c < M; c++) {
        uint32_t degree = c < 2 ? 1 : c < 4 ? 40 : 2 + random_below(&random, 9);
        memset(used, 0, sizeof used);
        for (uint32_t e = 0; e < degree; e++) {
            uint32_t v = e == 0 && c > 3 && c % 4 ? 7
                                                  /* column 7 has many checks, column N - 1 has no check */
                                                  : random_below(&random, N - 1);
            if (used[v]++)
                continue;
            checks[edges] = c;
            columns[edges++] = v;
        }
    }
    ldpc_code *code;
    return ldpc_code_create_edges(M, N, checks, columns, edges, &code, NULL) ? NULL : code;
}

/* Returns the numbers first .. first + count - 1 in random order. */
static void shuffle(random_state *random, uint32_t *order, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = random_below(random, i + 1);
        order[i] = order[j];
        order[j] = first + i;
    }
}

/* Creates a code with columns of weight 3 and checks of degree about 6. Neighbouring checks share columns. */
static ldpc_code *create_random(void)
{
    enum { M = 512, N = 2 * M };
    static uint32_t checks[3 * N], columns[3 * N], order[N];
    static uint8_t used[M][N];
    random_state random = {91};
    size_t edges = 0;
    memset(used, 0, sizeof used);
    for (uint32_t once = 0; once < 3; once++) {
        shuffle(&random, order, 0, N);
        for (uint32_t i = 0; i < N; i++)
            if (!used[i / 2][order[i]]++) {
                checks[edges] = i / 2;
                columns[edges++] = order[i];
            }
    }
    ldpc_code *code;
    return ldpc_code_create_edges(M, N, checks, columns, edges, &code, NULL) ? NULL : code;
}

/* A code with layers of 3 to 5 blocks of size 32 x 32 in 6 groups. A block connects check lane r to column
 * lane r ^ shift. */
static ldpc_code *create_dyadic(void)
{
    enum { Z = 32, LAYERS = 4, GROUPS = 6, MOST = LAYERS * GROUPS * Z };
    static uint32_t checks[MOST], columns[MOST], check_at[LAYERS * Z], column_at[GROUPS * Z];
    random_state random = {678};
    size_t edges = 0;
    shuffle(&random, column_at, 0, GROUPS * Z);
    for (uint32_t l = 0; l < LAYERS; l++) {
        shuffle(&random, check_at + l * Z, l * Z, Z);
        for (uint32_t i = 0; i < 3 + l % 3; i++) {
            uint32_t group = (l + i) % GROUPS, shift = random_below(&random, Z);
            for (uint32_t r = 0; r < Z; r++) {
                checks[edges] = check_at[l * Z + r];
                columns[edges++] = column_at[group * Z + (r ^ shift)];
            }
        }
    }
    ldpc_code *code;
    if (ldpc_code_create_edges(LAYERS * Z, GROUPS * Z, checks, columns, edges, &code, NULL))
        return NULL;
    if (ldpc_code_add_dyadic_view(code, Z, check_at, column_at, NULL)) {
        ldpc_code_destroy(code);
        return NULL;
    }
    return code;
}

/* ---- codes from blocks */

static void *claim(bool *failed, size_t count, size_t size)
{
    void *memory = calloc(count, size);
    *failed |= !memory;
    return memory;
}

/* Missing edges are counted, so a degree may be one too large. */
static void set_degrees(ldpc_code *code)
{
    for (uint32_t g = 0; g < code->groups; g++) {
        uint32_t degree = 0;
        for (uint32_t b = 0; b < code->layer_start[code->layers]; b++)
            degree += code->blocks[b].group == g;
        code->max_variable_degree = degree > code->max_variable_degree ? degree : code->max_variable_degree;
    }
    for (uint32_t l = 0; l < code->layers; l++) {
        const uint32_t degree = code->layer_start[l + 1] - code->layer_start[l];
        code->max_check_degree = degree > code->max_check_degree ? degree : code->max_check_degree;
    }
}

ldpc_code *layers_create(uint32_t z, uint32_t groups, uint32_t layers, const uint32_t *degrees,
                         const ldpc_block *blocks)
{
    bool failed = false;
    ldpc_code *code = claim(&failed, 1, sizeof *code);
    if (!code)
        return NULL;
    code->references = 1;
    code->order = 2;
    code->z = z;
    code->groups = groups;
    code->layers = layers;
    code->checks = layers * z;
    code->columns = groups * z;
    code->layer_start = claim(&failed, layers + 1, sizeof *code->layer_start);
    for (uint32_t l = 0; l < layers && code->layer_start; l++)
        code->layer_start[l + 1] = code->layer_start[l] + degrees[l];
    uint32_t count = code->layer_start ? code->layer_start[layers] : 0;
    code->blocks = claim(&failed, count, sizeof *blocks);
    code->check_at = claim(&failed, code->checks, sizeof *code->check_at);
    code->column_at = claim(&failed, code->columns, sizeof *code->column_at);
    code->transmitted = claim(&failed, code->columns + 1, sizeof *code->transmitted);
    code->message = claim(&failed, code->columns, sizeof *code->message);
    code->known_zero = claim(&failed, code->columns, sizeof *code->known_zero);
    code->row_start = claim(&failed, code->checks + 1, sizeof *code->row_start);
    if (failed) {
        ldpc_code_destroy(code);
        return NULL;
    }
    memcpy(code->blocks, blocks, count * sizeof *blocks);
    for (uint32_t i = 0; i < code->checks; i++)
        code->check_at[i] = i;
    /* interleaved groups */
    for (uint32_t g = 0; g < groups; g++)
        for (uint32_t lane = 0; lane < z; lane++)
            code->column_at[g * z + lane] = lane * groups + g;
    code->n = code->k = code->columns;
    for (uint32_t i = 0; i < code->columns; i++)
        code->transmitted[i] = code->message[i] = i;
    set_degrees(code);
    if (!ldpc_code_number_occurrences(code)) {
        ldpc_code_destroy(code);
        return NULL;
    }
    return code;
}

#define FULL(group_, shift_)                                                                                 \
    {                                                                                                        \
        .group = group_, .shift = shift_, .missing_lane = LDPC_NO_LANE                                       \
    }
#define LACKS(group_, shift_, lane_)                                                                         \
    {                                                                                                        \
        .group = group_, .shift = shift_, .missing_lane = lane_                                              \
    }

/* Tests posteriors of -128 in lane 4, where two edges of the first check are missing. */
static ldpc_code *create_alone(void)
{
    static const uint32_t degrees[] = {3, 6, 3};
    static const ldpc_block blocks[] = {
        LACKS(0, 0, 4), LACKS(1, 1, 4), FULL(2, 2), FULL(0, 0), FULL(1, 1), FULL(2, 2),
        FULL(3, 1),     FULL(4, 4),     FULL(5, 0), FULL(0, 0), FULL(1, 1), FULL(3, 1),
    };
    return layers_create(5, 6, 3, degrees, blocks);
}

/* Columns 0 and 1 are punctured, column 2 is shortened, and a constant zero is transmitted last. */
static ldpc_code *create_folded(void)
{
    static const uint32_t degrees[] = {5, 4, 3, 6};
    static const ldpc_block blocks[] = {
        FULL(0, 0), FULL(0, 2), FULL(1, 1),     FULL(2, 0),     LACKS(3, 4, 0), FULL(1, 3),
        FULL(2, 4), FULL(2, 1), FULL(4, 0),     LACKS(3, 2, 4), FULL(4, 1),     FULL(5, 0),
        FULL(5, 0), FULL(5, 1), LACKS(5, 3, 2), FULL(0, 4),     LACKS(2, 2, 1), FULL(4, 3),
    };
    ldpc_code *code = layers_create(5, 6, 4, degrees, blocks);
    if (!code)
        return NULL;
    code->punctured = 2;
    code->shortened = 1;
    code->known_zero[0] = 2;
    code->n = code->columns - 3 + 1;
    code->k = 9;
    for (uint32_t i = 0; i + 1 < code->n; i++)
        code->transmitted[i] = i + 3;
    code->transmitted[code->n - 1] = LDPC_NO_COLUMN;
    return code;
}

static ldpc_code *create_wide(void)
{
    static const uint32_t degrees[] = {3, 3, 2, 3};
    static const ldpc_block blocks[] = {
        FULL(0, 5), FULL(0, 60), FULL(1, 66),      FULL(2, 1),  FULL(2, 33), FULL(0, 0),
        FULL(1, 7), FULL(1, 8),  LACKS(0, 64, 66), FULL(1, 31), FULL(2, 32),
    };
    return layers_create(67, 3, 4, degrees, blocks);
}

static uint32_t add_layer(ldpc_block *blocks, uint32_t from, uint32_t to, random_state *random, uint32_t z)
{
    uint32_t count = 0;
    for (uint32_t g = from; g < to; g++)
        blocks[count++] =
            (ldpc_block){.group = g, .shift = random_below(random, z), .missing_lane = LDPC_NO_LANE};
    return count;
}

/* Creates two dense layers and four sparse layers. Each sparse layer has a column of degree 1. */
static ldpc_code *create_dense(uint32_t z)
{
    enum { DENSE = 66, LAYERS = 6, LEAVES = 4 };
    static const struct {
        uint32_t from, to;
    } layers[LAYERS] = {
        {0,  DENSE    },
        {0,  3        },
        {3,  7        },
        {1,  DENSE - 1},
        {10, 15       },
        {15, 20       }
    };
    static ldpc_block blocks[LAYERS * DENSE];
    uint32_t degrees[LAYERS], count = 0, leaf = DENSE;
    random_state random = {z};
    for (uint32_t l = 0; l < LAYERS; l++) {
        degrees[l] = add_layer(blocks + count, layers[l].from, layers[l].to, &random, z);
        count += degrees[l];
        if (degrees[l] < DENSE / 2) {
            degrees[l] += add_layer(blocks + count++, leaf, leaf + 1, &random, z);
            leaf++;
        }
    }
    blocks[5].missing_lane = z - 5;
    return layers_create(z, DENSE + LEAVES, LAYERS, degrees, blocks);
}

/* With 145 lanes per row, seven codewords fill most lanes of 64-lane registers. */
static ldpc_code *create_sevens(void)
{
    enum { Z = 145, GROUPS = 13, LAYERS = 6 };
    ldpc_block blocks[LAYERS * GROUPS];
    uint32_t degrees[LAYERS], count = 0;
    random_state random = {Z};
    for (uint32_t l = 0; l < LAYERS; l++) {
        degrees[l] = add_layer(blocks + count, 0, GROUPS, &random, Z);
        count += degrees[l];
    }
    return layers_create(Z, GROUPS, LAYERS, degrees, blocks);
}

ldpc_code *sample_code_create(const char *name)
{
    if (strcmp(name, "sevens") == 0)
        return create_sevens();
    if (strcmp(name, "tiny") == 0)
        return create_tiny();
    if (strcmp(name, "irregular") == 0)
        return create_irregular();
    if (strcmp(name, "alone") == 0)
        return create_alone();
    if (strcmp(name, "folded") == 0)
        return create_folded();
    if (strcmp(name, "wide") == 0)
        return create_wide();
    if (strcmp(name, "dense") == 0)
        return create_dense(260);
    if (strcmp(name, "dense-cut") == 0)
        return create_dense(400);
    if (strcmp(name, "random") == 0)
        return create_random();
    if (strcmp(name, "dyadic") == 0)
        return create_dyadic();
    if (is_drawn(name))
        return drawn_code_create(name);
    ldpc_code *code;
    return ldpc_code_create(name, &code, NULL) ? NULL : code;
}

/* ---- codewords */

static int8_t noisy(random_state *random, uint8_t bit, int strength, int noise)
{
    int sum = 0; /* the sum of twelve uniform numbers is nearly Gaussian */
    for (int i = 0; i < 12; i++)
        sum += (int)random_below(random, 2001) - 1000;
    int llr = (bit ? -strength : strength) + sum * noise / 2000;
    return (int8_t)(llr > 127 ? 127 : llr < -128 ? -128 : llr);
}

/* Returns a random codeword, or the all-zero codeword if the code has no encoder. */
static void random_codeword(random_state *random, const ldpc_code *code, uint8_t *message, uint8_t *codeword)
{
    memset(codeword, 0, code->n);
    for (uint32_t i = 0; i < code->k; i++)
        message[i] = random_next(random) >> 31;
    if (code->encoder)
        (void)ldpc_encode(code, message, 1, codeword);
}

void sample_codeword(random_state *random, const ldpc_code *code, int8_t *llr)
{
    uint32_t n = ldpc_code_n(code);
    uint8_t *codeword = malloc(n), *message = malloc(code->k + 1);
    uint32_t kind = random_below(random, 10);
    if (codeword && message)
        random_codeword(random, code, message, codeword);
    for (uint32_t i = 0; i < n && codeword && message; i++) {
        switch (kind) {
        case 0: /* strong */
            llr[i] = codeword[i] ? -100 : 100;
            break;
        case 1:
            llr[i] = (int8_t)(random_below(random, 256) - 128);
            break;
        case 2:
            llr[i] = 0;
            break;
        case 3: /* saturated, random signs */
            llr[i] = random_next(random) >> 31 ? -128 : 127;
            break;
        case 4:
            llr[i] = i % 2 ? -60 : 60;
            break;
        case 5: /* nearly nothing known */
            llr[i] = (int8_t)(random_below(random, 3) - 1);
            break;
        case 6: /* hopeless */
            llr[i] = noisy(random, codeword[i], 4, 12);
            break;
        default: /* near the threshold */
            llr[i] = noisy(random, codeword[i], 7 + (int)kind, 8);
        }
    }
    free(codeword);
    free(message);
}

uint32_t sample_llr_limit(random_state *random)
{
    const uint32_t limits[] = {127, 0, 1 + random_below(random, 127)};
    return limits[random_below(random, 3)];
}

void sample_erasures(random_state *random, const ldpc_code *code, int8_t *llr)
{
    uint32_t n = ldpc_code_n(code), tenths = 1 + random_below(random, 7);
    uint8_t *codeword = malloc(n), *message = malloc(code->k + 1);
    if (codeword && message)
        random_codeword(random, code, message, codeword);
    for (uint32_t i = 0; i < n && codeword && message; i++)
        llr[i] = random_below(random, 10) < tenths ? 0 : codeword[i] ? -100 : 100;
    free(codeword);
    free(message);
}

bool backend_is_wanted(const char *asked, const char *backend)
{
    return asked ? strcmp(asked, backend) == 0 : strcmp(backend, "opencl") != 0;
}

/* Creates a decoder to find out which types of devices exist. */
static bool lacks_devices(const char *backend, const char *devices)
{
    ldpc_code *code = sample_code_create("tiny");
    ldpc_decoder_params params;
    ldpc_decoder *dec = NULL;
    ldpc_error err = {""};
    ldpc_decoder_params_init(&params);
    params.backend = backend;
    params.devices = devices;
    ldpc_status status = ldpc_decoder_create(code, &params, &dec, &err);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
    if (status == LDPC_ERR_PARAM)
        printf("%-8s SKIPPED: %s\n", backend, err.message);
    return status == LDPC_ERR_PARAM;
}

bool backend_is_unusable(const char *asked, const char *devices)
{
    const char *backend, *reason;
    for (size_t b = 0; (backend = ldpc_backend_list(b, &reason)); b++)
        if (asked && strcmp(backend, asked) == 0 && reason[0]) {
            printf("%-8s SKIPPED: %s\n", backend, reason);
            return true;
        }
    return asked && devices && lacks_devices(asked, devices);
}
