/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What PDUs hold: a pair of metadata (a dictionary) and a vector of numbers. */
#ifndef INCLUDED_GR_LDPC_PDU_VECTORS_H
#define INCLUDED_GR_LDPC_PDU_VECTORS_H

#include <gnuradio/logger.h>
#include <pmt/pmt.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace gr
{
namespace ldpc
{

extern const pmt::pmt_t pdu_port;

/* The vector of a PDU: one of the pointers is set, or none when the message is no such PDU. */
struct pdu_vector {
    const uint8_t *bytes = nullptr; /* of a u8vector or s8vector */
    const float *floats = nullptr;  /* of an f32vector */
    size_t count = 0;
};
pdu_vector vector_of(const pmt::pmt_t &pdu);

/* Its metadata; an empty dictionary where there is none. */
pmt::pmt_t metadata_of(const pmt::pmt_t &pdu);

/* Counts the PDUs that a block drops, and logs the first of them. */
class dropped_pdus
{
  public:
    explicit dropped_pdus(const gr::logger_ptr &logger) : d_logger(logger) {}

    void restart()
    {
        d_count = 0;
    }
    /* A PDU of `count` items is one when these are whole codewords (or messages) of `items`; else it counts as
     * dropped. 0 items: it is empty or of another kind. */
    bool accept(size_t count, size_t items);
    /* Those of an accepted one: other values than 0 and 1 count as dropped. */
    bool accept_bits(const uint8_t *bits, size_t count);
    /* Those of one with packed blocks ("message" or "codeword") of `bits` bits: padding that is not 0 counts as dropped. */
    bool accept_packed(const uint8_t *packed, size_t count, size_t bits, const char *block);
    uint64_t count() const
    {
        return d_count;
    }

  private:
    void drop(const std::string &text);

    const gr::logger_ptr &d_logger;
    uint64_t d_count = 0;
};

} // namespace ldpc
} // namespace gr

#endif
