/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binds libdvbt2.receiver, which converts samples to cells and noise powers. */
#include "bindings.h"

#include <mutex>
#include <vector>

#include <pybind11/stl.h>

namespace
{

/* Names in the order of dvbt2_profile_choice. */
const std::vector<const char *> profiles = {"auto", "base", "lite"};

/* Reuses arrays that have no other references, because new large arrays would fragment the heap. */
class array_pool
{
  public:
    explicit array_pool(const char *item_type) : type(item_type) {}

    new_array take(size_t count)
    {
        for (size_t i = 0; i < arrays.size(); i++) {
            if (arrays[i].array.ref_count() > 1)
                continue;
            if (size_t(py::len(arrays[i].array)) == count)
                return arrays[i];
            arrays.erase(arrays.begin() + std::ptrdiff_t(i--));
        }
        new_array made(count, type);
        if (arrays.size() < MOST)
            arrays.push_back(made);
        return made;
    }

  private:
    static constexpr size_t MOST = 64;
    const char *type;
    std::vector<new_array> arrays;
};

/* The mutex allows calls by several threads. */
struct py_receiver {
    py_receiver(double sample_rate, const std::string &format, double bandwidth, double offset,
                const std::string &profile, const std::vector<int32_t> &plps, uint32_t decision_directed,
                bool follow_plps)
    {
        const sample_type chosen = sample_type_of(format);
        dvbt2_receiver_params params;
        dvbt2_receiver_params_init(&params);
        params.sample_rate = sample_rate;
        params.format = chosen.format;
        params.bandwidth = bandwidth;
        params.offset = offset;
        params.profile = dvbt2_profile_choice(choose("profile", profiles, profile));
        if (plps.empty() || plps.size() > DVBT2_MAX_OUTPUTS)
            throw py::value_error("plps: expected 1 to " + std::to_string(int(DVBT2_MAX_OUTPUTS)) +
                                  " PLPs, not " + std::to_string(plps.size()));
        params.n_plps = uint32_t(plps.size());
        std::copy(plps.begin(), plps.end(), params.plp);
        params.decision_directed = decision_directed;
        params.follow_plps = follow_plps;
        ldpc_error error = {};
        const ldpc_status status = dvbt2_receiver_create(&params, &rx, &error);
        check(status, error.message);
        bytes = chosen.bytes;
    }
    py_receiver(const py_receiver &) = delete;
    ~py_receiver()
    {
        dvbt2_receiver_destroy(rx);
    }

