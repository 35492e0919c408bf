/* SPDX-License-Identifier: BSD-3-Clause */
/* libldpc.decoder: numpy arrays of LLRs in, numpy arrays of bits out, the interpreter free while decoding. */
#include "py_decoder.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#include <pybind11/stl.h>

py::tuple py_job::result() const
{
    py::object records = info;
    if (shape.single)
        records = info[py::int_(0)];
    if (posteriors)
        return py::make_tuple(bits, records, *posteriors);
    return py::make_tuple(bits, records);
}

py_decoder::py_decoder(const py_code &code, const ldpc_decoder_params &params)
    : d_code(code), d_params(params)
{
    ldpc_error error = {};
    ldpc_status status;
    {
        py::gil_scoped_release release;
        status = ldpc_decoder_create(code.get(), &params, &d_handle, &error);
    }
    ::check(status, error);
    d_params.backend = d_params.kernel = d_params.cache_dir = d_params.devices = nullptr;
}

py_decoder::~py_decoder()
{
    py::gil_scoped_release release;
    ldpc_decoder_destroy(d_handle); /* waits for what is in flight; the arrays in d_jobs go after it */
}

/* Without a mutex held. The sentence must be read while nobody else uses the decoder. */
void py_decoder::check(ldpc_status status)
{
    if (status == LDPC_OK)
        return;
    std::string sentence;
    alone([&] {
        sentence = ldpc_decoder_message(d_handle);
        return LDPC_OK;
    });
    raise_status(status, sentence);
}

/* float LLRs in nat to int8 LLRs in steps of 1/scale: nearest, ties to even, saturated at +-127. False if one
 * is NaN. */
static bool quantise(const float *in, size_t count, float scale, int8_t *out)
{
    bool numbers = true;
    for (size_t i = 0; i < count; i++) {
        float steps = std::nearbyintf(std::fmin(std::fmax(in[i] * scale, -127.0f), 127.0f));
        numbers &= in[i] == in[i];
        out[i] = int8_t(steps);
    }
    return numbers;
}

/* The LLRs in the type the library takes: int8 as they are; floating ones stay float for float arithmetic and
 * are quantised for integer arithmetic. */
py::array py_decoder::llrs_of(const py::object &object) const
{
    py::array array = py::array::ensure(object);
    if (!array)
        throw py::type_error("llrs: expected a numpy array of int8 or float32");
    char kind = array.dtype().kind();
    if (kind == 'i' && array.itemsize() == 1)
        return py::array_t<int8_t, py::array::c_style>::ensure(array);
    if (kind != 'f')
        throw py::type_error("llrs: expected int8 (steps of 1/llr_scale nat) or float32 (nat), not " +
                             describe(array));
    auto nats = py::array_t<float, py::array::c_style | py::array::forcecast>::ensure(array);
    if (ldpc_decoder_arithmetic(d_handle) == LDPC_ARITHMETIC_FLOAT)
        return nats;
    py::array_t<int8_t> steps(std::vector<py::ssize_t>(nats.shape(), nats.shape() + nats.ndim()));
    if (!quantise(nats.data(), size_t(nats.size()), d_params.llr_scale, steps.mutable_data()))
        throw py::value_error("llrs: there is a NaN among them");
    return steps;
}

/* Costs of symbols as the library takes them: uint8 in steps, floating ones in nat; a row for each word. */
py::array py_decoder::costs_of(const py::object &object) const
{
    py::array array = py::array::ensure(object);
    if (!array || (array.dtype().kind() != 'f' && !array.dtype().equal(py::dtype::of<uint8_t>())))
        throw py::type_error("costs: expected a numpy array of uint8 (LLR steps) or float32 (nat)");
    py::ssize_t symbols = ldpc_code_n(d_code.get()), q = ldpc_code_order(d_code.get()),
                last = array.ndim() - 1;
    if (last < 1 || last > 2 || array.shape(last) != q || array.shape(last - 1) != symbols ||
        array.size() == 0)
        throw py::value_error("costs: expected shape (words, symbols, q) or (symbols, q) with symbols = " +
                              std::to_string(symbols) + " and q = " + std::to_string(q) + ", not " +
                              describe(array));
    if (array.dtype().kind() == 'f')
        array = py::array_t<float, py::array::c_style | py::array::forcecast>::ensure(array);
    else
        array = py::array_t<uint8_t, py::array::c_style>::ensure(array);
    return last == 1 ? array.reshape({symbols * q}) : array.reshape({array.shape(0), symbols * q});
}

