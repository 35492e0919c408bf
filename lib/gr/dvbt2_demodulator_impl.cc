/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts samples to cells and noise powers of PLPs. */
#include "dvbt2_demodulator_impl.h"

#include "dvbt2_fields.h"
#include "handles.h"

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

const pmt::pmt_t status_port = pmt::mp("status");
const pmt::pmt_t l1_port = pmt::mp("l1");
const pmt::pmt_t constellation_port = pmt::mp("constellation");
const pmt::pmt_t impulse_port = pmt::mp("impulse_response");
const pmt::pmt_t start_key = pmt::mp("frame_start");

constexpr int ROOM = 32768;          /* minimum output buffer, in cells */
constexpr size_t MOST_POINTS = 4096; /* maximum number of points in a message on port constellation */
constexpr size_t MOST_TAPS = 4096;   /* maximum number of taps in a message on port impulse_response */
constexpr float LEAST_POWER = 1e-9f; /* avoids log(0) */
constexpr double LONG_SILENCE = 3;   /* seconds without a frame before a warning */

struct named_format {
    const char *name;
    ldpc_sample_format format;
    size_t bytes;
};
const named_format formats[] = {
    {"cf32", LDPC_CF32, 8},
    {"cs16", LDPC_CS16, 4},
    {"cs8",  LDPC_CS8,  2},
    {"cu8",  LDPC_CU8,  2}
};

const named_format &format_of(const std::string &name)
{
    for (const named_format &format : formats)
        if (name == format.name)
            return format;
    throw std::invalid_argument("format must be \"cf32\", \"cs16\", \"cs8\" or \"cu8\", not \"" + name +
                                "\"");
}

dvbt2_profile_choice profile_of(const std::string &name)
{
    if (name == "auto")
        return DVBT2_PROFILE_AUTO;
    if (name == "base")
        return DVBT2_PROFILE_BASE_ONLY;
    if (name == "lite")
        return DVBT2_PROFILE_LITE_ONLY;
    throw std::invalid_argument("profile must be \"auto\", \"base\" or \"lite\", not \"" + name + "\"");
}

void set_plps_of(dvbt2_receiver_params &params, const std::vector<int> &plps)
{
    if (plps.empty() || plps.size() > DVBT2_MAX_OUTPUTS)
        throw std::invalid_argument("plps must be 1 to " + std::to_string(int(DVBT2_MAX_OUTPUTS)) +
                                    " numbers, not " + std::to_string(plps.size()));
    params.n_plps = static_cast<uint32_t>(plps.size());
    std::copy(plps.begin(), plps.end(), params.plp);
}

io_signature::sptr outputs(size_t n_plps)
{
    std::vector<int> sizes;
    for (size_t i = 0; i < n_plps; i++)
        sizes.insert(sizes.end(), {sizeof(gr_complex), sizeof(float)});
    return io_signature::makev(static_cast<int>(sizes.size()), static_cast<int>(sizes.size()), sizes);
}

} // namespace

dvbt2_demodulator::sptr dvbt2_demodulator::make(double sample_rate, const std::string &format,
                                                double bandwidth, double offset, const std::string &profile,
                                                const std::vector<int> &plps, double status_interval,
                                                int decision_directed)
{
    if (decision_directed < 0 || decision_directed > DVBT2_MAX_DECISION_DIRECTED)
        throw std::invalid_argument("decision_directed must be 0 .. " +
                                    std::to_string(int(DVBT2_MAX_DECISION_DIRECTED)) + ", not " +
                                    std::to_string(decision_directed));
    const named_format &chosen = format_of(format);
    dvbt2_receiver_params params;
    dvbt2_receiver_params_init(&params);
    params.sample_rate = sample_rate;
    params.format = chosen.format;
    params.bandwidth = bandwidth;
    params.offset = offset;
    params.profile = profile_of(profile);
    set_plps_of(params, plps);
    params.decision_directed = static_cast<uint32_t>(decision_directed);
    return gnuradio::make_block_sptr<dvbt2_demodulator_impl>(params, chosen.bytes, status_interval);
}

