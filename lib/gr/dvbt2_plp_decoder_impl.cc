/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes the cells of a PLP to transport stream packets. */
#include "dvbt2_plp_decoder_impl.h"

#include "dvbt2_fields.h"
#include "handles.h"
#include "options.h"

#include <gnuradio/block_detail.h>
#include <gnuradio/buffer_reader.h>
#include <gnuradio/io_signature.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace gr
{
namespace ldpc
{

namespace
{

const pmt::pmt_t frames_port = pmt::mp("frames");

float checked_noise(double noise)
{
    if (!(noise > 0) || std::isinf(noise))
        throw std::invalid_argument("noise must be a noise power per cell greater than 0, not " +
                                    std::to_string(noise));
    return static_cast<float>(noise);
}

dvbt2_plp_format library_format(const dvbt2_cell_format &format)
{
    if (format.fec_blocks < 1 || format.fec_blocks > 1023)
        throw std::invalid_argument("fec_blocks must be 1 .. 1023, not " + std::to_string(format.fec_blocks));
    if (format.ti_blocks < 0 || format.ti_blocks > 255)
        throw std::invalid_argument("ti_blocks must be 1 .. 255, or 0 (no time interleaving), not " +
                                    std::to_string(format.ti_blocks));
    dvbt2_plp_format own = {};
    if (format.code.size() >= sizeof own.code)
        throw std::invalid_argument("code must be a DVB-T2 code such as \"dvbt2:64800:2/3\", not \"" +
                                    format.code.substr(0, 40) + "\"");
    if (format.modulation.size() >= sizeof own.modulation)
        throw std::invalid_argument(
            "modulation must be \"qpsk\", \"16qam\", \"64qam\" or \"256qam\", not \"" + format.modulation +
            "\"");
    std::copy(format.code.begin(), format.code.end(), own.code);
    std::copy(format.modulation.begin(), format.modulation.end(), own.modulation);
    own.rotated = format.rotated;
    own.fec_blocks = static_cast<uint32_t>(format.fec_blocks);
    own.ti_blocks = static_cast<uint32_t>(format.ti_blocks);
    return own;
}

} // namespace

dvbt2_plp_decoder::sptr dvbt2_plp_decoder::make(const std::string &backend, bool fallback, double gpu_timeout,
                                                int max_iterations, int threads, bool exact, int stream,
                                                double stats_interval, const dvbt2_cell_format *format)
{
    if (max_iterations < 0 || max_iterations > 10000)
        throw std::invalid_argument("max_iterations must be 0 .. 10000, not " +
                                    std::to_string(max_iterations));
    if (threads < 0)
        throw std::invalid_argument("threads must be 0 (one per core) or more, not " +
                                    std::to_string(threads));
    if (stream < -1 || stream > 255)
        throw std::invalid_argument("stream must be 0 .. 255, or -1 (all), not " + std::to_string(stream));
    dvbt2_plp_decoder_params params;
    dvbt2_plp_decoder_params_init(&params);
    ldpc_error error = {};
    const ldpc_status status = ldpc_backend_choose(backend.c_str(), fallback, &params.backend, &error);
    check(status, error.message);
    params.fallback = fallback;
    params.max_iterations = static_cast<uint32_t>(max_iterations);
    params.threads = static_cast<uint32_t>(threads);
    params.exact = exact;
    params.stream = stream;
    params.generic_frames = true;
    params.gpu_timeout_ms = gpu_timeout_ms(gpu_timeout);
    return gnuradio::make_block_sptr<dvbt2_plp_decoder_impl>(params, error.message, stats_interval, format);
}

dvbt2_plp_decoder_impl::dvbt2_plp_decoder_impl(const dvbt2_plp_decoder_params &params,
                                               const std::string &warning, double stats_interval,
                                               const dvbt2_cell_format *format)
    : gr::block("dvbt2_plp_decoder",
                format ? io_signature::make(1, 1, sizeof(gr_complex))
                       : io_signature::makev(
                             2, 4, {sizeof(gr_complex), sizeof(float), sizeof(gr_complex), sizeof(float)}),
                io_signature::make(1, 1, sizeof(uint8_t))),
      d_params(params), d_end(*this, d_logger, 1), d_clock(stats_interval)
{
    if (!warning.empty())
        d_logger->warn("{}", warning);
    if (format)
        d_frames.format = library_format(*format);
    make_decoder(d_data);
    if (format) {
        d_frames.noise.assign(dvbt2_plp_decoder_cells(decoder(), &d_frames.format),
                              checked_noise(format->noise));
        d_frames.cells.reserve(d_frames.noise.size());
    }
    set_tag_propagation_policy(TPP_DONT);
    set_output_multiple(LDPC_TS_PACKET);
    set_min_output_buffer(0, 4096 * LDPC_TS_PACKET);
    message_port_register_out(stats_port);
    message_port_register_out(frames_port);
}

void dvbt2_plp_decoder_impl::make_decoder(plp_input &plp)
{
    ldpc_error error = {};
    ::dvbt2_plp_decoder *made = nullptr;
    ldpc_status status = dvbt2_plp_decoder_create(&d_params, &made, &error);
    check(status, error.message);
    plp.decoder.reset(made);
    plp.fallback = d_params.fallback && std::string(d_params.backend) != "cpu";
    plp.known = false;
    if (has_format()) {
        status = dvbt2_plp_decoder_prepare(made, &d_frames.format);
        if (status && fall_back(plp, status))
            status = dvbt2_plp_decoder_prepare(made, &d_frames.format);
        check(status, dvbt2_plp_decoder_message(made));
    }
}

bool dvbt2_plp_decoder_impl::check_topology(int ninputs, int)
{
    return has_format() ? ninputs == 1 : ninputs == 2 || ninputs == 4;
}

bool dvbt2_plp_decoder_impl::start()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    if (d_started) /* the decoder may still have cells of an earlier run */
        make_decoder(d_data);
    d_started = true;
    if (detail()->ninputs() > 2) {
        make_decoder(d_common);
        dvbt2_plp_decoder_set_common(decoder(), d_common.decoder.get());
    }
    d_frames.cells.clear();
    d_end.restart();
    d_finished = d_more = false;
    d_plp = -1;
    d_failure.restart();
    d_clock.lap();
    return true;
}

bool dvbt2_plp_decoder_impl::stop()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    publish();
    return true;
}

