/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the speed of a libldpc.decoder with one run or several runs in flight. */
#include "py_decoder.h"

#include <algorithm>
#include <chrono>

using seconds_t = std::chrono::duration<double>;
using timer = std::chrono::steady_clock;

static double since(timer::time_point start)
{
    return seconds_t(timer::now() - start).count();
}

/* wanted = 0: all codewords. */
static size_t codewords_of_run(int64_t wanted, size_t count)
{
    size_t codewords = count_of(wanted, "codewords");
    codewords = codewords ? codewords : count;
    if (count % codewords != 0)
        throw py::value_error("codewords: expected a divisor of " + std::to_string(count) + ", not " +
                              std::to_string(codewords));
    return codewords;
}

/* The results go to `bits`, or to a new array. */
py_job py_decoder::prepare_runs(const py::object &llrs, const optional_array &bits, size_t codewords) const
{
    py_job job = prepare(llrs, "message", false);
    const size_t bytes = bytes_of(d_code.k());
    codewords = std::max(codewords, job.shape.codewords);
    py::array out = bits ? *bits : new_array<uint8_t>({py::ssize_t(codewords), py::ssize_t(bytes)});
    bool right = out.ndim() == 2 && size_t(out.shape(0)) >= codewords && size_t(out.shape(1)) == bytes;
    if (!right || !out.writeable() || !py::isinstance<py::array_t<uint8_t, py::array::c_style>>(out))
        throw py::value_error("bits: expected a writable uint8 array of shape (" + std::to_string(codewords) +
                              ", " + std::to_string(bytes) + "), not " + describe(out));
    job.bits = out;
    job.batch.message = job.bits.mutable_data();
    return job;
}

/* Decodes repeatedly. The first pass is not measured. */
py::array_t<double> py_decoder::time(const py::object &llrs, double seconds, int64_t wanted,
                                     const optional_array &bits)
{
    const auto job = std::make_shared<py_job>(prepare_runs(llrs, bits, 0));
    const size_t codewords = codewords_of_run(wanted, job->shape.codewords);
    const auto runs = std::make_shared<std::vector<double>>();
    check(alone([=](const stop_flag &stop) {
        ldpc_status status = run(job->batch, stop);
        const timer::time_point begin = timer::now();
        while (status == LDPC_OK && !stop && (runs->empty() || since(begin) < seconds)) {
            for (size_t first = 0; first < job->shape.codewords && status == LDPC_OK && !stop;
                 first += codewords) {
                const ldpc_batch part = part_of(job->batch, first, codewords);
                const timer::time_point start = timer::now();
                status = run(part, stop);
                runs->push_back(since(start));
            }
        }
        return status;
    }));
    return new_array({py::ssize_t(runs->size())}, runs->data());
}

/* Decodes with several runs in flight. Appends the start and end time of each run, in seconds. */
ldpc_status py_decoder::stream_runs(const py_job &job, size_t codewords, size_t parts, double seconds,
                                    const stop_flag &stop, std::vector<double> &runs)
{
    const size_t depth = ldpc_decoder_depth(d_handle);
    ldpc_status status = run(part_of(job.batch, 0, codewords), stop);
    const timer::time_point start = timer::now();
    size_t finished = 0;
    bool more = status == LDPC_OK;
    while (more || 2 * finished < runs.size()) {
        const size_t number = runs.size() / 2;
        more = more && !stop && status == LDPC_OK && (number <= depth || since(start) < seconds);
        if (more && number - finished < depth) {
            ldpc_batch part = part_of(job.batch, number % parts * codewords, codewords);
            part.message = job.batch.message + number % depth * codewords * bytes_of(d_code.k());
            const double begin = since(start);
            status = ldpc_submit(d_handle, &part);
            if (status == LDPC_OK)
                runs.insert(runs.end(), {begin, 0.0});
            continue;
        }
        if (2 * finished == runs.size())
            break;
        const ldpc_status collected = ldpc_collect(d_handle, -1, nullptr);
        runs[2 * finished++ + 1] = since(start);
        status = status == LDPC_OK ? collected : status;
    }
    return status;
}

/* The input is repeated. At most `depth` runs are in flight. Each of these runs has a result buffer. */
py::array_t<double> py_decoder::time_stream(const py::object &llrs, double seconds, int64_t wanted,
                                            const optional_array &bits)
{
    const size_t count = prepare(llrs, "message", false).shape.codewords;
    const size_t codewords = codewords_of_run(wanted, count);
    const auto job =
        std::make_shared<py_job>(prepare_runs(llrs, bits, ldpc_decoder_depth(d_handle) * codewords));
    job->batch.info = nullptr;
    const auto runs = std::make_shared<std::vector<double>>();
    check(alone([=](const stop_flag &stop) {
        return stream_runs(*job, codewords, count / codewords, seconds, stop, *runs);
    }));
    return new_array({py::ssize_t(runs->size() / 2), 2}, runs->data());
}
