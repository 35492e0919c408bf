/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells and their noise to transport stream packets; tags say how the cells are coded. */
#include "dvbt2_plp_decoder_impl.h"

#include "dvbt2_fields.h"
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

const pmt::pmt_t stats_port = pmt::mp("stats");
const pmt::pmt_t frames_port = pmt::mp("frames");
const pmt::pmt_t frame_key = pmt::mp("dvbt2_frame");

/* "auto" here is a GPU where there is one. */
const char *backend_of(const std::string &name)
{
    if (name == "cpu")
        return "cpu";
    if (name == "cuda")
        return "cuda";
    if (name != "auto")
        throw std::invalid_argument("backend must be \"auto\", \"cpu\" or \"cuda\", not \"" + name + "\"");
    const char *reason = nullptr, *backend;
    for (size_t i = 0; (backend = ldpc_backend_list(i, &reason)); i++)
        if (std::string(backend) == "cuda" && !*reason)
            return "cuda";
    return "cpu";
}

} // namespace

dvbt2_plp_decoder::sptr dvbt2_plp_decoder::make(const std::string &backend, int max_iterations, int threads,
                                                bool exact, int stream, double stats_interval)
{
    if (max_iterations < 0 || max_iterations > 10000)
        throw std::invalid_argument("max_iterations must be 0 .. 10000, not " +
                                    std::to_string(max_iterations));
    if (threads < 0)
        throw std::invalid_argument("threads must be 0 (one per core) or more, not " +
                                    std::to_string(threads));
    if (stream < -1 || stream > 255)
        throw std::invalid_argument("stream must be 0 .. 255, or -1 for all, not " + std::to_string(stream));
    dvbt2_plp_decoder_params params;
    dvbt2_plp_decoder_params_init(&params);
    params.backend = backend_of(backend);
    params.max_iterations = static_cast<uint32_t>(max_iterations);
    params.threads = static_cast<uint32_t>(threads);
    params.exact = exact;
    params.stream = stream;
    params.generic_frames = true;
    const bool fallback = backend == "auto" && std::string(params.backend) != "cpu";
    return gnuradio::make_block_sptr<dvbt2_plp_decoder_impl>(params, fallback, stats_interval);
}

dvbt2_plp_decoder_impl::dvbt2_plp_decoder_impl(const dvbt2_plp_decoder_params &params, bool fallback,
                                               double stats_interval)
    : gr::block("dvbt2_plp_decoder", io_signature::makev(2, 2, {sizeof(gr_complex), sizeof(float)}),
                io_signature::make(1, 1, sizeof(uint8_t))),
      d_params(params), d_fallback(fallback), d_decoder(nullptr, dvbt2_plp_decoder_destroy),
      d_end(*this, d_logger, 1), d_clock(stats_interval)
{
    make_decoder();
    set_tag_propagation_policy(TPP_DONT);
    set_output_multiple(LDPC_TS_PACKET);
    set_min_output_buffer(0, 4096 * LDPC_TS_PACKET);
    message_port_register_out(stats_port);
    message_port_register_out(frames_port);
}

void dvbt2_plp_decoder_impl::make_decoder()
{
    ldpc_error error = {};
    ::dvbt2_plp_decoder *made = nullptr;
    const ldpc_status status = dvbt2_plp_decoder_create(&d_params, &made, &error);
    check(status, error.message);
    d_decoder.reset(made);
    d_may_fall_back = d_fallback;
}

bool dvbt2_plp_decoder_impl::start()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    make_decoder();
    d_end.restart();
    d_finished = d_more = d_known = false;
    d_plp = -1;
    d_clock.lap();
    return true;
}

bool dvbt2_plp_decoder_impl::stop()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    publish();
    return true;
}

/* No input is needed for packets that wait, and at the end of the stream for those of the last cells. */
void dvbt2_plp_decoder_impl::forecast(int, gr_vector_int &ninput_items_required)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    if (!d_more && !d_finished && d_end.reached()) {
        d_finished = d_more = true;
        report(dvbt2_plp_decoder_finish(d_decoder.get()));
        publish_frames();
        publish(); /* now, because message ports hear nothing from a block that is done */
    }
    std::fill(ninput_items_required.begin(), ninput_items_required.end(), d_more ? 0 : 1);
}

