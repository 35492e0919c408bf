/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libdvbs2.band: all carriers of a band. */
#include "bindings.h"

#include <array>
#include <atomic>
#include <map>
#include <optional>
#include <tuple>

#include <pybind11/stl.h>

#include "ldpc/dvbs2_band.h"

namespace
{

/* Consecutive frames of a stream. */
struct output {
    uint8_t kind;
    int32_t isi; /* -1: single stream */
    uint64_t frames, failed_frames;
    std::string packets, pdus;
};

/* What a carrier has received. The threads of the band write it. */
struct outputs_of_carrier {
    std::mutex mutex;
    std::vector<output> outputs;
    /* by modulation, code and pilots: frames, failed frames, iterations */
    std::map<std::tuple<std::string, std::string, bool>, std::array<uint64_t, 3>> modcods;
};

/* Returns a value of a carrier, None if it is missing. Raises ValueError for another type. */
template <typename T>
T value_of(const py::dict &carrier, size_t number, const char *name, const char *expected)
{
    const py::object value = carrier.attr("get")(name);
    try {
        return value.cast<T>();
    } catch (const py::cast_error &) {
        throw py::value_error("carrier " + std::to_string(number) + ": " + name + ": expected " + expected +
                              ", not " + std::string(py::repr(value)));
    }
}

struct py_band {
    py_band(const std::vector<py::dict> &list, double sample_rate, const std::string &format,
            uint32_t threads, uint32_t max_iterations, const std::string &backend, bool fallback)
        : carriers(list.size())
    {
        const sample_type type = sample_type_of(format);
        std::vector<dvbs2_receiver_params> receivers(list.size() + 1);
        for (size_t i = 0; i < list.size(); i++) {
            dvbs2_receiver_params_init(&receivers[i]);
            receivers[i].offset = value_of<double>(list[i], i, "frequency", "a number in Hz");
            receivers[i].symbol_rate = value_of<double>(list[i], i, "symbol_rate", "a number in baud");
            receivers[i].max_iterations = max_iterations;
            receivers[i].roll_off =
                value_of<std::optional<double>>(list[i], i, "roll_off", "0.05 .. 0.35, or None").value_or(0);
            receivers[i].gold =
                value_of<std::optional<uint32_t>>(list[i], i, "gold", "0 .. 262141, or None").value_or(0);
        }
        dvbs2_band_params params;
        dvbs2_band_params_init(&params);
        params.sample_rate = sample_rate;
        params.format = type.format;
        params.threads = threads;
        params.backend = backend.c_str();
        params.fallback = fallback;
        params.frame = [](void *own, size_t carrier, const dvbs2_frame *frame) {
            py_band *const self = static_cast<py_band *>(own);
            try {
                self->take(carrier, *frame);
            } catch (const std::exception &) { /* the callers are C functions */
                self->out_of_memory = true;
            }
        };
        params.context = this;
        ldpc_error error = {};
        ldpc_status status;
        {
            py::gil_scoped_release release; /* the FFTs are planned */
            status = dvbs2_band_create(&params, receivers.data(), list.size(), &band, &error);
        }
        check(status, error.message);
        if (*error.message && PyErr_WarnEx(PyExc_RuntimeWarning, error.message, 1) != 0) {
            dvbs2_band_destroy(band);
            throw py::error_already_set();
        }
        bytes = type.bytes;
    }
    py_band(const py_band &) = delete;
    ~py_band()
    {
        py::gil_scoped_release release;
        dvbs2_band_destroy(band);
    }

    void take(size_t carrier, const dvbs2_frame &frame)
    {
        outputs_of_carrier &c = carriers[carrier];
        std::lock_guard<std::mutex> lock(c.mutex);
        auto &counts = c.modcods[{frame.modulation, frame.code, (frame.pls_code & 1) != 0}];
        counts[0]++;
        counts[1] += frame.broken;
        counts[2] += frame.iterations;
        if (!frame.header.valid)
            return;
        const uint8_t kind = frame.bytes[0] >> 6;
        const int32_t isi = frame.header.single_stream ? -1 : frame.header.stream;
        if (c.outputs.empty() || c.outputs.back().kind != kind || c.outputs.back().isi != isi)
            c.outputs.push_back({kind, isi, 0, 0, "", ""});
        output &last = c.outputs.back();
        last.frames++;
        last.failed_frames += frame.broken;
        last.packets.append(reinterpret_cast<const char *>(frame.packets), LDPC_TS_PACKET * frame.n_packets);
        last.pdus.append(reinterpret_cast<const char *>(frame.pdus), frame.pdu_bytes);
    }

