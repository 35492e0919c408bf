/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bit and frame error rate. */
#ifndef INCLUDED_GR_LDPC_ERROR_RATE_H
#define INCLUDED_GR_LDPC_ERROR_RATE_H

#include <gnuradio/block.h>
#include <gnuradio/ldpc/api.h>

#include <cstdint>

namespace gr
{
namespace ldpc
{

/*!
 * \brief Measures bit error rate (BER) and frame error rate (FER) of a stream of frames.
 *
 * Input 0 is the sent bits, input 1 the received bits, frame by frame. Output 0 is the BER, output 1 the FER, as
 * floats over the last `window` frames, once per frame. A frame with bit errors has a tag ldpc_bit_errors on both
 * outputs, with their number (integer). Port "text" carries a line with the rates every `text_interval` seconds. The
 * last line is logged instead, because later blocks may have stopped.
 */
class GR_LDPC_API ldpc_error_rate : virtual public gr::block
{
  public:
    typedef std::shared_ptr<ldpc_error_rate> sptr;

    /*! \param frame          bits per frame, for example the k of a code
     *  \param window         frames over which the outputs average
     *  \param packed         8 bits per byte, each frame padded to whole bytes; otherwise one bit per byte
     *  \param text_interval  seconds between messages on port "text"; 0 = no messages
     *  \throws std::invalid_argument if an argument is out of range */
    static sptr make(int frame, int window = 1000, bool packed = false, double text_interval = 1);

    virtual uint64_t frames() const = 0;       //!< frames compared since the start
    virtual uint64_t frame_errors() const = 0; //!< frames with bit errors since the start
    virtual uint64_t bit_errors() const = 0;   //!< bit errors since the start
    virtual double ber() const = 0;            //!< bit error rate since the start; 0 before the first frame
    virtual double fer() const = 0;            //!< frame error rate since the start; 0 before the first frame
};

} // namespace ldpc
} // namespace gr

#endif
