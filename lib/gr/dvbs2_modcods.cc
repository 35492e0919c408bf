/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The combinations of constellation and code of DVB-S2, by the numbers that PL headers have. */
#include "dvbs2_modcods.h"

#include <gnuradio/ldpc/dvb_demapper_cb.h>

#include <stdexcept>

namespace gr
{
namespace ldpc
{

namespace
{

/* EN 302 307-1, table 12, from MODCOD 1 on. */
const struct {
    const char *modulation, *rate;
} table[] = {
    {"qpsk",   "1/4" },
    {"qpsk",   "1/3" },
    {"qpsk",   "2/5" },
    {"qpsk",   "1/2" },
    {"qpsk",   "3/5" },
    {"qpsk",   "2/3" },
    {"qpsk",   "3/4" },
    {"qpsk",   "4/5" },
    {"qpsk",   "5/6" },
    {"qpsk",   "8/9" },
    {"qpsk",   "9/10"},
    {"8psk",   "3/5" },
    {"8psk",   "2/3" },
    {"8psk",   "3/4" },
    {"8psk",   "5/6" },
    {"8psk",   "8/9" },
    {"8psk",   "9/10"},
    {"16apsk", "2/3" },
    {"16apsk", "3/4" },
    {"16apsk", "4/5" },
    {"16apsk", "5/6" },
    {"16apsk", "8/9" },
    {"16apsk", "9/10"},
    {"32apsk", "3/4" },
    {"32apsk", "4/5" },
    {"32apsk", "5/6" },
    {"32apsk", "8/9" },
    {"32apsk", "9/10"},
};

/* All of them; short frames have no rate 9/10. */
std::vector<dvbs2_modcod> all_modcods()
{
    std::vector<dvbs2_modcod> all;
    for (const bool short_frame : {false, true}) {
        int number = 0;
        for (const auto &row : table) {
            number++;
            const std::string rate = row.rate, size = short_frame ? "16200" : "64800";
            if (!short_frame || rate != "9/10")
                all.push_back({number, short_frame, row.modulation, "dvbs2:" + size + ":" + rate});
        }
    }
    return all;
}

std::string name_of(const dvbs2_modcod &modcod)
{
    return modcod.modulation + modcod.code.substr(modcod.code.find(':'));
}

} // namespace

std::vector<std::string> dvbs2_modcods()
{
    std::vector<std::string> names;
    for (const dvbs2_modcod &modcod : all_modcods())
        names.push_back(name_of(modcod));
    return names;
}

dvbs2_modcod dvbs2_modcod_of(const std::string &name)
{
    for (const dvbs2_modcod &modcod : all_modcods())
        if (name == name_of(modcod))
            return modcod;
    throw std::invalid_argument("\"" + name +
                                "\" is no MODCOD of DVB-S2: expected a name such as \"qpsk:64800:1/2\", "
                                "\"8psk:16200:2/3\"; ldpc.dvbs2_modcods() lists all");
}

} // namespace ldpc
} // namespace gr
