/* SPDX-License-Identifier: BSD-3-Clause */
/* libldpc.decoder and its docstrings. */
#include "py_decoder.h"

#include <cmath>
#include <filesystem>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "checked.h"

template <typename Choice>
static Choice parsed(ldpc_status (*parse)(const char *, Choice *), const std::string &name, const char *what,
                     const char *names)
{
    Choice choice = Choice(0);
    if (parse(name.c_str(), &choice) != LDPC_OK)
        throw py::value_error(std::string(what) + ": expected " + names + ", not \"" + name + "\"");
    return choice;
}

using optional_string = std::optional<std::string>;
using optional_path = std::optional<std::filesystem::path>;

/* Arguments of libldpc.decoder(). Only the code has no default. */
struct decoder_arguments {
    int64_t max_iterations = 50;
    std::string algorithm = "auto", arithmetic = "auto", schedule = "auto";
    bool early_stop = true;
    float llr_scale = LDPC_DEFAULT_LLR_SCALE;
    std::optional<float> offset, factor;
    bool packed = false;
    std::string backend = "cpu";
    bool fallback = false;
    optional_string kernel;
    int64_t threads = 1, max_batch = 0;
    optional_path cache_dir;
    int64_t kept = 0;
    optional_string devices;
    int64_t streams = 0, min_gpu_batch = 0, llr_limit = LDPC_DEFAULT_LLR_LIMIT;
};

static const char *c_string(const optional_string &text)
{
    return text ? text->c_str() : nullptr;
}

/* The result points to strings of `arguments`, so `arguments` must outlive it. */
static ldpc_decoder_params params_of(const decoder_arguments &arguments)
{
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.max_iterations = count_of(arguments.max_iterations, "max_iterations");
    params.offset = arguments.offset.value_or(params.offset);
    params.factor = arguments.factor.value_or(params.factor);
    ldpc_error err{};
    check(ldpc_decoder_params_set_algorithm(&params, arguments.algorithm.c_str(), &err), err);
    params.arithmetic =
        parsed(ldpc_arithmetic_parse, arguments.arithmetic, "arithmetic", "auto, i8, i16 or float");
    params.schedule =
        parsed(ldpc_schedule_parse, arguments.schedule, "schedule", "auto, layered or flooding");
    params.early_stop = arguments.early_stop;
    params.llr_scale = arguments.llr_scale;
    params.packed = arguments.packed;
    params.backend = arguments.backend.c_str();
    params.fallback = arguments.fallback;
    params.kernel = c_string(arguments.kernel);
    params.threads = count_of(arguments.threads, "threads");
    params.max_batch = count_of(arguments.max_batch, "max_batch");
    params.kept = count_of(arguments.kept, "kept");
    params.cache_dir = arguments.cache_dir ? arguments.cache_dir->c_str() : nullptr;
    params.devices = c_string(arguments.devices);
    params.streams = count_of(arguments.streams, "streams");
    params.min_gpu_batch = count_of(arguments.min_gpu_batch, "min_gpu_batch");
    params.llr_limit = count_of(arguments.llr_limit, "llr_limit");
    return params;
}

static const char *decoder_doc = R"(A decoder for one code: LLRs in, bits out.

    bits, info = libldpc.decoder("dvbt2:64800:1/2", max_iterations=25).decode(llrs)

LLRs are ln(P(bit = 0) / P(bit = 1)): positive favours bit 0. Accepted types:

int8     steps of 1/llr_scale nat; 0 is an erasure, -128 is treated as -127
         (wider integers and lists are accepted if all values are in -128 .. 127)
float32  (or float64) nat; decoders with integer arithmetic round llr * llr_scale to the nearest step, ties to even,
         and saturate at +-127; NaN raises ValueError

code            a libldpc.code, or an argument of libldpc.code() such as a name
max_iterations  0 .. 10000
algorithm       "auto", "min-sum", "offset", "normalized", "corrected", "three-min", "sum-product"; over GF(q) "auto",
                "min-max", "min-sum", "ems", "sum-product" (the last two in float). "offset:1" and "normalized:0.75" include
                offset and factor
