/* SPDX-License-Identifier: BSD-3-Clause */
/* Which process is this? After fork() the child has a copy of all memory, but none of the parent's threads,
 * and locks are as they were at that moment. What has threads or locks remembers the process that made it. */
#ifndef LDPC_PROCESS_H
#define LDPC_PROCESS_H

#include <stdbool.h>

/* Call once before the first ldpc_process_number(); false when memory is short. */
bool ldpc_process_watch(void);

/* How many forks lie between the process that called ldpc_process_watch() first and this one: differs from
 * the number in every ancestor that has called it. */
unsigned ldpc_process_number(void);

#endif
