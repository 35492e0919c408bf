/* SPDX-License-Identifier: BSD-3-Clause */
/* The Python class decoder: a C decoder, locks, and arrays of batches in flight. */
#ifndef LIBLDPC_PY_DECODER_H
#define LIBLDPC_PY_DECODER_H

#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "interruptible.h"

/* Arrays of one batch, kept while the library uses them. */
struct py_job {
    batch_shape shape;
    py::array llr; /* contiguous array of the decoder's input type */
    py::array_t<uint8_t> bits;
    py::array info;
    std::optional<py::array_t<int16_t>> posteriors;
    ldpc_batch batch;

    py::tuple result() const;
};

/* Two locks ensure that only one thread uses the C decoder. One exception: a thread may submit while another
 * thread collects. */
class py_decoder
{
  public:
    py_decoder(const py_code &code, const ldpc_decoder_params &params, const py::dict &arguments);
    ~py_decoder();
    py_decoder(const py_decoder &) = delete;
    py_decoder &operator=(const py_decoder &) = delete;

    py::tuple decode(const py::object &llrs, const std::string &output, bool posteriors,
                     const std::string &input, std::optional<uintptr_t> stream);
    py::tuple decode_packet(const py::object &llrs, int64_t crc); /* bind_packets.cc */
    bool submit(const py::object &llrs, const std::string &output, bool posteriors, const std::string &input);
    py::object collect(std::optional<double> timeout);
    bool wait_kernel(std::optional<double> timeout);
    void decode_device(const py::object &llrs, const py::object &bits, int64_t codewords,
                       const std::string &output, bool floats, uintptr_t stream);
    py::array buffer(const std::vector<py::ssize_t> &shape, const py::object &dtype);

    using optional_array = std::optional<py::array>;
    py::array_t<double> time(const py::object &llrs, double seconds, int64_t codewords,
                             const optional_array &bits);
    py::array_t<double> time_stream(const py::object &llrs, double seconds, int64_t codewords,
                                    const optional_array &bits);

    void set_max_iterations(int64_t value);
    void set_early_stop(bool value);
    void set_offset(float value);
    void set_factor(float value);

    ldpc_decoder *get() const
    {
        return d_handle;
    }
    const py_code &code() const
    {
        return d_code;
    }
    const ldpc_decoder_params &params() const
    {
        return d_params;
    }
    const py::dict &arguments() const
    {
        return d_arguments;
    }
    size_t in_flight() const
    {
        return d_in_flight;
    }
    void abandon()
    {
        d_abandoned = true;
        ldpc_decoder_abandon(d_handle);
    }

    /* Executes the work without the GIL. The work must own everything it uses. */
    ldpc_status alone(long_work work, bool quick = false);
    /* Another thread may call collect() meanwhile. */
    ldpc_status submitting(long_work work, bool quick = false);

  private:
    using job_ptr = std::shared_ptr<py_job>;
    using turn_lock = std::unique_lock<turn>;
    py_job prepare(const py::object &llrs, const std::string &output, bool posteriors,
                   const std::string &input = "llrs") const;
    py::array llrs_of(const py::object &llrs) const;
    py::array costs_of(const py::object &costs) const;
    py_job prepare_runs(const py::object &llrs, const optional_array &bits, size_t codewords) const;
    ldpc_batch part_of(const ldpc_batch &batch, size_t first, size_t count) const;
    /* Returns the number of output bytes for `bits` bits. */
    size_t bytes_of(size_t bits) const
    {
        return d_params.packed ? (bits + 7) / 8 : bits;
    }
    py::tuple decode_on_gpu(const py::object &llrs, const std::string &output, bool posteriors,
                            const std::string &input, std::optional<uintptr_t> stream);
    ldpc_status run_on_gpu(const ldpc_batch &batch, uintptr_t stream);
    bool is_quick(const py_job &job) const;
    void learn_speed(const py_job &job, double seconds);
    ldpc_status run(const ldpc_batch &batch, const stop_flag &stop);
    ldpc_status stream_runs(const py_job &job, size_t codewords, size_t parts, double seconds,
                            const stop_flag &stop, std::vector<double> &runs);
    void take(turn_lock &lock) const;
    ldpc_status locked(bool with_collect, long_work work, bool quick);
    void check(ldpc_status status);

    py_code d_code;
    ldpc_decoder_params d_params; /* strings are cleared */
    py::dict d_arguments;
    ldpc_decoder *d_handle = nullptr;
    const pid_t d_process = getpid();
    turn d_submit, d_collect;           /* a thread that needs both locks acquires d_submit first */
    std::deque<py_job> d_jobs;          /* jobs in flight, oldest first; guarded by the GIL */
    std::atomic<size_t> d_in_flight{0}; /* size of d_jobs. A thread must hold d_submit or d_collect to change
                                         * it. */
    std::atomic<bool> d_abandoned{false};
    std::vector<std::shared_ptr<py_job>>
        d_left; /* jobs of interrupted calls of decode(). Such a call may still write to the arrays of its
                 * job. */
    /* measured seconds per edge and iteration */
    std::atomic<double> d_edge_seconds;
};

#endif
