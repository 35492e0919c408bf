/* SPDX-License-Identifier: BSD-3-Clause */
/* The check node of a straight-line kernel, as text. Two forms: the smallest magnitudes of the row (two, or
 * three where the rule asks for the third) and the rule, which hands every edge msg_others or msg_min; or,
 * for rules that treat the two alike, the rule on every var_msg and then the minimum of all others from
 * chains that run over the row both ways. */
#include "cuda/kernels/straight.h"

#include <stdio.h>

#define H(value) ldpc_half2(value)

uint32_t ldpc_half2(double value)
{
    uint32_t sign = value < 0 ? 0x8000 : 0, exponent = 15;
    double m = value < 0 ? -value : value;
    if (m == 0)
        return 0;
    for (; m >= 2; m /= 2)
        exponent++;
    for (; m < 1; m *= 2)
        exponent--;
    uint32_t half = sign | exponent << 10 | (uint32_t)((m - 1) * 1024 + 0.5);
    return half | half << 16;
}

/* ---- the rule on the smallest */

/* What corrected and three-min have left of msg_others, at least half of u: u/2 + 1/4 rounds to (u + 1)/2. */
static void write_half(ldpc_writer *w)
{
    ldpc_write(w, "  msg_others=hsub(hadd(hmax(msg_others,hfma(u,0x%xu,0x%xu)),0x%xu),0x%xu);\n", H(0.5),
               H(0.25), H(1536), H(1536));
}

/* How many thresholds a distance is below. */
static void write_below(ldpc_writer *w, const int32_t thresholds[LDPC_RULE_THRESHOLDS], const char *distance)
{
    for (int i = 1; i < LDPC_RULE_THRESHOLDS; i++)
        ldpc_write(w, "hadd(");
    for (int i = 0; i < LDPC_RULE_THRESHOLDS; i++)
        ldpc_write(w, i ? ",hsubsat(0x%xu,%s))" : "hsubsat(0x%xu,%s)", H(thresholds[i]), distance);
}

/* Magnitudes msg_others, msg_min of the messages; the same integers as lib/cpu/binary/ref.c. hsubsat(d, x) is
 * 1 where x < d and else 0. In i16 the sum of two distances may be rounded where it is far above all
 * thresholds. */
void ldpc_straight_rule(ldpc_writer *w, const ldpc_rule *r)
{
    double factor = r->factor / 16.0;
    int enough = (16 * (r->max_msg + 1) + r->factor - 1) / (r->factor ? r->factor : 1);
    switch (r->algorithm) {
    case LDPC_ALGORITHM_OFFSET_MIN_SUM:
        ldpc_write(w, "  u32 msg_others=hrelu(u,0x%xu,0x%xu), msg_min=hrelu(hi,0x%xu,0x%xu);\n", H(1),
                   H(-r->offset), H(1), H(-r->offset));
        break;
    case LDPC_ALGORITHM_NORMALIZED_MIN_SUM: /* sixteenths, moved by less than one, rounded by 1536 to the
                                               integer below */
        for (int i = 0; i < 2; i++)
            ldpc_write(w, "  u32 %s=hsub(hadd(hfma(hmin(%s,0x%xu),0x%xu,0x%xu),0x%xu),0x%xu);\n",
                       i ? "msg_min" : "msg_others", i ? "hi" : "u", H(enough), H(factor), H(-15.0 / 32),
                       H(1536), H(1536));
        break;
    case LDPC_ALGORITHM_CORRECTED_MIN_SUM:
        ldpc_write(w,
                   "  u32 msg_min=hrelu(hi,0x%xu,0x%xu), "
                   "msg_others=hfma(hsubsat(0x%xu,hsub(hi,u)),0x%xu,hadd(u,0x%xu));\n",
                   H(1), H(-r->offset), H(r->threshold), H(-r->step), H(-r->offset));
        write_half(w);
        break;
    case LDPC_ALGORITHM_THREE_MIN:
        ldpc_write(w, "  u32 wv=hsub(th,hi), vwu=hadd(hsub(hi,u),hsub(th,u)), msg_min=hrelu(");
        write_below(w, r->min_threshold, "wv");
        ldpc_write(w, ",0x%xu,hi), msg_others=hfma(", H(-r->step));
        write_below(w, r->others_threshold, "vwu");
        ldpc_write(w, ",0x%xu,u);\n", H(-r->step));
        write_half(w);
        break;
    default:
        ldpc_write(w, "  u32 msg_others=u, msg_min=hi;\n");
    }
    ldpc_write(w, "  msg_others=hmin(msg_others,0x%xu); msg_min=hmin(msg_min,0x%xu);\n", H(r->max_msg_others),
               H(r->max_msg));
}

