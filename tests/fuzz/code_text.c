/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes any text to the readers of alist, q-ary alist and base matrix files. An accepted code must be
 * written, read again and used without errors.
 *
 * The first byte selects the format. Texts of large codes are skipped. The limits of docs/formats.md are tested
 * in tests/code. */
#include "fuzz.h"
#include "ldpc/ldpc.h"

enum { MOST_SYMBOLS = 600, MOST_ONES = 1 << 13, MOST_TEXT = 1 << 16 };

/* Returns the next number in the text, limited to about 1e7, or 0 at the end. Numbers in comments are
 * included. */
static uint32_t next_number(const char **at, const char *end)
{
    while (*at < end && (**at < '0' || **at > '9'))
        ++*at;
    uint32_t number = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        number = number < 1 << 20 ? number * 10 + (uint32_t)(**at - '0') : number;
    return number;
}

static bool modest(const char *text, size_t length, bool base_matrix)
{
    const char *at = text;
    uint64_t columns = next_number(&at, text + length), checks = next_number(&at, text + length);
    uint64_t z = base_matrix ? next_number(&at, text + length) : 1;
    return columns <= MOST_SYMBOLS && checks <= MOST_SYMBOLS && z <= MOST_SYMBOLS &&
           columns * z <= MOST_SYMBOLS && checks * z <= MOST_SYMBOLS && columns * checks * z <= MOST_ONES;
}

/* Checks the encoder. The code must not have punctured columns. */
static void check_encoder(const ldpc_code *code)
{
    uint8_t message[8 * MOST_SYMBOLS], codeword[8 * MOST_SYMBOLS];
    uint32_t bits = ldpc_code_symbol_bits(code);
    for (uint32_t i = 0; i < ldpc_code_k(code) * bits; i++)
        message[i] = i % 3 == 0;
    if (!ldpc_code_has_encoder(code)) {
        FUZZ_CHECK(ldpc_encode(code, message, 1, codeword) == LDPC_ERR_LIMIT);
        return;
    }
    const bool encodes = ldpc_code_k(code) > 0;
    FUZZ_CHECK(ldpc_encode(code, message, 1, codeword) == (encodes ? LDPC_OK : LDPC_ERR_PARAM));
    if (encodes && ldpc_code_n(code) == ldpc_code_columns(code))
        FUZZ_CHECK(ldpc_syndrome_weight(code, codeword) == 0);
}

/* Writes an alist and reads it again. The matrix must be equal. */
static void check_alist(const ldpc_code *code)
{
    static char text[MOST_TEXT];
    size_t needed;
    if (ldpc_code_write_alist(code, text, sizeof text, &needed) != LDPC_OK)
        return;
    ldpc_code *again;
    ldpc_status status = ldpc_code_order(code) > 2 ? ldpc_code_create_nbalist(text, needed - 1, &again, NULL)
                                                   : ldpc_code_create_alist(text, needed - 1, &again, NULL);
    FUZZ_CHECK(status == LDPC_OK);
    FUZZ_CHECK(ldpc_code_edges(code) == ldpc_code_edges(again));
    for (uint32_t c = 0; c < ldpc_code_checks(code); c++) {
        uint32_t degree, degree_again;
        const uint32_t *columns = ldpc_code_check(code, c, &degree);
        const uint32_t *columns_again = ldpc_code_check(again, c, &degree_again);
        FUZZ_CHECK(degree == degree_again && !memcmp(columns, columns_again, degree * sizeof *columns));
    }
    ldpc_code_destroy(again);
}

static void check_qc(const ldpc_code *code)
{
    static char text[MOST_TEXT];
    size_t needed;
    if (ldpc_code_write_qc(code, text, sizeof text, &needed) != LDPC_OK)
        return;
    ldpc_code *again;
    FUZZ_CHECK(ldpc_code_create_qc(text, needed - 1, &again, NULL) == LDPC_OK);
    FUZZ_CHECK(ldpc_code_n(code) == ldpc_code_n(again) && ldpc_code_k(code) == ldpc_code_k(again));
    ldpc_code_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ldpc_code *code;
    ldpc_error err = {""};
    if (size == 0)
        return 0;
    const char *text = (const char *)data + 1;
    uint32_t format = data[0] % 3;
    if (!modest(text, --size, format == 2))
        return 0;
    ldpc_status status = format == 0   ? ldpc_code_create_alist(text, size, &code, &err)
                         : format == 1 ? ldpc_code_create_nbalist(text, size, &code, &err)
                                       : ldpc_code_create_qc(text, size, &code, &err);
    FUZZ_CHECK((status == LDPC_OK) == (code != NULL) && (status == LDPC_OK) == (err.message[0] == 0));
    if (status) {
        FUZZ_CHECK(status == LDPC_ERR_FORMAT || status == LDPC_ERR_LIMIT);
        return 0;
    }
    FUZZ_CHECK(ldpc_code_n(code) > 0 && ldpc_code_k(code) <= ldpc_code_columns(code));
    check_encoder(code);
    check_alist(code);
    check_qc(code);
    ldpc_code_girth(code, 8);
    ldpc_code_destroy(code);
    return 0;
}
