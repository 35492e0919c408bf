/* SPDX-License-Identifier: BSD-3-Clause */
/* Binds libldpc.simulate(), simulate_blocks() and noisy_frames(). */
#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>

#include "py_decoder.h"
#include "py_demapper.h"

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? double(part) / double(whole) : 0.0;
}

template <typename Value>
static void parse_name(const char *what, const std::string &name, Value &value,
                       ldpc_status (*parse)(const char *, Value *), const char *(*name_of)(Value),
                       const char *other = "")
{
    if (parse(name.c_str(), &value) == LDPC_OK)
        return;
    std::string known;
    for (int i = 0; std::string(name_of(Value(i))) != "unknown"; i++)
        known += std::string(i ? ", " : "") + name_of(Value(i));
    throw py::value_error(std::string(what) + " \"" + name + "\": expected one of " + known + other);
}

/* Arguments that determine the frames of a simulated point. */
struct channel_arguments {
    py::object modulation = py::str("bpsk"); /* name or demapper */
    std::string fading = "none", channel = "awgn";
    bool esn0 = false, zero_codeword = false;
    uint32_t point = 0;
};

static ldpc_sim_params sim_params(double ebn0, uint64_t seed, uint64_t first_frame,
                                  const channel_arguments &channel)
{
    ldpc_sim_params params;
    ldpc_sim_params_init(&params);
    parse_name("channel", channel.channel, params.channel, ldpc_sim_channel_parse, ldpc_sim_channel_name);
    (params.channel == LDPC_CHANNEL_AWGN ? params.ebn0_db : params.probability) = ebn0;
    params.seed = seed;
    params.first_frame = first_frame;
    if (py::isinstance<py_demapper>(channel.modulation))
        params.demapper = channel.modulation.cast<const py_demapper &>().get();
    else if (!py::isinstance<py::str>(channel.modulation))
        throw py::type_error("modulation: expected a name or a libldpc.demapper");
    else
        parse_name("modulation", channel.modulation.cast<std::string>(), params.modulation,
                   ldpc_modulation_parse, ldpc_modulation_name, ", or a libldpc.demapper");
    parse_name("fading", channel.fading, params.fading, ldpc_fading_parse, ldpc_fading_name);
    params.esn0 = channel.esn0;
    params.zero_codeword = channel.zero_codeword;
    params.point = channel.point;
    return params;
}

/* Returns the argument if it is a decoder. Otherwise creates a decoder for the code. */
static py::object decoder_of(const py::object &decoder)
{
    return py::isinstance<py_decoder>(decoder) ? decoder : py::type::of<py_decoder>()(decoder);
}

/* A simulation is divided into pieces of about PIECE_SECONDS. `stop` is checked between two pieces. */
class pieces
{
  public:
    explicit pieces(size_t first) : d_frames(whole_blocks(double(first))) {}
    uint64_t next(uint64_t left)
    {
        d_start = timer::now();
        return d_now = std::min(left, d_frames);
    }
    void done()
    {
        const double seconds = std::chrono::duration<double>(timer::now() - d_start).count();
        const double fitting = double(d_now) * PIECE_SECONDS / std::max(seconds, 1e-6);
        d_frames = whole_blocks(std::min(fitting, 4.0 * double(d_frames)));
    }

  private:
    using timer = std::chrono::steady_clock;
    static constexpr double PIECE_SECONDS = 0.3;
    static uint64_t whole_blocks(double frames)
    {
        return LDPC_SIM_BLOCK * std::max<uint64_t>(1, uint64_t(frames) / LDPC_SIM_BLOCK);
    }
    uint64_t d_frames, d_now = 0;
    timer::time_point d_start;
};

static void add(ldpc_sim_result &sum, const ldpc_sim_result &part)
{
    sum.frames += part.frames;
    sum.frame_errors += part.frame_errors;
    sum.bits += part.bits;
    sum.bit_errors += part.bit_errors;
    sum.symbols += part.symbols;
    sum.symbol_errors += part.symbol_errors;
    sum.undetected += part.undetected;
    sum.iterations += part.iterations;
    sum.channel_errors += part.channel_errors;
}

