/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides where columns and messages of a straight-line kernel live. */
#include "cuda/kernels/straight.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    MAX_EDGES = 640, /* longer code leaves the instruction cache */
    MAX_THREADS = 512,
    PLAIN_WORDS = 100,    /* more messages than this are packed, four to a register */
    REGISTER_WORDS = 90,  /* of messages; a thread has 255, or 168 with 384 threads to a block */
    OTHER_REGISTERS = 40, /* what a thread needs besides its messages */
    REGISTERS_PER_SM = 65536,
    FEW_COLUMNS = 20,
    FEW_WARPS = 4,
    FEW_BLOCKS = 2,
    MOST_BEHIND = 6, /* edges of a layer; more cost registers */
};

static bool copy_edges(ldpc_straight *s)
{
    const ldpc_code *code = s->code;
    s->edge_count = code->layer_start[code->layers];
    s->edges = ldpc_allocate(s->edge_count, sizeof *s->edges);
    s->columns = ldpc_allocate(code->groups, sizeof *s->columns);
    s->barrier = ldpc_allocate(code->layers, sizeof *s->barrier);
    if (!s->edges || !s->columns || !s->barrier)
        return false;
    for (uint32_t l = 0; l < code->layers; l++)
        for (uint32_t e = code->layer_start[l]; e < code->layer_start[l + 1]; e++) {
            const ldpc_block *b = &code->blocks[e];
            s->edges[e] = (ldpc_edge){.layer = l,
                                      .index = e - code->layer_start[l],
                                      .group = b->group,
                                      .shift = b->shift,
                                      .absent = b->missing_lane};
            for (uint32_t earlier = code->layer_start[l]; earlier < e; earlier++)
                s->edges[e].occurrence += code->blocks[earlier].group == b->group;
        }
    return true;
}

/* Edges of a column in the order in which they write: by layer, then by occurrence, which is table order. */
static void link_column(ldpc_straight *s, uint32_t group)
{
    ldpc_column *c = &s->columns[group];
    uint32_t last = 0;
    for (uint32_t e = 0; e < s->edge_count; e++) {
        if (s->edges[e].group != group)
            continue;
        if (c->degree++) {
            s->edges[e].before = last;
            s->edges[last].next = e;
        } else {
            c->first = e;
        }
        last = e;
    }
    if (c->degree) {
        s->edges[last].next = c->first;
        s->edges[c->first].before = last;
    }
}

static ldpc_home choose_home(const ldpc_straight *s, uint32_t group)
{
    const ldpc_column *c = &s->columns[group];
    bool plain = true; /* one shift, no absent lane, nothing twice in a layer */
    for (uint32_t e = 0; e < s->edge_count; e++) {
        const ldpc_edge *edge = &s->edges[e];
        if (edge->group == group &&
            (edge->shift != s->edges[c->first].shift || edge->absent != LDPC_NO_LANE || edge->occurrence))
            plain = false;
    }
    if (!plain || c->degree == 0)
        return LDPC_HOME_SHARED;
    if (c->degree > 2 || s->i8) /* i8 saturates what the other two leave out */
        return LDPC_HOME_PRIVATE;
    return c->degree == 2 ? LDPC_HOME_CHAIN : LDPC_HOME_LEAF;
}

/* A posterior stays in a register on its way to an edge of the same shift. Not into or out of layers that
 * have the column twice, and not past the end of an iteration when it is looked at there. */
static void choose_carried(ldpc_straight *s, uint32_t group)
{
    const ldpc_column *c = &s->columns[group];
    uint32_t e = c->first;
    for (uint32_t i = 0; i < c->degree; i++, e = s->edges[e].next) {
        ldpc_edge *edge = &s->edges[e], *next = &s->edges[edge->next];
        bool repeated = edge->occurrence || next->occurrence || s->edges[next->next].occurrence ||
                        edge->absent != LDPC_NO_LANE || next->absent != LDPC_NO_LANE;
        edge->carried = edge->shift == next->shift && !repeated && c->degree > 1 &&
                        !(s->early_stop && edge->next == c->first);
    }
}

