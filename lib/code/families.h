/* SPDX-License-Identifier: BSD-3-Clause */
/* Families of named codes, listed in code_names.c. */
#ifndef LDPC_FAMILIES_H
#define LDPC_FAMILIES_H

#include <stdbool.h>
#include <stddef.h>

#include "ldpc/code.h"

typedef struct ldpc_family {
    const char *prefix;
    const char *(*name)(size_t i);
    /* On LDPC_ERR_NAME, ldpc_code_create() appends suggestions. */
    ldpc_status (*create)(const char *name, ldpc_code **code, ldpc_error *err);
    bool three_min;
} ldpc_family;

const char *ldpc_name_number(const char *name, uint32_t *number);

extern const ldpc_family ldpc_alist_family, ldpc_qc_family;
extern const ldpc_family ldpc_wimax_family, ldpc_wifi_family;
extern const ldpc_family ldpc_dvbs2_family, ldpc_dvbt2_family, ldpc_dvbc2_family, ldpc_dvbs2x_family;
extern const ldpc_family ldpc_nr_family, ldpc_ccsds_family, ldpc_atsc_family, ldpc_wigig_family,
    ldpc_ethernet_family;

/* Codes over GF(q), q > 2. */
extern const ldpc_family ldpc_bds_family, ldpc_ccsds_nb_family, ldpc_standin_family, ldpc_nbalist_family;

#endif
