/* SPDX-License-Identifier: BSD-3-Clause */
/* 5G NR: 3GPP TS 38.212, clause 5.3.2, and the first part of rate matching, clause 5.4.2.
 *
 * Names: nr:bg1:Z:E and nr:bg2:Z:E, lifting size Z, E transmitted bits. The first 2 Z columns are punctured.
 * With :K at the end, K of 22 Z (bg1) or 10 Z (bg2) information bits are used; all other information bits are
 * shortened. Extension checks without a transmitted parity bit are left out.
 */
#include <inttypes.h>
#include <string.h>

#include "code/builder.h"
#include "code/families.h"
#include "code/tables/nr_tables.h"

/* clang-format off */
static const char *const nr_names[] = {
    "nr:bg1:2:132", "nr:bg1:3:198", "nr:bg1:4:264", "nr:bg1:5:330", "nr:bg1:6:396", "nr:bg1:7:462",
    "nr:bg1:8:528", "nr:bg1:9:594", "nr:bg1:10:660", "nr:bg1:11:726", "nr:bg1:12:792", "nr:bg1:13:858",
    "nr:bg1:14:924", "nr:bg1:15:990", "nr:bg1:16:1056", "nr:bg1:18:1188", "nr:bg1:20:1320", "nr:bg1:22:1452",
    "nr:bg1:24:1584", "nr:bg1:26:1716", "nr:bg1:28:1848", "nr:bg1:30:1980", "nr:bg1:32:2112",
    "nr:bg1:36:2376", "nr:bg1:40:2640", "nr:bg1:44:2904", "nr:bg1:48:3168", "nr:bg1:52:3432",
    "nr:bg1:56:3696", "nr:bg1:60:3960", "nr:bg1:64:4224", "nr:bg1:72:4752", "nr:bg1:80:5280",
    "nr:bg1:88:5808", "nr:bg1:96:6336", "nr:bg1:104:6864", "nr:bg1:112:7392", "nr:bg1:120:7920",
    "nr:bg1:128:8448", "nr:bg1:144:9504", "nr:bg1:160:10560", "nr:bg1:176:11616", "nr:bg1:192:12672",
    "nr:bg1:208:13728", "nr:bg1:224:14784", "nr:bg1:240:15840", "nr:bg1:256:16896", "nr:bg1:288:19008",
    "nr:bg1:320:21120", "nr:bg1:352:23232", "nr:bg1:384:25344", "nr:bg2:2:100", "nr:bg2:3:150",
    "nr:bg2:4:200", "nr:bg2:5:250", "nr:bg2:6:300", "nr:bg2:7:350", "nr:bg2:8:400", "nr:bg2:9:450",
    "nr:bg2:10:500", "nr:bg2:11:550", "nr:bg2:12:600", "nr:bg2:13:650", "nr:bg2:14:700", "nr:bg2:15:750",
    "nr:bg2:16:800", "nr:bg2:18:900", "nr:bg2:20:1000", "nr:bg2:22:1100", "nr:bg2:24:1200", "nr:bg2:26:1300",
    "nr:bg2:28:1400", "nr:bg2:30:1500", "nr:bg2:32:1600", "nr:bg2:36:1800", "nr:bg2:40:2000",
    "nr:bg2:44:2200", "nr:bg2:48:2400", "nr:bg2:52:2600", "nr:bg2:56:2800", "nr:bg2:60:3000",
    "nr:bg2:64:3200", "nr:bg2:72:3600", "nr:bg2:80:4000", "nr:bg2:88:4400", "nr:bg2:96:4800",
    "nr:bg2:104:5200", "nr:bg2:112:5600", "nr:bg2:120:6000", "nr:bg2:128:6400", "nr:bg2:144:7200",
    "nr:bg2:160:8000", "nr:bg2:176:8800", "nr:bg2:192:9600", "nr:bg2:208:10400", "nr:bg2:224:11200",
    "nr:bg2:240:12000", "nr:bg2:256:12800", "nr:bg2:288:14400", "nr:bg2:320:16000", "nr:bg2:352:17600",
    "nr:bg2:384:19200",
    "nr:bg1:384:16896", "nr:bg1:384:12672", "nr:bg1:384:9504", "nr:bg2:384:11520", "nr:bg2:384:7680",
    "nr:bg2:64:1024:512",
};
/* clang-format on */

enum { MAX_Z = 384, CORE_ROWS = 4 };

static const struct nr_graph {
    const char *prefix;
    uint32_t information, rows;
    const ldpc_nr_entry *entries;
    uint32_t count;
    const char *standard;
} nr_graphs[] = {
    {"nr:bg1:", 22, 46, ldpc_nr_bg1, LDPC_NR_BG1_ENTRIES, "3GPP TS 38.212, table 5.3.2-2"},
    {"nr:bg2:", 10, 42, ldpc_nr_bg2, LDPC_NR_BG2_ENTRIES, "3GPP TS 38.212, table 5.3.2-3"},
};

