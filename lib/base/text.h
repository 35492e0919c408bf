/* SPDX-License-Identifier: BSD-3-Clause */
/* Text files, line by line: reading with line numbers, writing into a buffer that may be too small. */
#ifndef LDPC_TEXT_H
#define LDPC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status_internal.h"

/* ---- reading */

typedef struct ldpc_text {
    const char *next, *end; /* what has not been read */
    const char *at, *stop;  /* what is left of the present line, without comment */
    uint32_t line;          /* number of the present line, 1 = first */
    ldpc_error *err;
} ldpc_text;

ldpc_text ldpc_text_open(const char *text, size_t length, ldpc_error *err);

/* Go to the next line; false at the end of the text, then line is one past the last. */
bool ldpc_text_next(ldpc_text *text);

/* Go to the next line that is not blank. */
bool ldpc_text_next_filled(ldpc_text *text);

/* Nothing but blanks is left of the present line. */
bool ldpc_text_line_ended(ldpc_text *text);

/* The present line is at its end or at a blank. */
bool ldpc_text_at_blank(const ldpc_text *text);

/* Read a decimal number 0 .. most off the present line; `what` names it in the sentence of a failure. After a
 * number comes a blank, a comma, a minus or the end of the line. */
ldpc_status ldpc_text_number(ldpc_text *text, uint32_t most, const char *what, uint32_t *number);

/* If the rest of the present line begins with this token, without a blank before it, read it. */
bool ldpc_text_accept(ldpc_text *text, const char *token);

/* LDPC_ERR_FORMAT with a sentence that begins with the line's number. */
ldpc_status ldpc_text_fail(const ldpc_text *text, const char *format, ...) LDPC_PRINTF(2, 3);

/* ---- writing */

typedef struct ldpc_sink {
    char *text; /* may be NULL */
    size_t capacity;
    size_t length; /* bytes so far, whether they fitted or not */
} ldpc_sink;

void ldpc_sink_text(ldpc_sink *sink, const char *text);
void ldpc_sink_number(ldpc_sink *sink, uint32_t number);

/* Zero terminate; *needed is what the whole text takes. LDPC_ERR_RANGE when there is a text and it did not
 * fit. */
ldpc_status ldpc_sink_close(ldpc_sink *sink, size_t *needed);

#endif