static void choose_columns(ldpc_straight *s)
{
    for (uint32_t g = 0; g < s->code->groups; g++) {
        ldpc_column *c = &s->columns[g];
        link_column(s, g);
        c->home = choose_home(s, g);
        if (c->home == LDPC_HOME_SHARED)
            choose_carried(s, g);
    }
}

/* ---- shared memory */

static uint32_t distance(const ldpc_straight *s, const ldpc_edge *from, const ldpc_edge *to)
{
    return (to->shift + s->code->z - from->shift) % s->code->z;
}

/* Which threads write twice what an edge leaves. Its readers: the next edge, and if that is the first of its
 * layer, all of the layer. Whole warps where groups are made of them. */
static void choose_mirrors(ldpc_straight *s, ldpc_edge *edge)
{
    uint32_t z = s->code->z, unit = z % 32 ? z : 32;
    const ldpc_edge *next = &s->edges[edge->next], *reader = next;
    bool alone = true;
    edge->above = distance(s, edge, next);
    edge->below = 0;
    while (!next->occurrence && (reader = &s->edges[reader->next])->occurrence) {
        uint32_t far = distance(s, edge, reader);
        edge->above = far > edge->above ? far : edge->above;
        alone = false;
    }
    if (alone && edge->above > z / 2) {
        edge->below = (z - edge->above + unit - 1) / unit * unit;
        edge->above = 0;
    }
    edge->above = (edge->above + unit - 1) / unit * unit;
    if (edge->above + edge->below > s->most_mirrors)
        edge->above = edge->below = 0;
}

/* Number the frames of a column: 0, 1, and 2 where an odd number of edges makes a circle of them. Returns how
 * many there are; ->frame holds the number. */
static uint32_t number_frames(ldpc_straight *s, uint32_t group)
{
    ldpc_column *c = &s->columns[group];
    uint32_t e = c->first, count = 0;
    for (uint32_t i = 0; i < c->degree; i++, e = s->edges[e].next)
        if (s->edges[e].carried) { /* behind it nobody's frame counts */
            e = s->edges[e].next;
            break;
        }
    for (uint32_t i = 0; i < c->degree; i++, e = s->edges[e].next) {
        ldpc_edge *edge = &s->edges[e], *before = &s->edges[edge->before], *next = &s->edges[edge->next];
        bool taken[3] = {false};
        if (i > 0 && !before->carried)
            taken[before->frame] = true;
        if (i > 0 && i == c->degree - 1 && !next->carried)
            taken[next->frame] = true;
        edge->frame = !taken[0] ? 0 : !taken[1] ? 1 : 2;
        if (!edge->carried && edge->frame >= count)
            count = edge->frame + 1;
    }
    return count;
}

/* A frame holds z words and the largest mirrors of its edges. */
static void place_frames(ldpc_straight *s, uint32_t group)
{
    uint32_t below[3] = {0}, above[3] = {0}, base[3] = {0}, frames = number_frames(s, group);
    for (uint32_t e = 0; e < s->edge_count; e++) {
        ldpc_edge *edge = &s->edges[e];
        if (edge->group != group || edge->carried)
            continue;
        choose_mirrors(s, edge);
        below[edge->frame] = edge->below > below[edge->frame] ? edge->below : below[edge->frame];
        above[edge->frame] = edge->above > above[edge->frame] ? edge->above : above[edge->frame];
    }
    for (uint32_t f = 0; f < frames; f++) {
        base[f] = s->group_words + below[f];
        s->group_words += below[f] + s->code->z + above[f];
    }
    for (uint32_t e = 0; e < s->edge_count; e++)
        if (s->edges[e].group == group)
            s->edges[e].frame = base[s->edges[e].frame];
}