dvbt2_demodulator_impl::dvbt2_demodulator_impl(const dvbt2_receiver_params &params, size_t sample_bytes,
                                               double status_interval)
    : gr::block("dvbt2_demodulator", io_signature::make(1, 1, static_cast<int>(sample_bytes)),
                outputs(params.n_plps)),
      d_params(params), d_sample_bytes(sample_bytes), d_receiver(nullptr, dvbt2_receiver_destroy),
      d_produced(params.n_plps), d_sample_rate(params.sample_rate), d_radio(d_logger),
      d_clock(status_interval)
{
    make_receiver();
    d_radio.restart(d_sample_rate);
    set_tag_propagation_policy(TPP_DONT);
    for (int port = 0; port < static_cast<int>(2 * params.n_plps); port++)
        set_min_output_buffer(port, 2 * ROOM);
    message_port_register_out(status_port);
    for (const pmt::pmt_t &port : {l1_port, constellation_port, impulse_port})
        message_port_register_out(port);
}

void dvbt2_demodulator_impl::make_receiver()
{
    ldpc_error error = {};
    dvbt2_receiver *made = nullptr;
    const ldpc_status status = dvbt2_receiver_create(&d_params, &made, &error);
    check(status, error.message);
    d_receiver.reset(made);
    d_losses = {};
}

/* Creates a new receiver. It needs up to three frames for acquisition. If creation fails, the old receiver
 * stays. */
void dvbt2_demodulator_impl::change(const dvbt2_receiver_params &changed)
{
    const dvbt2_receiver_params old = d_params;
    d_params = changed;
    try {
        make_receiver();
    } catch (...) {
        d_params = old;
        throw;
    }
    d_more = false;
}

void dvbt2_demodulator_impl::set_plps(const std::vector<int> &plps)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    if (plps.size() != d_params.n_plps)
        throw std::invalid_argument("plps must be " + std::to_string(d_params.n_plps) +
                                    " numbers, one per output, not " + std::to_string(plps.size()));
    dvbt2_receiver_params changed = d_params;
    set_plps_of(changed, plps);
    change(changed);
}

/* A flowgraph calls set_channel() once for each of its variables, mostly without a change. */
void dvbt2_demodulator_impl::set_channel(double bandwidth, double sample_rate)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    dvbt2_receiver_params changed = d_params;
    changed.bandwidth = bandwidth;
    if (sample_rate != d_sample_rate)
        changed.sample_rate = sample_rate;
    if (changed.bandwidth != d_params.bandwidth || changed.sample_rate != d_params.sample_rate)
        change(changed);
    if (changed.sample_rate != d_radio.rate())
        d_radio.set_rate(nitems_read(0), changed.sample_rate);
    d_sample_rate = sample_rate;
}

/* After a restart, the signal continues at another position. */
bool dvbt2_demodulator_impl::start()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_params.sample_rate = d_sample_rate;
    make_receiver();
    d_more = d_pictures_due = false;
    d_radio.restart(d_sample_rate);
    d_untagged = 0;
    d_may_warn = true;
    d_silence = 0;
    d_look_at = 1;
    d_l1 = pmt::PMT_NIL;
    d_clock.lap();
    return true;
}

bool dvbt2_demodulator_impl::stop()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    if (d_clock.on())
        publish_status();
    return true;
}

void dvbt2_demodulator_impl::forecast(int, gr_vector_int &ninput_items_required)
{
    ninput_items_required[0] = d_more ? 0 : 1;
}

/* Applies the radio's tags on the next sample. Returns the number of samples before the next tag. */
size_t dvbt2_demodulator_impl::follow_tags(size_t count)
{
    const uint64_t begin = nitems_read(0);
    std::vector<tag_t> tags, here;
    get_tags_in_range(tags, 0, begin, begin + count);
    for (const tag_t &tag : tags) {
        if (!radio_tags::is_one(tag))
            continue;
        if (tag.offset > begin) {
            count = tag.offset - begin;
            break;
        }
        if (tag.offset >= d_untagged)
            here.push_back(tag);
    }
    if (count > 0)
        d_untagged = begin + 1;
    apply(d_radio.read(here, begin));
    return count;
}

