/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of ldpc_algorithm, for loops over all of them. */
#ifndef LDPC_ALGORITHMS_H
#define LDPC_ALGORITHMS_H

#include <stdbool.h>

#include "ldpc/decoder.h"

#define LDPC_LAST_ALGORITHM LDPC_ALGORITHM_THREE_MIN

/* Returns true for min-max and EMS, which exist only for codes over GF(q), q > 2. */
bool ldpc_algorithm_only_nonbinary(ldpc_algorithm algorithm);

#endif
