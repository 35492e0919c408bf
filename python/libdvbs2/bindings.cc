/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The extension module libdvbs2._libdvbs2: samples in, baseband frames, packets and PDUs out. */
#include "bindings.h"

#include "../require_init.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>

#include <pybind11/stl.h>

#include "ldpc/dvbs2.h"
#include "ldpc/dvbs2_survey.h"
#include "ldpc/version.h"

const char *const kinds[] = {"GFPS", "GCS", "GSE-HEM", "TS"};

/* Returns the name of the counter for a reason why lock was lost, such as "losses_reserved_pls_code". */
static std::string loss_field(dvbs2_loss loss)
{
    std::string name = dvbs2_loss_name(loss);
    for (char &c : name)
        c = c == ' ' ? '_' : char(std::tolower(c));
    return "losses_" + name;
}

py::dict dict_of(const dvbs2_status &s)
{
    py::dict dict;
    dict["state"] = dvbs2_state_name(s.state);
    dict["locked"] = s.state == DVBS2_STATE_TRACKING;
#define FIELD(name) dict[#name] = s.name
    FIELD(mirrored);
    FIELD(level_db);
    FIELD(roll_off);
    FIELD(carrier_hz);
    FIELD(clock_ppm);
    FIELD(esn0_db);
    FIELD(samples);
    FIELD(frames);
    FIELD(dummy_frames);
    FIELD(vlsnr_frames);
    FIELD(failed_frames);
    FIELD(header_errors);
    FIELD(other_frames);
    FIELD(iterations);
    FIELD(packets);
    FIELD(null_packets);
    FIELD(lost_packets);
    FIELD(ts_errors);
    FIELD(pdus);
    FIELD(lost_pdus);
    FIELD(locks);
    FIELD(message);
    FIELD(cd_db);
#undef FIELD
    dict["last_loss"] = dvbs2_loss_name(s.last_loss);
    for (int loss = DVBS2_LOSS_NONE + 1; loss < DVBS2_LOSSES; loss++)
        dict[loss_field(dvbs2_loss(loss)).c_str()] = s.losses[loss];
    return dict;
}

namespace
{

/* Serialises calls from several threads. */
struct py_receiver {
    py_receiver(double sample_rate, double symbol_rate, const std::string &format,
                const std::optional<double> &roll_off, uint32_t gold, int32_t stream, uint32_t max_iterations,
                uint32_t threads, bool cells_only, double offset, double offset_range)
    {
        const sample_type type = sample_type_of(format);
        dvbs2_receiver_params params;
        dvbs2_receiver_params_init(&params);
        params.sample_rate = sample_rate;
        params.symbol_rate = symbol_rate;
        params.format = type.format;
        params.roll_off = roll_off.value_or(0);
        params.gold = gold;
        params.stream = stream;
        params.max_iterations = max_iterations;
        params.threads = threads;
        params.cells_only = cells_only;
        params.offset = offset;
        params.offset_range = offset_range;
        ldpc_error error = {};
        const ldpc_status status = dvbs2_receiver_create(&params, &rx, &error);
        check(status, error.message);
        bytes = type.bytes;
    }
    py_receiver(const py_receiver &) = delete;
    ~py_receiver()
    {
        dvbs2_receiver_destroy(rx);
    }

