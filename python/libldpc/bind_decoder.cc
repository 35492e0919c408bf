/* SPDX-License-Identifier: BSD-3-Clause */
/* The Python class libldpc.decoder: its parameters, methods and properties, and their texts. */
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

/* The arguments of libldpc.decoder(), with their defaults; only the code has none. */
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

/* The strings are those of the arguments. */
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

LLR everywhere: ln(P(bit = 0) / P(bit = 1)), positive favours bit 0. Two forms are taken:

int8     steps of 1/llr_scale nat; 0 is an erasure, -128 is read as -127
         (wider integers and lists of them are taken too, if no value is outside of -128 .. 127)
float32  (or float64) nat; decoders with integer arithmetic round llr * llr_scale to the nearest step, ties to even,
         saturated at +-127; NaN raises ValueError

code            a name (see libldpc.codes()), a libldpc.code, or what makes one
max_iterations  0 .. 10000
algorithm       "auto", "min-sum", "offset", "normalized", "corrected", "three-min", "sum-product"; over GF(q) "auto",
                "min-max", "min-sum", "ems", "sum-product" (the last two in float). "offset:1" and "normalized:0.75" give
                offset and factor too
arithmetic      "auto", "i8", "i16", "float"
schedule        "auto", "layered", "flooding"
early_stop      end the iterations of a codeword when its syndrome is zero
llr_scale       int8 LLR steps per nat, 0.25 .. 64
offset          offset min-sum: LLR steps; None = the library's choice
factor          normalised min-sum: 1/16 .. 1; None = the library's choice
packed          bits 8 per byte, most significant first, the last byte of each codeword filled with zeros
backend         what decodes: "cpu", "gpu" (CUDA, else OpenCL), "cuda" or "opencl"
fallback        where the GPU cannot be used: a RuntimeWarning, and the CPU decodes; False: RuntimeError
kernel          one of libldpc.kernels(backend); None = the best one
threads         CPU threads, 0 = one per core
max_batch       largest submitted batch in codewords, 0 = the backend's choice; decode() takes any number
cache_dir       folder for compiled kernels and tuning; None = none
kept            "ems": costs kept of each message, 1 .. q; 0 = the library's choice
devices         GPUs that share the batches: "0", "0,1" or "all"; None = "0"
streams         batches in flight on each GPU, 1 .. 64; 0 = the backend's choice
min_gpu_batch   backend "cuda": batches of fewer codewords are decoded on the CPU, all others on the GPU; 0 = all on the GPU
llr_limit       integer decoders of binary codes limit channel LLRs to +-llr_limit steps, 1 .. 127 (127 = no limit): messages
                have a limit too, and a bit whose LLR is wrong by more than they add up to is never corrected

For a code over GF(q), n and k below stand for n * symbol_bits and k * symbol_bits: the bits of a symbol, most significant
first. A parameter outside its range and an array of another shape raise ValueError, a wrong type TypeError, a backend that cannot be
used or a GPU that fails RuntimeError. Any number of threads may
use a decoder, but only one batch is decoded at a time: use one decoder per thread. A decoder can be pickled: what is made from it
is a new decoder with the same parameters. A forked process (multiprocessing) may go on
using a decoder of its parent that has threads=1 and to which nothing was submitted; others raise RuntimeError there: create
decoders in the child.)";