static py::dtype info_dtype()
{
    return record_dtype(
        {
            {"iterations",  "u4", offsetof(ldpc_codeword_info, iterations) },
            {"unsatisfied", "u4", offsetof(ldpc_codeword_info, unsatisfied)},
            {"converged",   "?",  offsetof(ldpc_codeword_info, converged)  },
            {"decoded",     "?",  offsetof(ldpc_codeword_info, decoded)    }
    },
        sizeof(ldpc_codeword_info));
}

/* Whether `value` is the first of two names. */
static bool is_first(const char *what, const std::string &value, const char *first, const char *second)
{
    if (value != first && value != second)
        throw py::value_error(std::string(what) + ": expected \"" + first + "\" or \"" + second +
                              "\", not \"" + value + "\"");
    return value == first;
}

/* The array is one of the four inputs. */
static void set_input(ldpc_batch &batch, const py::array &array, bool costs)
{
    const bool bytes = array.itemsize() == 1;
    if (costs && bytes)
        batch.symbol_costs = static_cast<const uint8_t *>(array.data());
    else if (costs)
        batch.symbol_costs_float = static_cast<const float *>(array.data());
    else if (bytes)
        batch.llr = static_cast<const int8_t *>(array.data());
    else
        batch.llr_float = static_cast<const float *>(array.data());
}

py_job py_decoder::prepare(const py::object &llrs, const std::string &output, bool posteriors,
                           const std::string &input) const
{
    bool message = is_first("output", output, "message", "codeword");
    bool costs = !is_first("input", input, "llrs", "costs");
    size_t length = message ? d_code.k() : d_code.n();
    py_job job = {};
    job.llr = costs ? costs_of(llrs) : llrs_of(llrs);
    job.shape = costs ? words_of(job.llr, d_code.costs(), "costs", "symbols * q")
                      : words_of(job.llr, d_code.n(), "llrs", "n");
    job.bits = py::array_t<uint8_t>(job.shape.with(bytes_of(length)));
    job.info = py::array(info_dtype(), std::vector<py::ssize_t>{py::ssize_t(job.shape.words)});
    if (posteriors)
        job.posteriors = py::array_t<int16_t>(job.shape.with(d_code.n()));

    ldpc_batch &batch = job.batch;
    batch.n_codewords = job.shape.words;
    set_input(batch, job.llr, costs);
    (message ? batch.message : batch.codeword) = job.bits.mutable_data();
    batch.posterior = posteriors ? job.posteriors->mutable_data() : nullptr;
    batch.info = static_cast<ldpc_codeword_info *>(job.info.mutable_data());
    return job;
}

/* Words first .. first + count of a batch. */
ldpc_batch py_decoder::part_of(const ldpc_batch &batch, size_t first, size_t count) const
{
    ldpc_batch part = batch;
    part.n_codewords = count;
    auto skip = [first](auto *&items, size_t of_word) { items = items ? items + first * of_word : nullptr; };
    skip(part.llr, d_code.n());
    skip(part.llr_float, d_code.n());
    skip(part.symbol_costs, d_code.costs());
    skip(part.symbol_costs_float, d_code.costs());
    skip(part.message, bytes_of(d_code.k()));
    skip(part.codeword, bytes_of(d_code.n()));
    skip(part.posterior, d_code.n());
    skip(part.info, 1);
    return part;
}

/* Any number of words, in batches of at most max_batch, with as many of them in flight as the backend takes.
 * Under both mutexes. */