arithmetic      "auto", "i8", "i16", "float"
schedule        "auto", "layered", "flooding"
early_stop      stop decoding a codeword when its syndrome is zero
llr_scale       int8 LLR steps per nat, 0.25 .. 64
offset          offset of offset min-sum in LLR steps; None = automatic
factor          factor of normalised min-sum, 1/16 .. 1; None = automatic
packed          8 bits per byte, MSB first, with each codeword zero-padded to whole bytes
backend         "cpu", "gpu" (CUDA or OpenCL), "cuda" or "opencl"
fallback        if the GPU cannot be used: True = RuntimeWarning and decoding on the CPU; False = RuntimeError
kernel          one of libldpc.kernels(backend); None = the fastest
threads         CPU threads, 0 = one per core
max_batch       maximum submitted batch in codewords, 0 = automatic; decode() accepts any number
cache_dir       directory for compiled kernels and tuning; None = none
kept            EMS: costs kept per message, 1 .. q; 0 = automatic
devices         GPUs that share the batches: "0", "0,1" or "all"; None = "0"
streams         batches in flight on each GPU, 1 .. 64; 0 = automatic
min_gpu_batch   CUDA: smaller batches (codewords) are decoded on the CPU; 0 = all on the GPU
llr_limit       integer decoders of binary codes clip channel LLRs to +-llr_limit steps, 1 .. 127 (127 = no clipping). Messages
                saturate, so a bit with a wrong channel LLR larger than the sum of its saturated messages cannot be corrected

For a code over GF(q), n and k in the methods are n * symbol_bits and k * symbol_bits, MSB of each symbol first. A parameter out
of range or an array of a wrong shape raises ValueError, a wrong type TypeError; a backend that cannot be used or a GPU failure
raises RuntimeError. Any number of threads may use a decoder, but it decodes one batch at a time: use one decoder per thread.
Unpickling a decoder creates a new one with the same parameters. A forked process (multiprocessing) can use a decoder of its parent
only if it has threads=1 and no batch was ever submitted to it; others raise RuntimeError: create decoders in the child.)";

static void bind_methods(py::class_<py_decoder> &cls)
{
    cls.def("decode", &py_decoder::decode, py::arg("llrs"), py::arg("output") = "message",
            py::arg("posteriors") = false, py::arg("input") = "llrs", py::arg("stream") = py::none(),
            R"(Decode codewords; releases the GIL meanwhile.

llrs        int8 or float32 array (codewords, n) or (n,)
output      "message": the k information bits of each codeword; "codeword": all n bits
posteriors  also return the a-posteriori LLRs, in LLR steps
input       "llrs"; or, over GF(q), "costs": an array (codewords, symbols, q) or (symbols, q) of the costs ln P(best) - ln P(a) of
            each value a of a symbol, uint8 (LLR steps) or, for float arithmetic, float32 (nat)

Returns (bits, info) or (bits, info, posteriors):
bits        uint8 array (codewords, k) or (codewords, n), one bit per item; packed: ceil(k/8) or ceil(n/8) bytes per codeword
info        structured array (codewords,) with the fields iterations (completed), unsatisfied (checks of the result),
            converged (unsatisfied == 0), decoded (False if a device failure prevented decoding).
            With integer arithmetic, limit LLRs of 5G codes to +-30 steps; otherwise converged may be False for correct messages
posteriors  int16 array (codewords, n)
For LLRs of shape (n,) the results have no codewords axis. A codeword that does not converge is not an error.

With backend "cuda", LLRs on the GPU (CuPy, PyTorch, any array with __cuda_array_interface__ or DLPack) are decoded there without a
copy, asynchronously on a stream:
stream      CUDA stream; None = the current stream of PyTorch or CuPy, or the stream in the array's interface, or the default stream
The results are GPU arrays of the same library, or libldpc.device_array: bits always packed, info int32 (codewords, 3):
iterations, unsatisfied checks, converged + 256 * decoded. NaN LLRs are erasures.)");
    cls.def("submit", &py_decoder::submit, py::arg("llrs"), py::arg("output") = "message",
            py::arg("posteriors") = false, py::arg("input") = "llrs",
            R"(Start decoding a batch and return immediately; collect() returns the results in order.

llrs, output, posteriors, input  as for decode(), at most max_batch codewords; int8 LLRs or uint8 costs in C order must not
                                 be modified until the batch is collected

Returns True, or False if `depth` batches are already in flight and the batch was not started.)");
    cls.def("collect", &py_decoder::collect, py::arg("timeout") = py::none(),
            R"(Wait for the oldest submitted batch, for at most `timeout` seconds (None = no limit).

Returns the result of decode(), or None if the batch is not ready in time or nothing is in flight.)");
    cls.def(
        "abandon", [](py_decoder &decoder) { decoder.abandon(); }, py::call_guard<py::gil_scoped_release>(),
        R"(Abandon the decoder because its GPU hangs. Any thread may call this.

From then on all methods raise RuntimeError, including those waiting in other threads. Batches in flight are lost. Their memory and
that of the decoder are never freed, because the GPU may still access them.)");
    cls.def("wait_kernel", &py_decoder::wait_kernel, py::arg("timeout") = py::none(),
            R"(Wait for the decoder's kernel, for at most `timeout` seconds (None = no limit).

Compiling a GPU kernel for the code takes seconds, unless cache_dir contains it. Until then a slower kernel decodes, with the same
results: call this before measuring speed.

Returns True, or False if the kernel is not ready in time. RuntimeError: compilation failed; the slower kernel stays in use.)");
}

