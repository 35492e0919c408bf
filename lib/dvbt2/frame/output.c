/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of one PLP between receiver and caller. */
#include "dvbt2/frame/output.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool dvbt2_output_init(dvbt2_output *output, size_t room)
{
    memset(output, 0, sizeof *output);
    output->room = room;
    output->cells = ldpc_allocate(room, sizeof *output->cells);
    output->noise = ldpc_allocate(room, sizeof *output->noise);
    return output->cells && output->noise;
}

void dvbt2_output_free(dvbt2_output *output)
{
    free(output->cells);
    free(output->noise);
}

bool dvbt2_output_has_room(const dvbt2_output *output, size_t cells)
{
    return output->room - output->held >= cells && output->count < DVBT2_OUTPUT_FRAMES;
}

static dvbt2_output_frame *newest(dvbt2_output *output)
{
    return &output->frames[(output->oldest + output->count - 1) % DVBT2_OUTPUT_FRAMES];
}

void dvbt2_output_begin(dvbt2_output *output, const dvbt2_plp_frame *info)
{
    output->count++;
    *newest(output) = (dvbt2_output_frame){.info = *info};
}

/* Cells to their place in the ring. Whatever samples a radio delivers, no caller gets a value that is not finite: such a cell
 * is erased. */
static void copy_in(dvbt2_output *output, size_t place, const float complex *cells, const float *noise,
                    size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float sum = crealf(cells[i]) + cimagf(cells[i]) + noise[i];
        const bool finite = sum * 0 == 0;
        output->cells[place + i] = finite ? cells[i] : 0;
        output->noise[place + i] = finite ? noise[i] : 0;
    }
}

void dvbt2_output_write(dvbt2_output *output, const float complex *cells, const float *noise, uint32_t count)
{
    if (output->held == 0) /* where little comes at a time, little of the memory is used */
        output->first = 0;
    size_t end = (output->first + output->held) % output->room;
    size_t before_wrap = output->room - end < count ? output->room - end : count;
    copy_in(output, end, cells, noise, before_wrap);
    copy_in(output, 0, cells + before_wrap, noise + before_wrap, count - before_wrap);
    output->held += count;
    newest(output)->written += count;
}

void dvbt2_output_complete(dvbt2_output *output)
{
    if (output->count > 0)
        newest(output)->complete = true;
}

static size_t copy_out(dvbt2_output *output, size_t count, float *iq, float *noise)
{
    size_t before_wrap = output->room - output->first < count ? output->room - output->first : count;
    memcpy(iq, output->cells + output->first, before_wrap * sizeof *output->cells);
    memcpy(noise, output->noise + output->first, before_wrap * sizeof *noise);
    memcpy(iq + 2 * before_wrap, output->cells, (count - before_wrap) * sizeof *output->cells);
    memcpy(noise + before_wrap, output->noise, (count - before_wrap) * sizeof *noise);
    output->first = (output->first + count) % output->room;
    output->held -= count;
    return count;
}

static size_t erase(size_t count, float *iq, float *noise)
{
    memset(iq, 0, 2 * count * sizeof *iq);
    memset(noise, 0, count * sizeof *noise);
    return count;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The next cells of the oldest frame, which is forgotten when it is at its end. */
static size_t pull_oldest(dvbt2_output *output, size_t max, float *iq, float *noise)
{
    dvbt2_output_frame *oldest = &output->frames[output->oldest];
    size_t count = 0;
    if (oldest->pulled < oldest->written)
        count = copy_out(output, least(max, oldest->written - oldest->pulled), iq, noise);
    else if (oldest->complete)
        count = erase(least(max, oldest->info.cells - oldest->pulled), iq, noise);
    oldest->pulled += (uint32_t)count;
    if (oldest->complete && oldest->pulled >= oldest->info.cells) {
        output->oldest = (output->oldest + 1) % DVBT2_OUTPUT_FRAMES;
        output->count--;
    }
    return count;
}

size_t dvbt2_output_pull(dvbt2_output *output, size_t max, float *iq, float *noise, dvbt2_plp_frame *frame,
                         uint32_t *first)
{
    size_t count = 0;
    for (uint32_t before = 0; max > 0 && count == 0 && output->count > 0 && output->count != before;) {
        const dvbt2_output_frame *oldest = &output->frames[output->oldest];
        if (frame)
            *frame = oldest->info;
        if (first)
            *first = oldest->pulled;
        before = output->count; /* a frame without more cells is forgotten: the next one has some */
        count = pull_oldest(output, max, iq, noise);
    }
    return count;
}
