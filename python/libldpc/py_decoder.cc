/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods of libldpc.decoder. */
#include "py_decoder.h"

#include "device_arrays.h"

#include <algorithm>
#include <cmath>
#include <cstring>

/* Warns if other users can write to the cache directory. Such a directory is not used. */
static void warn_about(const char *cache_dir)
{
    ldpc_error error = {};
    if (ldpc_cache_dir_check(cache_dir, &error) != LDPC_OK &&
        PyErr_WarnEx(PyExc_UserWarning, error.message, 1) != 0)
        throw py::error_already_set();
}

constexpr double SLOWEST_EDGE_SECONDS = 1e-8; /* time per edge of the reference kernel in seconds */
constexpr double QUICK_SECONDS = 0.1;         /* longer calls must be interruptible by Ctrl-C */

py_decoder::py_decoder(const py_code &code, const ldpc_decoder_params &params, const py::dict &arguments)
    : d_code(code), d_params(params), d_arguments(arguments),
      d_edge_seconds(SLOWEST_EDGE_SECONDS * ldpc_code_order(code.get()))
{
    ldpc_error error = {};
    ldpc_status status;
    if (std::strcmp(params.backend, "cpu") != 0)
        warn_about(params.cache_dir);
    {
        py::gil_scoped_release release;
        status = ldpc_decoder_create(code.get(), &params, &d_handle, &error);
    }
    ::check(status, error);
    if (params.fallback && *ldpc_decoder_message(d_handle) &&
        PyErr_WarnEx(PyExc_RuntimeWarning, ldpc_decoder_message(d_handle), 1) != 0) {
        ldpc_decoder_destroy(d_handle);
        throw py::error_already_set();
    }
    d_params.backend = d_params.kernel = d_params.cache_dir = d_params.devices = nullptr;
}

py_decoder::~py_decoder()
{
    py::gil_scoped_release release;
    ldpc_decoder_destroy(d_handle); /* destroyed first, because batches in flight use the arrays of d_jobs */
}

/* A forked child does not wait, because the lock's owner may not exist there. */
void py_decoder::take(turn_lock &lock) const
{
    if (lock.try_lock())
        return;
    if (getpid() != d_process)
        raise_status(LDPC_ERR_THREAD,
                     "the process was forked while another thread used this decoder: create a "
                     "decoder in this process");
    for (bool taken = false; !taken;) {
        check_signals();
        py::gil_scoped_release release;
        taken = lock.mutex()->try_lock_for(POLL_TIME);
        if (taken)
            lock = turn_lock(*lock.mutex(), std::adopt_lock);
    }
}

ldpc_status py_decoder::locked(bool with_collect, long_work work, bool quick)
{
    struct locks {
        turn_lock submit, collect;
    };
    auto held = std::make_shared<locks>(
        locks{turn_lock(d_submit, std::defer_lock), turn_lock(d_collect, std::defer_lock)});
    take(held->submit);
    if (with_collect)
        take(held->collect);
    const py::object self = py::cast(this, py::return_value_policy::reference);
    return interruptible(
        [self, held, work = std::move(work)](const stop_flag &stop) {
            const ldpc_status status = work(stop);
            if (held->collect.owns_lock())
                held->collect.unlock();
            held->submit.unlock();
            return status;
        },
        quick);
}

ldpc_status py_decoder::alone(long_work work, bool quick)
{
    return locked(true, std::move(work), quick);
}

ldpc_status py_decoder::submitting(long_work work, bool quick)
{
    return locked(false, std::move(work), quick);
}

/* Raises the exception for a status. Acquires both locks. The caller must hold neither lock. */
void py_decoder::check(ldpc_status status)
{
    if (status == LDPC_OK)
        return;
    auto sentence = std::make_shared<std::string>();
    alone(
        [this, sentence](const stop_flag &) {
            *sentence = ldpc_decoder_message(d_handle);
            return LDPC_OK;
        },
        true);
    raise_status(status, *sentence);
}

/* Returns whether decoding certainly takes less than QUICK_SECONDS. */
bool py_decoder::is_quick(const py_job &job) const
{
    const double room = double(ldpc_decoder_lanes(d_handle)) * std::max(1u, d_params.threads);
    const double iterations = std::max(room, double(job.shape.codewords)) * (d_params.max_iterations + 1.0);
    return iterations * double(ldpc_code_edges(d_code.get())) * d_edge_seconds < QUICK_SECONDS;
}

void py_decoder::learn_speed(const py_job &job, double seconds)
{
    double iterations = double(job.shape.codewords);
    for (size_t i = 0; i < job.shape.codewords; i++)
        iterations += job.batch.info[i].iterations;
    d_edge_seconds = seconds / (iterations * double(std::max<size_t>(1, ldpc_code_edges(d_code.get()))));
}

