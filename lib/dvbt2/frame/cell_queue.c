/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/frame/cell_queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool dvbt2_cell_queue_init(dvbt2_cell_queue *queue, size_t room)
{
    memset(queue, 0, sizeof *queue);
    queue->room = room;
    queue->cells = ldpc_allocate(room, sizeof *queue->cells);
    queue->noise = ldpc_allocate(room, sizeof *queue->noise);
    return queue->cells && queue->noise;
}

void dvbt2_cell_queue_free(dvbt2_cell_queue *queue)
{
    free(queue->cells);
    free(queue->noise);
}

bool dvbt2_cell_queue_has_room(const dvbt2_cell_queue *queue, size_t cells)
{
    return queue->room - queue->held >= cells && queue->count < DVBT2_CELL_QUEUE_FRAMES;
}

static dvbt2_queued_frame *newest(dvbt2_cell_queue *queue)
{
    return &queue->frames[(queue->oldest + queue->count - 1) % DVBT2_CELL_QUEUE_FRAMES];
}

void dvbt2_cell_queue_begin(dvbt2_cell_queue *queue, const dvbt2_plp_frame *info)
{
    queue->count++;
    *newest(queue) = (dvbt2_queued_frame){.info = *info};
}

/* Returns whether all values are finite. */
static bool all_finite(const float *values, size_t count)
{
    enum { LANES = 8 };
    /* stays 0 unless a value is infinite or NaN */
    float sum[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (size_t lane = 0; lane < LANES; lane++)
            sum[lane] += values[i + lane] * 0;
    for (; i < count; i++)
        sum[0] += values[i] * 0;
    for (size_t lane = 1; lane < LANES; lane++)
        sum[0] += sum[lane];
    return sum[0] == 0;
}

/* Cells that are not finite become erasures. */
static void erase_others(float complex *cells, float *noise, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!all_finite((const float *)&cells[i], 2) || !all_finite(&noise[i], 1))
            cells[i] = noise[i] = 0;
}

static void copy_in(dvbt2_cell_queue *queue, size_t place, const float complex *cells, const float *noise,
                    size_t count)
{
    memcpy(queue->cells + place, cells, count * sizeof *cells);
    memcpy(queue->noise + place, noise, count * sizeof *noise);
    if (!all_finite((const float *)cells, 2 * count) || !all_finite(noise, count))
        erase_others(queue->cells + place, queue->noise + place, count);
}

void dvbt2_cell_queue_write(dvbt2_cell_queue *queue, const float complex *cells, const float *noise,
                            uint32_t count)
{
    if (queue->held == 0) /* uses less memory */
        queue->first = 0;
    size_t end = (queue->first + queue->held) % queue->room;
    size_t before_wrap = queue->room - end < count ? queue->room - end : count;
    copy_in(queue, end, cells, noise, before_wrap);
    copy_in(queue, 0, cells + before_wrap, noise + before_wrap, count - before_wrap);
    queue->held += count;
    newest(queue)->written += count;
}

void dvbt2_cell_queue_complete(dvbt2_cell_queue *queue)
{
    if (queue->count > 0)
        newest(queue)->complete = true;
}

static size_t copy_out(dvbt2_cell_queue *queue, size_t count, float *iq, float *noise)
{
    size_t before_wrap = queue->room - queue->first < count ? queue->room - queue->first : count;
    memcpy(iq, queue->cells + queue->first, before_wrap * sizeof *queue->cells);
    memcpy(noise, queue->noise + queue->first, before_wrap * sizeof *noise);
    memcpy(iq + 2 * before_wrap, queue->cells, (count - before_wrap) * sizeof *queue->cells);
    memcpy(noise + before_wrap, queue->noise, (count - before_wrap) * sizeof *noise);
    queue->first = (queue->first + count) % queue->room;
    queue->held -= count;
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

/* Pulls cells of the oldest frame. Drops the frame after its last cell. */
static size_t pull_oldest(dvbt2_cell_queue *queue, size_t max, float *iq, float *noise)
{
    dvbt2_queued_frame *oldest = &queue->frames[queue->oldest];
    size_t count = 0;
    if (oldest->pulled < oldest->written)
        count = copy_out(queue, least(max, oldest->written - oldest->pulled), iq, noise);
    else if (oldest->complete)
        count = erase(least(max, oldest->info.cells - oldest->pulled), iq, noise);
    oldest->pulled += (uint32_t)count;
    if (oldest->complete && oldest->pulled >= oldest->info.cells) {
        queue->oldest = (queue->oldest + 1) % DVBT2_CELL_QUEUE_FRAMES;
        queue->count--;
    }
    return count;
}

size_t dvbt2_cell_queue_pull(dvbt2_cell_queue *queue, size_t max, float *iq, float *noise,
                             dvbt2_plp_frame *frame, uint32_t *first)
{
    size_t count = 0;
    for (uint32_t before = 0; max > 0 && count == 0 && queue->count > 0 && queue->count != before;) {
        const dvbt2_queued_frame *oldest = &queue->frames[queue->oldest];
        if (frame)
            *frame = oldest->info;
        if (first)
            *first = oldest->pulled;
        before = queue->count;
        count = pull_oldest(queue, max, iq, noise);
    }
    return count;
}