void dvbt2_demodulator_impl::apply(const radio_tags::change &change)
{
    ldpc_error error = {};
    if (change.tuned && dvbt2_receiver_retune(d_receiver.get(), d_radio.rate(), &error) == LDPC_OK)
        d_params.sample_rate = d_radio.rate();
    else if (change.tuned)
        d_logger->error("tag rx_rate: {}; no reception until the rate changes", std::string(error.message));
    else if (change.gap)
        dvbt2_receiver_gap(d_receiver.get(), change.missing);
}

/* Outputs cells of one PLP. Returns true if the output is full. The receiver may then have more cells. */
bool dvbt2_demodulator_impl::pull(uint32_t output, size_t room, gr_vector_void_star &output_items)
{
    gr_complex *const cells = static_cast<gr_complex *>(output_items[2 * output]);
    float *const noise = static_cast<float *>(output_items[2 * output + 1]);
    size_t &produced = d_produced[output];
    while (produced < room) {
        dvbt2_plp_frame frame;
        uint32_t first = 0;
        const size_t count = dvbt2_receiver_pull(d_receiver.get(), output, room - produced,
                                                 reinterpret_cast<float *>(cells + produced),
                                                 noise + produced, &frame, &first);
        if (count == 0)
            return false;
        if (first == 0) {
            d_frame_began = true;
            const uint64_t item = nitems_written(2 * output) + produced;
            add_item_tag(2 * output, item, start_key, pmt::from_uint64(frame.frame), alias_pmt());
            add_item_tag(2 * output, item, dvbt2_frame_key, frame_dict(frame), alias_pmt());
        }
        produced += count;
    }
    return true;
}

int dvbt2_demodulator_impl::general_work(int noutput_items, gr_vector_int &ninput_items,
                                         gr_vector_const_void_star &input_items,
                                         gr_vector_void_star &output_items)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    const size_t available = follow_tags(static_cast<size_t>(ninput_items[0]));
    const char *const in = static_cast<const char *>(input_items[0]);
    std::fill(d_produced.begin(), d_produced.end(), 0);
    d_frame_began = false;
    size_t taken = 0;
    for (bool full = false; !full;) {
        const size_t step =
            dvbt2_receiver_push(d_receiver.get(), in + taken * d_sample_bytes, available - taken);
        taken += step;
        for (uint32_t output = 0; output < d_params.n_plps; output++)
            full |= pull(output, static_cast<size_t>(noutput_items), output_items);
        d_more = full;
        full |= taken == available;
    }
    warn_of_silence(taken);
    log_losses();
    publish_l1();
    if (d_clock.due()) {
        publish_status();
        d_pictures_due = true;
    }
    if (d_pictures_due && d_produced[0] > 0)
        publish_pictures(static_cast<const gr_complex *>(output_items[0]), d_produced[0]);
    consume(0, static_cast<int>(taken));
    for (uint32_t output = 0; output < d_params.n_plps; output++) {
        produce(static_cast<int>(2 * output), static_cast<int>(d_produced[output]));
        produce(static_cast<int>(2 * output + 1), static_cast<int>(d_produced[output]));
    }
    return WORK_CALLED_PRODUCE;
}

/* Returns the frame duration relative to an 8 MHz channel. Narrow channels have longer frames. */
double dvbt2_demodulator_impl::slowness() const
{
    return d_params.bandwidth < 1.69 ? 8 / d_params.bandwidth : 1;
}

