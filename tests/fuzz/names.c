/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses any text as name of a code, algorithm, modulation, kernel or device. An accepted name must be the name
 * of the result. A rejected name must give an error message of one printable line.
 *
 * Creating a long code takes milliseconds, so each code is created only once. */
#include <ctype.h>

#include "fuzz.h"
#include "ldpc/ldpc.h"

enum { MOST_NAME = 64, REMEMBERED = 4096 };

/* Hashes of the long codes that were created. */
static uint64_t made[REMEMBERED];

static uint64_t hash(const char *name)
{
    uint64_t h = 1469598103934665603u; /* FNV-1a */
    for (; *name; name++)
        h = (h ^ (uint8_t)*name) * 1099511628211u;
    return h ? h : 1;
}

static uint64_t *slot_of(const char *name)
{
    uint64_t h = hash(name);
    for (uint32_t i = 0; i < 16; i++) {
        uint64_t *slot = &made[(h + i) % REMEMBERED];
        if (*slot == 0 || *slot == h)
            return slot;
    }
    return NULL;
}

static void check_sentence(const ldpc_error *err)
{
    FUZZ_CHECK(err->message[0] && memchr(err->message, 0, sizeof err->message));
    for (const char *at = err->message; *at; at++)
        FUZZ_CHECK((unsigned char)*at >= ' ' && *at != 127);
}

static void try_code(const char *name)
{
    uint64_t *slot = slot_of(name);
    ldpc_code *code;
    ldpc_error err = {""};
    if (strchr(name, '/') &&
        (!strncmp(name, "alist:", 6) || !strncmp(name, "qc:", 3) || !strncmp(name, "nbalist:", 8)))
        return; /* avoids opening files */
    if (!slot || *slot)
        return;
    /* suggestions for unknown names are slow */
    bool with_sentence = hash(name) % 8 == 0;
    ldpc_status status = ldpc_code_create(name, &code, with_sentence ? &err : NULL);
    FUZZ_CHECK((status == LDPC_OK) == (code != NULL));
    if (status) {
        if (with_sentence)
            check_sentence(&err);
        return;
    }
    FUZZ_CHECK(!strcmp(ldpc_code_name(code), name));
    *slot = hash(name);
    ldpc_code_destroy(code);
}

static void try_dvb(const char *name)
{
    ldpc_bch *bch;
    ldpc_bb_deframer *deframer;
    ldpc_error err = {""};
    if (ldpc_bch_create(name, &bch, &err))
        check_sentence(&err);
    else
        FUZZ_CHECK(!strcmp(ldpc_bch_name(bch), name));
    ldpc_bch_destroy(bch);
    if (ldpc_bb_deframer_create(name, LDPC_BB_ANY_STREAM, &deframer, &err))
        check_sentence(&err);
    ldpc_bb_deframer_destroy(deframer);
}

static void try_words(const char *name)
{
    ldpc_algorithm algorithm;
    ldpc_arithmetic arithmetic;
    ldpc_schedule schedule;
    ldpc_modulation modulation;
    ldpc_fading fading;
    ldpc_sim_channel channel;
    if (ldpc_algorithm_parse(name, &algorithm) == LDPC_OK)
        FUZZ_CHECK(!strcmp(ldpc_algorithm_name(algorithm), name));
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    if (ldpc_decoder_params_set_algorithm(&params, name, NULL) == LDPC_OK)
        FUZZ_CHECK(!strncmp(ldpc_algorithm_name(params.algorithm), name, strcspn(name, ":")));
    if (ldpc_arithmetic_parse(name, &arithmetic) == LDPC_OK)
        FUZZ_CHECK(!strcmp(ldpc_arithmetic_name(arithmetic), name));
    if (ldpc_schedule_parse(name, &schedule) == LDPC_OK)
        FUZZ_CHECK(!strcmp(ldpc_schedule_name(schedule), name));
    if (ldpc_modulation_parse(name, &modulation) == LDPC_OK)
        FUZZ_CHECK(!strcmp(ldpc_modulation_name(modulation), name));
    if (ldpc_fading_parse(name, &fading) == LDPC_OK)
        FUZZ_CHECK(!strcmp(ldpc_fading_name(fading), name));
    if (ldpc_sim_channel_parse(name, &channel) == LDPC_OK)
        FUZZ_CHECK(!strcmp(ldpc_sim_channel_name(channel), name));
}

/* String parameters of a decoder. */
static void try_parameter(const char *name, uint32_t which)
{
    static ldpc_code *code;
    ldpc_decoder_params params;
    ldpc_decoder *dec;
    ldpc_error err = {""};
    if (!code)
        FUZZ_CHECK(ldpc_code_create_qc("2 1 3\n0 1\n", 10, &code, NULL) == LDPC_OK);
    ldpc_decoder_params_init(&params);
    *(which == 0 ? &params.backend : which == 1 ? &params.kernel : &params.devices) = name;
    if (ldpc_decoder_create(code, &params, &dec, &err))
        check_sentence(&err);
    ldpc_decoder_destroy(dec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char name[MOST_NAME + 1];
    if (size == 0 || size > MOST_NAME || memchr(data, 0, size))
        return 0;
    memcpy(name, data + 1, size - 1);
    name[size - 1] = 0;
    switch (data[0] % 5) {
    case 0:
        try_code(name);
        break;
    case 1:
        try_dvb(name);
        break;
    case 2:
        try_words(name);
        break;
    default:
        try_parameter(name, data[0] / 5 % 3);
    }
    return 0;
}