/* Pieces have whole blocks, so the counts do not depend on the pieces. */
static ldpc_status run_point(ldpc_decoder *decoder, ldpc_sim_params params, const stop_flag &stop,
                             ldpc_sim_result &sum, ldpc_error &error)
{
    const uint64_t frames = params.max_frames, errors = params.max_frame_errors, first = params.first_frame;
    ldpc_status status = LDPC_OK;
    pieces piece(ldpc_decoder_good_batch(decoder));
    do {
        params.first_frame = first + sum.frames;
        params.max_frames = piece.next(frames - sum.frames);
        params.max_frame_errors = errors ? errors - sum.frame_errors : 0;
        ldpc_sim_result part = {};
        status = ldpc_sim_run(decoder, &params, &part, &error);
        add(sum, part);
        piece.done();
    } while (status == LDPC_OK && !stop && sum.frames < frames && (!errors || sum.frame_errors < errors));
    return status;
}

static ldpc_sim_result simulate(const channel_arguments &channel, const py::object &decoder_or_code,
                                double ebn0, uint64_t max_frames, uint64_t max_frame_errors, uint64_t seed,
                                uint64_t first_frame)
{
    if (max_frames == 0)
        throw py::value_error("max_frames 0: expected 1 or more frames");
    ldpc_sim_params params = sim_params(ebn0, seed, first_frame, channel);
    params.max_frames = max_frames;
    params.max_frame_errors = max_frame_errors;
    const py::object owner = decoder_of(decoder_or_code);
    auto &decoder = owner.cast<py_decoder &>();
    struct outcome {
        ldpc_sim_result result = {};
        ldpc_error error = {};
    };
    const auto out = std::make_shared<outcome>();
    check(decoder.alone([=, handle = decoder.get()](const stop_flag &stop) {
        return run_point(handle, params, stop, out->result, out->error);
    }),
          out->error);
    return out->result;
}

static py::dtype block_dtype()
{
    const std::string iterations = std::to_string(LDPC_SIM_BLOCK) + "u2";
    return record_dtype(
        {
            {"failed",         "u8",               offsetof(ldpc_sim_block, failed)        },
            {"undetected",     "u8",               offsetof(ldpc_sim_block, undetected)    },
            {"bit_errors",     "u8",               offsetof(ldpc_sim_block, bit_errors)    },
            {"symbol_errors",  "u8",               offsetof(ldpc_sim_block, symbol_errors) },
            {"channel_errors", "u8",               offsetof(ldpc_sim_block, channel_errors)},
            {"frames",         "u4",               offsetof(ldpc_sim_block, frames)        },
            {"iterations",     iterations.c_str(), offsetof(ldpc_sim_block, iterations)    }
    },
        sizeof(ldpc_sim_block));
}

/* Returns blocks as C structs with padding. numpy.concatenate() removes the padding. */
static py::array blocks_of(const py::array &blocks)
{
    const py::dtype expected = block_dtype();
    if (!py::object(blocks.dtype().attr("names")).equal(expected.attr("names")))
        throw py::type_error("blocks: expected an array of simulate_blocks(), not " + describe(blocks));
    return blocks.attr("astype")(expected, py::arg("order") = "C", py::arg("copy") = false);
}

static const ldpc_sim_block *records_of(const py::array &blocks)
{
    return static_cast<const ldpc_sim_block *>(blocks.data());
}

static ldpc_status run_blocks(ldpc_decoder *decoder, const ldpc_sim_params &params, uint64_t first_block,
                              uint64_t frames, ldpc_sim_block *records, const stop_flag &stop,
                              ldpc_error &error)
{
    ldpc_status status = LDPC_OK;
    pieces piece(ldpc_decoder_good_batch(decoder));
    uint64_t done = 0;
    do {
        const uint64_t count = piece.next(frames - done), block = done / LDPC_SIM_BLOCK;
        status = ldpc_sim_blocks(decoder, &params, first_block + block, count, records + block, &error);
        done += count;
        piece.done();
    } while (status == LDPC_OK && !stop && done < frames);
    return status;
}

