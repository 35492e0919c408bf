/* SPDX-License-Identifier: BSD-3-Clause */
/* Wi-Fi: IEEE 802.11n-2009 annex R (802.11-2012 and later: annex F), also 802.11ac and 802.11ax. Each length
 * has its own base matrix. Names: wifi:N:RATE. */
#include <string.h>

#include "code/base_matrix.h"
#include "code/families.h"
#include "code/tables/wifi_tables.h"

static const struct wifi_code {
    const char *name;
    uint32_t z;
    ldpc_base_matrix base;
} wifi_codes[] = {
    {"wifi:648:1/2",  27, {12, 24, ldpc_wifi_648_1_2, 0} },
    {"wifi:648:2/3",  27, {8, 24, ldpc_wifi_648_2_3, 0}  },
    {"wifi:648:3/4",  27, {6, 24, ldpc_wifi_648_3_4, 0}  },
    {"wifi:648:5/6",  27, {4, 24, ldpc_wifi_648_5_6, 0}  },
    {"wifi:1296:1/2", 54, {12, 24, ldpc_wifi_1296_1_2, 0}},
    {"wifi:1296:2/3", 54, {8, 24, ldpc_wifi_1296_2_3, 0} },
    {"wifi:1296:3/4", 54, {6, 24, ldpc_wifi_1296_3_4, 0} },
    {"wifi:1296:5/6", 54, {4, 24, ldpc_wifi_1296_5_6, 0} },
    {"wifi:1944:1/2", 81, {12, 24, ldpc_wifi_1944_1_2, 0}},
    {"wifi:1944:2/3", 81, {8, 24, ldpc_wifi_1944_2_3, 0} },
    {"wifi:1944:3/4", 81, {6, 24, ldpc_wifi_1944_3_4, 0} },
    {"wifi:1944:5/6", 81, {4, 24, ldpc_wifi_1944_5_6, 0} },
};

static const char *wifi_name(size_t i)
{
    return i < sizeof wifi_codes / sizeof *wifi_codes ? wifi_codes[i].name : NULL;
}

static ldpc_status wifi_create(const char *name, ldpc_code **code, ldpc_error *err)
{
    for (size_t i = 0; i < sizeof wifi_codes / sizeof *wifi_codes; i++)
        if (!strcmp(name, wifi_codes[i].name))
            return ldpc_base_matrix_lift(&wifi_codes[i].base, wifi_codes[i].z, name, "IEEE 802.11n, annex R",
                                         code, err);
    return ldpc_fail(
        err, LDPC_ERR_NAME,
        "Wi-Fi names are wifi:N:RATE with N = 648, 1296 or 1944 and RATE = 1/2, 2/3, 3/4 or 5/6");
}

const ldpc_family ldpc_wifi_family = {.prefix = "wifi", .name = wifi_name, .create = wifi_create};