    dvbs2_receiver *rx = nullptr;
    size_t bytes; /* bytes per sample */
    std::mutex mutex;
};

size_t push(py_receiver &receiver, const py::buffer &samples, size_t start)
{
    const pushed_samples pushed(samples, start, receiver.bytes);
    py::gil_scoped_release release;
    std::lock_guard<std::mutex> lock(receiver.mutex);
    return dvbs2_receiver_push(receiver.rx, pushed.first, pushed.count);
}

/* Returns the header of a baseband frame, or None if it is invalid. */
py::object header_of(const dvbs2_frame &frame)
{
    const ldpc_bb_header &h = frame.header;
    if (!h.valid)
        return py::none();
    py::dict header;
    header["ts_gs"] = kinds[frame.bytes[0] >> 6];
    header["isi"] = h.single_stream ? py::object(py::none()) : py::object(py::int_(h.stream));
    header["constant_coding"] = h.constant_coding;
    header["issy"] = h.issy;
    header["null_deletion"] = h.null_deletion;
    header["roll_off"] = h.roll_off;
    header["upl"] = h.upl;
    header["dfl"] = h.dfl;
    header["syncd"] = h.syncd;
    return header;
}

/* Owns copies of the arrays. The next pull overwrites the original arrays. */
struct py_frame {
    explicit py_frame(const dvbs2_frame &f)
        : values(f), header(header_of(f)), cells(f.n_cells, "complex64"),
          packets(f.n_packets, "uint8", LDPC_TS_PACKET),
          pdus(reinterpret_cast<const char *>(f.pdus), f.pdu_bytes)
    {
        std::copy_n(f.cells, 2 * size_t(f.n_cells), static_cast<float *>(cells.data));
        std::copy_n(f.packets, LDPC_TS_PACKET * f.n_packets, static_cast<uint8_t *>(packets.data));
        if (f.header.valid)
            bytes = py::bytes(reinterpret_cast<const char *>(f.bytes), 10 + (f.header.dfl + 7u) / 8);
    }

