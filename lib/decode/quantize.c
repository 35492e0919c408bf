/* SPDX-License-Identifier: BSD-3-Clause */
#include "ldpc/llr.h"

#include <math.h>
#include <stdbool.h>

ldpc_status ldpc_quantize(const float *nat, size_t count, float llr_scale, int8_t *steps)
{
    if (!nat || !steps)
        return LDPC_ERR_NULL;
    bool valid = llr_scale >= 0.25f && llr_scale <= 64;
    for (size_t i = 0; valid && i < count; i++) {
        valid = nat[i] == nat[i]; /* false for NaN */
        steps[i] = (int8_t)nearbyintf(fminf(fmaxf(nat[i] * llr_scale, -127.0f), 127.0f));
    }
    return valid ? LDPC_OK : LDPC_ERR_PARAM;
}