static void bind_measurements(py::class_<py_decoder> &cls)
{
    cls.def("time", &py_decoder::time, py::arg("llrs"), py::arg("seconds") = 1.0, py::arg("codewords") = 0,
            py::arg("bits") = py::none(),
            R"(Measure speed: decode repeatedly for `seconds`, without returning to Python in between.

llrs     int8 or float32 array (count, n)
seconds  duration; the array is decoded at least once, after one pass that is not measured
codewords    codewords per run, a divisor of count; 0 = all
bits     uint8 array (count, k), packed (count, ceil(k/8)), for the bits; None = a new array

Returns a float64 array with the duration of each run in seconds.)");
    cls.def("time_stream", &py_decoder::time_stream, py::arg("llrs"), py::arg("seconds") = 1.0,
            py::arg("codewords") = 0, py::arg("bits") = py::none(),
            R"(Measure speed as time() does, with `depth` runs in flight of at most max_batch codewords each.

llrs, seconds, codewords  as for time()
bits                      as for time(), for at least depth * codewords codewords

Returns a float64 array (runs, 2): times of submission and of collection of each run, in seconds.)");
}

static void bind_memory(py::class_<py_decoder> &cls)
{
    cls.def("decode_device", &py_decoder::decode_device, py::arg("llrs"), py::arg("bits"),
            py::arg("codewords") = 0, py::arg("output") = "message", py::arg("floats") = false,
            py::arg("stream") = 0,
            R"(Decode codewords in GPU memory to GPU memory, asynchronously.

llrs       an array (codewords, n) of int8 or float32 on the decoder's first GPU (CuPy, PyTorch, any array with
           __cuda_array_interface__ or DLPack); or its address
bits       output for the bits, always packed: codewords * ceil(k/8) bytes, an array or an address
codewords  number of codewords; 0 = from the array's shape
output     "message" or "codeword", as for decode()
floats     the LLRs at an address are float32, for float arithmetic
stream     CUDA stream to use, 0 = the default stream; calls may use different streams)");
    cls.def(
        "buffer", &py_decoder::buffer, py::arg("shape"), py::arg("dtype") = "int8",
        R"(An array of zeros in pinned memory, for fast transfers of LLRs and packed bits to and from a GPU. On the CPU an
ordinary array.

shape  shape of the array, a list or tuple
dtype  type of its items, such as "int8", "float32" or "uint8")");
}

