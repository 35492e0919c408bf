/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads PDUs: pairs of a metadata dictionary and a vector of numbers. */
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

/* A vector of a PDU. Both pointers are NULL if the type of the vector is not supported. */
struct pdu_vector {
    const uint8_t *bytes = nullptr; /* u8vector or s8vector */
    const float *floats = nullptr;  /* elements of an f32vector */
    size_t count = 0;
};
pdu_vector vector_of(const pmt::pmt_t &pdu);

/* Returns the metadata, or an empty dictionary. */
pmt::pmt_t metadata_of(const pmt::pmt_t &pdu);

/* Counts dropped PDUs. Logs the reason for the first dropped PDU. */
class dropped_pdus
{
  public:
    explicit dropped_pdus(const gr::logger_ptr &logger) : d_logger(logger) {}

    void restart()
    {
        d_count = 0;
    }
    /* The length must be a positive multiple of `items`. Otherwise the PDU is dropped. */
    bool accept(size_t count, size_t items);
    /* All items must be 0 or 1. Otherwise the PDU is dropped. */
    bool accept_bits(const uint8_t *bits, size_t count);
    /* All padding must be zero. Otherwise the PDU is dropped. block: "message" or "codeword". */
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