int ldpc_straight_no_other(bool i8)
{
    return i8 ? LDPC_I8_NO_OTHER : LDPC_I16_LIMIT;
}

bool ldpc_straight_third(const ldpc_rule *rule)
{
    return rule->algorithm == LDPC_ALGORITHM_THREE_MIN;
}

/* The smallest magnitude with the product of all signs, the next one and, if it is asked for, the third, of
 * some edges. "": there are not so many. */
typedef struct minima {
    char lo[24], hi[24], th[24];
} minima;

/* With the third. The larger of the smallest, `big`, and the smaller of the next ones, `small`: one is the
 * second of all, and the third is the other one or the third of one side. */
static minima write_merge_of_three(ldpc_writer *w, const minima *a, const minima *b, const char *made)
{
    minima m = {.th = ""};
    snprintf(m.lo, sizeof m.lo, "lo%s", made);
    snprintf(m.hi, sizeof m.hi, "%s%s", a->hi[0] || b->hi[0] ? "hi" : "big", made);
    ldpc_write(w, "  u32 %s=hminx(%s,%s), big%s=hmaxa(%s,%s);\n", m.lo, a->lo, b->lo, made, a->lo, b->lo);
    if (!a->hi[0] && !b->hi[0])
        return m;
    snprintf(m.th, sizeof m.th, "th%s", made);
    if (a->hi[0] && b->hi[0])
        ldpc_write(w, "  u32 small%s=hmin(%s,%s);", made, a->hi, b->hi);
    else
        ldpc_write(w, "  u32 small%s=%s;", made, a->hi[0] ? a->hi : b->hi);
    ldpc_write(w, " u32 %s=hmin(big%s,small%s), other%s=hmax(big%s,small%s), %s=", m.hi, made, made, made,
               made, made, m.th);
    if (a->th[0] && b->th[0])
        ldpc_write(w, "hmin3(other%s,%s,%s);\n", made, a->th, b->th);
    else if (a->th[0] || b->th[0])
        ldpc_write(w, "hmin(other%s,%s);\n", made, a->th[0] ? a->th : b->th);
    else
        ldpc_write(w, "other%s;\n", made);
    return m;
}

/* Of those of a and b, as lo, hi and th with the name `made`. */
static minima write_merge(ldpc_writer *w, const ldpc_straight *s, const minima *a, const minima *b,
                          const char *made)
{
    minima m = {.lo = ""};
    if (ldpc_straight_third(&s->rule))
        return write_merge_of_three(w, a, b, made);
    snprintf(m.lo, sizeof m.lo, "lo%s", made);
    snprintf(m.hi, sizeof m.hi, "hi%s", made);
    ldpc_write(w, "  u32 %s=hminx(%s,%s), %s=", m.lo, a->lo, b->lo, m.hi);
    if (a->hi[0] && b->hi[0])
        ldpc_write(w, "hmin3(hmaxa(%s,%s),%s,%s);\n", a->lo, b->lo, a->hi, b->hi);
    else if (a->hi[0] || b->hi[0])
        ldpc_write(w, "hmin(hmaxa(%s,%s),%s);\n", a->lo, b->lo, a->hi[0] ? a->hi : b->hi);
    else
        ldpc_write(w, "hmaxa(%s,%s);\n", a->lo, b->lo);
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
    *node = (minima){.hi = ""};
    snprintf(node->lo, sizeof node->lo, "%c%u", name, number);
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
    ldpc_write(w, "  el%u=%s; eh%u=%s;", layer, m.lo, layer, m.hi);
    if (m.th[0])
        ldpc_write(w, " et%u=%s;", layer, m.th);
    ldpc_write(w, "\n");
}