static void bind_methods(py::class_<py_decoder> &cls)
{
    cls.def("decode", &py_decoder::decode, py::arg("llrs"), py::arg("output") = "message",
            py::arg("posteriors") = false, py::arg("input") = "llrs", py::arg("stream") = py::none(),
            R"(Decode codewords and return when they are done; the GIL is released meanwhile.

llrs        int8 or float32 array (codewords, n) or (n,)
output      "message": the k information bits of each codeword; "codeword": all n bits
posteriors  also return the posterior LLRs, in LLR steps
input       "llrs"; or, over GF(q), "costs": instead of LLRs the cost ln P(best) - ln P(a) of the values a of each symbol, uint8
            (LLR steps) or, for float arithmetic, float32 (nat), an array (codewords, symbols, q) or (symbols, q)

Returns (bits, info) or (bits, info, posteriors):
bits        uint8 array (codewords, k) or (codewords, n), one bit per item; packed: ceil(k/8) or ceil(n/8) bytes per codeword
info        structured array (codewords,) with the fields iterations (whole ones done), unsatisfied (checks of the result),
            converged (unsatisfied == 0), decoded (False if a device failure kept the codeword from being decoded).
            With integer arithmetic, limit LLRs of 5G codes to +-30 steps: converged may be False for right messages otherwise
posteriors  int16 array (codewords, n)
For LLRs of shape (n,) the results have no codewords axis either. A codeword that does not converge is a result, no error.

LLRs on a GPU (CuPy, PyTorch, whatever has __cuda_array_interface__ or DLPack) are decoded there, without a copy, by a decoder of
the backend "cuda", and this returns when the work is on the stream:
stream      CUDA stream; None = the current one of PyTorch or CuPy, the stream that the array names, else the default one
The results are arrays on the GPU too, of the same library, or libldpc.device_array: bits packed whatever `packed` says, info
int32 (codewords, 3): iterations, unsatisfied checks, converged + 256 * decoded. NaN there is an erasure.)");
    cls.def("submit", &py_decoder::submit, py::arg("llrs"), py::arg("output") = "message",
            py::arg("posteriors") = false, py::arg("input") = "llrs",
            R"(Start a batch and return at once; collect() hands the results over in order.

llrs, output, posteriors, input  as for decode(), at most max_batch codewords; int8 LLRs or uint8 costs in C order must not
                                 change until they are collected

Returns True, or False when `depth` batches are in flight and none was started.)");
    cls.def(
        "collect", &py_decoder::collect, py::arg("timeout") = py::none(),
        R"(Wait for the oldest submitted batch, for at most `timeout` seconds (None = as long as it takes).

Returns what decode() returns, or None when the batch is not ready in time or nothing is in flight.)");
    cls.def(
        "abandon", [](py_decoder &decoder) { decoder.abandon(); }, py::call_guard<py::gil_scoped_release>(),
        R"(Give the decoder up because its GPU does not answer. Any thread may call this.

From now on all methods raise RuntimeError, also those that wait on other threads. Batches in flight are lost. Their memory, and
that of the decoder, is never freed, because the GPU may still use it.)");
    cls.def("wait_kernel", &py_decoder::wait_kernel, py::arg("timeout") = py::none(),
            R"(Wait for the decoder's kernel, for at most `timeout` seconds (None = as long as it takes).

A GPU's kernel is compiled for the code, for seconds, unless cache_dir has it. Until then a slower one decodes, with the same
results: call this before measuring speed.

Returns True, or False when the kernel is not there in time. RuntimeError: it cannot be compiled, and the slower one stays.)");
}

static void bind_measurements(py::class_<py_decoder> &cls)
{
    cls.def("time", &py_decoder::time, py::arg("llrs"), py::arg("seconds") = 1.0, py::arg("codewords") = 0,
            py::arg("bits") = py::none(),
            R"(Measure: decode again and again for `seconds`, without returning to Python in between.

llrs     int8 or float32 array (count, n)
seconds  how long; the array is gone through at least once, and once before that is not counted
codewords    codewords decoded by each run, a divisor of count; 0 = all of them
bits     uint8 array (count, k), packed (count, ceil(k/8)), that takes the bits; None = a new one

Returns a float64 array with the duration of each run in seconds.)");
    cls.def(
        "time_stream", &py_decoder::time_stream, py::arg("llrs"), py::arg("seconds") = 1.0,
        py::arg("codewords") = 0, py::arg("bits") = py::none(),
        R"(Measure: as time(), with `depth` runs in flight, submitted and collected, at most max_batch codewords each.

llrs, seconds, codewords  as for time()
bits                      as for time(), for at least depth * codewords codewords

Returns a float64 array (runs, 2): when each run was submitted and when it had been collected, in seconds.)");
}

static void bind_memory(py::class_<py_decoder> &cls)
{
    cls.def("decode_device", &py_decoder::decode_device, py::arg("llrs"), py::arg("bits"),
            py::arg("codewords") = 0, py::arg("output") = "message", py::arg("floats") = false,
            py::arg("stream") = 0,
            R"(Decode codewords that are on the GPU and leave the bits there; nothing is waited for.

llrs       an array (codewords, n) of int8 or float32 on the decoder's first GPU (CuPy, PyTorch, whatever has
           __cuda_array_interface__ or DLPack); or its address
bits       takes the bits, packed whatever the decoder's `packed` says: codewords * ceil(k/8) bytes, an array or an address
codewords  how many; 0 = those of the array
output     "message" or "codeword", as for decode()
floats     the LLRs at an address are float32, for float arithmetic
stream     CUDA stream that the work is put on, 0 = the default one; each call may use another stream)");
    cls.def(
        "buffer", &py_decoder::buffer, py::arg("shape"), py::arg("dtype") = "int8",
        R"(An array of zeros that a GPU copies from and to by itself, sooner than other memory: for LLRs, and bits where
they are packed. On the CPU an array like any other.

shape  of the array, a list or tuple
dtype  of its items, such as "int8", "float32" or "uint8")");
}