    dvbt2_receiver *rx = nullptr;
    size_t bytes; /* of a sample */
    array_pool cells{"complex64"}, noise{"float32"};
    std::mutex mutex;
};

size_t push(py_receiver &receiver, const py::buffer &samples, size_t start)
{
    const pushed_samples pushed(samples, start, receiver.bytes);
    py::gil_scoped_release release;
    std::lock_guard<std::mutex> lock(receiver.mutex);
    return dvbt2_receiver_push(receiver.rx, pushed.first, pushed.count);
}

py::object pull_cells(py_receiver &receiver, uint32_t output, size_t max)
{
    const locked lock(receiver.mutex);
    const new_array cells = receiver.cells.take(max), noise = receiver.noise.take(max);
    dvbt2_plp_frame frame;
    uint32_t first = 0;
    const size_t count = dvbt2_receiver_pull(receiver.rx, output, max, static_cast<float *>(cells.data),
                                             static_cast<float *>(noise.data), &frame, &first);
    if (count == 0)
        return py::none();
    const py::slice part(0, py::ssize_t(count), 1);
    return py::make_tuple(cells.array[part], noise.array[part], frame, first);
}

py::dict status_of(py_receiver &receiver)
{
    const locked lock(receiver.mutex);
    dvbt2_status s;
    dvbt2_receiver_status(receiver.rx, &s);
    return status_dict(s);
}

std::vector<int32_t> plps_of(py_receiver &receiver)
{
    const locked lock(receiver.mutex);
    std::vector<int32_t> plps(dvbt2_receiver_outputs(receiver.rx));
    for (uint32_t output = 0; output < plps.size(); output++)
        plps[output] = dvbt2_receiver_output_plp(receiver.rx, output);
    return plps;
}

py::object l1_pre(py_receiver &receiver)
{
    const locked lock(receiver.mutex);
    const dvbt2_l1_pre *pre = dvbt2_receiver_l1_pre(receiver.rx);
    return pre ? py::object(l1_pre_dict(*pre)) : py::none();
}

py::object l1_post(py_receiver &receiver)
{
    const locked lock(receiver.mutex);
    const dvbt2_l1_post *post = dvbt2_receiver_l1_post(receiver.rx);
    return post ? py::object(l1_post_dict(*post)) : py::none();
}

py::tuple impulse_response(py_receiver &receiver, size_t max)
{
    const locked lock(receiver.mutex);
    double first = 0, step = 0;
    new_array power(max, "float32");
    const size_t count =
        dvbt2_receiver_impulse_response(receiver.rx, max, static_cast<float *>(power.data), &first, &step);
    return py::make_tuple(power.array[py::slice(0, py::ssize_t(count), 1)], first, step);
}

py::object frequency_response(py_receiver &receiver, size_t max)
{
    const locked lock(receiver.mutex);
    new_array power(max, "float32");
    const size_t count =
        dvbt2_receiver_frequency_response(receiver.rx, max, static_cast<float *>(power.data));
    return power.array[py::slice(0, py::ssize_t(count), 1)];
}

/* Creates a frame. Keyword arguments give its fields and L1 fields. */
dvbt2_plp_frame make_frame(const py::kwargs &given)
{
    dvbt2_plp_frame frame = {};
    frame.frames = 1;
    frame.plp.frame_interval = 1;
    frame.plp.plp_type = DVBT2_PLP_TYPE_1;
    frame.plp.plp_payload_type = DVBT2_PAYLOAD_TS;
    size_t known = 0;
    const auto take = [&](const char *name, auto &field) {
        if (!given.contains(name))
            return;
        field = given[name].cast<std::decay_t<decltype(field)>>();
        known++;
    };
    dvbt2_l1_plp &plp = frame.plp;
    take("frame", frame.frame), take("lost", frame.lost), take("frame_idx", frame.frame_idx);
    take("cells", frame.cells), take("cells_per_block", frame.cells_per_block);
    take("n_blocks", frame.n_blocks), take("ti_blocks", frame.ti_blocks);
    take("frames", frame.frames), take("part", frame.part), take("lite", frame.lite);
    take("has_common", frame.has_common), take("start", frame.start);
    take("plp_id", plp.plp_id), take("plp_type", plp.plp_type);
    take("plp_payload_type", plp.plp_payload_type), take("plp_group_id", plp.plp_group_id);
    take("plp_cod", plp.plp_cod), take("plp_mod", plp.plp_mod), take("plp_rotation", plp.plp_rotation);
    take("plp_fec_type", plp.plp_fec_type), take("frame_interval", plp.frame_interval);
    take("time_il_length", plp.time_il_length), take("time_il_type", plp.time_il_type);
    take("in_band_a_flag", plp.in_band_a_flag), take("in_band_b_flag", plp.in_band_b_flag);
    if (known < given.size())
        throw py::type_error("plp_frame: unknown argument (expected fields of a frame or of its PLP)");
    return frame;
}

void bind_frame(py::module_ &module)
{
    py::class_<dvbt2_plp_frame> cls(
        module, "plp_frame",
        "Parameters of the cells of one PLP in one T2 frame. receiver.pull() creates "
        "it; keyword arguments are the properties below and\nthe fields of the PLP in "
        "L1 with their names in EN 302 755 (plp_id, plp_cod ...). Other names raise "
        "TypeError.");
    cls.def(py::init(&make_frame));
    cls.def_readonly("frame", &dvbt2_plp_frame::frame, "number of the T2 frame, from 0");
    cls.def_readonly("frame_idx", &dvbt2_plp_frame::frame_idx, "FRAME_IDX");
    cls.def_readonly("cells", &dvbt2_plp_frame::cells, "number of cells of this PLP in this T2 frame");
    cls.def_readonly("cells_per_block", &dvbt2_plp_frame::cells_per_block, "cells per FEC block");
    cls.def_readonly("n_blocks", &dvbt2_plp_frame::n_blocks, "FEC blocks per interleaving frame");
    cls.def_readonly("ti_blocks", &dvbt2_plp_frame::ti_blocks,
                     "TI blocks per interleaving frame; 0: no time interleaving");
    cls.def_readonly("frames", &dvbt2_plp_frame::frames, "T2 frames per interleaving frame");
    cls.def_readonly("part", &dvbt2_plp_frame::part,
                     "index of this T2 frame in the interleaving frame, from 0");
    cls.def_readonly("lite", &dvbt2_plp_frame::lite, "whether it is a T2-Lite frame");
    cls.def_readonly("has_common", &dvbt2_plp_frame::has_common, "whether this PLP's group has a common PLP");
    cls.def_readonly("start", &dvbt2_plp_frame::start, "start of the frame in elementary periods T");
    cls.def_property_readonly(
        "plp", [](const dvbt2_plp_frame &frame) { return plp_dict(frame.plp); },
        "fields of the PLP in L1-post, a dict");
    cls.def("__repr__", [](const dvbt2_plp_frame &frame) {
        return "<libdvbt2.plp_frame " + std::to_string(frame.frame) + ": PLP " +
               std::to_string(int(frame.plp.plp_id)) + ", " + std::to_string(frame.cells) + " cells>";
    });
}

} // namespace

