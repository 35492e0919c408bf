/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/sync/references.h"

#include "receiver/complex.h"

/* The references of a frame, in the order of their positions. */
typedef struct reference_list {
    const float complex *frame;
    float complex *clean;
    dvbs2_reference *next;
} reference_list;

/* at: position of the first known symbol in the frame */
static void add_reference(reference_list *list, uint32_t at, const float complex *known, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        list->clean[i] = rx_mul_conj(list->frame[at + i], known[i]);
    *list->next++ = (dvbs2_reference){.clean = list->clean, .count = count, .at = at + (count - 1) / 2.0};
    list->clean += count;
}

static void add_headers(reference_list *list, const dvbs2_frame_format *format)
{
    float complex known[DVBS2_LONG_HEADER];
    const bool two = format->vlsnr && format->kind == DVBS2_FRAME_DATA;
    if (two)
        dvbs2_vlsnr_symbols(format->modcod - DVBS2_FIRST_VLSNR, known);
    else
        dvbs2_header_symbols(format->pls_code, known);
    add_reference(list, 0, known, DVBS2_HEADER);
    if (two)
        add_reference(list, DVBS2_HEADER, known + DVBS2_HEADER, DVBS2_VLSNR_HEADER);
}

size_t dvbs2_collect_references(const float complex *frame, const float complex *turns,
                                const dvbs2_frame_format *format, uint8_t next_code, float complex *clean,
                                dvbs2_reference references[DVBS2_MOST_REFERENCES])
{
    const float complex pilot = rx_cplx(0.70710678f, 0.70710678f);
    reference_list list = {.frame = frame, .clean = clean, .next = references};
    float complex known[DVBS2_HEADER];
    add_headers(&list, format);
    for (dvbs2_section s = {0}; format->kind == DVBS2_FRAME_DATA && dvbs2_next_section(format, &s);) {
        const uint32_t at = s.first + s.count;
        for (uint32_t i = 0; i < s.pilots; i++)
            known[i] = rx_mul_conj(pilot, turns[at + i]);
        if (s.pilots)
            add_reference(&list, DVBS2_HEADER + at, known, s.pilots);
    }
    dvbs2_header_symbols(next_code, known);
    add_reference(&list, format->length, known, DVBS2_HEADER);
    return (size_t)(list.next - references);
}
