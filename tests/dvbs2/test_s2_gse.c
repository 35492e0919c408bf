/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests GSE: data fields of TS 102 606-1 give PDUs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbs2/streams/gse.h"

enum { WHOLE = 3, FIRST = 2, MIDDLE = 0, LAST = 1, SIX = 0, THREE = 1, NONE = 2, REPEATED = 3, PDU = 100 };

/* A data field that is being written. */
typedef struct field {
    uint8_t bytes[4096];
    size_t count;
} field;

static void put(field *f, const void *bytes, size_t count)
{
    memcpy(f->bytes + f->count, bytes, count);
    f->count += count;
}

static void put_16(field *f, unsigned value)
{
    const uint8_t two[] = {(uint8_t)(value >> 8), (uint8_t)value};
    put(f, two, 2);
}

/* Writes the header of a GSE packet of `length` bytes: S and E, label type. */
static void put_header(field *f, unsigned start_end, unsigned label_type, size_t length)
{
    put_16(f, start_end << 14 | label_type << 12 | (unsigned)length);
}

/* Returns a PDU with protocol type IPv4 and label. `value` fills the PDU. */
static field wrapped(unsigned label_bytes, uint8_t value)
{
    static const uint8_t label[6] = {2, 0, 0, 0, 0, 1};
    uint8_t pdu[PDU];
    field f = {.count = 0};
    memset(pdu, value, sizeof pdu);
    put_16(&f, 0x0800);
    put(&f, label, label_bytes);
    put(&f, pdu, sizeof pdu);
    return f;
}

static void put_whole(field *f, unsigned label_type, unsigned label_bytes, uint8_t value)
{
    const field inner = wrapped(label_bytes, value);
    put_header(f, WHOLE, label_type, inner.count);
    put(f, inner.bytes, inner.count);
}

static unsigned crc_of(const field *f)
{
    unsigned crc = 0xFFFFFFFF;
    for (size_t i = 0; i < 8 * f->count; i++) {
        const unsigned bit = f->bytes[i / 8] >> (7 - i % 8) & 1, top = crc >> 31;
        crc = crc << 1 ^ (top != bit ? 0x04C11DB7 : 0);
    }
    return crc;
}

/* Writes bytes `from` to `to` - 1 of a PDU as a fragment. The last fragment ends with the CRC-32 plus
 * `error`. */
static void put_fragment(field *f, uint8_t id, uint8_t value, size_t from, size_t to, unsigned error)
{
    const field inner = wrapped(0, value);
    field all = {.count = 0};
    put_16(&all, (unsigned)inner.count);
    put(&all, inner.bytes, inner.count);
    const unsigned crc = crc_of(&all) + error;
    if (from == 0) {
        put_header(f, FIRST, NONE, 1 + 2 + to);
        put(f, &id, 1);
        put_16(f, (unsigned)inner.count);
    } else {
        put_header(f, to == inner.count ? LAST : MIDDLE, REPEATED,
                   1 + to - from + (to == inner.count ? 4 : 0));
        put(f, &id, 1);
    }
    put(f, inner.bytes + from, to - from);
    if (to == inner.count) {
        put_16(f, crc >> 16);
        put_16(f, crc & 0xFFFF);
    }
}

static void push(dvbs2_gse *gse, const field *f)
{
    assert_true(dvbs2_gse_push(gse, f->bytes, f->count));
}

static void assert_pdu(const dvbs2_gse *gse, size_t i, uint8_t value)
{
    const uint8_t *pdu = gse->pdus.bytes + i * (2 + PDU);
    assert_true(i < gse->n_pdus);
    assert_int_equal(gse->pdus.count, gse->n_pdus * (2 + PDU));
    assert_int_equal(pdu[0] << 8 | pdu[1], PDU);
    for (size_t k = 0; k < PDU; k++)
        assert_int_equal(pdu[2 + k], value);
}

static void test_whole_pdus_with_each_label(void **state)
{
    (void)state;
    dvbs2_gse *gse = dvbs2_gse_create();
    field f = {.count = 0};
    put_whole(&f, SIX, 6, 1);
    put_whole(&f, THREE, 3, 2);
    put_whole(&f, NONE, 0, 3);
    put_whole(&f, REPEATED, 0, 4);
    f.count += 50; /* padding */
    push(gse, &f);
    assert_int_equal(gse->n_pdus, 4);
    for (uint8_t i = 0; i < 4; i++)
        assert_pdu(gse, i, (uint8_t)(i + 1));
    push(gse, &(field){.count = 0});
    assert_int_equal(gse->n_pdus, 0);
    assert_int_equal(gse->lost, 0);
    dvbs2_gse_destroy(gse);
}