bool dvbt2_plp_decoder_impl::common_waits() const
{
    for (int input = 2; input < detail()->ninputs(); input++) {
        const buffer_reader_sptr reader = detail()->input(static_cast<unsigned>(input));
        gr::thread::scoped_lock guard(*reader->mutex());
        if (reader->items_available() == 0)
            return false;
    }
    return detail()->ninputs() > 2;
}

/* Requests no input while packets are pending or the last cells are being decoded. Neither PLP waits for the
 * other PLP. */
void dvbt2_plp_decoder_impl::forecast(int, gr_vector_int &ninput_items_required)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    const bool common = common_waits();
    if (!d_more && !d_finished && !common && d_end.reached()) {
        d_finished = d_more = true;
        if (!d_frames.cells.empty())
            d_logger->warn("the stream ended inside an interleaving frame: dropped its first {} of {} cells",
                           d_frames.cells.size(), d_frames.noise.size());
        report(d_data, dvbt2_plp_decoder_finish(decoder()));
        publish_frames();
        publish(); /* messages that are published after the block has finished are lost */
    }
    const int data_needed = d_more || common ? 0 : 1, common_needed = !d_more && common ? 1 : 0;
    for (size_t input = 0; input < ninput_items_required.size(); input++)
        ninput_items_required[input] = input < 2 ? data_needed : common_needed;
}

/* Applies the tags of the next cell. Returns the number of cells before the next tag. */
size_t dvbt2_plp_decoder_impl::follow_tags(size_t pair, size_t taken, size_t count)
{
    plp_input &plp = *d_plps[pair];
    const unsigned input = static_cast<unsigned>(2 * pair);
    const uint64_t next = nitems_read(input) + taken;
    get_tags_in_range(d_tags, input, next, next + count, dvbt2_frame_key);
    for (const tag_t &tag : d_tags) {
        if (tag.offset > next)
            return std::min<size_t>(count, tag.offset - next);
        plp.known = frame_of(tag.value, plp.frame);
        d_plp = plp.known && pair == 0 ? plp.frame.plp.plp_id : d_plp;
        plp.first = 0;
        if (!plp.known)
            d_logger->warn("ignoring a malformed tag dvbt2_frame; dropping cells until the next valid one");
    }
    return count;
}

void dvbt2_plp_decoder_impl::feed(plp_input &plp, const gr_complex *cells, const float *noise, size_t count)
{
    if (!plp.known)
        return;
    const ldpc_status status = dvbt2_plp_decoder_feed(plp.decoder.get(), &plp.frame, plp.first, count,
                                                      reinterpret_cast<const float *>(cells), noise);
    plp.first += static_cast<uint32_t>(count);
    report(plp, status);
}

/* Returns whether the CPU replaces the failed backend. */
bool dvbt2_plp_decoder_impl::fall_back(plp_input &plp, ldpc_status status)
{
    const std::string message = dvbt2_plp_decoder_message(plp.decoder.get());
    const bool input = status == LDPC_ERR_PARAM || status == LDPC_ERR_RANGE || status == LDPC_ERR_NAME;
    if (!plp.fallback || input || dvbt2_plp_decoder_set_backend(plp.decoder.get(), "cpu"))
        return false;
    plp.fallback = false;
    d_params.backend = "cpu"; /* for later decoders */
    d_logger->warn("{}; falling back to the CPU", message);
    return true;
}

/* Handles an error. Frames that were being decoded on a failed GPU are lost. */
void dvbt2_plp_decoder_impl::report(plp_input &plp, ldpc_status status)
{
    if (!status)
        return;
    const std::string message = dvbt2_plp_decoder_message(plp.decoder.get());
    if (fall_back(plp, status))
        return;
    d_logger->error("{}", message);
    plp.known = false;
}

