/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets of any length. Layout of the transmitted bits, `bits` in number:
 *
 *     n bits | n bits | ... | shortened codeword | ignored
 *
 * The last `left_out` message bits of the shortened codeword are zero fill. Remaining bits are ignored if they are
 * fewer than the shortest codeword. */
#include "ldpc/packet.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "base/status_internal.h"
#include "code/code_internal.h"

#define KNOWN_ZERO       127 /* LLR of a known zero, steps */
#define KNOWN_ZERO_FLOAT 256.0f

enum {
    NOT_MESSAGE = -1,
    MOST_LENGTH = 10,
    MOST_CRC = 4, /* bytes of the longest CRC */
};

struct ldpc_packet_format {
    ldpc_code *code;
    size_t n, k;
    size_t crc_bytes; /* 2 or 4 */
    int32_t *message_bit;
    uint32_t *sent_before;
};

typedef struct layout {
    size_t codewords;
    size_t complete; /* codewords of n bits */
    size_t last_bits;
    size_t last_k;
} layout;

static size_t shortened_bits(const ldpc_packet_format *format, size_t k)
{
    return format->n - format->sent_before[format->k] + format->sent_before[k];
}

static layout layout_of(const ldpc_packet_format *format, size_t bits)
{
    layout of = {.complete = bits / format->n, .last_bits = bits % format->n};
    of.codewords = of.complete;
    if (of.last_bits < shortened_bits(format, 0)) {
        of.last_bits = 0;
        return of;
    }
    of.codewords++;
    of.last_k = format->k;
    while (shortened_bits(format, of.last_k) > of.last_bits)
        of.last_k--;
    return of;
}

static size_t capacity(const ldpc_packet_format *format, const layout *of)
{
    return of->complete * format->k + of->last_k;
}

/* ---- creation */

static ldpc_status find_message_bits(ldpc_packet_format *format, const ldpc_code *code)
{
    const size_t width = ldpc_code_symbol_bits(code);
    int32_t *symbol_at = ldpc_allocate(code->columns, sizeof *symbol_at);
    if (!symbol_at)
        return LDPC_ERR_MEMORY;
    for (uint32_t i = 0; i < code->k; i++)
        symbol_at[code->message[i]] = (int32_t)i + 1;
    for (size_t t = 0; t < format->n; t++) {
        uint32_t column = code->transmitted[t / width];
        int32_t symbol = column == LDPC_NO_COLUMN ? 0 : symbol_at[column];
        format->message_bit[t] = NOT_MESSAGE;
        if (symbol > 0) {
            format->message_bit[t] = (symbol - 1) * (int32_t)width + (int32_t)(t % width);
            format->sent_before[format->message_bit[t] + 1]++;
        }
    }
    for (size_t i = 0; i < format->k; i++)
        format->sent_before[i + 1] += format->sent_before[i];
    free(symbol_at);
    return LDPC_OK;
}

static ldpc_status create(const ldpc_code *code, uint32_t crc, ldpc_packet_format **out)
{
    ldpc_packet_format *format = *out = ldpc_allocate(1, sizeof *format);
    if (!format)
        return LDPC_ERR_MEMORY;
    format->code = ldpc_code_retain(code);
    format->n = (size_t)code->n * ldpc_code_symbol_bits(code);
    format->k = (size_t)code->k * ldpc_code_symbol_bits(code);
    format->crc_bytes = crc / 8;
    format->message_bit = ldpc_allocate(format->n, sizeof *format->message_bit);
    format->sent_before = ldpc_allocate(format->k + 1, sizeof *format->sent_before);
    if (!format->message_bit || !format->sent_before)
        return LDPC_ERR_MEMORY;
    return find_message_bits(format, code);
}