/* Decodes batches of at most max_batch. The caller must hold both locks. */
ldpc_status py_decoder::run(const ldpc_batch &batch, const stop_flag &stop)
{
    if (batch.n_codewords <= ldpc_decoder_max_batch(d_handle) || d_in_flight > 0)
        return ldpc_decode(d_handle, &batch);
    size_t most = ldpc_decoder_max_batch(d_handle), first = 0, flying = 0;
    ldpc_status status = LDPC_OK;
    while (first < batch.n_codewords || flying > 0) {
        if (first < batch.n_codewords && status == LDPC_OK && !stop) {
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
                             const std::string &input, std::optional<uintptr_t> stream)
{
    if (is_on_gpu(llrs))
        return decode_on_gpu(llrs, output, posteriors, input, stream);
    const auto job = std::make_shared<py_job>(prepare(llrs, output, posteriors, input));
    const auto start = std::chrono::steady_clock::now();
    const ldpc_status status =
        alone([this, job](const stop_flag &stop) { return run(job->batch, stop); }, is_quick(*job));
    if (d_abandoned)
        d_left.push_back(job);
    check(status);
    learn_speed(*job, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return job->result();
}

bool py_decoder::submit(const py::object &llrs, const std::string &output, bool posteriors,
                        const std::string &input)
{
    turn_lock lock(d_submit, std::defer_lock);
    py_job job = prepare(llrs, output, posteriors, input);
    ldpc_batch batch = job.batch;
    take(lock);
    d_jobs.push_back(std::move(job)); /* stored before the submission, because another thread may collect the
                                       * batch immediately after it */
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

/* Calls wait(us) until it succeeds or `timeout` seconds have passed. Ctrl-C interrupts the wait. */
template <class Wait> static ldpc_status wait_in_pieces(std::optional<double> timeout, Wait wait)
{
    const double poll = std::chrono::duration<double>(POLL_TIME).count();
    double left = timeout ? std::fmax(*timeout, 0.0) : HUGE_VAL;
    for (;;) {
        const double piece = std::fmin(left, poll);
        ldpc_status status;
        {
            py::gil_scoped_release release;
            status = wait(int64_t(piece * 1e6));
        }
        left -= piece;
        if (status != LDPC_AGAIN || !(left > 0))
            return status;
        check_signals();
    }
}

bool py_decoder::wait_kernel(std::optional<double> timeout)
{
    turn_lock lock(d_submit, std::defer_lock);
    take(lock);
    const ldpc_status status =
        wait_in_pieces(timeout, [this](int64_t us) { return ldpc_decoder_wait_kernel(d_handle, us); });
    lock.unlock();
    if (status == LDPC_AGAIN)
        return false;
    check(status);
    return true;
}

py::object py_decoder::collect(std::optional<double> timeout)
{
    turn_lock lock(d_collect, std::defer_lock);
    take(lock);
    const ldpc_status status =
        wait_in_pieces(timeout, [this](int64_t us) { return ldpc_collect(d_handle, us, nullptr); });
    /* in a forked child, the jobs belong to the parent process */
    if (status == LDPC_ERR_THREAD || (status == LDPC_ERR_DEVICE && d_abandoned)) {
        lock.unlock();
        check(status);
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

/* An array in memory of the decoder. The memory is freed before the decoder. */
struct lent_buffer {
    py::object decoder;
    void *memory;
    static void give_back(void *self)
    {
        std::unique_ptr<lent_buffer> owner(static_cast<lent_buffer *>(self));
        ldpc_decoder_free(owner->decoder.cast<py_decoder &>().get(), owner->memory);
    }
};

py::array py_decoder::buffer(const std::vector<py::ssize_t> &shape, const py::object &dtype)
{
    py::dtype type = py::dtype::from_args(dtype);
    size_t bytes = item_bytes(type);
    for (py::ssize_t length : shape)
        bytes *= count_of(length, "shape");
    void *memory = ldpc_decoder_alloc(d_handle, bytes ? bytes : 1);
    if (!memory && getpid() != d_process)
        raise_status(LDPC_ERR_THREAD, ldpc_decoder_message(d_handle));
    if (!memory)
        throw std::bad_alloc();
    std::memset(memory, 0, bytes);
    auto *owner = new lent_buffer{py::cast(this, py::return_value_policy::reference), memory};
    return array_of(type, shape, memory, py::capsule(owner, lent_buffer::give_back));
}

void py_decoder::set_max_iterations(int64_t value)
{
    uint32_t max_iterations = count_of(value, "max_iterations");
    check(submitting(
        [=](const stop_flag &) { return ldpc_decoder_set_max_iterations(d_handle, max_iterations); },
        d_in_flight == 0));
    d_params.max_iterations = max_iterations;
}

void py_decoder::set_early_stop(bool value)
{
    check(submitting([=](const stop_flag &) { return ldpc_decoder_set_early_stop(d_handle, value); },
                     d_in_flight == 0));
    d_params.early_stop = value;
}

void py_decoder::set_offset(float value)
{
    check(submitting([=](const stop_flag &) { return ldpc_decoder_set_offset(d_handle, value); },
                     d_in_flight == 0));
    d_params.offset = value;
}

void py_decoder::set_factor(float value)
{
    check(submitting([=](const stop_flag &) { return ldpc_decoder_set_factor(d_handle, value); },
                     d_in_flight == 0));
    d_params.factor = value;
}