ldpc_status py_decoder::run(const ldpc_batch &batch)
{
    if (batch.n_codewords <= ldpc_decoder_max_batch(d_handle) || d_in_flight > 0)
        return ldpc_decode(d_handle, &batch); /* which refuses when submitted batches are uncollected */
    size_t most = ldpc_decoder_max_batch(d_handle), first = 0, flying = 0;
    ldpc_status status = LDPC_OK;
    while (first < batch.n_codewords || flying > 0) {
        if (first < batch.n_codewords && status == LDPC_OK) {
            size_t count = std::min(most, batch.n_codewords - first);
            ldpc_batch part = part_of(batch, first, count);
            ldpc_status started = ldpc_submit(d_handle, &part);
            if (started == LDPC_OK) {
                first += count;
                flying++;
                continue;
            }
            if (started != LDPC_AGAIN || flying == 0)
                status = started;
        }
        if (flying == 0)
            break;
        ldpc_status finished = ldpc_collect(d_handle, -1, nullptr);
        flying--;
        status = status == LDPC_OK ? finished : status;
    }
    return status;
}

py::tuple py_decoder::decode(const py::object &llrs, const std::string &output, bool posteriors,
                             const std::string &input)
{
    py_job job = prepare(llrs, output, posteriors, input);
    check(alone([&] { return run(job.batch); }));
    return job.result();
}

bool py_decoder::submit(const py::object &llrs, const std::string &output, bool posteriors,
                        const std::string &input)
{
    std::unique_lock<std::mutex> lock(d_submit, std::defer_lock);
    py_job job = prepare(llrs, output, posteriors, input);
    ldpc_batch batch = job.batch;
    {
        py::gil_scoped_release release;
        lock.lock();
    }
    d_jobs.push_back(std::move(job)); /* before it starts: another thread may collect it at once */
    d_in_flight++;
    ldpc_status status;
    {
        py::gil_scoped_release release;
        status = ldpc_submit(d_handle, &batch);
    }
    if (status != LDPC_OK) {
        d_jobs.pop_back();
        d_in_flight--;
    }
    lock.unlock();
    if (status == LDPC_AGAIN)
        return false;
    check(status);
    return true;
}

py::object py_decoder::collect(std::optional<double> timeout)
{
    int64_t timeout_us = timeout ? int64_t(std::fmin(std::fmax(*timeout, 0.0) * 1e6, 9e18)) : -1;
    std::unique_lock<std::mutex> lock(d_collect, std::defer_lock);
    ldpc_status status;
    {
        py::gil_scoped_release release;
        lock.lock();
        status = ldpc_collect(d_handle, timeout_us, nullptr);
    }
    if (status == LDPC_AGAIN || status == LDPC_EMPTY)
        return py::none();
    py_job job = std::move(d_jobs.front());
    d_jobs.pop_front();
    d_in_flight--;
    lock.unlock();
    check(status);
    return job.result();
}

/* The GPU's address of something: a number, or an array that CuPy, PyTorch, Numba ... keep there. */
static uintptr_t address_of(const py::object &object, const char *what)
{
    if (py::hasattr(object, "__cuda_array_interface__"))
        return object.attr("__cuda_array_interface__")["data"][py::int_(0)].cast<uintptr_t>();
    if (!py::isinstance<py::int_>(object))
        throw py::type_error(std::string(what) +
                             ": expected an address or an array with __cuda_array_interface__");
    return object.cast<uintptr_t>();
}

void py_decoder::decode_device(const py::object &llrs, const py::object &bits, int64_t words,
                               const std::string &output, bool floats, uintptr_t stream)
{
    const bool message = is_first("output", output, "message", "codeword");
    ldpc_batch batch = {};
    batch.n_codewords = count_of(words, "words");
    const uintptr_t in = address_of(llrs, "llrs"), out = address_of(bits, "bits");
    if (floats)
        batch.llr_float = reinterpret_cast<const float *>(in);
    else
        batch.llr = reinterpret_cast<const int8_t *>(in);
    (message ? batch.message : batch.codeword) = reinterpret_cast<uint8_t *>(out);
    check(alone([&] { return ldpc_decode_device(d_handle, reinterpret_cast<void *>(stream), &batch); }));
}

