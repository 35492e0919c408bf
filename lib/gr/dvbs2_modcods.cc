/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MODCODs of DVB-S2 and S2X with their numbers in PL headers. */
#include "dvbs2_modcods.h"

#include <gnuradio/ldpc/dvb_demapper_cb.h>

#include <cstring>
#include <stdexcept>

namespace gr
{
namespace ldpc
{

namespace
{

/* EN 302 307-1, table 12; the first entry is MODCOD 1. */
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

/* S2X: PLS codes of frames without pilots, EN 302 307-2, table 17a. VL-SNR frames are not included: they have
 * their own headers. */
const struct {
    int pls_code;
    const char *modulation, *code;
} table_s2x[] = {
    {132, "qpsk",    "dvbs2x:64800:13/45"  },
    {134, "qpsk",    "dvbs2x:64800:9/20"   },
    {136, "qpsk",    "dvbs2x:64800:11/20"  },
    {138, "8apsk",   "dvbs2x:64800:100/180"},
    {140, "8apsk",   "dvbs2x:64800:104/180"},
    {142, "8psk",    "dvbs2x:64800:23/36"  },
    {144, "8psk",    "dvbs2x:64800:25/36"  },
    {146, "8psk",    "dvbs2x:64800:13/18"  },
    {148, "16apsk",  "dvbs2x:64800:90/180" },
    {150, "16apsk",  "dvbs2x:64800:96/180" },
    {152, "16apsk",  "dvbs2x:64800:100/180"},
    {154, "16apsk",  "dvbs2x:64800:26/45"  },
    {156, "16apsk",  "dvbs2:64800:3/5"     },
    {158, "16apsk",  "dvbs2x:64800:18/30"  },
    {160, "16apsk",  "dvbs2x:64800:28/45"  },
    {162, "16apsk",  "dvbs2x:64800:23/36"  },
    {164, "16apsk",  "dvbs2x:64800:20/30"  },
    {166, "16apsk",  "dvbs2x:64800:25/36"  },
    {168, "16apsk",  "dvbs2x:64800:13/18"  },
    {170, "16apsk",  "dvbs2x:64800:140/180"},
    {172, "16apsk",  "dvbs2x:64800:154/180"},
    {174, "32apsk",  "dvbs2:64800:2/3"     },
    {178, "32apsk",  "dvbs2x:64800:128/180"},
    {180, "32apsk",  "dvbs2x:64800:132/180"},
    {182, "32apsk",  "dvbs2x:64800:140/180"},
    {184, "64apsk",  "dvbs2x:64800:128/180"},
    {186, "64apsk",  "dvbs2x:64800:132/180"},
    {190, "64apsk",  "dvbs2x:64800:7/9"    },
    {194, "64apsk",  "dvbs2:64800:4/5"     },
    {198, "64apsk",  "dvbs2:64800:5/6"     },
    {200, "128apsk", "dvbs2x:64800:135/180"},
    {202, "128apsk", "dvbs2x:64800:140/180"},
    {204, "256apsk", "dvbs2x:64800:116/180"},
    {206, "256apsk", "dvbs2x:64800:20/30"  },
    {208, "256apsk", "dvbs2x:64800:124/180"},
    {210, "256apsk", "dvbs2x:64800:128/180"},
    {212, "256apsk", "dvbs2x:64800:22/30"  },
    {214, "256apsk", "dvbs2x:64800:135/180"},
    {216, "qpsk",    "dvbs2x:16200:11/45"  },
    {218, "qpsk",    "dvbs2x:16200:4/15"   },
    {220, "qpsk",    "dvbs2x:16200:14/45"  },
    {222, "qpsk",    "dvbs2x:16200:7/15"   },
    {224, "qpsk",    "dvbs2x:16200:8/15"   },
    {226, "qpsk",    "dvbs2x:16200:32/45"  },
    {228, "8psk",    "dvbs2x:16200:7/15"   },
    {230, "8psk",    "dvbs2x:16200:8/15"   },
    {232, "8psk",    "dvbs2x:16200:26/45"  },
    {234, "8psk",    "dvbs2x:16200:32/45"  },
    {236, "16apsk",  "dvbs2x:16200:7/15"   },
    {238, "16apsk",  "dvbs2x:16200:8/15"   },
    {240, "16apsk",  "dvbs2x:16200:26/45"  },
    {242, "16apsk",  "dvbs2:16200:3/5"     },
    {244, "16apsk",  "dvbs2x:16200:32/45"  },
    {246, "32apsk",  "dvbs2:16200:2/3"     },
    {248, "32apsk",  "dvbs2x:16200:32/45"  },
};

/* Returns all MODCODs; short frames of DVB-S2 have no rate 9/10. */
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
    for (const auto &row : table_s2x)
        all.push_back({row.pls_code, strstr(row.code, ":16200:") != nullptr, row.modulation, row.code});
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
        if (s2x || modcod.number < table_s2x[0].pls_code)
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
