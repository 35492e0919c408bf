/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the values of L1 fields. */
#include "ldpc/dvbt2_l1.h"

#define NAME(list, i) ((size_t)(i) < sizeof(list) / sizeof(*list) ? list[i] : "reserved")

const char *dvbt2_fft_size_name(dvbt2_fft_size fft)
{
    static const char *const names[] = {"1K", "2K", "4K", "8K", "16K", "32K"};
    return NAME(names, fft);
}

const char *dvbt2_guard_interval_name(uint8_t guard)
{
    static const char *const names[] = {"1/32", "1/16", "1/8", "1/4", "1/128", "19/128", "19/256"};
    return NAME(names, guard);
}

const char *dvbt2_s1_name(uint8_t s1)
{
    static const char *const names[] = {"T2 SISO", "T2 MISO", "no T2", "T2-Lite SISO", "T2-Lite MISO"};
    return NAME(names, s1);
}

const char *dvbt2_l1_modulation_name(uint8_t l1_mod)
{
    static const char *const names[] = {"BPSK", "QPSK", "16QAM", "64QAM"};
    return NAME(names, l1_mod);
}

const char *dvbt2_version_name(uint8_t t2_version)
{
    static const char *const names[] = {"1.1.1", "1.2.1", "1.3.1"};
    return NAME(names, t2_version);
}

const char *dvbt2_papr_name(const dvbt2_l1_pre *pre)
{
    static const char *const first[] = {"none", "ACE", "tone reservation", "ACE and tone reservation"};
    static const char *const later[] = {"P2 only", "ACE", "tone reservation", "ACE and tone reservation"};
    if (!pre)
        return "reserved";
    return pre->t2_version ? NAME(later, pre->papr) : NAME(first, pre->papr);
}

const char *dvbt2_plp_type_name(uint8_t plp_type)
{
    static const char *const names[] = {"common", "type 1", "type 2"};
    return NAME(names, plp_type);
}

const char *dvbt2_payload_name(uint8_t plp_payload_type)
{
    static const char *const names[] = {"GFPS", "GCS", "GSE", "TS"};
    return NAME(names, plp_payload_type);
}

const char *dvbt2_rate_name(uint8_t plp_cod)
{
    static const char *const names[] = {"1/2", "3/5", "2/3", "3/4", "4/5", "5/6", "1/3", "2/5"};
    return NAME(names, plp_cod);
}

const char *dvbt2_modulation_name(uint8_t plp_mod)
{
    static const char *const names[] = {"QPSK", "16QAM", "64QAM", "256QAM"};
    return NAME(names, plp_mod);
}