/* Memory of a decoder, lent to an array: it goes back before the decoder does. */
struct lent {
    py::object decoder;
    void *memory;
    static void give_back(void *self)
    {
        std::unique_ptr<lent> owner(static_cast<lent *>(self));
        ldpc_decoder_free(owner->decoder.cast<py_decoder &>().get(), owner->memory);
    }
};

py::array py_decoder::buffer(const std::vector<py::ssize_t> &shape, const py::object &dtype)
{
    py::dtype type = py::dtype::from_args(dtype);
    size_t bytes = size_t(type.itemsize());
    for (py::ssize_t length : shape)
        bytes *= count_of(length, "shape");
    void *memory = ldpc_decoder_alloc(d_handle, bytes ? bytes : 1);
    if (!memory)
        throw std::bad_alloc();
    std::memset(memory, 0, bytes);
    auto *owner = new lent{py::cast(this, py::return_value_policy::reference), memory};
    return py::array(type, shape, memory, py::capsule(owner, lent::give_back));
}

void py_decoder::set_max_iterations(int64_t value)
{
    uint32_t max_iterations = count_of(value, "max_iterations");
    check(alone([&] { return ldpc_decoder_set_max_iterations(d_handle, max_iterations); }));
    d_params.max_iterations = max_iterations;
}

void py_decoder::set_early_stop(bool value)
{
    check(alone([&] { return ldpc_decoder_set_early_stop(d_handle, value); }));
    d_params.early_stop = value;
}

void py_decoder::set_offset(float value)
{
    check(alone([&] { return ldpc_decoder_set_offset(d_handle, value); }));
    d_params.offset = value;
}

void py_decoder::set_factor(float value)
{
    check(alone([&] { return ldpc_decoder_set_factor(d_handle, value); }));
    d_params.factor = value;
}

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

static std::unique_ptr<py_decoder>
make_decoder(const py::object &code, int64_t max_iterations, const std::string &algorithm,
             const std::string &arithmetic, const std::string &schedule, bool early_stop, float llr_scale,
             std::optional<float> offset, std::optional<float> factor, bool packed,
             const std::string &backend, const optional_string &kernel, int64_t threads, int64_t max_batch,
             const optional_string &cache_dir, int64_t kept, const optional_string &devices, int64_t streams,
             int64_t min_gpu_batch, bool breadth_first)
{
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.max_iterations = count_of(max_iterations, "max_iterations");
    params.algorithm =
        parsed(ldpc_algorithm_parse, algorithm, "algorithm",
               "auto, min-sum, offset, normalized, corrected, three-min, sum-product, min-max or ems");
    params.arithmetic = parsed(ldpc_arithmetic_parse, arithmetic, "arithmetic", "auto, i8, i16 or float");
    params.schedule = parsed(ldpc_schedule_parse, schedule, "schedule", "auto, layered or flooding");
    params.early_stop = early_stop;
    params.llr_scale = llr_scale;
    if (offset)
        params.offset = *offset;
    if (factor)
        params.factor = *factor;
    params.packed = packed;
    params.backend = backend.c_str();
    params.kernel = kernel ? kernel->c_str() : nullptr;
    params.threads = count_of(threads, "threads");
    params.max_batch = count_of(max_batch, "max_batch");
    params.kept = count_of(kept, "kept");
    params.cache_dir = cache_dir ? cache_dir->c_str() : nullptr;
    params.devices = devices ? devices->c_str() : nullptr;
    params.streams = count_of(streams, "streams");
    params.min_gpu_batch = count_of(min_gpu_batch, "min_gpu_batch");
    params.breadth_first = breadth_first;
    return std::make_unique<py_decoder>(to_code(code), params);
}

static const char *decoder_doc = R"(A decoder for one code: LLRs in, bits out.

    bits, info = libldpc.decoder("dvbt2:64800:1/2", max_iterations=25).decode(llrs)

LLR everywhere: ln(P(bit = 0) / P(bit = 1)), positive favours bit 0. Two forms are taken:

int8     steps of 1/llr_scale nat; 0 means nothing known, -128 is read as -127
float32  (or float64) nat; decoders with integer arithmetic round llr * llr_scale to the nearest step, ties to even,
         saturated at +-127, and refuse NaN

