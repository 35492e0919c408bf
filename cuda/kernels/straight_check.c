/* SPDX-License-Identifier: BSD-3-Clause */
/* Check node of the kernel "straight".
 *
 * General form: the rule computes msg_others and msg_min from the two or three smallest magnitudes.
 *
 * extrinsic (min-sum, offset min-sum): the rule is applied to every |Q|, and prefix and suffix minima give
 * the minimum over all other edges. */
#include "cuda/kernels/straight.h"

#include <stdio.h>

typedef struct minima {
    char min1[24], min2[24], min3[24];
} minima;

static minima write_merge_of_three(ldpc_writer *w, const minima *a, const minima *b, const char *suffix)
{
    minima m = {.min3 = ""};
    snprintf(m.min1, sizeof m.min1, "min1_%s", suffix);
    snprintf(m.min2, sizeof m.min2, "%s%s", a->min2[0] || b->min2[0] ? "min2_" : "big", suffix);
    ldpc_write(w, "  u32 %s=hminx(%s,%s), big%s=hmaxa(%s,%s);\n", m.min1, a->min1, b->min1, suffix, a->min1,
               b->min1);
    if (!a->min2[0] && !b->min2[0])
        return m;
    snprintf(m.min3, sizeof m.min3, "min3_%s", suffix);
    if (a->min2[0] && b->min2[0])
        ldpc_write(w, "  u32 small%s=hmin(%s,%s);", suffix, a->min2, b->min2);
    else
        ldpc_write(w, "  u32 small%s=%s;", suffix, a->min2[0] ? a->min2 : b->min2);
    ldpc_write(w, " u32 %s=hmin(big%s,small%s), other%s=hmax(big%s,small%s), %s=", m.min2, suffix, suffix,
               suffix, suffix, suffix, m.min3);
    if (a->min3[0] && b->min3[0])
        ldpc_write(w, "hmin3(other%s,%s,%s);\n", suffix, a->min3, b->min3);
    else if (a->min3[0] || b->min3[0])
        ldpc_write(w, "hmin(other%s,%s);\n", suffix, a->min3[0] ? a->min3 : b->min3);
    else
        ldpc_write(w, "other%s;\n", suffix);
    return m;
}

static minima write_merge(ldpc_writer *w, const ldpc_straight *s, const minima *a, const minima *b,
                          const char *suffix)
{
    minima m = {.min1 = ""};
    if (s->rule.reads_third)
        return write_merge_of_three(w, a, b, suffix);
    snprintf(m.min1, sizeof m.min1, "min1_%s", suffix);
    snprintf(m.min2, sizeof m.min2, "min2_%s", suffix);
    ldpc_write(w, "  u32 %s=hminx(%s,%s), %s=", m.min1, a->min1, b->min1, m.min2);
    if (a->min2[0] && b->min2[0])
        ldpc_write(w, "hmin3(hmaxa(%s,%s),%s,%s);\n", a->min1, b->min1, a->min2, b->min2);
    else if (a->min2[0] || b->min2[0])
        ldpc_write(w, "hmin(hmaxa(%s,%s),%s);\n", a->min1, b->min1, a->min2[0] ? a->min2 : b->min2);
    else
        ldpc_write(w, "hmaxa(%s,%s);\n", a->min1, b->min1);
    return m;
}

static minima write_tree(ldpc_writer *w, const ldpc_straight *s, minima *nodes, uint32_t count,
                         const char *prefix)
{
    uint32_t merges = 0;
    while (count > 1) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i + 1 < count; i += 2) {
            char name[16];
            snprintf(name, sizeof name, "%s%u", prefix, merges++);
            nodes[kept++] = write_merge(w, s, &nodes[i], &nodes[i + 1], name);
        }
        if (count % 2)
            nodes[kept++] = nodes[count - 1];
        count = kept;
    }
    return nodes[0];
}

uint32_t ldpc_straight_early(const ldpc_straight *s, uint32_t layer)
{
    uint32_t count = 0;
    for (uint32_t e = s->code->layer_start[layer]; e < s->code->layer_start[layer + 1]; e++)
        count += s->edges[e].early;
    return count;
}

static void one_edge(minima *node, char name, uint32_t number)
{
    *node = (minima){.min2 = ""};
    snprintf(node->min1, sizeof node->min1, "%c%u", name, number);
}

void ldpc_straight_begin_check(ldpc_writer *w, const ldpc_straight *s, uint32_t layer)
{
    minima nodes[LDPC_STRAIGHT_MAX_DEGREE];
    uint32_t count = 0;
    for (uint32_t e = s->code->layer_start[layer]; e < s->code->layer_start[layer + 1]; e++)
        if (s->edges[e].early)
            one_edge(&nodes[count++], 'f', e);
    if (count < 2)
        return;
    minima m = write_tree(w, s, nodes, count, "e");
    ldpc_write(w, "  early1_%u=%s; early2_%u=%s;", layer, m.min1, layer, m.min2);
    if (m.min3[0])
        ldpc_write(w, " early3_%u=%s;", layer, m.min3);
    ldpc_write(w, "\n");
}