ldpc_status ldpc_packet_format_create(const ldpc_code *code, uint32_t crc, ldpc_packet_format **format,
                                      ldpc_error *err)
{
    if (format)
        *format = NULL;
    if (!code || !format)
        return ldpc_fail(err, LDPC_ERR_NULL, "code and format must not be NULL");
    if (crc != 16 && crc != 32)
        return ldpc_fail(err, LDPC_ERR_PARAM, "crc %u: expected 16 or 32", crc);
    if (code->k == 0)
        return ldpc_fail(err, LDPC_ERR_PARAM, "%s has no message bits (k = 0)", code->name);
    if (!ldpc_code_has_encoder(code))
        return ldpc_fail(err, LDPC_ERR_LIMIT, "%s is too large for an encoder", code->name);
    if (create(code, crc, format) == LDPC_OK)
        return LDPC_OK;
    ldpc_packet_format_destroy(*format);
    *format = NULL;
    return ldpc_fail_memory(err);
}

void ldpc_packet_format_destroy(ldpc_packet_format *format)
{
    if (!format)
        return;
    ldpc_code_destroy(format->code);
    free(format->message_bit);
    free(format->sent_before);
    free(format);
}

/* ---- length and CRC */

static size_t write_length(size_t length, uint8_t out[MOST_LENGTH])
{
    size_t count = 0;
    for (; length >= 0x80; length >>= 7)
        out[count++] = (uint8_t)(length | 0x80);
    out[count++] = (uint8_t)length;
    return count;
}

static size_t read_length(const uint8_t *in, size_t count, size_t *length)
{
    uint64_t value = 0;
    for (size_t i = 0; i < count && i < MOST_LENGTH - 1; i++) {
        value |= (uint64_t)(in[i] & 0x7f) << 7 * i;
        if (in[i] < 0x80) {
            *length = (size_t)value;
            return value <= count ? i + 1 : 0;
        }
    }
    return 0;
}

static uint32_t crc_over(size_t crc_bytes, uint32_t crc, const uint8_t *bytes, size_t count)
{
    const uint32_t polynomial = crc_bytes == 4 ? UINT32_C(0xedb88320) : 0x8408;
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
    }
    return crc;
}

static uint32_t crc_start(size_t crc_bytes)
{
    return crc_bytes == 4 ? UINT32_MAX : UINT16_MAX;
}

static void write_crc(uint32_t crc, uint8_t out[MOST_CRC])
{
    for (size_t i = 0; i < MOST_CRC; i++)
        out[i] = (uint8_t)(~crc >> 8 * i);
}

/* ---- sender */

size_t ldpc_packet_bits(const ldpc_packet_format *format, size_t bytes)
{
    uint8_t length[MOST_LENGTH];
    if (!format || bytes > SIZE_MAX / 16 / format->n - 16)
        return 0;
    const size_t message = 8 * (write_length(bytes, length) + bytes + format->crc_bytes);
    const size_t last = message % format->k;
    return message / format->k * format->n + (last ? shortened_bits(format, last) : 0);
}

static void write_message(const ldpc_packet_format *format, const uint8_t *payload, size_t bytes,
                          uint8_t *message)
{
    uint8_t length[MOST_LENGTH], check[MOST_CRC];
    const size_t length_bytes = write_length(bytes, length), crc_bytes = format->crc_bytes;
    uint32_t crc = crc_over(crc_bytes, crc_start(crc_bytes), length, length_bytes);
    write_crc(crc_over(crc_bytes, crc, payload, bytes), check);
    ldpc_unpack(length, 8 * length_bytes, message);
    ldpc_unpack(payload, 8 * bytes, message + 8 * length_bytes);
    ldpc_unpack(check, 8 * crc_bytes, message + 8 * (length_bytes + bytes));
}

static ldpc_status encode_last(const ldpc_packet_format *format, const layout *of, const uint8_t *message,
                               uint8_t *codeword, uint8_t *out)
{
    const ldpc_status status = ldpc_encode(format->code, message, 1, codeword);
    for (size_t t = 0; t < format->n; t++)
        if (format->message_bit[t] < (int32_t)of->last_k)
            *out++ = codeword[t];
    return status;
}