code            a name (see libldpc.codes()) or a libldpc.code
max_iterations  0 .. 10000
algorithm       "auto", "min-sum", "offset", "normalized", "corrected", "three-min", "sum-product"; over GF(q) "auto",
                "min-max", "min-sum", "ems", "sum-product" (the last two in float)
arithmetic      "auto", "i8", "i16", "float"
schedule        "auto", "layered", "flooding"
early_stop      stop a word at its first zero syndrome
llr_scale       int8 LLR steps per nat, 0.25 .. 64
offset          offset min-sum: LLR steps; None = the library's choice
factor          normalised min-sum: 1/16 .. 1; None = the library's choice
packed          bits 8 per byte, most significant first, each word padded to a whole byte
backend         "auto", or one of libldpc.backends()
kernel          one of libldpc.kernels(backend); None = the best one
threads         CPU threads, 0 = one per core
max_batch       most words of one submitted batch, 0 = the backend's choice; decode() takes any number
cache_dir       folder for compiled kernels and tuning; None = none
kept            "ems": costs of a message that are kept, 0 = the library's choice
devices         GPUs that share the batches: "0", "0,1" or "all"; None = "0"
streams         batches in flight on each GPU, 1 .. 64; 0 = the backend's choice
min_gpu_batch       backend "auto": batches of fewer words are decoded on the CPU, all others on the GPU; 0 = all on the CPU
breadth_first   GPU, one call of many words: all copies, then all kernels, instead of stream after stream

For a code over GF(q), n and k below stand for n * symbol_bits and k * symbol_bits: the bits of a symbol, most significant
first. A parameter that makes no sense raises ValueError, a backend that cannot be used RuntimeError. Any number of threads may
use a decoder, but only one batch is decoded at a time: use one decoder per thread.)";

static void bind_methods(py::class_<py_decoder> &cls)
{
    cls.def("decode", &py_decoder::decode, py::arg("llrs"), py::arg("output") = "message",
            py::arg("posteriors") = false, py::arg("input") = "llrs",
            R"(Decode words and return when they are done; the GIL is released meanwhile.

llrs        int8 or float32 array (words, n) or (n,)
output      "message": the k information bits of each word; "codeword": all n bits
posteriors  also return the posterior LLRs, in LLR steps
input       "llrs"; or, over GF(q), "costs": instead of LLRs the cost ln P(best) - ln P(a) of the values a of each symbol, uint8
            (LLR steps) or, for float arithmetic, float32 (nat), an array (words, symbols, q) or (symbols, q)

Returns (bits, info) or (bits, info, posteriors):
bits        uint8 array (words, k) or (words, n), one bit per item; packed: ceil(k/8) or ceil(n/8) bytes per word
info        structured array (words,) with the fields iterations (whole ones done), unsatisfied (checks of the result),
            converged (unsatisfied == 0), decoded (False if a device failure kept the word from being decoded)
posteriors  int16 array (words, n)
For LLRs of shape (n,) the results have no words axis either. A word that does not converge is a result, no error.)");
    cls.def("submit", &py_decoder::submit, py::arg("llrs"), py::arg("output") = "message",
            py::arg("posteriors") = false, py::arg("input") = "llrs",
            R"(Start a batch and return at once; collect() hands the results over in order.

Arguments as for decode(), at most max_batch words; int8 LLRs or uint8 costs in C order must not change until they are collected.
Returns True, or False when `depth` batches are in flight and none was started.)");
    cls.def(
        "collect", &py_decoder::collect, py::arg("timeout") = py::none(),
        R"(Wait for the oldest submitted batch, for at most `timeout` seconds (None = as long as it takes).

Returns what decode() returns, or None when the batch is not ready in time or nothing is in flight.)");
}