static void place_columns(ldpc_straight *s)
{
    uint32_t z = s->code->z;
    s->group_words = 0;
    for (uint32_t g = 0; g < s->code->groups; g++) {
        ldpc_column *c = &s->columns[g];
        c->base = s->group_words;
        if (c->home == LDPC_HOME_SHARED && s->frames && c->degree)
            place_frames(s, g);
        else if (c->home == LDPC_HOME_SHARED)
            s->group_words += z;
        else if (c->home == LDPC_HOME_LEAF)
            s->group_words += s->early_stop ? 2 * z : z; /* channel and posterior */
    }
    while (s->group_words % 32 != z % 32) /* neighbouring groups use neighbouring banks */
        s->group_words++;
}

/* Which groups have a column that starts from a channel value. */
static bool find_heard(const ldpc_straight *s, bool *heard)
{
    ldpc_cuda_places places;
    if (ldpc_cuda_places_make(s->plan->code, &places))
        return false;
    for (uint32_t g = 0; g < s->code->groups; g++)
        for (uint32_t i = 0; i < s->code->z; i++)
            heard[g] |= places.source[ldpc_straight_position(s, g) + i * s->parts] != LDPC_CUDA_UNKNOWN;
    ldpc_cuda_places_free(&places);
    return true;
}

/* Largest posterior that additions alone can reach. */
static uint32_t largest_posterior(const ldpc_straight *s, const bool *heard)
{
    uint32_t most = 0;
    for (uint32_t g = 0; g < s->code->groups; g++) {
        uint32_t reached = (heard[g] ? 128 : 0) + s->columns[g].degree * (uint32_t)s->rule.max_msg;
        most = reached > most ? reached : most;
    }
    return most;
}

static uint32_t stored_messages(ldpc_straight *s)
{
    uint32_t count = 0;
    for (uint32_t e = 0; e < s->edge_count; e++) {
        s->edges[e].stored = s->columns[s->edges[e].group].home != LDPC_HOME_LEAF;
        count += s->edges[e].stored;
    }
    return count;
}

static void number_messages(ldpc_straight *s)
{
    uint32_t layer = 0, half = 0;
    for (uint32_t e = 0; e < s->edge_count; e++) {
        ldpc_edge *edge = &s->edges[e];
        if (edge->layer != layer && half) { /* words do not span layers */
            s->words++;
            half = 0;
        }
        layer = edge->layer;
        if (!edge->stored)
            continue;
        edge->word = s->words;
        edge->half = half;
        half = s->packed ? !half : 0;
        s->words += !half;
    }
    s->words += half;
}

/* Columns that stand in registers take the place of messages when they are many. */
static void choose_registers(ldpc_straight *s)
{
    uint32_t columns = 0, most = REGISTER_WORDS;
    for (uint32_t g = 0; g < s->code->groups; g++)
        columns += s->columns[g].home == LDPC_HOME_PRIVATE || s->columns[g].home == LDPC_HOME_CHAIN;
    if (columns > FEW_COLUMNS)
        most = columns - FEW_COLUMNS < most ? most - (columns - FEW_COLUMNS) : 1;
    s->register_words = s->words < most ? s->words : most;
}

/* As many groups in a block as leave the fewest threads of the last warp idle. */
static void choose_groups(ldpc_straight *s)
{
    uint32_t z = s->code->z, best = 0;
    for (uint32_t groups = 1; groups == 1 || (groups * z <= 256 && groups <= 32); groups++) {
        uint32_t threads = (groups * z + 31) / 32 * 32;
        uint32_t use = 1000 * groups * z / threads;
        if (use > best + 10) {
            best = use;
            s->groups = groups;
            s->threads = threads;
        }
    }
}

/* A mirror costs an access to shared memory, and a comparison where warps need more conditions than there are
 * predicates to keep them in; to wrap around costs two additions instead, which i8 has less room for. Where
 * few blocks share a multiprocessor, nothing else runs while threads wait for each other: work is left for
 * then. */
static void choose_pace(ldpc_straight *s)
{
    uint32_t z = s->code->z;
    s->most_mirrors = s->i8 || s->extrinsic || z % 32 || z <= FEW_WARPS * 32 ? z : z / 6;
    s->most_behind = s->min_blocks <= FEW_BLOCKS ? MOST_BEHIND : 0;
}

