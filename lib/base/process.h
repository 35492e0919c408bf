/* SPDX-License-Identifier: BSD-3-Clause */
/* Detects fork(). A child process has a copy of its parent's memory, including the state of all locks, but it
 * has none of the parent's threads. Objects with threads or locks therefore store the number of the process
 * that created them. */
#ifndef LDPC_PROCESS_H
#define LDPC_PROCESS_H

#include <stdbool.h>

/* Starts to count forks. Must be called before the first ldpc_process_number(). Returns false if out of
 * memory. */
bool ldpc_process_watch(void);

/* Returns the number of forks between the process that first called ldpc_process_watch() and this process.
 * This number differs from that of every ancestor that has called ldpc_process_number(). */
unsigned ldpc_process_number(void);

#endif