/* Early edges are merged last. */
static void write_minima(ldpc_writer *w, const ldpc_straight *s, uint32_t layer)
{
    minima nodes[LDPC_STRAIGHT_MAX_DEGREE];
    uint32_t count = 0;
    uint32_t early = ldpc_straight_early(s, layer);
    bool begun = early > 1, third = s->rule.reads_third;
    for (uint32_t e = s->code->layer_start[layer]; e < s->code->layer_start[layer + 1]; e++)
        if (!begun || !s->edges[e].early)
            one_edge(&nodes[count++], 'q', s->edges[e].index);
    if (begun) {
        nodes[count] = (minima){.min1 = ""};
        snprintf(nodes[count].min1, sizeof nodes->min1, "early1_%u", layer);
        snprintf(nodes[count].min2, sizeof nodes->min2, "early2_%u", layer);
        if (third && early > 2)
            snprintf(nodes[count].min3, sizeof nodes->min3, "early3_%u", layer);
        count++;
    }
    minima m = write_tree(w, s, nodes, count, "");
    ldpc_write(w, "  u32 min1=%s, min2=%s, min3=", m.min1, m.min2);
    if (third && m.min3[0])
        ldpc_write(w, "%s;\n", m.min3);
    else
        ldpc_write(w, "BOTH(%d);\n", ldpc_half_no_other(s->i8));
}

static void write_smallest(ldpc_writer *w, const ldpc_straight *s, uint32_t layer)
{
    write_minima(w, s, layer);
    ldpc_write(w, "  u32 msg_others, msg_min, min1_plus_1=hadd(habsf(min1),HALF_1);\n");
    if (s->packed)
        ldpc_write(
            w, "  clamped_rule(&a,habsf(min1),min2,min3,&msg_others,&msg_min); u32 sign=(min1&SIGNS)|one;\n");
    else
        ldpc_write(w, "  signed_rule(&a,min1,min2,min3,max_others,max_message,&msg_others,&msg_min);\n");
    ldpc_write(w, "  u32 holder_delta=hsub(msg_min,msg_others);\n");
}

bool ldpc_straight_extrinsic(const ldpc_rule *rule, int *soft_offset)
{
    bool offset = rule->algorithm == LDPC_ALGORITHM_OFFSET_MIN_SUM;
    *soft_offset = offset ? rule->offset : 0;
    if ((!offset && rule->algorithm != LDPC_ALGORITHM_MIN_SUM) || (*soft_offset & (*soft_offset - 1))) {
        *soft_offset = 0;
        return false;
    }
    return true;
}

typedef struct name_text {
    char text[40];
} name_text;

/* y<i> = HSOFT(q, c) is Q moved towards 0 by the offset c. P<i> is the minimum of |y| over the edges before
 * i, and S<i> over the other edges. Both are limited to max_msg, and have the sign product of these edges. */
static void write_minima_of_others(ldpc_writer *w, const ldpc_straight *s, uint32_t degree)
{
    for (uint32_t i = 0; i < degree; i++)
        if (s->soft_offset)
            ldpc_write(w, "  u32 y%u=HSOFT(q%u,%d);\n", i, i, s->soft_offset);
        else
            ldpc_write(w, "  u32 y%u=q%u;\n", i, i);
    ldpc_write(w, "  u32 P0=RULE_MAX_MESSAGE, S%u=RULE_MAX_MESSAGE;\n", degree);
    for (uint32_t i = 1; i < degree; i++)
        ldpc_write(w, "  u32 P%u=hminx(P%u,y%u);\n", i, i - 1, i - 1);
    for (uint32_t i = degree - 1; i > 0; i--)
        ldpc_write(w, "  u32 S%u=hminx(S%u,y%u);\n", i, i + 1, i);
}

static name_text other_minimum(uint32_t degree, uint32_t i)
{
    name_text n;
    if (i == 0)
        snprintf(n.text, sizeof n.text, "S1");
    else if (i + 1 == degree)
        snprintf(n.text, sizeof n.text, "P%u", i);
    else
        snprintf(n.text, sizeof n.text, "hminx(P%u,S%u)", i, i + 1);
    return n;
}

/* ---- both */

void ldpc_straight_check(ldpc_writer *w, const ldpc_straight *s, uint32_t layer)
{
    if (s->extrinsic)
        write_minima_of_others(w, s, s->code->layer_start[layer + 1] - s->code->layer_start[layer]);
    else
        write_smallest(w, s, layer);
}

void ldpc_straight_message(ldpc_writer *w, const ldpc_straight *s, uint32_t degree, uint32_t i,
                           const char *onto)
{
    if (s->extrinsic) {
        name_text other = other_minimum(degree, i);
        ldpc_write(w, onto ? "  u32 n%u=hadd(%s,%s);\n" : "  u32 n%u=%s;\n", i, other.text, onto);
        return;
    }
    ldpc_write(w, "  u32 x%u=hfma(hsubsat(min1_plus_1,habsf(q%u)),holder_delta,msg_others);", i, i);
    if (s->packed)
        ldpc_write(w, " u32 n%u=hfma(x%u,(q%u&SIGNS)^sign,%s);\n", i, i, i, onto);
    else
        ldpc_write(w, onto ? " u32 n%u=hadd(x%u^(q%u&SIGNS),%s);\n" : " u32 n%u=x%u^(q%u&SIGNS);\n", i, i, i,
                   onto);
}