/* Edges that the next layer does not wait for: what they do fills the time in which it waits. */
static void choose_behind(ldpc_straight *s)
{
    const ldpc_code *code = s->code;
    for (uint32_t l = 0; l + 1 < code->layers && !s->extrinsic; l++) {
        uint32_t count = 0;
        for (uint32_t e = code->layer_start[l + 1]; e-- > code->layer_start[l];) {
            ldpc_edge *edge = &s->edges[e], *next = &s->edges[edge->next];
            bool repeated = edge->occurrence || next->occurrence || edge->absent != LDPC_NO_LANE;
            edge->behind = !repeated && next->layer != l + 1 && count < s->most_behind;
            count += edge->behind;
        }
    }
}

static void choose_barriers(ldpc_straight *s, bool *touched)
{
    const ldpc_code *code = s->code;
    for (uint32_t l = 0; l < code->layers; l++) {
        bool meets = false;
        for (uint32_t e = code->layer_start[l]; e < code->layer_start[l + 1]; e++)
            meets |= touched[s->edges[e].group];
        if (meets) {
            s->barrier[l - 1] = true;
            memset(touched, 0, code->groups * sizeof *touched);
        }
        for (uint32_t e = code->layer_start[l ? l - 1 : 0]; e < code->layer_start[l + 1]; e++)
            if (s->columns[s->edges[e].group].home == LDPC_HOME_SHARED &&
                s->edges[e].behind == (s->edges[e].layer < l))
                touched[s->edges[e].group] = true;
    }
    s->barrier[code->layers - 1] = true;
}

/* Can the edge's var_msg be made in the layer before, so that nothing is waited for behind the barrier? Its
 * column must have been left before an earlier barrier. */
static bool is_settled(const ldpc_straight *s, const ldpc_edge *edge)
{
    const ldpc_edge *from = edge;
    ldpc_home home = s->columns[edge->group].home;
    if (home == LDPC_HOME_LEAF)
        return true;
    while (from->occurrence)
        from = &s->edges[from->before];
    from = &s->edges[from->before];
    if (home != LDPC_HOME_SHARED || from->carried || edge->absent != LDPC_NO_LANE)
        return false;
    for (uint32_t l = from->layer + from->behind; l + 1 < edge->layer; l++)
        if (s->barrier[l])
            return true;
    return from->layer >= edge->layer; /* all have met at the end of the iteration */
}

static void choose_early(ldpc_straight *s)
{
    for (uint32_t e = 0; e < s->edge_count; e++) {
        ldpc_edge *edge = &s->edges[e];
        edge->early = edge->layer > 0 && s->barrier[edge->layer - 1] && is_settled(s, edge);
    }
}

/* Offsets in shared memory. The bits are staged over the working memory, unless other words still need that.
 */
static void choose_memory(ldpc_straight *s)
{
    const ldpc_code *code = s->code;
    size_t messages = (size_t)(s->words - s->register_words) * s->groups * code->z;
    size_t work = (4 * ((size_t)s->group_words * s->groups + messages) + 15) / 16 * 16;
    s->stage_bytes = ((size_t)code->columns + 15) / 16 * 16;
    size_t stage = 2 * s->groups * s->stage_bytes;
    s->stage_at = s->early_stop ? work : 0;
    s->flags_at = s->early_stop ? work + stage : work > stage ? work : stage;
    s->shared_bytes = s->flags_at + 4 * (size_t)s->groups;
}

/* Frames save the address of every access; they are worth it where they leave room for as many blocks. */
static void choose_layout(ldpc_straight *s, const ldpc_cuda_device *device)
{
    enum { BLOCK_OVERHEAD = 1024 };
    s->frames = true;
    place_columns(s);
    choose_memory(s);
    if (s->shared_bytes <= device->shared_bytes &&
        s->min_blocks * (s->shared_bytes + BLOCK_OVERHEAD) <= device->shared_bytes_per_sm)
        return;
    s->frames = false;
    place_columns(s);
    choose_memory(s);
    while (s->shared_bytes > device->shared_bytes && s->register_words < s->words &&
           s->register_words < REGISTER_WORDS) {
        s->register_words++;
        choose_memory(s);
    }
}

