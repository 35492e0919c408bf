/* SPDX-License-Identifier: BSD-3-Clause */
/* Detects fork(). A child copies its parent's memory with all locks, but has no other threads. Objects with
 * threads or locks therefore store the number of their process. */
#ifndef LDPC_PROCESS_H
#define LDPC_PROCESS_H

#include <stdbool.h>

/* Starts to count forks, before the first ldpc_process_number(). Returns false if out of memory. */
bool ldpc_process_watch(void);

/* Returns the number of forks since ldpc_process_watch(). It differs from the number of each ancestor that
 * called this function. */
unsigned ldpc_process_number(void);

#endif
