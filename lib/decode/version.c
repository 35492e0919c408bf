/* SPDX-License-Identifier: BSD-3-Clause */
/* Version of the loaded library. */
#include "ldpc/version.h"

const char *ldpc_version(void)
{
    return LDPC_VERSION_STRING;
}