static void test_fragments_of_two_pdus(void **state)
{
    (void)state;
    dvbs2_gse *gse = dvbs2_gse_create();
    field f = {.count = 0};
    put_fragment(&f, 7, 1, 0, 40, 0);
    put_fragment(&f, 255, 2, 0, 3, 0);
    push(gse, &f);
    f.count = 0;
    put_fragment(&f, 255, 2, 3, 4, 0);
    put_fragment(&f, 7, 1, 40, 102, 0);
    push(gse, &f);
    assert_int_equal(gse->n_pdus, 1);
    assert_pdu(gse, 0, 1);
    f.count = 0;
    put_fragment(&f, 255, 2, 4, 102, 0);
    push(gse, &f);
    assert_int_equal(gse->n_pdus, 1);
    assert_pdu(gse, 0, 2);
    assert_int_equal(gse->lost, 0);
    dvbs2_gse_destroy(gse);
}

static void test_bad_fragments_are_counted(void **state)
{
    (void)state;
    dvbs2_gse *gse = dvbs2_gse_create();
    field f = {.count = 0};
    put_fragment(&f, 0, 1, 0, 40, 0); /* wrong CRC-32 */
    put_fragment(&f, 0, 1, 40, 102, 1);
    put_fragment(&f, 0, 1, 0, 40, 0); /* a fragment is missing */
    put_fragment(&f, 0, 1, 50, 102, 0);
    put_fragment(&f, 0, 1, 0, 40, 0); /* too many bytes */
    put_fragment(&f, 0, 1, 10, 60, 0);
    put_fragment(&f, 0, 1, 10, 60, 0);
    put_fragment(&f, 0, 1, 40, 102, 0); /* without a first fragment: not counted */
    put_fragment(&f, 1, 1, 0, 40, 0);   /* starts another PDU */
    put_fragment(&f, 1, 2, 0, 40, 0);
    put_fragment(&f, 1, 2, 40, 102, 0);
    push(gse, &f);
    assert_int_equal(gse->n_pdus, 1);
    assert_pdu(gse, 0, 2);
    assert_int_equal(gse->lost, 4);
    dvbs2_gse_destroy(gse);
}

static void test_a_pdu_without_its_end_is_dropped(void **state)
{
    (void)state;
    dvbs2_gse *gse = dvbs2_gse_create();
    field f = {.count = 0};
    put_fragment(&f, 3, 1, 0, 40, 0);
    push(gse, &f);
    for (int i = 0; i < 256; i++)
        push(gse, &(field){.count = 0});
    assert_int_equal(gse->lost, 0);
    push(gse, &(field){.count = 0});
    assert_int_equal(gse->lost, 1);
    dvbs2_gse_destroy(gse);
}

static void test_extension_headers(void **state)
{
    (void)state;
    static const uint8_t optional[] = {0x02, 0x01, 0xAA, 0xBB, 0x01, 0x05, 0x08, 0x00}; /* 4 and 2 bytes */
    static const uint8_t mandatory[] = {0x00, 0x03, 0x08, 0x00};
    const field inner = wrapped(0, 9);
    dvbs2_gse *gse = dvbs2_gse_create();
    field f = {.count = 0};
    put_header(&f, WHOLE, NONE, sizeof optional + PDU);
    put(&f, optional, sizeof optional);
    put(&f, inner.bytes + 2, PDU);
    put_header(&f, WHOLE, NONE, sizeof mandatory + PDU);
    put(&f, mandatory, sizeof mandatory);
    put(&f, inner.bytes + 2, PDU);
    push(gse, &f);
    assert_int_equal(gse->n_pdus, 1);
    assert_pdu(gse, 0, 9);
    assert_int_equal(gse->lost, 1);
    dvbs2_gse_destroy(gse);
}

static void test_packets_longer_than_the_data_field(void **state)
{
    (void)state;
    dvbs2_gse *gse = dvbs2_gse_create();
    field f = {.count = 0};
    put_whole(&f, SIX, 6, 1);
    put_whole(&f, SIX, 6, 2);
    for (size_t count = 1; count < f.count; count++)
        assert_true(dvbs2_gse_push(gse, f.bytes, count));
    assert_int_equal(gse->n_pdus, 1);
    assert_int_equal(gse->lost, f.count - 1 - 2 - 1);
    dvbs2_gse_destroy(gse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_pdus_with_each_label),
        cmocka_unit_test(test_fragments_of_two_pdus),
        cmocka_unit_test(test_bad_fragments_are_counted),
        cmocka_unit_test(test_a_pdu_without_its_end_is_dropped),
        cmocka_unit_test(test_extension_headers),
        cmocka_unit_test(test_packets_longer_than_the_data_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