    dvbs2_frame values;
    py::object header;
    new_array cells, packets;
    py::bytes bytes, pdus;
};

py::object pull(py_receiver &receiver)
{
    const locked lock(receiver.mutex);
    const dvbs2_frame *frame;
    {
        py::gil_scoped_release release;
        frame = dvbs2_receiver_pull(receiver.rx);
    }
    return frame ? py::cast(std::make_unique<py_frame>(*frame)) : py::none();
}

py::dict status_of(py_receiver &receiver)
{
    const locked lock(receiver.mutex);
    dvbs2_status s;
    dvbs2_receiver_status(receiver.rx, &s);
    return dict_of(s);
}

void bind_frame(py::module_ &module)
{
    py::class_<py_frame> cls(module, "frame", "A received baseband frame (EN 302 307-1).");
#define VALUE(name, doc)                                                                                     \
    cls.def_property_readonly(                                                                               \
        #name, [](const py_frame &f) { return f.values.name; }, doc)
    VALUE(symbol, "number of the first symbol of the PL frame since the receiver's creation");
    VALUE(pls_code, "PLS code of the PL header");
    VALUE(modulation,
          "name of the constellation, as libldpc.demapper takes it; in VL-SNR frames also bpsk and bpsk-s");
    VALUE(code, "name of the LDPC code, as libldpc.code takes it");
    VALUE(esn0_db, "measured Es/N0, dB");
    VALUE(broken, "the frame has bit errors");
    VALUE(iterations, "iterations of the LDPC decoder");
#undef VALUE
    cls.def_property_readonly(
        "pilots", [](const py_frame &f) { return (f.values.pls_code & 1) != 0; }, "the PL frame has pilots");
    cls.def_readonly(
        "header", &py_frame::header,
        "fields of the baseband header as a dict, None if it is invalid: ts_gs (\"TS\", \"GCS\", "
        "\"GFPS\", \"GSE-HEM\"), isi (None: single stream), constant_coding, issy, null_deletion, "
        "roll_off, upl, dfl, syncd");
    cls.def_readonly("bytes", &py_frame::bytes,
                     "header (10 bytes) and data field, descrambled; empty if the header is invalid");
    cls.def_property_readonly(
        "cells", [](const py_frame &f) { return f.cells.array; }, "cells, complex64, mean power 1");
    cls.def_property_readonly(
        "packets", [](const py_frame &f) { return f.packets.array; },
        "transport stream packets, uint8 of shape (packets, 188); those with errors are marked");
    cls.def_readonly("pdus", &py_frame::pdus,
                     "PDUs of a GSE stream or packets of a generic stream, each after its length of 2 bytes");
}

void bind_receiver(py::module_ &module)
{
    py::class_<py_receiver> cls(
        module, "receiver",
        R"(A DVB-S2 and S2X receiver (EN 302 307-1 and -2): samples in, baseband frames, packets and PDUs out.

sample_rate     Hz, at least 1.1 samples per symbol
symbol_rate     baud, within 200 ppm
format          sample format, I then Q: "cf32" (complex64), "cs16" (int16), "cs8" (int8), "cu8" (uint8, 127.5 is zero)
roll_off        0.05 .. 0.35; None: detected
gold            gold code of the PL scrambling, 0 .. 262141
stream          ISI whose frames are output, 0 .. 255; -1 = all
max_iterations  maximum number of LDPC iterations per frame, 0 .. 10000
threads         1, or 2: a thread of the receiver filters the samples and recovers the timing
cells_only      True: frames have cells but are not decoded. They have no header, bytes, packets or PDUs
offset          expected carrier offset, Hz: of several carriers with this symbol rate, the nearest is received
offset_range    maximum difference of the carrier from `offset`, Hz; then the sample rate is halved while this part of the
                band passes, and at most 64 samples per symbol may remain. 0: the carrier may be anywhere in the band,
                which has at most 64 samples per symbol

The receiver finds carrier, clock, spectrum, and the MODCOD of each frame. An invalid argument raises ValueError.)");
    cls.def(py::init<double, double, const std::string &, const std::optional<double> &, uint32_t, int32_t,
                     uint32_t, uint32_t, bool, double, double>(),
            py::arg("sample_rate"), py::arg("symbol_rate"), py::arg("format") = "cf32",
            py::arg("roll_off") = py::none(), py::arg("gold") = 0, py::arg("stream") = -1,
            py::arg("max_iterations") = 50, py::arg("threads") = 1, py::arg("cells_only") = false,
            py::arg("offset") = 0.0, py::arg("offset_range") = 0.0);
    cls.def("push", &push, py::arg("samples"), py::arg("start") = 0,
            "Process samples from index `start` on; returns the number of accepted samples. If not "
            "all were accepted, pull all frames before the next push().\n\n"
            "samples  a contiguous array of the format (complex64, or integers I Q I Q ...), or bytes");
    cls.def_property_readonly(
        "sample_bytes", [](const py_receiver &r) { return r.bytes; }, "bytes per sample");
    cls.def("pull", &pull,
            "Decode and return the next frame of a selected stream; None if more samples are needed.");
    cls.def(
        "gap",
        [](py_receiver &r) {
            const locked lock(r.mutex);
            dvbs2_receiver_gap(r.rx);
        },
        "Report missing samples before the next ones: frames are searched again.");
    cls.def(
        "finish",
        [](py_receiver &r) {
            const locked lock(r.mutex);
            dvbs2_receiver_finish(r.rx);
        },
        "Report the end of the samples: pull() then returns the last frames.");
    cls.def("status", &status_of,
            "Return the receiver state and measurements as a dict; docs/dvbs2.md explains each value.");
}

/* ---- survey */

py::dict carrier_of(const dvbs2_survey_carrier &c)
{
    py::dict dict;
    py::list modcods;
    for (uint32_t i = 0; i < c.n_modcods; i++) {
        py::dict modcod;
        modcod["modulation"] = c.modcods[i].modulation;
        modcod["code"] = c.modcods[i].code;
        modcod["pls_code"] = c.modcods[i].pls_code;
        modcod["pilots"] = (c.modcods[i].pls_code & 1) != 0;
        modcod["frames"] = c.modcods[i].frames;
        modcods.append(modcod);
    }
    dict["standard"] = dvbs2_standard_name(c.standard);
#define FIELD(name) dict[#name] = c.name
    FIELD(frequency);
    FIELD(symbol_rate);
    FIELD(roll_off);
    FIELD(esn0_db);
    FIELD(level_db);
    FIELD(mirrored);
    FIELD(dummy_frames);
    FIELD(vlsnr_frames);
    FIELD(code_rate);
#undef FIELD
    dict["gold"] = c.gold < 0 ? py::object(py::none()) : py::object(py::int_(c.gold));
    dict["modcods"] = modcods;
    return dict;
}

py::list survey(const py::buffer &samples, double sample_rate, const std::string &format,
                const std::vector<uint32_t> &gold, double least_rate, const py::iterable &more_samples)
{
    const sample_type type = sample_type_of(format);
    const pushed_samples pushed(samples, 0, type.bytes);
    dvbs2_survey_params params;
    dvbs2_survey_params_init(&params);
    params.sample_rate = sample_rate;
    params.format = type.format;
    params.least_rate = least_rate;
    params.gold = gold.data();
    params.n_gold = gold.size();
    ldpc_error error = {};
    dvbs2_survey *made = nullptr;
    ldpc_status status;
    {
        py::gil_scoped_release release;
        status = dvbs2_survey_create(&params, pushed.first, pushed.count, &made, &error);
    }
    check(status, error.message);
    const std::unique_ptr<dvbs2_survey, decltype(&dvbs2_survey_destroy)> owner(made, &dvbs2_survey_destroy);
    bool more = true; /* each call before the last one gets samples */
    for (auto chunk = more_samples.begin(); more && chunk != more_samples.end(); ++chunk) {
        const pushed_samples next(py::buffer(py::reinterpret_borrow<py::object>(*chunk)), 0, type.bytes);
        py::gil_scoped_release release;
        status = next.count ? dvbs2_survey_continue(made, next.first, next.count, &more, &error) : LDPC_OK;
        if (status)
            break;
    }
    check(status, error.message);
    if (more) {
        py::gil_scoped_release release;
        status = dvbs2_survey_continue(made, nullptr, 0, &more, &error);
    }
    check(status, error.message);
    py::list carriers;
    for (size_t i = 0; const dvbs2_survey_carrier *c = dvbs2_survey_list(made, i); i++)
        carriers.append(carrier_of(*c));
    const char *note = dvbs2_survey_note(made);
    if (*note && PyErr_WarnEx(PyExc_RuntimeWarning, note, 1) < 0)
        throw py::error_already_set();
    return carriers;
}

void bind_survey(py::module_ &module)
{
    module.def("survey", &survey, py::arg("samples"), py::arg("sample_rate"), py::arg("format") = "cf32",
               py::arg("gold") = std::vector<uint32_t>(), py::arg("least_rate") = 30e3,
               py::arg("more") = py::tuple(),
               R"(Return the carriers in a band as a list of dicts, in the order of their frequencies.

samples      a contiguous array of the format (complex64, or integers I Q I Q ...), or bytes; at least 16384 samples, of
             which at most 2^24 are used. 100000 symbols of a carrier suffice for its MODCODs
sample_rate  Hz
format       sample format, as for receiver
gold         gold codes that are tried before those of the standard
least_rate   lowest symbol rate, baud
more         iterable of further samples, of any length, which are read while the samples contain less than 262144 symbols
             of a narrow carrier whose standard or gold code is unknown; the first of them may be the same samples again

Values of each dict: standard ("DVB-S2", "DVB-S2X", "DVB-S", "DVB-S2 time slicing", "DVB-S2X superframes",
"unknown"), frequency (Hz, relative to the centre of the samples), symbol_rate (baud), roll_off, esn0_db, level_db (dBFS), mirrored, gold (None: unknown), dummy_frames,
vlsnr_frames, code_rate (of DVB-S, otherwise ""), and modcods, a list of dicts with modulation, code, pls_code, pilots and
frames. A RuntimeWarning is issued if the survey did not examine the whole spectrum. An invalid argument raises
ValueError.)");
}

} // namespace

PYBIND11_MODULE(_libdvbs2, module)
{
    module.attr("__version__") = LDPC_VERSION_STRING;
    bind_frame(module);
    bind_receiver(module);
    bind_survey(module);
    bind_band(module);
    require_init(module);
}
