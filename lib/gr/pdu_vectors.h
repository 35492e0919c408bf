/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads PDUs, which are pairs of metadata (a dictionary) and a vector of numbers. */
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

/* The vector of a PDU. One of the two pointers is set. If the message is not a PDU, or if its vector has
 * another type, both are null. */
struct pdu_vector {
    const uint8_t *bytes = nullptr; /* elements of a u8vector or s8vector */
    const float *floats = nullptr;  /* elements of an f32vector */
    size_t count = 0;
};
pdu_vector vector_of(const pmt::pmt_t &pdu);

/* Returns the metadata of a PDU, or an empty dictionary. */
pmt::pmt_t metadata_of(const pmt::pmt_t &pdu);

/* Counts the PDUs that a block drops. Logs the reason for the first of them. */
class dropped_pdus
{
  public:
    explicit dropped_pdus(const gr::logger_ptr &logger) : d_logger(logger) {}

    void restart()
    {
        d_count = 0;
    }
    /* Tests whether `count` items are a whole number of codewords or messages, which have `items` items each.
     * If not, or if `count` is 0, counts the PDU as dropped. `count` is 0 if the PDU is empty or has another
     * type. */
    bool accept(size_t count, size_t items);
    /* Tests whether all items are 0 or 1. If not, counts the PDU as dropped. */
    bool accept_bits(const uint8_t *bits, size_t count);
    /* Tests whether the padding of each packed message or codeword is 0. If not, counts the PDU as dropped.
     * `block` is "message" or "codeword", and `bits` is the number of bits of a block. */
    bool accept_packed(const uint8_t *packed, size_t count, size_t bits, const char *block);
    /* Counts a PDU as dropped. Logs `text` for the first dropped PDU. */
    void drop(const std::string &text);
    uint64_t count() const
    {
        return d_count;
    }

  private:
    const gr::logger_ptr &d_logger;
    uint64_t d_count = 0;
};

} // namespace ldpc
} // namespace gr

#endif
