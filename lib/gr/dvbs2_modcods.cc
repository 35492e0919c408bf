/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MODCODs of DVB-S2 and S2X, and their numbers in PL headers. */
#include "dvbs2_modcods.h"

#include <gnuradio/ldpc/dvb_demapper_cb.h>
#include <ldpc/dvb_cells.h>

#include <cstring>
#include <stdexcept>

namespace gr
{
namespace ldpc
{

namespace
{

constexpr int FIRST_S2X = 128; /* first PLS code of S2X */

/* DVB-S2 comes first. */
std::vector<dvbs2_modcod> all_modcods()
{
    std::vector<dvbs2_modcod> all;
    for (size_t i = 0; const ldpc_dvbs2_modcod *row = ldpc_dvbs2_modcod_list(i); i++) {
        const bool s2x = row->pls_code >= FIRST_S2X;
        all.push_back({s2x ? row->pls_code : row->pls_code >> 2, strstr(row->code, ":16200:") != nullptr,
                       row->modulation, row->code});
    }
    return all;
}

std::string name_of(const dvbs2_modcod &modcod)
{
    return modcod.modulation + modcod.code.substr(modcod.code.find(':'));
}

} // namespace

std::vector<std::string> dvbs2_modcods(bool s2x)
{
    std::vector<std::string> names;
    for (const dvbs2_modcod &modcod : all_modcods())
        if (s2x || modcod.number < FIRST_S2X)
            names.push_back(name_of(modcod));
    return names;
}

std::string dvbs2_modcod_code(const std::string &name)
{
    return dvbs2_modcod_of(name).code;
}

dvbs2_modcod dvbs2_modcod_of(const std::string &name)
{
    for (const dvbs2_modcod &modcod : all_modcods())
        if (name == name_of(modcod))
            return modcod;
    throw std::invalid_argument("\"" + name +
                                "\" (expected a name of DVB-S2 or S2X such as \"qpsk:64800:1/2\", "
                                "\"8psk:16200:2/3\"; ldpc.dvbs2_modcods(s2x=True) lists all)");
}

} // namespace ldpc
} // namespace gr