/* In so many parts the lanes of a layer have a thread each. */
static uint32_t parts_of(const ldpc_code *code)
{
    uint32_t parts = 1;
    while (code->z / parts > MAX_THREADS || code->z % parts)
        parts++;
    return parts;
}

static bool shape_fits(const ldpc_plan *plan)
{
    const ldpc_code *code = plan->code;
    return plan->schedule == LDPC_SCHEDULE_LAYERED && plan->arithmetic != LDPC_ARITHMETIC_FLOAT &&
           code->z > 1 && (size_t)code->layer_start[code->layers] * parts_of(code) <= MAX_EDGES;
}

/* Rows without edges have no minimum. */
static bool code_fits(const ldpc_code *code)
{
    for (uint32_t l = 0; l < code->layers; l++) {
        uint32_t degree = code->layer_start[l + 1] - code->layer_start[l];
        if (degree < 2 || degree > LDPC_STRAIGHT_MAX_DEGREE)
            return false;
    }
    return true;
}

uint32_t ldpc_straight_position(const ldpc_straight *s, uint32_t group)
{
    return group / s->parts * s->parts * s->code->z + group % s->parts;
}

void ldpc_straight_free(ldpc_straight *s)
{
    ldpc_cuda_fold_free(s->folded);
    free(s->edges);
    free(s->columns);
    free(s->barrier);
    *s = (ldpc_straight){0};
}

static ldpc_status lay_out(ldpc_straight *s, const ldpc_cuda_device *device)
{
    bool *touched = ldpc_allocate(s->code->groups, sizeof *touched),
         *heard = ldpc_allocate(s->code->groups, sizeof *heard);
    if (!touched || !heard || !find_heard(s, heard) || !copy_edges(s)) {
        free(touched);
        free(heard);
        return LDPC_ERR_MEMORY;
    }
    choose_columns(s);
    uint32_t limit = largest_posterior(s, heard);
    uint32_t messages = stored_messages(s);
    s->packed = messages > PLAIN_WORDS;
    s->extrinsic = ldpc_straight_extrinsic(&s->rule, &s->soft);
    s->message_bias = s->packed ? ldpc_half_message_bias(&s->rule, s->i8) : 0;
    s->bias = s->message_bias + (s->i8 ? 128 : s->soft);
    number_messages(s);
    choose_registers(s);
    choose_groups(s);
    s->min_blocks = REGISTERS_PER_SM / (s->threads * (s->register_words + OTHER_REGISTERS));
    s->min_blocks = s->min_blocks < 1 ? 1 : s->min_blocks > 8 ? 8 : s->min_blocks;
    s->wave_words = 2 * s->groups * s->min_blocks * (uint32_t)device->sms;
    choose_pace(s);
    choose_behind(s);
    choose_barriers(s, touched);
    choose_early(s);
    free(touched);
    free(heard);
    choose_layout(s, device);
    bool exact = s->i8 || limit + (uint32_t)(s->soft + s->message_bias) <= LDPC_I16_LIMIT;
    return exact && messages && s->shared_bytes <= device->shared_bytes ? LDPC_OK : LDPC_ERR_UNSUPPORTED;
}

ldpc_status ldpc_straight_layout(ldpc_straight *s, const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    *s = (ldpc_straight){.plan = plan,
                         .code = plan->code,
                         .rule = ldpc_plan_rule(plan),
                         .i8 = plan->arithmetic == LDPC_ARITHMETIC_I8,
                         .early_stop = plan->early_stop};
    if (!shape_fits(plan) || !code_fits(plan->code))
        return LDPC_ERR_UNSUPPORTED;
    s->parts = parts_of(plan->code);
    if (s->parts > 1 && !ldpc_cuda_can_fold(plan->code, s->parts))
        return LDPC_ERR_UNSUPPORTED;
    if (s->parts > 1 && !(s->code = s->folded = ldpc_cuda_fold(plan->code, s->parts)))
        return LDPC_ERR_MEMORY;
    ldpc_status status = lay_out(s, device);
    if (status)
        ldpc_straight_free(s);
    return status;
}
