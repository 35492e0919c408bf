/* SPDX-License-Identifier: BSD-3-Clause */
/* Detects fork(). A child has its parent's locks, but not its threads. Objects with threads or locks store
 * the number of their process. */
#ifndef LDPC_PROCESS_H
#define LDPC_PROCESS_H

#include <stdbool.h>

/* Must be called before ldpc_process_number(). Returns false if out of memory. */
bool ldpc_process_watch(void);

/* Returns the number of forks since ldpc_process_watch(). */
unsigned ldpc_process_number(void);

#endif
