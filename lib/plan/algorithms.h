/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LDPC_ALGORITHMS_H
#define LDPC_ALGORITHMS_H

#include <stdbool.h>

#include "ldpc/decoder.h"

#define LDPC_LAST_ALGORITHM LDPC_ALGORITHM_THREE_MIN

/* Min-max and EMS. */
bool ldpc_algorithm_only_nonbinary(ldpc_algorithm algorithm);

#endif