ldpc_status ldpc_packet_encode(const ldpc_packet_format *format, const uint8_t *payload, size_t bytes,
                               size_t bits, uint8_t *out)
{
    if (!format || !out || (!payload && bytes > 0))
        return LDPC_ERR_NULL;
    const size_t fewest = ldpc_packet_bits(format, bytes);
    if (fewest == 0 || bits < fewest)
        return LDPC_ERR_RANGE;
    const layout of = layout_of(format, bits);
    uint8_t *message = ldpc_allocate(of.codewords, format->k), *codeword = ldpc_allocate(1, format->n);
    ldpc_status status = message && codeword ? LDPC_OK : LDPC_ERR_MEMORY;
    if (status == LDPC_OK)
        write_message(format, payload, bytes, message);
    if (status == LDPC_OK && of.complete > 0)
        status = ldpc_encode(format->code, message, of.complete, out);
    if (status == LDPC_OK && of.last_bits > 0)
        status = encode_last(format, &of, message + of.complete * format->k, codeword,
                             out + of.complete * format->n);
    const size_t used = of.complete * format->n + of.last_bits;
    memset(out + used, 0, bits - used);
    free(message);
    free(codeword);
    return status;
}

/* ---- receiver */

size_t ldpc_packet_codewords(const ldpc_packet_format *format, size_t bits)
{
    return format ? layout_of(format, bits).codewords : 0;
}

static ldpc_status write_llrs(const ldpc_packet_format *format, const void *llr, size_t bits, size_t item,
                              const void *known_zero, void *codewords)
{
    if (!format || !llr || !codewords)
        return LDPC_ERR_NULL;
    const layout of = layout_of(format, bits);
    if (of.codewords == 0)
        return LDPC_ERR_RANGE;
    const size_t complete = of.complete * format->n * item;
    memcpy(codewords, llr, complete);
    if (of.last_bits == 0)
        return LDPC_OK;
    const uint8_t *in = (const uint8_t *)llr + complete;
    uint8_t *out = (uint8_t *)codewords + complete;
    for (size_t t = 0; t < format->n; t++, out += item) {
        const bool sent = format->message_bit[t] < (int32_t)of.last_k;
        memcpy(out, sent ? in : known_zero, item);
        in += sent ? item : 0;
    }
    return LDPC_OK;
}

ldpc_status ldpc_packet_llrs(const ldpc_packet_format *format, const int8_t *llr, size_t bits,
                             int8_t *codewords)
{
    const int8_t known_zero = KNOWN_ZERO;
    return write_llrs(format, llr, bits, sizeof *llr, &known_zero, codewords);
}

ldpc_status ldpc_packet_llrs_float(const ldpc_packet_format *format, const float *llr, size_t bits,
                                   float *codewords)
{
    const float known_zero = KNOWN_ZERO_FLOAT;
    return write_llrs(format, llr, bits, sizeof *llr, &known_zero, codewords);
}

static bool all_zero(const uint8_t *bits, size_t count)
{
    uint8_t ones = 0;
    for (size_t i = 0; i < count; i++)
        ones |= bits[i];
    return (ones & 1) == 0;
}

ldpc_status ldpc_packet_payload(const ldpc_packet_format *format, const uint8_t *message, size_t bits,
                                uint8_t *payload, size_t *bytes)
{
    if (!format || !message || !payload || !bytes)
        return LDPC_ERR_NULL;
    const layout of = layout_of(format, bits);
    if (of.codewords == 0)
        return LDPC_ERR_RANGE;
    *bytes = LDPC_PACKET_WRONG;
    const size_t held = capacity(format, &of), crc_bytes = format->crc_bytes;
    uint8_t start[MOST_LENGTH], received[MOST_CRC], computed[MOST_CRC];
    size_t length = 0, count = held / 8 < MOST_LENGTH ? held / 8 : MOST_LENGTH;
    ldpc_pack(message, 8 * count, start);
    const size_t length_bytes = read_length(start, held / 8, &length);
    const size_t total = length_bytes + length + crc_bytes;
    if (length_bytes == 0 || total > held / 8 || !all_zero(message + 8 * total, held - 8 * total))
        return LDPC_OK;
    ldpc_pack(message + 8 * length_bytes, 8 * length, payload);
    ldpc_pack(message + 8 * (length_bytes + length), 8 * crc_bytes, received);
    const uint32_t crc = crc_over(crc_bytes, crc_start(crc_bytes), start, length_bytes);
    write_crc(crc_over(crc_bytes, crc, payload, length), computed);
    if (memcmp(computed, received, crc_bytes) == 0)
        *bytes = length;
    return LDPC_OK;
}
