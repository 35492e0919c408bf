/* SPDX-License-Identifier: BSD-3-Clause */
/* Executes launches on the fake GPUs: libldpc decodes the codewords. */
#include <ldpc/ldpc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "fake_gpu.h"

#define MAX_CODES 16
#define ITEMS     4 /* of a launch */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static ldpc_code *codes[MAX_CODES];

static void make_codes(void)
{
    const char *names = getenv("FAKE_GPU_CODES");
    char name[64];
    for (size_t i = 0; names && *names && i < MAX_CODES; i++) {
        size_t length = strcspn(names, ",");
        if (length < sizeof name) {
            memcpy(name, names, length);
            name[length] = 0;
            ldpc_code_create(name, &codes[i], NULL);
        }
        names += length + (names[length] == ',');
    }
}

static const ldpc_code *code_of(const ldpc_cuda_args *args)
{
    pthread_once(&once, make_codes);
    for (size_t i = 0; i < MAX_CODES; i++)
        if (codes[i] && ldpc_code_n(codes[i]) == args->n && ldpc_code_k(codes[i]) == args->k)
            return codes[i];
    return NULL;
}

static ldpc_decoder *decoder_of(const ldpc_cuda_args *args)
{
    const ldpc_code *code = code_of(args);
    ldpc_decoder *decoder = NULL;
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.backend = "cpu";
    params.arithmetic = args->floats               ? LDPC_ARITHMETIC_FLOAT
                        : args->lowest == INT8_MIN ? LDPC_ARITHMETIC_I8
                                                   : LDPC_ARITHMETIC_I16;
    params.algorithm = (ldpc_algorithm)args->algorithm;
    params.schedule = args->flooding ? LDPC_SCHEDULE_FLOODING : LDPC_SCHEDULE_LAYERED;
    params.max_iterations = args->max_iterations;
    params.early_stop = args->early_stop;
    params.max_batch = args->n_codewords;
    params.packed = true;
    params.llr_limit = (uint32_t)args->llr_limit;
    if (params.algorithm == LDPC_ALGORITHM_OFFSET_MIN_SUM)
        params.offset = (float)args->offset;
    if (params.algorithm == LDPC_ALGORITHM_NORMALIZED_MIN_SUM)
        params.factor = (float)args->factor / 16;
    if (code)
        ldpc_decoder_create(code, &params, &decoder, NULL);
    return decoder;
}

/* As ldpc_next(). */
static uint32_t next_item(const ldpc_cuda_args *args, uint32_t items, uint32_t blocks)
{
    _Atomic uint32_t *counter = (_Atomic uint32_t *)(uintptr_t)args->counter;
    const uint32_t ticket = atomic_fetch_add(counter, 1);
    if (ticket == items + blocks - 1)
        atomic_store(counter, 0);
    return ticket;
}

/* Writes the messages to scratch memory. Two launches that use the same scratch memory at the same time
 * return wrong results. */
static bool decode_item(const ldpc_cuda_args *args, ldpc_decoder *decoder, const ldpc_batch *item, long us)
{
    static atomic_uint items;
    _Atomic uint32_t *scratch = (_Atomic uint32_t *)(uintptr_t)args->scratch;
    const uint32_t mine = ++items;
    if (scratch)
        atomic_store(scratch, mine);
    fake_gpu_pause(us);
    bool decoded = !ldpc_decode(decoder, item);
    if (scratch && atomic_load(scratch) != mine && item->message)
        item->message[0] ^= 0xff;
    return decoded;
}

/* Simulates a persistent kernel, whose thread blocks take items from a counter. */
static bool decode_items(const ldpc_cuda_args *args, unsigned blocks, ldpc_decoder *decoder,
                         const ldpc_batch *batch)
{
    const uint32_t most = (args->n_codewords + ITEMS - 1) / ITEMS,
                   items = (args->n_codewords + most - 1) / most;
    bool decoded = true;
    for (unsigned idle = 0; idle < blocks;) {
        const uint32_t i = next_item(args, items, blocks), left = args->n_codewords - i * most;
        idle += i >= items;
        if (i < items) {
            const ldpc_batch item =
                ldpc_decoder_slice(decoder, batch, (size_t)i * most, left < most ? left : most);
            decoded = decode_item(args, decoder, &item, fake_gpu_number("FAKE_GPU_US") / items) && decoded;
        }
    }
    return decoded;
}

bool fake_gpu_decode(const ldpc_cuda_args *args, unsigned blocks)
{
    ldpc_decoder *decoder = decoder_of(args);
    const ldpc_batch batch = {
        .n_codewords = args->n_codewords,
        .llr = (const int8_t *)(uintptr_t)args->llr,
        .llr_float = (const float *)(uintptr_t)args->floats,
        .message = (uint8_t *)(uintptr_t)args->message,
        .codeword = (uint8_t *)(uintptr_t)args->codeword,
        .posterior = (int16_t *)(uintptr_t)args->posterior,
        .info = (ldpc_codeword_info *)(uintptr_t)args->info,
    };
    bool decoded =
        decoder && (args->counter ? decode_items(args, blocks, decoder, &batch)
                                  : decode_item(args, decoder, &batch, fake_gpu_number("FAKE_GPU_US")));
    ldpc_decoder_destroy(decoder);
    return decoded;
}
