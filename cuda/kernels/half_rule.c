/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/kernels/half_rule.h"

#include "code/schedule.h"

static void write_thresholds(ldpc_writer *w, const char *name, const int32_t *thresholds)
{
    for (int i = 0; i < LDPC_RULE_THRESHOLDS; i++)
        ldpc_write(w, "#define %s_%d BOTH(%d)\n", name, i + 1, thresholds[i]);
}

void ldpc_cuda_write_half_rule(ldpc_writer *w, const ldpc_rule *rule)
{
    int factor = rule->factor ? rule->factor : 1, enough = (16 * (rule->max_msg + 1) + factor - 1) / factor;
    ldpc_write(
        w,
        "#define RULE %d\n#define RULE_HAS_THIRD %d\n#define RULE_MINUS_OFFSET BOTH(%d)\n#define RULE_FACTOR "
        "SIXTEENTHS(%d)\n"
        "#define RULE_ENOUGH BOTH(%d)\n#define RULE_THRESHOLD BOTH(%d)\n#define RULE_MINUS_STEP BOTH(%d)\n"
        "#define RULE_MAX_OTHERS BOTH(%d)\n#define RULE_MAX_MESSAGE BOTH(%d)\n",
        (int)rule->algorithm, rule->reads_third, -rule->offset, factor, enough, rule->threshold, -rule->step,
        rule->max_msg_others, rule->max_msg);
    if (rule->threshold > rule->offset)
        ldpc_write(w, "#define RULE_CLOSE BOTH(%d)\n", rule->threshold - rule->offset - 1);
    write_thresholds(w, "RULE_OTHERS", rule->others_threshold);
    write_thresholds(w, "RULE_MIN", rule->min_threshold);
}

void ldpc_cuda_write_llr_limit(ldpc_writer *w, const ldpc_plan *plan)
{
    enum { BIAS = 1152 };
    ldpc_write(w, "#define LEAST_LLR BOTH(%d)\n#define MOST_LLR BOTH(%d)\n", BIAS - plan->llr_limit,
               BIAS + plan->llr_limit);
}

int ldpc_half_no_other(bool i8)
{
    return i8 ? LDPC_I8_NO_OTHER : LDPC_I16_LIMIT;
}

int ldpc_half_message_bias(const ldpc_rule *rule, bool i8)
{
    enum { BYTE_BIAS = 1152, SHORT_BIAS = 512, MOST_SHORT = 63 };
    return i8 || rule->max_msg > MOST_SHORT ? BYTE_BIAS : SHORT_BIAS + rule->max_msg;
}

bool ldpc_half_is_exact(const ldpc_code *code, const ldpc_rule *rule)
{
    enum { MAX_CHANNEL = 128 };
    uint64_t most = ldpc_code_posterior_bound(code, MAX_CHANNEL, (uint32_t)rule->max_msg);
    return most + (uint32_t)ldpc_half_message_bias(rule, false) <= LDPC_I16_LIMIT;
}