static void bind_properties(py::class_<py_decoder> &cls)
{
    cls.def_property_readonly(
        "code", [](const py_decoder &dec) { return dec.code(); }, "the libldpc.code");
    cls.def_property_readonly(
        "n", [](const py_decoder &dec) { return dec.code().n(); }, "LLRs of a codeword");
    cls.def_property_readonly(
        "k", [](const py_decoder &dec) { return dec.code().k(); }, "information bits of a codeword");
    cls.def_property(
        "max_iterations", [](const py_decoder &dec) { return dec.params().max_iterations; },
        &py_decoder::set_max_iterations, "may be changed between batches");
    cls.def_property(
        "early_stop", [](const py_decoder &dec) { return dec.params().early_stop; },
        &py_decoder::set_early_stop, "may be changed between batches");
    cls.def_property(
        "offset", [](const py_decoder &dec) { return dec.params().offset; }, &py_decoder::set_offset,
        "offset min-sum only; negative = the library's choice; may be changed between batches");
    cls.def_property(
        "factor", [](const py_decoder &dec) { return dec.params().factor; }, &py_decoder::set_factor,
        "normalised min-sum only; 0 = the library's choice; may be changed between batches");
    cls.def_property_readonly(
        "llr_scale", [](const py_decoder &dec) { return dec.params().llr_scale; }, "int8 LLR steps per nat");
    cls.def_property_readonly(
        "llr_limit", [](const py_decoder &dec) { return ldpc_decoder_llr_limit(dec.get()); },
        "limit of channel LLRs in steps; 127 = none, as in float arithmetic and over GF(q)");
    cls.def_property_readonly(
        "packed", [](const py_decoder &dec) { return dec.params().packed; }, "bits 8 per byte");
    cls.def_property_readonly(
        "threads", [](const py_decoder &dec) { return dec.params().threads; },
        "as asked for, 0 = one per core");
}

static void bind_choices(py::class_<py_decoder> &cls)
{
    cls.def_property_readonly(
        "backend", [](const py_decoder &dec) { return ldpc_decoder_backend(dec.get()); }, "backend in use");
    cls.def_property_readonly(
        "kernel", [](const py_decoder &dec) { return ldpc_decoder_kernel(dec.get()); },
        "kernel in use; it may change: wait_kernel()");
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
        "most codewords of one submitted batch");
    cls.def_property_readonly(
        "good_batch", [](const py_decoder &dec) { return ldpc_decoder_good_batch(dec.get()); },
        "codewords that fill the kernel; multiples are best");
    cls.def_property_readonly(
        "depth", [](const py_decoder &dec) { return ldpc_decoder_depth(dec.get()); },
        "batches that may be in flight");
    cls.def_property_readonly(
        "lanes", [](const py_decoder &dec) { return ldpc_decoder_lanes(dec.get()); },
        "codewords that a block of a GPU or a thread of the CPU decodes at once");
    cls.def_property_readonly("in_flight", &py_decoder::in_flight, "batches submitted and not yet collected");
}

static std::string repr(const py_decoder &dec)
{
    return std::string("<libldpc.decoder ") + ldpc_code_name(dec.code().get()) + " on " +
           ldpc_decoder_backend(dec.get()) + ", kernel " + ldpc_decoder_kernel(dec.get()) + ", " +
           ldpc_algorithm_name(ldpc_decoder_algorithm(dec.get())) + ", " +
           ldpc_arithmetic_name(ldpc_decoder_arithmetic(dec.get())) + ", " +
           ldpc_schedule_name(ldpc_decoder_schedule(dec.get())) + ", " +
           std::to_string(dec.params().max_iterations) + " iterations>";
}

/* An argument of Python and the member that takes it. */
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

/* What another decoder like this one is made with. */
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

/* functools.partial(decoder, code, max_iterations=...), and no arguments to call it with. */
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
    cls.def_property_readonly("parameters", parameters,
                              "the keyword arguments that make another decoder like this one, a dict");
    cls.def("__reduce__", reduced);
    cls.def("__repr__", repr);
}