static void bind_properties(py::class_<py_decoder> &cls)
{
    cls.def_property_readonly(
        "code", [](const py_decoder &dec) { return dec.code(); }, "the libldpc.code");
    cls.def_property_readonly(
        "n", [](const py_decoder &dec) { return dec.code().n(); }, "LLRs per codeword");
    cls.def_property_readonly(
        "k", [](const py_decoder &dec) { return dec.code().k(); }, "information bits per codeword");
    cls.def_property(
        "max_iterations", [](const py_decoder &dec) { return dec.params().max_iterations; },
        &py_decoder::set_max_iterations, "maximum number of iterations; can be changed between batches");
    cls.def_property(
        "early_stop", [](const py_decoder &dec) { return dec.params().early_stop; },
        &py_decoder::set_early_stop, "whether early stop is enabled; can be changed between batches");
    cls.def_property(
        "offset", [](const py_decoder &dec) { return dec.params().offset; }, &py_decoder::set_offset,
        "offset of offset min-sum in LLR steps; negative = automatic; can be changed between batches");
    cls.def_property(
        "factor", [](const py_decoder &dec) { return dec.params().factor; }, &py_decoder::set_factor,
        "factor of normalised min-sum; 0 = automatic; can be changed between batches");
    cls.def_property_readonly(
        "llr_scale", [](const py_decoder &dec) { return dec.params().llr_scale; }, "int8 LLR steps per nat");
    cls.def_property_readonly(
        "llr_limit", [](const py_decoder &dec) { return ldpc_decoder_llr_limit(dec.get()); },
        "clipping level of channel LLRs in steps; 127 = no clipping, as in float arithmetic and over GF(q)");
    cls.def_property_readonly(
        "packed", [](const py_decoder &dec) { return dec.params().packed; },
        "whether output bits are packed, 8 per byte");
    cls.def_property_readonly(
        "threads", [](const py_decoder &dec) { return dec.params().threads; },
        "requested CPU threads, 0 = one per core");
}

static void bind_choices(py::class_<py_decoder> &cls)
{
    cls.def_property_readonly(
        "backend", [](const py_decoder &dec) { return ldpc_decoder_backend(dec.get()); }, "backend in use");
    cls.def_property_readonly(
        "kernel", [](const py_decoder &dec) { return ldpc_decoder_kernel(dec.get()); },
        "kernel in use; it may change, see wait_kernel()");
    cls.def_property_readonly(
        "algorithm",
        [](const py_decoder &dec) { return ldpc_algorithm_name(ldpc_decoder_algorithm(dec.get())); },
        "algorithm in use");
    cls.def_property_readonly(
        "arithmetic",
        [](const py_decoder &dec) { return ldpc_arithmetic_name(ldpc_decoder_arithmetic(dec.get())); },
        "arithmetic in use");
    cls.def_property_readonly(
        "schedule",
        [](const py_decoder &dec) { return ldpc_schedule_name(ldpc_decoder_schedule(dec.get())); },
        "schedule in use");
    cls.def_property_readonly(
        "max_batch", [](const py_decoder &dec) { return ldpc_decoder_max_batch(dec.get()); },
        "maximum codewords per submitted batch");
    cls.def_property_readonly(
        "good_batch", [](const py_decoder &dec) { return ldpc_decoder_good_batch(dec.get()); },
        "number of codewords that fills the kernel's lanes; batches should be multiples of it");
    cls.def_property_readonly(
        "depth", [](const py_decoder &dec) { return ldpc_decoder_depth(dec.get()); },
        "maximum number of batches in flight");
    cls.def_property_readonly(
        "lanes", [](const py_decoder &dec) { return ldpc_decoder_lanes(dec.get()); },
        "codewords that a GPU block or a CPU thread decodes at once");
    cls.def_property_readonly("in_flight", &py_decoder::in_flight, "batches submitted and not yet collected");
}