/* The parts of a name. */
typedef struct nr_code {
    const struct nr_graph *graph;
    uint32_t z, transmitted, k;
} nr_code;

static uint32_t lifting_set(uint32_t z)
{
    while (z % 2 == 0)
        z /= 2;
    return z / 2;
}

static bool is_lifting_size(uint32_t z)
{
    return z >= 2 && z <= MAX_Z && lifting_set(z) < 8;
}

static ldpc_status parse_name(const char *name, nr_code *nr, ldpc_error *err)
{
    *nr = (nr_code){0};
    for (size_t i = 0; i < sizeof nr_graphs / sizeof *nr_graphs; i++)
        if (!strncmp(name, nr_graphs[i].prefix, strlen(nr_graphs[i].prefix)))
            nr->graph = &nr_graphs[i];
    const char *at = nr->graph ? ldpc_name_number(name + strlen(nr->graph->prefix), &nr->z) : NULL;
    at = at && *at == ':' ? ldpc_name_number(at + 1, &nr->transmitted) : NULL;
    if (at && *at == ':')
        at = ldpc_name_number(at + 1, &nr->k);
    else if (at)
        nr->k = nr->graph->information * nr->z;
    return at && !*at
               ? LDPC_OK
               : ldpc_fail(
                     err, LDPC_ERR_NAME,
                     "5G names are nr:bg1:Z:E[:K] and nr:bg2:Z:E[:K] with lifting size Z, E transmitted bits "
                     "and K information bits");
}

static ldpc_status check_numbers(const char *name, const nr_code *nr, ldpc_error *err)
{
    uint32_t information = nr->graph->information * nr->z;
    if (!is_lifting_size(nr->z))
        return ldpc_fail(err, LDPC_ERR_RANGE,
                         "%s: lifting size %" PRIu32
                         " (expected a 2^j <= 384 with a = 2, 3, 5, 7, 9, 11, 13 or 15)",
                         name, nr->z);
    if (nr->k <= 2 * nr->z || nr->k > information)
        return ldpc_fail(err, LDPC_ERR_RANGE,
                         "%s: %" PRIu32 " information bits (expected %" PRIu32 " .. %" PRIu32 ")", name,
                         nr->k, 2 * nr->z + 1, information);
    uint32_t most = nr->k + (nr->graph->rows - 2) * nr->z;
    if (nr->transmitted < nr->k || nr->transmitted > most)
        return ldpc_fail(err, LDPC_ERR_RANGE,
                         "%s: %" PRIu32 " transmitted bits (expected %" PRIu32 " .. %" PRIu32 "%s)", name,
                         nr->transmitted, nr->k, most,
                         nr->transmitted > most ? "; libldpc.nr of Python can repeat bits" : "");
    return LDPC_OK;
}

static ldpc_status nr_create(const char *name, ldpc_code **code, ldpc_error *err)
{
    nr_code nr;
    ldpc_status status = parse_name(name, &nr, err);
    if (!status)
        status = check_numbers(name, &nr, err);
    if (status)
        return status;
    const struct nr_graph *graph = nr.graph;
    uint32_t fillers = graph->information * nr.z - nr.k;
    uint32_t end = 2 * nr.z + nr.transmitted + fillers;
    uint32_t groups = (end + nr.z - 1) / nr.z;
    if (groups < graph->information + CORE_ROWS)
        groups = graph->information + CORE_ROWS;
    ldpc_code_builder builder;
    if (ldpc_code_builder_open(&builder, nr.z, groups - graph->information, groups, err))
        return LDPC_ERR_MEMORY;
    for (uint32_t i = 0; i < graph->count; i++)
        if (graph->entries[i].row < builder.layers)
            ldpc_code_builder_add(&builder, graph->entries[i].row, graph->entries[i].column,
                                  graph->entries[i].shift[lifting_set(nr.z)] % nr.z);
    ldpc_code_builder_set_role(&builder, 0, 2 * nr.z, LDPC_ROLE_PUNCTURED);
    ldpc_code_builder_set_role(&builder, nr.k, fillers, LDPC_ROLE_SHORTENED);
    ldpc_code_builder_set_role(&builder, end, groups * nr.z - end, LDPC_ROLE_PUNCTURED);
    return ldpc_code_builder_finish(&builder, name, graph->standard, code, err);
}

static const char *nr_name(size_t i)
{
    return i < sizeof nr_names / sizeof *nr_names ? nr_names[i] : NULL;
}

const ldpc_family ldpc_nr_family = {.prefix = "nr", .name = nr_name, .create = nr_create, .three_min = true};
