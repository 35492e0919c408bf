/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MODCODs of DVB-S2 and S2X, and their numbers in PL headers. */
#ifndef INCLUDED_GR_LDPC_DVBS2_MODCODS_H
#define INCLUDED_GR_LDPC_DVBS2_MODCODS_H

#include <string>

namespace gr
{
namespace ldpc
{

/* A MODCOD with a frame size, such as "qpsk:64800:1/2". */
struct dvbs2_modcod {
    int number;             /* DVB-S2: 1 .. 28 (EN 302 307-1, table 12); S2X: PLS code 132 .. 248 */
    bool short_frame;       /* 16200 bits, not 64800 */
    std::string modulation; /* "qpsk" */
    std::string code;       /* "dvbs2:64800:1/2" */
};

/* Throws std::invalid_argument for an unknown name. */
dvbs2_modcod dvbs2_modcod_of(const std::string &name);

} // namespace ldpc
} // namespace gr

#endif