    dvbs2_band *band = nullptr;
    size_t bytes; /* bytes per sample */
    std::vector<outputs_of_carrier> carriers;
    std::atomic<bool> out_of_memory{false}; /* frames were lost since the last pull() */
    std::mutex mutex;                       /* serialises calls from several threads */
};

void push_band(py_band &band, const py::buffer &samples)
{
    const pushed_samples pushed(samples, 0, band.bytes);
    py::gil_scoped_release release;
    std::lock_guard<std::mutex> lock(band.mutex);
    dvbs2_band_push(band.band, pushed.first, pushed.count);
}

py::list pull_band(py_band &band)
{
    if (band.out_of_memory.exchange(false))
        check(LDPC_ERR_MEMORY, "out of memory: frames were lost");
    py::list list;
    for (size_t i = 0; i < band.carriers.size(); i++) {
        std::vector<output> outputs;
        {
            py::gil_scoped_release release;
            std::lock_guard<std::mutex> lock(band.carriers[i].mutex);
            outputs.swap(band.carriers[i].outputs);
        }
        for (const output &o : outputs) {
            py::dict dict;
            dict["carrier"] = i;
            dict["isi"] = o.isi < 0 ? py::object(py::none()) : py::object(py::int_(o.isi));
            dict["ts_gs"] = kinds[o.kind];
            dict["frames"] = o.frames;
            dict["failed_frames"] = o.failed_frames;
            dict["packets"] = py::bytes(o.packets);
            dict["pdus"] = py::bytes(o.pdus);
            list.append(dict);
        }
    }
    return list;
}

py::dict status_of_carrier(py_band &band, size_t carrier)
{
    if (carrier >= band.carriers.size())
        throw py::index_error("carrier " + std::to_string(carrier) + ": the band has " +
                              std::to_string(band.carriers.size()));
    outputs_of_carrier &c = band.carriers[carrier];
    dvbs2_status s;
    {
        py::gil_scoped_release release;
        std::lock_guard<std::mutex> lock(band.mutex);
        dvbs2_band_status(band.band, carrier, &s);
    }
    py::dict dict = dict_of(s);
    py::list modcods;
    const locked lock(c.mutex);
    for (const auto &[name, counts] : c.modcods) {
        py::dict modcod;
        modcod["modulation"] = std::get<0>(name);
        modcod["code"] = std::get<1>(name);
        modcod["pilots"] = std::get<2>(name);
        modcod["frames"] = counts[0];
        modcod["failed_frames"] = counts[1];
        modcod["iterations"] = counts[2];
        modcods.append(modcod);
    }
    dict["modcods"] = modcods;
    return dict;
}

} // namespace

void bind_band(py::module_ &module)
{
    py::class_<py_band> cls(module, "band",
                            R"(Receives all carriers of a band at the same time, with several threads.

carriers        list of dicts, as survey() returns them, of which frequency (Hz), symbol_rate (baud, within 200 ppm), roll_off
                (None: detected) and gold (None: 0) are used
sample_rate     Hz
format          sample format, as for receiver
threads         threads that receive, 1 .. 1024; 0: one for each core
max_iterations  maximum number of LDPC iterations per frame, 0 .. 10000
backend         where the LDPC codes are decoded, as for libldpc.decoder; a GPU decodes the frames of all carriers in batches
fallback        warn and use the CPU if the GPU cannot be used

An invalid argument raises ValueError, a GPU that cannot be used RuntimeError.)");
    cls.def(py::init<const std::vector<py::dict> &, double, const std::string &, uint32_t, uint32_t,
                     const std::string &, bool>(),
            py::arg("carriers"), py::arg("sample_rate"), py::arg("format") = "cf32", py::arg("threads") = 0,
            py::arg("max_iterations") = 50, py::arg("backend") = "cpu", py::arg("fallback") = false);
    cls.def("push", &push_band, py::arg("samples"),
            "Push samples: a contiguous array of the format (complex64, or integers I Q I Q ...), or bytes. "
            "Waits while the queue of the threads is full. Frames are kept until pull() is called.");
    cls.def_property_readonly(
        "sample_bytes", [](const py_band &b) { return b.bytes; }, "bytes per sample");
    cls.def("pull", &pull_band,
            "Return what was received since the last call: a list of dicts with carrier (index in "
            "`carriers`), isi (None: "
            "single stream), ts_gs (\"TS\", \"GCS\", \"GFPS\", \"GSE-HEM\"), frames, failed_frames, packets "
            "(bytes, those "
            "with errors are marked) and pdus (bytes, each PDU after its length of 2 bytes). Frames whose "
            "header is "
            "invalid are not in it. MemoryError: frames were lost.");
    cls.def(
        "gap",
        [](py_band &b) {
            const locked lock(b.mutex);
            dvbs2_band_gap(b.band);
        },
        "Report missing samples before the next ones: frames are searched again.");
    cls.def(
        "finish",
        [](py_band &b) {
            py::gil_scoped_release release;
            std::lock_guard<std::mutex> lock(b.mutex);
            dvbs2_band_finish(b.band);
        },
        "Report the end of the samples, and wait until all frames are received: pull() then returns the last "
        "ones.");
    cls.def("status", &status_of_carrier, py::arg("carrier"),
            "Return state and measurements of a carrier as a dict, with the values of receiver.status() and "
            "modcods: a "
            "list of dicts with "
            "modulation, code, pilots, frames, failed_frames and iterations. IndexError: no such carrier.");
}