static py::array simulate_blocks(const channel_arguments &channel, const py::object &decoder_or_code,
                                 double ebn0, uint64_t first_block, uint64_t frames, uint64_t seed)
{
    ldpc_sim_params params = sim_params(ebn0, seed, 0, channel);
    const py::object owner = decoder_of(decoder_or_code);
    auto &decoder = owner.cast<py_decoder &>();
    const auto count = py::ssize_t((frames + LDPC_SIM_BLOCK - 1) / LDPC_SIM_BLOCK);
    py::array blocks = new_array(block_dtype(), {count});
    auto *records = static_cast<ldpc_sim_block *>(blocks.mutable_data());
    const auto error = std::make_shared<ldpc_error>();
    check(decoder.alone([=, kept = py::object(blocks), handle = decoder.get()](const stop_flag &stop) {
        return run_blocks(handle, params, first_block, frames, records, stop, *error);
    }),
          *error);
    return blocks;
}

/* Adds blocks to the counts of a point. Returns the number of added blocks. */
static size_t add_blocks(ldpc_sim_result &result, const py::object &name_or_code, const py::array &added,
                         uint64_t max_frames, uint64_t max_frame_errors)
{
    const py::array blocks = blocks_of(added);
    ldpc_sim_params params;
    ldpc_sim_params_init(&params);
    params.max_frames = max_frames;
    params.max_frame_errors = max_frame_errors;
    return ldpc_sim_count(to_code(name_or_code).get(), &params, records_of(blocks), size_t(blocks.size()),
                          &result);
}

/* Returns the number of frames for each number of iterations. Eight histograms are filled in turn, so that an
 * increment need not wait for the previous one. */
static py::array_t<int64_t> iterations_histogram(const py::array &counted)
{
    constexpr uint32_t ways = 8;
    std::vector<std::array<int64_t, ways>> count(1);
    const py::array blocks = blocks_of(counted);
    const ldpc_sim_block *block = records_of(blocks);
    for (py::ssize_t b = 0; b < blocks.size(); b++) {
        const uint16_t *iterations = block[b].iterations;
        const uint32_t frames = std::min<uint32_t>(block[b].frames, LDPC_SIM_BLOCK);
        uint16_t most = 0;
        for (uint32_t i = 0; i < frames; i++)
            most = std::max(most, iterations[i]);
        if (most >= count.size())
            count.resize(most + 1u);
        auto *of = count.data();
        uint32_t i = 0;
        for (; i + ways <= frames; i += ways)
            for (uint32_t way = 0; way < ways; way++)
                of[iterations[i + way]][way]++;
        for (; i < frames; i++)
            of[iterations[i]][0]++;
    }
    auto histogram = new_array<int64_t>({py::ssize_t(count.size())});
    for (size_t i = 0; i < count.size(); i++)
        histogram.mutable_at(i) = std::accumulate(count[i].begin(), count[i].end(), int64_t(0));
    return histogram;
}

/* Returns messages and LLRs of frames first_frame .. first_frame + count - 1. */
static py::tuple noisy_frames(const channel_arguments &channel, const py::object &name_or_code, double ebn0,
                              size_t count, uint64_t seed, uint64_t first_frame, float llr_scale,
                              const py::object &dtype)
{
    const std::string type = py::str(py::module_::import("numpy").attr("dtype")(dtype).attr("name"));
    if (count == 0 || (type != "int8" && type != "float32"))
        throw py::value_error("noisy_frames: expected count >= 1 and dtype \"int8\" or \"float32\"");
    py_code code = to_code(name_or_code);
    ldpc_sim_params params = sim_params(ebn0, seed, first_frame, channel);
    const auto codewords = py::ssize_t(count), n = py::ssize_t(code.n()), k = py::ssize_t(code.k());
    const bool floating = type == "float32";
    auto messages = new_array<uint8_t>({codewords, k});
    py::array llrs =
        floating ? py::array(new_array<float>({codewords, n})) : py::array(new_array<int8_t>({codewords, n}));
    uint8_t *message = messages.mutable_data();
    void *llr = llrs.mutable_data();
    const auto error = std::make_shared<ldpc_error>();
    check(interruptible([=, kept = py::make_tuple(messages, llrs)](const stop_flag &stop) mutable {
              pieces piece(LDPC_SIM_BLOCK);
              ldpc_status status = LDPC_OK;
              for (size_t done = 0, now; status == LDPC_OK && !stop && done < count; done += now) {
                  now = piece.next(count - done);
                  params.first_frame = first_frame + done;
                  status =
                      ldpc_sim_frames(code.get(), &params, llr_scale, now, message + done * k,
                                      floating ? nullptr : static_cast<int8_t *>(llr) + done * n,
                                      floating ? static_cast<float *>(llr) + done * n : nullptr, error.get());
                  piece.done();
              }
              return status;
          }),
          *error);
    return py::make_tuple(messages, llrs);
}

