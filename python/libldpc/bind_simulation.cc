/* SPDX-License-Identifier: BSD-3-Clause */
/* libldpc.simulate and libldpc.noisy_frames: error rates over the AWGN channel, counted in C. */
#include "py_decoder.h"

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? double(part) / double(whole) : 0.0;
}

static ldpc_sim_params sim_params(double ebn0, uint64_t seed, uint64_t first_frame)
{
    ldpc_sim_params params;
    ldpc_sim_params_init(&params);
    params.ebn0_db = ebn0;
    params.seed = seed;
    params.first_frame = first_frame;
    return params;
}

static ldpc_sim_result simulate(py_decoder &decoder, double ebn0, uint64_t max_frames,
                                uint64_t max_frame_errors, uint64_t seed, uint64_t first_frame)
{
    ldpc_sim_params params = sim_params(ebn0, seed, first_frame);
    params.max_frames = max_frames;
    params.max_frame_errors = max_frame_errors;
    ldpc_sim_result result = {};
    ldpc_error error = {};
    check(decoder.alone([&] { return ldpc_sim_run(decoder.get(), &params, &result, &error); }), error);
    return result;
}

/* Message and LLRs of frames first_frame .. first_frame + count - 1. */
static py::tuple noisy_frames(const py::object &name_or_code, double ebn0, size_t count, uint64_t seed,
                              uint64_t first_frame, float llr_scale, const std::string &dtype)
{
    if (count == 0 || (dtype != "int8" && dtype != "float32"))
        throw py::value_error("noisy_frames: expected count >= 1 and dtype \"int8\" or \"float32\"");
    py_code code = to_code(name_or_code);
    ldpc_sim_params params = sim_params(ebn0, seed, first_frame);
    py::ssize_t words = py::ssize_t(count), n = py::ssize_t(code.n());
    bool floating = dtype == "float32";
    py::array_t<uint8_t> messages({words, py::ssize_t(code.k())});
    py::array llrs =
        floating ? py::array(py::array_t<float>({words, n})) : py::array(py::array_t<int8_t>({words, n}));
    uint8_t *message = messages.mutable_data();
    void *llr = llrs.mutable_data();
    ldpc_status status = LDPC_OK;
    {
        py::gil_scoped_release release;
        for (size_t f = 0; f < count && status == LDPC_OK; f++)
            status = ldpc_sim_frame(code.get(), &params, llr_scale, first_frame + f, message + f * code.k(),
                                    floating ? nullptr : static_cast<int8_t *>(llr) + f * code.n(),
                                    floating ? static_cast<float *>(llr) + f * code.n() : nullptr);
    }
    if (status == LDPC_ERR_PARAM)
        throw py::value_error("noisy_frames: ebn0 " + std::string(py::str(py::float_(ebn0))) +
                              ": expected -100 .. 100 dB");
    if (status != LDPC_OK)
        raise_status(status, "");
    return py::make_tuple(messages, llrs);
}

static void bind_result(py::module_ &module)
{
    using result = ldpc_sim_result;
    py::class_<result> cls(module, "simulation", "What simulate() counted; information bits.");
    cls.def_readonly("frames", &result::frames);
    cls.def_readonly("frame_errors", &result::frame_errors);
    cls.def_readonly("bits", &result::bits, "information bits of all frames");
    cls.def_readonly("bit_errors", &result::bit_errors);
    cls.def_readonly("symbols", &result::symbols, "information symbols of all frames");
    cls.def_readonly("symbol_errors", &result::symbol_errors);
    cls.def_readonly("undetected", &result::undetected, "frames that converged, but to another codeword");
    cls.def_readonly("iterations", &result::iterations, "sum over all frames");
    cls.def_readonly("channel_errors", &result::channel_errors, "hard-decision errors before decoding");
    cls.def_readonly("decode_seconds", &result::decode_seconds, "time inside the decoder");
    cls.def_property_readonly(
        "ber", [](const result &r) { return ratio(r.bit_errors, r.bits); }, "bit_errors / bits");
    cls.def_property_readonly(
        "ser", [](const result &r) { return ratio(r.symbol_errors, r.symbols); }, "symbol_errors / symbols");
    cls.def_property_readonly(
        "fer", [](const result &r) { return ratio(r.frame_errors, r.frames); }, "frame_errors / frames");
    cls.def_property_readonly(
        "average_iterations", [](const result &r) { return ratio(r.iterations, r.frames); },
        "iterations / frames");
    cls.def("__repr__", [](const result &r) {
        return "<libldpc.simulation: " + std::to_string(r.frames) + " frames, " +
               std::to_string(r.frame_errors) + " frame errors, " + std::to_string(r.bit_errors) +
               " bit errors>";
    });
}

void bind_simulation(py::module_ &module)
{
    bind_result(module);
    module.def("simulate", simulate, py::arg("decoder"), py::arg("ebn0"), py::arg("max_frames") = 1000,
               py::arg("max_frame_errors") = 100, py::arg("seed") = 1, py::arg("first_frame") = 0,
               R"(Simulate one point of an error-rate curve: random words, BPSK, AWGN, decoding.

decoder           a libldpc.decoder with nothing in flight
ebn0              Eb/N0 in dB, Eb per information bit
max_frames        stop after so many frames
max_frame_errors  stop at the frame that reaches so many frame errors, 0 = never
seed              the same seed gives the same frames
first_frame       number of the first frame: every frame is made from (seed, number) alone, so that a point can be
                  continued or split over machines

Returns a libldpc.simulation. The counts depend on code, decoder parameters and these arguments only.)");
    module.def("noisy_frames", noisy_frames, py::arg("code"), py::arg("ebn0"), py::arg("count") = 1,
               py::arg("seed") = 1, py::arg("first_frame") = 0, py::arg("llr_scale") = LDPC_DEFAULT_LLR_SCALE,
               py::arg("dtype") = "int8",
               R"(The frames that simulate() decodes, to look at them or to decode them otherwise.

ebn0       Eb/N0 in dB
llr_scale  int8 LLR steps per nat
dtype      "int8" (steps of 1/llr_scale nat) or "float32" (nat)

Returns (messages, llrs): uint8 array (count, k) and int8 or float32 array (count, n).)");
}