/* How many of the next cells come before another frame begins. */
size_t dvbt2_plp_decoder_impl::follow_tags(size_t taken, size_t count)
{
    const uint64_t next = nitems_read(0) + taken;
    get_tags_in_range(d_tags, 0, next, next + count, frame_key);
    for (const tag_t &tag : d_tags) {
        if (tag.offset > next)
            return std::min<size_t>(count, tag.offset - next);
        d_known = frame_of(tag.value, d_frame);
        d_plp = d_known ? d_frame.plp.plp_id : d_plp;
        d_first = 0;
        if (!d_known)
            d_logger->warn(
                "a tag dvbt2_frame is none of dvbt2_demodulator: cells are dropped until the next one");
    }
    return count;
}

void dvbt2_plp_decoder_impl::feed(const gr_complex *cells, const float *noise, size_t count)
{
    if (!d_known)
        return;
    const ldpc_status status = dvbt2_plp_decoder_feed(d_decoder.get(), &d_frame, d_first, count,
                                                      reinterpret_cast<const float *>(cells), noise);
    d_first += static_cast<uint32_t>(count);
    report(status);
}

/* What a call of the decoder has said. A GPU that fails costs the frames on their way; the CPU goes on. */
void dvbt2_plp_decoder_impl::report(ldpc_status status)
{
    if (!status)
        return;
    const std::string message = dvbt2_plp_decoder_message(d_decoder.get());
    const bool input = status == LDPC_ERR_PARAM || status == LDPC_ERR_RANGE || status == LDPC_ERR_NAME;
    if (d_may_fall_back && !input && !dvbt2_plp_decoder_set_backend(d_decoder.get(), "cpu")) {
        d_may_fall_back = false;
        d_logger->warn("{}; the CPU goes on", message);
        return;
    }
    d_logger->error("{}", message);
    d_known = false;
}

int dvbt2_plp_decoder_impl::general_work(int noutput_items, gr_vector_int &ninput_items,
                                         gr_vector_const_void_star &input_items,
                                         gr_vector_void_star &output_items)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    const gr_complex *const cells = static_cast<const gr_complex *>(input_items[0]);
    const float *const noise = static_cast<const float *>(input_items[1]);
    const size_t available = static_cast<size_t>(*std::min_element(ninput_items.begin(), ninput_items.end()));
    size_t taken = 0;
    while (!d_more && taken < available) {
        const size_t count = follow_tags(taken, available - taken);
        feed(cells + taken, noise + taken, count);
        taken += count;
    }
    const size_t room = static_cast<size_t>(noutput_items) / LDPC_TS_PACKET;
    const size_t packets =
        dvbt2_plp_decoder_pull(d_decoder.get(), static_cast<uint8_t *>(output_items[0]), room);
    d_more = packets == room;
    publish_frames();
    if (d_clock.due())
        publish();
    consume_each(static_cast<int>(taken));
    return static_cast<int>(packets * LDPC_TS_PACKET);
}

/* Counters, kernel and PLP_ID (-1 before the first frame); with the mutex held. */
pmt::pmt_t dvbt2_plp_decoder_impl::stats() const
{
    pmt::pmt_t dict = counters_dict(dvbt2_plp_decoder_counters(d_decoder.get()));
    dict = pmt::dict_add(dict, pmt::mp("kernel"), pmt::mp(dvbt2_plp_decoder_kernel(d_decoder.get())));
    dict = pmt::dict_add(dict, pmt::mp("signalling"),
                         signalling_dict(*dvbt2_plp_decoder_signalling(d_decoder.get())));
    return pmt::dict_add(dict, pmt::mp("plp_id"), pmt::from_long(d_plp));
}

/* Baseband frames of generic streams, a PDU each. */
void dvbt2_plp_decoder_impl::publish_frames()
{
    uint8_t frame[DVBT2_MAX_FRAME_BYTES];
    while (const size_t bytes = dvbt2_plp_decoder_pull_frame(d_decoder.get(), frame, sizeof frame)) {
        const pmt::pmt_t about = pmt::dict_add(pmt::make_dict(), pmt::mp("plp_id"), pmt::from_long(d_plp));
        message_port_pub(frames_port, pmt::cons(about, pmt::init_u8vector(bytes, frame)));
    }
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