static std::string decoder_repr(const py_decoder &dec)
{
    return std::string("<libldpc.decoder ") + ldpc_code_name(dec.code().get()) + " on " +
           ldpc_decoder_backend(dec.get()) + ", kernel " + ldpc_decoder_kernel(dec.get()) + ", " +
           ldpc_algorithm_name(ldpc_decoder_algorithm(dec.get())) + ", " +
           ldpc_arithmetic_name(ldpc_decoder_arithmetic(dec.get())) + ", " +
           ldpc_schedule_name(ldpc_decoder_schedule(dec.get())) + ", " +
           std::to_string(dec.params().max_iterations) + " iterations>";
}

template <class Value> struct argument {
    const char *name;
    Value decoder_arguments::*member;
};

template <class... Values>
static void bind_init(py::class_<py_decoder> &cls, const argument<Values> &...arguments)
{
    const decoder_arguments defaults;
    const auto make = [=](const py::object &code, const checked<Values> &...values) {
        decoder_arguments chosen;
        ((chosen.*(arguments.member) = values.get(arguments.name)), ...);
        py::dict given;
        ((given[arguments.name] = py::cast(chosen.*(arguments.member))), ...);
        return std::make_unique<py_decoder>(to_code(code), params_of(chosen), given);
    };
    cls.def(py::init(make), py::arg("code"),
            (py::arg(arguments.name) = checked<Values>(defaults.*(arguments.member)))...);
}

/* Returns the constructor arguments that create an equal decoder. */
static py::dict parameters(const py_decoder &dec)
{
    const ldpc_decoder_params &params = dec.params();
    py::dict result = dec.arguments().attr("copy")();
    result["max_iterations"] = params.max_iterations;
    result["early_stop"] = params.early_stop;
    result["algorithm"] = ldpc_algorithm_name(params.algorithm);
    result["offset"] = params.offset < 0 ? py::object(py::none()) : py::float_(params.offset);
    result["factor"] = params.factor > 0 ? py::object(py::float_(params.factor)) : py::none();
    return result;
}

/* Returns the state for pickling: functools.partial(decoder, code, max_iterations=...). Calling it without
 * arguments creates the decoder. */
static py::tuple reduced(const py_decoder &dec)
{
    const py::object partial = py::module_::import("functools").attr("partial");
    return py::make_tuple(partial(py::type::of<py_decoder>(), dec.code(), **parameters(dec)), py::tuple());
}

void bind_decoder(py::module_ &module)
{
    using a = decoder_arguments;
    py::class_<py_decoder> cls(module, "decoder", decoder_doc);
    bind_init(
        cls, argument<int64_t>{"max_iterations", &a::max_iterations},
        argument<std::string>{"algorithm", &a::algorithm},
        argument<std::string>{"arithmetic", &a::arithmetic}, argument<std::string>{"schedule", &a::schedule},
        argument<bool>{"early_stop", &a::early_stop}, argument<float>{"llr_scale", &a::llr_scale},
        argument<std::optional<float>>{"offset", &a::offset},
        argument<std::optional<float>>{"factor", &a::factor}, argument<bool>{"packed", &a::packed},
        argument<std::string>{"backend", &a::backend}, argument<bool>{"fallback", &a::fallback},
        argument<optional_string>{"kernel", &a::kernel}, argument<int64_t>{"threads", &a::threads},
        argument<int64_t>{"max_batch", &a::max_batch}, argument<optional_path>{"cache_dir", &a::cache_dir},
        argument<int64_t>{"kept", &a::kept}, argument<optional_string>{"devices", &a::devices},
        argument<int64_t>{"streams", &a::streams}, argument<int64_t>{"min_gpu_batch", &a::min_gpu_batch},
        argument<int64_t>{"llr_limit", &a::llr_limit});
    bind_methods(cls);
    bind_measurements(cls);
    bind_memory(cls);
    bind_properties(cls);
    bind_choices(cls);
    cls.def_property_readonly("parameters", parameters, "the keyword arguments for an equal decoder, a dict");
    cls.def("__reduce__", reduced);
    cls.def("__repr__", decoder_repr);
}
