/* SPDX-License-Identifier: BSD-3-Clause */
/* The check-node rules: X(NAME, value, name, reads_third). reads_third: the rule uses the three smallest |Q|.
 * Device code includes this list, so it has only macros. */
#ifndef LDPC_RULE_LIST_H
#define LDPC_RULE_LIST_H

#define LDPC_EACH_RULE(X)                                                                                    \
    X(MIN_SUM, 1, "min-sum", 0)                                                                              \
    X(OFFSET_MIN_SUM, 2, "offset", 0)                                                                        \
    X(NORMALIZED_MIN_SUM, 3, "normalized", 0)                                                                \
    X(CORRECTED_MIN_SUM, 4, "corrected", 0)                                                                  \
    X(SUM_PRODUCT, 5, "sum-product", 0)                                                                      \
    X(MIN_MAX, 6, "min-max", 0)                                                                              \
    X(EMS, 7, "ems", 0)                                                                                      \
    X(THREE_MIN, 8, "three-min", 1)

#endif
