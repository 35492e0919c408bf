/* SPDX-License-Identifier: BSD-3-Clause */
/* The check node of the kernel "straight", as text. Two forms: the smallest magnitudes of the check (two, or
 * three where the rule asks for the third) and the rule, which hands every edge msg_others or msg_min; or,
 * for rules that treat the two alike, the rule on every var_msg and then the minimum of all others from
 * chains that run over the check both ways. */
#include "cuda/kernels/straight.h"

#include <stdio.h>

#define H(value) ldpc_half2(value)

/* ---- the rule on the smallest magnitudes */

/* The smallest magnitude with the product of all signs, the next one and, if it is asked for, the third, of
 * some edges. "": there are not so many. */
typedef struct minima {
    char min1[24], min2[24], min3[24];
} minima;

/* With the third. The larger of the smallest, `big`, and the smaller of the next ones, `small`: one is the
 * second of all, and the third is the other one or the third of one side. */
static minima write_merge_of_three(ldpc_writer *w, const minima *a, const minima *b, const char *made)
{
    minima m = {.min3 = ""};
    snprintf(m.min1, sizeof m.min1, "min1_%s", made);
    snprintf(m.min2, sizeof m.min2, "%s%s", a->min2[0] || b->min2[0] ? "min2_" : "big", made);
    ldpc_write(w, "  u32 %s=hminx(%s,%s), big%s=hmaxa(%s,%s);\n", m.min1, a->min1, b->min1, made, a->min1,
               b->min1);
    if (!a->min2[0] && !b->min2[0])
        return m;
    snprintf(m.min3, sizeof m.min3, "min3_%s", made);
    if (a->min2[0] && b->min2[0])
        ldpc_write(w, "  u32 small%s=hmin(%s,%s);", made, a->min2, b->min2);
    else
        ldpc_write(w, "  u32 small%s=%s;", made, a->min2[0] ? a->min2 : b->min2);
    ldpc_write(w, " u32 %s=hmin(big%s,small%s), other%s=hmax(big%s,small%s), %s=", m.min2, made, made, made,
               made, made, m.min3);
    if (a->min3[0] && b->min3[0])
        ldpc_write(w, "hmin3(other%s,%s,%s);\n", made, a->min3, b->min3);
    else if (a->min3[0] || b->min3[0])
        ldpc_write(w, "hmin(other%s,%s);\n", made, a->min3[0] ? a->min3 : b->min3);
    else
        ldpc_write(w, "other%s;\n", made);
    return m;
}

/* Of those of a and b, as lo, hi and th with the name `made`. */
static minima write_merge(ldpc_writer *w, const ldpc_straight *s, const minima *a, const minima *b,
                          const char *made)
{
    minima m = {.min1 = ""};
    if (ldpc_half_rule_has_third(&s->rule))
        return write_merge_of_three(w, a, b, made);
    snprintf(m.min1, sizeof m.min1, "min1_%s", made);
    snprintf(m.min2, sizeof m.min2, "min2_%s", made);
    ldpc_write(w, "  u32 %s=hminx(%s,%s), %s=", m.min1, a->min1, b->min1, m.min2);
    if (a->min2[0] && b->min2[0])
        ldpc_write(w, "hmin3(hmaxa(%s,%s),%s,%s);\n", a->min1, b->min1, a->min2, b->min2);
    else if (a->min2[0] || b->min2[0])
        ldpc_write(w, "hmin(hmaxa(%s,%s),%s);\n", a->min1, b->min1, a->min2[0] ? a->min2 : b->min2);
    else
        ldpc_write(w, "hmaxa(%s,%s);\n", a->min1, b->min1);
    return m;
}

/* Pairs, pairs of pairs ... of all nodes. */
static minima write_tree(ldpc_writer *w, const ldpc_straight *s, minima *nodes, uint32_t count,
                         const char *prefix)
{
    uint32_t made = 0;
    while (count > 1) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i + 1 < count; i += 2) {
            char name[16];
            snprintf(name, sizeof name, "%s%u", prefix, made++);
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

/* Those of the early edges join the others last. */
static void write_minima(ldpc_writer *w, const ldpc_straight *s, uint32_t layer)
{
    minima nodes[LDPC_STRAIGHT_MAX_DEGREE];
    uint32_t count = 0;
    uint32_t early = ldpc_straight_early(s, layer);
    bool begun = early > 1, third = ldpc_half_rule_has_third(&s->rule);
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
        ldpc_write(w, "0x%xu;\n", H(ldpc_half_no_other(s->i8)));
}

/* holder: 1 more than the smallest magnitude; more: what the holder's message has on top of the others'. */
static void write_smallest(ldpc_writer *w, const ldpc_straight *s, uint32_t layer)
{
    write_minima(w, s, layer);
    ldpc_write(w, "  u32 msg_others, msg_min, holder=hadd(habs(min1),HALF_1);\n"
                  "  ldpc_check_node_rule(&a,habs(min1),min2,min3,&msg_others,&msg_min);\n");
    if (s->packed) /* sign as +-1.0, so that one operation gives the message plus its bias */
        ldpc_write(w, "  u32 more=hsub(msg_min,msg_others), sign=(min1&SIGNS)|HALF_1;\n");
    else
        ldpc_write(w, "  msg_others^=min1&SIGNS; msg_min^=min1&SIGNS; u32 more=hsub(msg_min,msg_others);\n");
}

/* ---- the rule on every var_msg */

bool ldpc_straight_extrinsic(const ldpc_rule *rule, int *soft_offset)
{
    bool offset = rule->algorithm == LDPC_ALGORITHM_OFFSET_MIN_SUM;
    *soft_offset = offset ? rule->offset : 0;
    if ((!offset && rule->algorithm != LDPC_ALGORITHM_MIN_SUM) || (*soft_offset & (*soft_offset - 1))) {
        *soft_offset = 0; /* 1 / 2 c is exact for powers of two alone */
        return false;
    }
    return true;
}

typedef struct name_text {
    char text[40];
} name_text;

/* y: Q moved towards 0 by the offset c, from q = Q + c: q - 2 c sat(q / 2 c). Then P(i), the minimum of all
 * before i, and S(i), of i and all behind it, both with max_msg and the product of the signs. */
static void write_chains(ldpc_writer *w, const ldpc_straight *s, uint32_t degree)
{
    for (uint32_t i = 0; i < degree; i++)
        if (s->soft_offset)
            ldpc_write(w, "  u32 y%u=hfma(hmulsat(q%u,0x%xu),0x%xu,q%u);\n", i, i, H(0.5 / s->soft_offset),
                       H(-2 * s->soft_offset), i);
        else
            ldpc_write(w, "  u32 y%u=q%u;\n", i, i);
    uint32_t most = H(s->rule.max_msg);
    ldpc_write(w, "  u32 P0=0x%xu, S%u=0x%xu;\n", most, degree, most);
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
        write_chains(w, s, s->code->layer_start[layer + 1] - s->code->layer_start[layer]);
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
    ldpc_write(w, "  u32 x%u=hfma(hsubsat(holder,habsf(q%u)),more,msg_others);", i, i);
    if (s->packed)
        ldpc_write(w, " u32 n%u=hfma(x%u,(q%u&SIGNS)^sign,%s);\n", i, i, i, onto);
    else
        ldpc_write(w, onto ? " u32 n%u=hadd(x%u^(q%u&SIGNS),%s);\n" : " u32 n%u=x%u^(q%u&SIGNS);\n", i, i, i,
                   onto);
}