static void bind_result(py::module_ &module)
{
    using result = ldpc_sim_result;
    py::class_<result> cls(module, "simulation",
                           "Counts of simulate(). Bits and symbols are information bits and symbols.");
    cls.def_readwrite("frames", &result::frames, "decoded frames");
    cls.def_readwrite("frame_errors", &result::frame_errors, "frames with information bit errors");
    cls.def_readwrite("bits", &result::bits, "information bits of all frames");
    cls.def_readwrite("bit_errors", &result::bit_errors, "information bit errors after decoding");
    cls.def_readwrite("symbols", &result::symbols, "information symbols of all frames");
    cls.def_readwrite("symbol_errors", &result::symbol_errors, "information symbol errors after decoding");
    cls.def_readwrite("undetected", &result::undetected,
                      "frames that converged to a wrong codeword (undetected errors)");
    cls.def_readwrite("iterations", &result::iterations, "iterations, sum over all frames");
    cls.def_readwrite("channel_errors", &result::channel_errors, "hard-decision errors before decoding");
    cls.def_property_readonly(
        "ber", [](const result &r) { return ratio(r.bit_errors, r.bits); }, "bit_errors / bits");
    cls.def_property_readonly(
        "ser", [](const result &r) { return ratio(r.symbol_errors, r.symbols); }, "symbol_errors / symbols");
    cls.def_property_readonly(
        "fer", [](const result &r) { return ratio(r.frame_errors, r.frames); }, "frame_errors / frames");
    cls.def_property_readonly(
        "average_iterations", [](const result &r) { return ratio(r.iterations, r.frames); },
        "iterations / frames");
    cls.def(py::init([] { return result{}; }), "Create a result with all counts 0.");
    cls.def("add", add_blocks, py::arg("code"), py::arg("blocks"), py::arg("max_frames"),
            py::arg("max_frame_errors"),
            R"(Add blocks of simulate_blocks(), in order, until the point reaches one of its goals.

code              the decoder's code, or its name
blocks            array from simulate_blocks(); any other raises TypeError
max_frames        frames after which the point is complete
max_frame_errors  frame errors after which the point is complete; 0 = no limit

Returns the number of added blocks, which is less than len(blocks) if the point is complete.)");
    cls.def("__repr__", [](const result &r) {
        return "<libldpc.simulation: " + std::to_string(r.frames) + " frames, " +
               std::to_string(r.frame_errors) + " frame errors, " + std::to_string(r.bit_errors) +
               " bit errors>";
    });
}

/* Docstring of channel_arguments. */
#define CHANNEL_ARGUMENTS                                                                                    \
    "modulation        \"bpsk\", \"qpsk\", \"16qam\", \"64qam\", \"256qam\" (square, Gray labels, "          \
    "max-log demapping), or a\n"                                                                             \
    "                  libldpc.demapper: its points and its order of bits, max-log demapping\n"              \
    "fading            \"none\" or \"rayleigh\": random amplitude per symbol, known to the receiver\n"       \
    "channel           \"awgn\"; \"bsc\" or \"bec\" (binary symmetric or erasure channel, BPSK): ebn0 is "   \
    "the probability\n"                                                                                      \
    "                  of an error, 0 .. 0.5, or of an erasure, 0 .. 1\n"                                    \
    "esn0              True: ebn0 is Es/N0, energy of a channel symbol\n"                                    \
    "zero_codeword     True: always transmit the all-zero codeword\n"                                        \
    "point             number of the point; points with different numbers have independent frames\n"

