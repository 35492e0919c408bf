/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels that are compared with the reference, and the results of the comparison. */
#ifndef LDPC_TEST_CANDIDATES_H
#define LDPC_TEST_CANDIDATES_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

enum { MAX_KERNELS = 64 };

typedef struct totals {
    unsigned compared, failed, unsupported;
} totals;

typedef struct candidate {
    const char *backend, *kernel;
    ldpc_decoder *dec; /* NULL if unsupported */
    totals totals;
} candidate;

typedef struct candidates {
    candidate at[MAX_KERNELS];
    size_t count;
    totals totals; /* includes failures outside of kernels */
} candidates;

static inline bool wanted(const char *filter, const char *name)
{
    return !filter || strcmp(filter, name) == 0;
}

/* Finds the kernels of all usable backends. A backend name or kernel name restricts the search. Prints
 * skipped backends. */
static inline void candidates_find(candidates *all, const char *only_backend, const char *only_kernel,
                                   bool with_reference)
{
    const char *backend, *kernel, *reason;
    *all = (candidates){.count = 0};
    for (size_t b = 0; (backend = ldpc_backend_list(b, &reason)); b++) {
        if (reason[0])
            printf("%-8s SKIPPED: %s\n", backend, reason);
        for (size_t i = 0; !reason[0] && (kernel = ldpc_kernel_list(backend, i)); i++) {
            if (!backend_is_wanted(only_backend, backend) || !wanted(only_kernel, kernel) ||
                (strcmp(kernel, "ref") == 0 && !with_reference))
                continue;
            if (all->count == MAX_KERNELS) {
                fprintf(stderr, "more than %d kernels\n", MAX_KERNELS);
                exit(2);
            }
            all->at[all->count++] = (candidate){.backend = backend, .kernel = kernel};
        }
    }
}

static inline unsigned total_failures(const candidates *all)
{
    unsigned failed = all->totals.failed;
    for (size_t i = 0; i < all->count; i++)
        failed += all->at[i].totals.failed;
    return failed;
}

static inline void candidates_close(candidates *all)
{
    for (size_t i = 0; i < all->count; i++)
        ldpc_decoder_destroy(all->at[i].dec);
}

#endif
