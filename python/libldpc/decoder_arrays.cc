/* SPDX-License-Identifier: BSD-3-Clause */
/* Input and output arrays of one batch, and their conversion. */
#include "py_decoder.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

py::tuple py_job::result() const
{
    py::object records = info;
    if (shape.single)
        records = info[py::int_(0)];
    if (posteriors)
        return py::make_tuple(bits, records, *posteriors);
    return py::make_tuple(bits, records);
}

static bool has_nan(const float *values, size_t count)
{
    bool nan = false;
    for (size_t i = 0; i < count; i++)
        nan |= values[i] != values[i];
    return nan;
}

/* Warns if all LLRs round to 0. The scale is probably wrong, and the decoder would return zeros. */
static void warn_if_lost(const float *nats, const int8_t *steps, size_t count)
{
    const auto is_not_zero = [](auto value) { return value != 0; };
    if (std::none_of(steps, steps + count, is_not_zero) && std::any_of(nats, nats + count, is_not_zero) &&
        PyErr_WarnEx(PyExc_UserWarning, "llrs: all values round to 0; expected LLRs in nats", 1) != 0)
        throw py::error_already_set();
}

/* Integers become int8. Floats become float32 in float arithmetic, otherwise quantised int8. */
py::array py_decoder::llrs_of(const py::object &object) const
{
    py::array array = array_on_host(object);
    if (!array)
        throw py::type_error("llrs: expected a numpy array of int8 or float32");
    char kind = array.dtype().kind();
    if (kind == 'i' && item_bytes(array) == 1)
        return py::array_t<int8_t, py::array::c_style>::ensure(array);
    if (kind == 'i')
        return narrowed(array, INT8_MIN, INT8_MAX, "llrs");
    if (kind != 'f')
        throw py::type_error("llrs: expected int8 (steps of 1/llr_scale nat) or float32 (nat), not " +
                             describe(array));
    auto nats = py::array_t<float, py::array::c_style | py::array::forcecast>::ensure(array);
    if (has_nan(nats.data(), size_t(nats.size())))
        throw py::value_error("llrs: expected numbers, found NaN; an erasure is 0");
    if (ldpc_decoder_arithmetic(d_handle) == LDPC_ARITHMETIC_FLOAT)
        return nats;
    auto steps = new_array<int8_t>(std::vector<py::ssize_t>(nats.shape(), nats.shape() + nats.ndim()));
    ldpc_quantize(nats.data(), size_t(nats.size()), d_params.llr_scale, steps.mutable_data());
    warn_if_lost(nats.data(), steps.data(), size_t(steps.size()));
    return steps;
}

/* Returns one row per codeword: uint8 in steps, or float32 in nats. */
py::array py_decoder::costs_of(const py::object &object) const
{
    py::array array = array_on_host(object);
    if (!array || (array.dtype().kind() != 'f' && !array.dtype().equal(py::dtype::of<uint8_t>())))
        throw py::type_error("costs: expected a numpy array of uint8 (LLR steps) or float32 (nat)");
    py::ssize_t symbols = ldpc_code_n(d_code.get()), q = ldpc_code_order(d_code.get()),
                last = array.ndim() - 1;
    if (last < 1 || last > 2 || array.shape(last) != q || array.shape(last - 1) != symbols ||
        array.size() == 0)
        throw py::value_error(
            "costs: expected shape (codewords, symbols, q) or (symbols, q) with symbols = " +
            std::to_string(symbols) + " and q = " + std::to_string(q) + ", not " + describe(array));
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

static void set_input(ldpc_batch &batch, const py::array &array, bool costs)
{
    const bool bytes = item_bytes(array) == 1;
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
    if (message)
        check_messages(d_code);
    size_t length = message ? d_code.k() : d_code.n();
    py_job job = {};
    job.llr = costs ? costs_of(llrs) : llrs_of(llrs);
    job.shape = costs ? shape_of(job.llr, d_code.costs(), "costs", "symbols * q", llrs)
                      : shape_of(job.llr, d_code.n(), "llrs", "n", llrs);
    job.bits = new_array<uint8_t>(job.shape.with(bytes_of(length)));
    job.info = new_array(info_dtype(), {py::ssize_t(job.shape.codewords)});
    if (posteriors)
        job.posteriors = new_array<int16_t>(job.shape.with(d_code.n()));

    ldpc_batch &batch = job.batch;
    batch.n_codewords = job.shape.codewords;
    set_input(batch, job.llr, costs);
    (message ? batch.message : batch.codeword) = job.bits.mutable_data();
    batch.posterior = posteriors ? job.posteriors->mutable_data() : nullptr;
    batch.info = static_cast<ldpc_codeword_info *>(job.info.mutable_data());
    return job;
}

ldpc_batch py_decoder::part_of(const ldpc_batch &batch, size_t first, size_t count) const
{
    return ldpc_decoder_slice(get(), &batch, first, count);
}
