/* SPDX-License-Identifier: BSD-3-Clause */
/* The families of codes that have names. Another family is one file and one row in code_names.c. */
#ifndef LDPC_FAMILIES_H
#define LDPC_FAMILIES_H

#include <stdbool.h>
#include <stddef.h>

#include "ldpc/code.h"

typedef struct ldpc_family {
    const char *prefix; /* its names begin with this and a ':' */
    /* i-th canonical name, NULL past the end; a NULL pointer for families that cannot be listed (files). */
    const char *(*name)(size_t i);
    /* Makes the code of a name that begins with the prefix. LDPC_ERR_NAME if there is no such code:
     * ldpc_code_create then adds suggestions to the sentence. */
    ldpc_status (*create)(const char *name, ldpc_code **code, ldpc_error *err);
    bool three_min; /* of its codes, as in code_internal.h */
} ldpc_family;

/* Reads a number of at most seven digits without leading zeros at the beginning of `name`; returns what
 * follows it, NULL if there is no such number. */
const char *ldpc_name_number(const char *name, uint32_t *number);

extern const ldpc_family ldpc_alist_family, ldpc_qc_family;
extern const ldpc_family ldpc_wimax_family, ldpc_wifi_family;
extern const ldpc_family ldpc_dvbs2_family, ldpc_dvbt2_family, ldpc_dvbc2_family, ldpc_dvbs2x_family;
extern const ldpc_family ldpc_nr_family, ldpc_ccsds_family, ldpc_atsc_family, ldpc_wigig_family,
    ldpc_ethernet_family;

/* Over GF(q), q > 2. */
extern const ldpc_family ldpc_bds_family, ldpc_ccsds_nb_family, ldpc_standin_family, ldpc_nbalist_family;

#endif