static void bind_measurements(py::class_<py_decoder> &cls)
{
    cls.def("time", &py_decoder::time, py::arg("llrs"), py::arg("seconds") = 1.0, py::arg("words") = 0,
            py::arg("bits") = py::none(),
            R"(Measure: decode again and again for `seconds`, without returning to Python in between.

llrs     int8 or float32 array (count, n)
seconds  how long; the array is gone through at least once, and once before that is not counted
words    words decoded by each run, a divisor of count; 0 = all of them
bits     uint8 array (count, k), packed (count, ceil(k/8)), that takes the bits; None = a new one

Returns a float64 array with the duration of each run in seconds.)");
    cls.def(
        "time_stream", &py_decoder::time_stream, py::arg("llrs"), py::arg("seconds") = 1.0,
        py::arg("words") = 0, py::arg("bits") = py::none(),
        R"(Measure: as time(), with `depth` runs in flight, submitted and collected, at most max_batch words each.

bits     as for time(), for at least depth * words words

Returns a float64 array (runs, 2): when each run was submitted and when it had been collected, in seconds.)");
}

static void bind_memory(py::class_<py_decoder> &cls)
{
    cls.def("decode_device", &py_decoder::decode_device, py::arg("llrs"), py::arg("bits"), py::arg("words"),
            py::arg("output") = "message", py::arg("floats") = false, py::arg("stream") = 0,
            R"(Decode words that are on the GPU and leave the bits there; nothing is waited for.

llrs    words * n int8 LLRs: an address on the decoder's first GPU, or an array with __cuda_array_interface__ (CuPy, PyTorch)
bits    takes the bits, packed whatever the decoder's `packed` says: words * ceil(k/8) bytes
output  "message" or "codeword", as for decode()
floats  the LLRs are float32, for float arithmetic
stream  CUDA stream that the work is put on, 0 = the default one; calls on one decoder must be on one stream)");
    cls.def(
        "buffer", &py_decoder::buffer, py::arg("shape"), py::arg("dtype") = "int8",
        R"(An array of zeros that a GPU copies from and to by itself, sooner than other memory: for LLRs, and bits where
they are packed. On the CPU an array like any other.)");
}

static void bind_properties(py::class_<py_decoder> &cls)
{
    cls.def_property_readonly(
        "code", [](const py_decoder &dec) { return dec.code(); }, "the libldpc.code");
    cls.def_property_readonly(
        "n", [](const py_decoder &dec) { return dec.code().n(); }, "LLRs of a word");
    cls.def_property_readonly(
        "k", [](const py_decoder &dec) { return dec.code().k(); }, "information bits of a word");
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
        "kernel", [](const py_decoder &dec) { return ldpc_decoder_kernel(dec.get()); }, "kernel in use");
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
        "most words of one submitted batch");
    cls.def_property_readonly(
        "good_batch", [](const py_decoder &dec) { return ldpc_decoder_good_batch(dec.get()); },
        "words that fill the kernel; multiples are best");
    cls.def_property_readonly(
        "depth", [](const py_decoder &dec) { return ldpc_decoder_depth(dec.get()); },
        "batches that may be in flight");
    cls.def_property_readonly(
        "lanes", [](const py_decoder &dec) { return ldpc_decoder_lanes(dec.get()); },
        "words that a block of a GPU or a thread of the CPU decodes at once");
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

void bind_decoder(py::module_ &module)
{
    py::class_<py_decoder> cls(module, "decoder", decoder_doc);
    cls.def(py::init(&make_decoder), py::arg("code"), py::arg("max_iterations") = 50,
            py::arg("algorithm") = "auto", py::arg("arithmetic") = "auto", py::arg("schedule") = "auto",
            py::arg("early_stop") = true, py::arg("llr_scale") = LDPC_DEFAULT_LLR_SCALE,
            py::arg("offset") = py::none(), py::arg("factor") = py::none(), py::arg("packed") = false,
            py::arg("backend") = "auto", py::arg("kernel") = py::none(), py::arg("threads") = 1,
            py::arg("max_batch") = 0, py::arg("cache_dir") = py::none(), py::arg("kept") = 0,
            py::arg("devices") = py::none(), py::arg("streams") = 0, py::arg("min_gpu_batch") = 0,
            py::arg("breadth_first") = false);
    bind_methods(cls);
    bind_measurements(cls);
    bind_memory(cls);
    bind_properties(cls);
    bind_choices(cls);
    cls.def("__repr__", repr);
}