/* Defines a Python function whose last arguments are channel_arguments. */
template <class Result, class... Values, class... Extra>
static void define(py::module_ &module, const char *name,
                   Result (*function)(const channel_arguments &, Values...), const Extra &...extra)
{
    const channel_arguments defaults;
    module.def(
        name,
        [function](Values... values, const py::object &modulation, const std::string &fading,
                   const std::string &channel, bool esn0, bool zero_codeword, uint32_t point) {
            return function({modulation, fading, channel, esn0, zero_codeword, point}, values...);
        },
        extra..., py::arg("modulation") = defaults.modulation, py::arg("fading") = defaults.fading,
        py::arg("channel") = defaults.channel, py::arg("esn0") = defaults.esn0,
        py::arg("zero_codeword") = defaults.zero_codeword, py::arg("point") = defaults.point);
}

void bind_simulation(py::module_ &module)
{
    bind_result(module);
    module.attr("SIM_BLOCK") = LDPC_SIM_BLOCK;
    define(module, "simulate", simulate,
           R"(Simulate one point of an error-rate curve: random codewords, modulation, noise, decoding.

decoder           a libldpc.decoder with nothing in flight, or a code (for a decoder with default parameters)
ebn0              Eb/N0 in dB, Eb per information bit
max_frames        stop after this number of frames
max_frame_errors  stop after the block of SIM_BLOCK frames that reaches this number of frame errors, 0 = no limit
seed              the same seed gives the same frames
first_frame       number of the first frame: each frame depends only on (seed, point, number), so that a point can
                  be continued or split over machines
)" CHANNEL_ARGUMENTS R"(
Returns a libldpc.simulation. The counts depend only on code, decoder parameters and these arguments.
Wrong types raise TypeError, wrong values ValueError, a GPU failure RuntimeError.)",
           py::arg("decoder"), py::arg("ebn0"), py::arg("max_frames") = 1000,
           py::arg("max_frame_errors") = 100, py::arg("seed") = 1, py::arg("first_frame") = 0);
    define(
        module, "simulate_blocks", simulate_blocks,
        R"(Simulate numbered blocks of SIM_BLOCK frames of a point: the part of it that can be distributed over machines.

decoder           as for simulate()
ebn0              Eb/N0 in dB
first_block       block b starts at frame SIM_BLOCK * b
frames            number of frames from there on; only the last block may be incomplete
seed              the same seed gives the same frames
)" CHANNEL_ARGUMENTS R"(
Returns a structured array, one record per block: failed and undetected (masks, bit i = frame i of the block),
bit_errors, symbol_errors, channel_errors, frames, iterations (per frame). simulation.add() counts them.
Wrong types raise TypeError, wrong values ValueError, a GPU failure RuntimeError.)",
        py::arg("decoder"), py::arg("ebn0"), py::arg("first_block") = 0, py::arg("frames") = LDPC_SIM_BLOCK,
        py::arg("seed") = 1);
    module.def("iterations_histogram", iterations_histogram, py::arg("blocks"),
               R"(Frames by their iterations.

blocks  array from simulate_blocks(); any other raises TypeError

Returns an int64 array whose element i is the number of frames with i iterations.)");
    define(module, "noisy_frames", noisy_frames,
           R"(The frames that simulate() decodes, to look at them or to decode them otherwise.

code              a libldpc.code, or an argument of libldpc.code()
ebn0              Eb/N0 in dB
count             number of frames
seed              the same seed gives the same frames
first_frame       number of the first frame
llr_scale         int8 LLR steps per nat
dtype             int8 (steps of 1/llr_scale nat) or float32 (nat), a name or a numpy type
)" CHANNEL_ARGUMENTS R"(
Returns (messages, llrs): uint8 array (count, k) and int8 or float32 array (count, n), LLRs positive for bit 0.
Wrong types raise TypeError, wrong values ValueError.)",
           py::arg("code"), py::arg("ebn0"), py::arg("count") = 1, py::arg("seed") = 1,
           py::arg("first_frame") = 0, py::arg("llr_scale") = LDPC_DEFAULT_LLR_SCALE,
           py::arg("dtype") = "int8");
}