void bind_receiver(py::module_ &module)
{
    bind_frame(module);
    module.attr("FIRST_PLP") = int(DVBT2_FIRST_PLP);
    module.attr("COMMON_PLP") = int(DVBT2_COMMON_PLP);
    module.def("sample_rate", &dvbt2_sample_rate, py::arg("bandwidth"),
               "Return 1/T in Hz for a channel bandwidth in MHz: 131/71 MHz for 1.7 MHz, 8/7 of every other "
               "bandwidth. A bandwidth that is not a number raises TypeError.");
    py::class_<py_receiver> cls(module, "receiver",
                                R"(A DVB-T2 receiver (EN 302 755): samples in, cells of PLPs out.

sample_rate  Hz; 0.875/T .. 2.75/T, for a channel of 8 MHz 8e6 .. 25e6; see libdvbt2.sample_rate()
format       sample format, I then Q: "cf32" (complex64), "cs16" (int16), "cs8" (int8), "cu8" (uint8, 127.5 is zero)
bandwidth    channel bandwidth in MHz, more than 0, at most 10
offset       Hz, where the channel's centre is in the samples
profile      "auto" (profile of the first P1 found), "base", "lite"
plps         PLP_ID of each output; FIRST_PLP: the first data PLP, COMMON_PLP - i: the common PLP of output i's group
decision_directed   0 .. 8: how many times at most the channel of a T2 frame with failed codewords is estimated again, from
             pilots and what the decoder knows of the data (SISO); 0 = from pilots only
follow_plps  add outputs for PLPs in L1 that are not in plps: one for the PLP, followed by one for the common PLP of its group

The receiver detects FFT size, guard interval, pilot pattern and all other parameters. An invalid argument raises ValueError.)");
    cls.def(py::init<double, const std::string &, double, double, const std::string &,
                     const std::vector<int32_t> &, uint32_t, bool>(),
            py::arg("sample_rate"), py::arg("format") = "cf32", py::arg("bandwidth") = 8.0,
            py::arg("offset") = 0.0, py::arg("profile") = "auto",
            py::arg("plps") = std::vector<int32_t>{DVBT2_FIRST_PLP}, py::arg("decision_directed") = 0,
            py::arg("follow_plps") = false);
    cls.def("push", &push, py::arg("samples"), py::arg("start") = 0,
            "Process samples from index `start` on; returns the number of accepted samples. If not "
            "all were accepted, call pull() before the next push().\n\n"
            "samples  a contiguous array of the format (complex64, or integers I Q I Q ...), or bytes");
    cls.def_property_readonly(
        "sample_bytes", [](const py_receiver &r) { return r.bytes; }, "bytes per sample");
    cls.def_property_readonly("plps", &plps_of,
                              "PLP of each output, as in the argument; with follow_plps possibly more.");
    cls.def(
        "gap",
        [](py_receiver &r, uint64_t samples) {
            const locked lock(r.mutex);
            dvbt2_receiver_gap(r.rx, samples);
        },
        py::arg("samples") = 0,
        "Report lost samples before the next ones; the rest of the frame is dropped.\n\n"
        "samples  number of lost samples: the packets of this time are counted as lost; 0: unknown, then "
        "FRAME_IDX of the next frame determines it modulo a super-frame");
    cls.def("pull", &pull_cells, py::arg("output") = 0, py::arg("max") = 32768,
            "Return cells of one T2 frame: (cells, noise, frame, first), or None if none are available.\n\n"
            "output  index into plps\n"
            "max     maximum number of cells\n\n"
            "cells  complex64, equalised, mean constellation power 1\n"
            "noise  float32, noise power of each cell; 0 marks an erased cell\n"
            "frame  plp_frame of the cells; first: index of the first cell in it");
    cls.def("status", &status_of,
            "Return the receiver state and measurements as a dict; docs/dvbt2.md explains each value.");
    cls.def("l1_pre", &l1_pre,
            "Return L1-pre of the last frame as a dict with the names of EN 302 755; None before the first.");
    cls.def("l1_post", &l1_post, "Return L1-post of the last frame as a dict; None before the first.");
    cls.def("impulse_response", &impulse_response, py::arg("max") = 4096,
            "Return (power, first_us, step_us): power of each tap, normalised to a sum of 1, a float32 array "
            "of at most max; delay of the first tap and between taps in microseconds.");
    cls.def("frequency_response", &frequency_response, py::arg("max") = 1024,
            "Return |H|^2 over the active carriers, lowest frequency first, mean 1: a float32 array of at "
            "most max.");
}