/* Those of the early edges join the others last. */
static void write_minima(ldpc_writer *w, const ldpc_straight *s, uint32_t layer)
{
    minima nodes[LDPC_STRAIGHT_MAX_DEGREE];
    uint32_t count = 0;
    uint32_t early = ldpc_straight_early(s, layer);
    bool begun = early > 1, third = ldpc_straight_third(&s->rule);
    for (uint32_t e = s->code->layer_start[layer]; e < s->code->layer_start[layer + 1]; e++)
        if (!begun || !s->edges[e].early)
            one_edge(&nodes[count++], 'q', s->edges[e].index);
    if (begun) {
        nodes[count] = (minima){.lo = ""};
        snprintf(nodes[count].lo, sizeof nodes->lo, "el%u", layer);
        snprintf(nodes[count].hi, sizeof nodes->hi, "eh%u", layer);
        if (third && early > 2)
            snprintf(nodes[count].th, sizeof nodes->th, "et%u", layer);
        count++;
    }
    minima m = write_tree(w, s, nodes, count, "");
    ldpc_write(w, "  u32 lo=%s, hi=%s;\n", m.lo, m.hi);
    if (third && m.th[0])
        ldpc_write(w, "  u32 th=%s;\n", m.th);
    else if (third)
        ldpc_write(w, "  u32 th=0x%xu;\n", H(ldpc_straight_no_other(s->i8)));
}

static void write_smallest(ldpc_writer *w, const ldpc_straight *s, uint32_t layer)
{
    write_minima(w, s, layer);
    ldpc_write(w, "  u32 u=habs(lo);\n");
    ldpc_straight_rule(w, &s->rule);
    if (s->packed) /* sign as +-1.0, so that one operation gives the message plus 1152 */
        ldpc_write(w, "  u32 D=hsub(msg_min,msg_others), p1=hadd(u,0x%xu), T=(lo&0x80008000u)|0x3c003c00u;\n",
                   H(1));
    else
        ldpc_write(w,
                   "  msg_others^=lo&0x80008000u; msg_min^=lo&0x80008000u; u32 D=hsub(msg_min,msg_others), "
                   "p1=hadd(u,0x%xu);\n",
                   H(1));
}

/* ---- the rule on every var_msg */

bool ldpc_straight_extrinsic(const ldpc_rule *rule, int *soft)
{
    bool offset = rule->algorithm == LDPC_ALGORITHM_OFFSET_MIN_SUM;
    *soft = offset ? rule->offset : 0;
    if ((!offset && rule->algorithm != LDPC_ALGORITHM_MIN_SUM) || (*soft & (*soft - 1))) {
        *soft = 0; /* 1 / 2 c is exact for powers of two alone */
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
        if (s->soft)
            ldpc_write(w, "  u32 y%u=hfma(hmulsat(q%u,0x%xu),0x%xu,q%u);\n", i, i, H(0.5 / s->soft),
                       H(-2 * s->soft), i);
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
    ldpc_write(w, "  u32 x%u=hfma(hsubsat(p1,habsf(q%u)),D,msg_others);", i, i);
    if (s->packed)
        ldpc_write(w, " u32 n%u=hfma(x%u,(q%u&0x80008000u)^T,%s);\n", i, i, i, onto);
    else
        ldpc_write(w,
                   onto ? " u32 n%u=hadd(x%u^(q%u&0x80008000u),%s);\n" : " u32 n%u=x%u^(q%u&0x80008000u);\n",
                   i, i, i, onto);
}