size_t dvbt2_plp_decoder_impl::take(size_t pair, size_t available, const gr_complex *cells,
                                    const float *noise)
{
    for (size_t taken = 0; taken < available;) {
        const size_t count = follow_tags(pair, taken, available - taken);
        feed(*d_plps[pair], cells + taken, noise + taken, count);
        taken += count;
    }
    return available;
}

/* Collects cells, and decodes complete interleaving frames. */
size_t dvbt2_plp_decoder_impl::gather(const gr_complex *cells, size_t count)
{
    for (size_t taken = 0; taken < count;) {
        const size_t missing = d_frames.noise.size() - d_frames.cells.size();
        const size_t next = std::min(missing, count - taken);
        d_frames.cells.insert(d_frames.cells.end(), cells + taken, cells + taken + next);
        taken += next;
        if (next < missing)
            break;
        report(d_data, dvbt2_plp_decoder_push(decoder(), &d_frames.format,
                                              reinterpret_cast<const float *>(d_frames.cells.data()),
                                              d_frames.noise.data()));
        d_frames.cells.clear();
    }
    return count;
}

int dvbt2_plp_decoder_impl::general_work(int noutput_items, gr_vector_int &ninput_items,
                                         gr_vector_const_void_star &input_items,
                                         gr_vector_void_star &output_items)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    if (has_format() && !d_more)
        consume(0, static_cast<int>(gather(static_cast<const gr_complex *>(input_items[0]),
                                           static_cast<size_t>(ninput_items[0]))));
    for (size_t pair = 0; !has_format() && !d_more && 2 * pair < ninput_items.size(); pair++) {
        const int available = std::min(ninput_items[2 * pair], ninput_items[2 * pair + 1]);
        const size_t taken =
            take(pair, static_cast<size_t>(available), static_cast<const gr_complex *>(input_items[2 * pair]),
                 static_cast<const float *>(input_items[2 * pair + 1]));
        consume(static_cast<int>(2 * pair), static_cast<int>(taken));
        consume(static_cast<int>(2 * pair + 1), static_cast<int>(taken));
    }
    const size_t room = static_cast<size_t>(noutput_items) / LDPC_TS_PACKET;
    const size_t packets = dvbt2_plp_decoder_pull(decoder(), static_cast<uint8_t *>(output_items[0]), room);
    d_more = packets == room;
    publish_frames();
    warn_of_failure();
    if (d_clock.due())
        publish();
    return static_cast<int>(packets * LDPC_TS_PACKET);
}

/* The caller holds the mutex. */
pmt::pmt_t dvbt2_plp_decoder_impl::stats() const
{
    pmt::pmt_t dict = counters_dict(dvbt2_plp_decoder_counters(decoder()));
    dict = pmt::dict_add(dict, pmt::mp("kernel"), pmt::mp(dvbt2_plp_decoder_kernel(decoder())));
    dict =
        pmt::dict_add(dict, pmt::mp("signalling"), signalling_dict(*dvbt2_plp_decoder_signalling(decoder())));
    return pmt::dict_add(dict, pmt::mp("plp_id"), pmt::from_long(d_plp));
}

void dvbt2_plp_decoder_impl::warn_of_failure()
{
    const dvbt2_plp_counters now = dvbt2_plp_decoder_counters(decoder());
    if (d_failure.noticed(now.codewords, now.failed_codewords))
        d_logger->warn("PLP {}: none of the first {} codewords could be decoded; likely causes: insufficient "
                       "C/N for its constellation and code rate, interference, or clipped samples",
                       d_plp, now.codewords);
    else if (d_failure.noticed(now.bb.frames, now.bb.header_errors))
        d_logger->warn("PLP {}: none of the first {} baseband frames has a header with a valid CRC", d_plp,
                       now.bb.frames);
}

/* Sends baseband frames of generic streams as PDUs. */
void dvbt2_plp_decoder_impl::publish_frames()
{
    uint8_t frame[DVBT2_MAX_FRAME_BYTES];
    while (const size_t bytes = dvbt2_plp_decoder_pull_frame(decoder(), frame, sizeof frame)) {
        const pmt::pmt_t about = pmt::dict_add(pmt::make_dict(), pmt::mp("plp_id"), pmt::from_long(d_plp));
        message_port_pub(frames_port, pmt::cons(about, pmt::init_u8vector(bytes, frame)));
    }
}

void dvbt2_plp_decoder_impl::set_noise(double noise)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    std::fill(d_frames.noise.begin(), d_frames.noise.end(), checked_noise(noise));
}

pmt::pmt_t dvbt2_plp_decoder_impl::counters() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return stats();
}

void dvbt2_plp_decoder_impl::publish()
{
    if (!d_clock.on())
        return;
    d_clock.lap();
    message_port_pub(stats_port, stats());
}

} // namespace ldpc
} // namespace gr
