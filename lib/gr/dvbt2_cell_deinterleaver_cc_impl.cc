/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TI blocks of the input stream to FEC blocks of the output stream. */
#include "dvbt2_cell_deinterleaver_cc_impl.h"

#include "handles.h"

#include <gnuradio/io_signature.h>

#include <algorithm>
#include <stdexcept>

namespace gr
{
namespace ldpc
{

namespace
{

const size_t floats_of[] = {2, 1}; /* of an item of the first and the second port */

ldpc_cell_deinterleaver *make_deinterleaver(const std::string &code, const std::string &modulation,
                                            int ti_blocks)
{
    if (ti_blocks < 0)
        throw std::invalid_argument("TI blocks of an interleaving frame are 0 .. 255, not " +
                                    std::to_string(ti_blocks));
    ldpc_error error = {};
    ldpc_cell_deinterleaver *made = nullptr;
    const ldpc_status status = ldpc_cell_deinterleaver_create(
        code.c_str(), modulation.c_str(), static_cast<uint32_t>(ti_blocks), &made, &error);
    check(status, error.message);
    return made;
}

int checked_blocks(int fec_blocks)
{
    if (fec_blocks < 1 || fec_blocks > LDPC_T2_MAX_BLOCKS)
        throw std::invalid_argument("FEC blocks of an interleaving frame are 1 .. 1023, not " +
                                    std::to_string(fec_blocks));
    return fec_blocks;
}

io_signature::sptr ports(bool noise)
{
    return io_signature::makev(1 + noise, 1 + noise, {sizeof(gr_complex), sizeof(float)});
}

} // namespace

dvbt2_cell_deinterleaver_cc::sptr
dvbt2_cell_deinterleaver_cc::make(const std::string &code, const std::string &modulation, int fec_blocks,
                                  int ti_blocks, bool noise_input, const std::string &frame_tag)
{
    return gnuradio::make_block_sptr<dvbt2_cell_deinterleaver_cc_impl>(code, modulation, fec_blocks,
                                                                       ti_blocks, noise_input, frame_tag);
}

dvbt2_cell_deinterleaver_cc_impl::dvbt2_cell_deinterleaver_cc_impl(const std::string &code,
                                                                   const std::string &modulation,
                                                                   int fec_blocks, int ti_blocks,
                                                                   bool noise_input,
                                                                   const std::string &frame_tag)
    : gr::block("dvbt2_cell_deinterleaver_cc", ports(noise_input), ports(noise_input)),
      d_deinterleaver(make_deinterleaver(code, modulation, ti_blocks), ldpc_cell_deinterleaver_destroy),
      d_ports(1 + noise_input), d_cells(ldpc_cell_deinterleaver_cells(d_deinterleaver.get())),
      d_first_fec_blocks(checked_blocks(fec_blocks)),
      d_tag(frame_tag.empty() ? pmt::PMT_NIL : pmt::mp(frame_tag)), d_end(*this, d_logger, 1)
{
    set_tag_propagation_policy(TPP_DONT);
    set_output_multiple(static_cast<int>(d_cells));
    for (size_t port = 0; port < d_ports; port++)
        set_min_output_buffer(static_cast<int>(port), static_cast<long>(4 * d_cells));
    begin_frame(static_cast<uint32_t>(fec_blocks));
}

bool dvbt2_cell_deinterleaver_cc_impl::start()
{
    d_followed = -1;
    d_logged = false;
    begin_frame(static_cast<uint32_t>(d_first_fec_blocks));
    return true;
}

void dvbt2_cell_deinterleaver_cc_impl::begin_frame(uint32_t fec_blocks)
{
    d_fec_blocks = fec_blocks;
    d_frame_start = true;
    begin_ti_block(0);
}

/* TI blocks without FEC blocks are passed over; after the frame's last one comes the next frame. */
void dvbt2_cell_deinterleaver_cc_impl::begin_ti_block(uint32_t number)
{
    const uint32_t count = ldpc_ti_blocks(d_deinterleaver.get(), d_fec_blocks);
    for (d_number = number;; d_number++) {
        if (d_number == count) {
            d_number = 0;
            d_frame_start = true;
        }
        d_size = ldpc_ti_block_size(d_deinterleaver.get(), d_fec_blocks, d_number);
        if (d_size > 0)
            break;
    }
    d_filled = 0;
    d_handed_out = 0;
    for (size_t port = 0; port < d_ports; port++)
        d_store[port].resize(std::max(d_store[port].size(), floats_of[port] * d_size * d_cells));
}

void dvbt2_cell_deinterleaver_cc_impl::forecast(int, gr_vector_int &ninput_items_required)
{
    std::fill(ninput_items_required.begin(), ninput_items_required.end(), gathered() ? 0 : 1);
    if (!d_logged && d_filled > 0 && !gathered() && d_end.reached()) {
        d_logger->warn("the stream ended inside a TI block: {} of its {} cells are dropped", d_filled,
                       d_size * d_cells);
        d_logged = true;
    }
}

int dvbt2_cell_deinterleaver_cc_impl::general_work(int noutput_items, gr_vector_int &ninput_items,
                                                   gr_vector_const_void_star &input_items,
                                                   gr_vector_void_star &output_items)
{
    const size_t available = *std::min_element(ninput_items.begin(), ninput_items.end());
    size_t taken = 0, produced = 0;
    for (;;) {
        const bool whole = gathered();
        const size_t step = whole ? hand_out(noutput_items - produced, output_items, produced)
                                  : gather(available - taken, input_items, taken);
        (whole ? produced : taken) += step;
        if (step == 0)
            break;
    }
    consume_each(static_cast<int>(taken));
    return static_cast<int>(produced);
}

/* A frame begins where a tag says so. Returns how many of the next cells, which begin at `offset`, come
 * before another tag. */
size_t dvbt2_cell_deinterleaver_cc_impl::follow_tags(uint64_t offset, size_t count)
{
    if (pmt::is_null(d_tag) || count == 0)
        return count;
    get_tags_in_range(d_tags, 0, offset, offset + count, d_tag);
    for (const tag_t &tag : d_tags) {
        if (tag.offset > offset) {
            count = std::min<size_t>(count, tag.offset - offset);
        } else if (tag.offset != d_followed) {
            d_followed = tag.offset;
            if (d_filled > 0 || !d_frame_start)
                d_logger->warn(
                    "an interleaving frame begins before the last one is complete: {} cells of FEC "
                    "blocks are dropped",
                    d_filled);
            const long blocks = pmt::is_integer(tag.value) ? pmt::to_long(tag.value) : 0;
            begin_frame(blocks >= 1 && blocks <= LDPC_T2_MAX_BLOCKS ? static_cast<uint32_t>(blocks)
                                                                    : d_fec_blocks.load());
        }
    }
    return count;
}

size_t dvbt2_cell_deinterleaver_cc_impl::gather(size_t available,
                                                const gr_vector_const_void_star &input_items, size_t skip)
{
    size_t count = follow_tags(nitems_read(0) + skip, available);
    count = std::min(count, d_size * d_cells - d_filled);
    for (size_t port = 0; port < d_ports; port++) {
        const float *const in = static_cast<const float *>(input_items[port]) + floats_of[port] * skip;
        std::copy_n(in, floats_of[port] * count, d_store[port].data() + floats_of[port] * d_filled);
    }
    d_filled += count;
    return count;
}

size_t dvbt2_cell_deinterleaver_cc_impl::hand_out(size_t room, const gr_vector_void_star &output_items,
                                                  size_t skip)
{
    const auto blocks = static_cast<uint32_t>(std::min<size_t>(room / d_cells, d_size - d_handed_out));
    if (blocks == 0)
        return 0;
    for (size_t port = 0; port < d_ports; port++) {
        float *const out = static_cast<float *>(output_items[port]) + floats_of[port] * skip;
        ldpc_cells_deinterleave(d_deinterleaver.get(), d_size, d_handed_out, blocks,
                                static_cast<uint32_t>(floats_of[port]), d_store[port].data(), out);
    }
    if (d_frame_start && !pmt::is_null(d_tag))
        add_item_tag(0, nitems_written(0) + skip, d_tag, pmt::from_long(d_fec_blocks), alias_pmt());
    d_frame_start = false;
    d_handed_out += blocks;
    if (d_handed_out == d_size)
        begin_ti_block(d_number + 1);
    return blocks * d_cells;
}

} // namespace ldpc
} // namespace gr
