/* SPDX-License-Identifier: BSD-3-Clause */
#include "ldpc/version.h"

const char *ldpc_version(void)
{
    return LDPC_VERSION_STRING;
}
