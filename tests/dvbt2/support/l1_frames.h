/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the records of l1.txt: L1 cells and their fields. */
#ifndef DVBT2_TEST_L1_FRAMES_H
#define DVBT2_TEST_L1_FRAMES_H

#include "dvbt2/standard/frame_map.h"

enum { L1_MAX_FIELDS = 128, L1_MAX_POST = 4096 };

typedef struct l1_field {
    char name[24];
    int64_t value;
} l1_field;

typedef struct l1_record {
    char name[32];
    uint32_t n_p2, n_fields, n_post;
    l1_field field[L1_MAX_FIELDS];
    float pre[2 * DVBT2_L1_PRE_CELLS], post[2 * L1_MAX_POST];
} l1_record;

/* The caller frees the records. */
l1_record *l1_records_read(uint32_t *count);

/* Returns a decoded field by its name in l1.txt. Fails the test for an unknown name. */
int64_t l1_field_value(const dvbt2_l1_pre *pre, const dvbt2_l1_post *post, const char *name);

/* Returns a field of a record, or -1 if the record lacks the field. */
int64_t l1_record_value(const l1_record *record, const char *name);

#endif