/* Warns once if no frame was found before the end of the next `samples` samples. */
void dvbt2_demodulator_impl::warn_of_silence(size_t samples)
{
    d_may_warn = d_may_warn && !d_frame_began;
    d_silence += static_cast<double>(samples) / d_params.sample_rate;
    if (!d_may_warn || d_silence < d_look_at)
        return;
    d_look_at = d_silence + 1;
    dvbt2_status now;
    dvbt2_receiver_status(d_receiver.get(), &now);
    std::string reason = now.message;
    if (reason.empty() && now.locks == 0 && d_silence > LONG_SILENCE * slowness())
        reason = "P1 symbols were found, but no L1 signalling could be decoded";
    if (reason.empty())
        return;
    d_may_warn = false;
    d_logger->warn(
        "nothing was received in the first {:.1f} s: {}{}", d_silence, reason,
        now.frames_seen == 0 ? "; or sample_rate, bandwidth, offset or format do not match the samples" : "");
}

/* Logs the cause of each loss of lock since the last call. */
void dvbt2_demodulator_impl::log_losses()
{
    dvbt2_status now;
    dvbt2_receiver_status(d_receiver.get(), &now);
    for (int reason = 0; reason < DVBT2_LOSSES; reason++) {
        if (now.losses[reason] > d_losses[reason] && reason != DVBT2_LOSS_ECHO) /* "echo" keeps the lock */
            d_logger->warn("lost lock: {}", dvbt2_loss_name(static_cast<dvbt2_loss>(reason)));
        d_losses[reason] = now.losses[reason];
    }
}

/* Sends the L1 signalling if it has changed. */
void dvbt2_demodulator_impl::publish_l1()
{
    const dvbt2_l1_pre *const pre = dvbt2_receiver_l1_pre(d_receiver.get());
    const dvbt2_l1_post *const post = dvbt2_receiver_l1_post(d_receiver.get());
    if (!pre || !post || !d_frame_began)
        return;
    const pmt::pmt_t l1 = l1_dict(*pre, *post);
    if (pmt::equal(l1, d_l1))
        return;
    d_l1 = l1;
    message_port_pub(l1_port, l1);
}

void dvbt2_demodulator_impl::publish_status()
{
    d_clock.lap();
    dvbt2_status now;
    dvbt2_receiver_status(d_receiver.get(), &now);
    message_port_pub(status_port, status_dict(now));
}

/* Sends PDUs for gr-qtgui: cells of the first PLP, and the impulse response. */
void dvbt2_demodulator_impl::publish_pictures(const gr_complex *cells, size_t count)
{
    d_pictures_due = false;
    message_port_pub(constellation_port,
                     pmt::cons(pmt::make_dict(), pmt::init_c32vector(std::min(count, MOST_POINTS), cells)));
    double first_us = 0, step_us = 0;
    std::vector<float> decibel(MOST_TAPS);
    decibel.resize(dvbt2_receiver_impulse_response(d_receiver.get(), decibel.size(), decibel.data(),
                                                   &first_us, &step_us));
    for (float &power : decibel)
        power = 10 * std::log10(std::max(power, LEAST_POWER));
    pmt::pmt_t axis = pmt::dict_add(pmt::make_dict(), pmt::mp("first_us"), pmt::from_double(first_us));
    axis = pmt::dict_add(axis, pmt::mp("step_us"), pmt::from_double(step_us));
    message_port_pub(impulse_port, pmt::cons(axis, pmt::init_f32vector(decibel.size(), decibel)));
}

bool dvbt2_demodulator_impl::locked() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    dvbt2_status now;
    dvbt2_receiver_status(d_receiver.get(), &now);
    return now.state == DVBT2_STATE_TRACKING;
}

pmt::pmt_t dvbt2_demodulator_impl::status() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    dvbt2_status now;
    dvbt2_receiver_status(d_receiver.get(), &now);
    return status_dict(now);
}

pmt::pmt_t dvbt2_demodulator_impl::l1() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_l1;
}

std::vector<float> dvbt2_demodulator_impl::impulse_response() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    std::vector<float> power(MOST_TAPS);
    power.resize(
        dvbt2_receiver_impulse_response(d_receiver.get(), power.size(), power.data(), nullptr, nullptr));
    return power;
}

} // namespace ldpc
} // namespace gr
