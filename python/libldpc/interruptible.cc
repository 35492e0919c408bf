/* SPDX-License-Identifier: BSD-3-Clause */
#include "interruptible.h"

#include <list>
#include <memory>
#include <thread>

namespace
{

struct call {
    explicit call(long_work given) : work(std::move(given)) {}
    long_work work;
    stop_flag stop{false};
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false; /* guarded by the mutex */
    ldpc_status status = LDPC_OK;
    std::exception_ptr failure;
    std::thread worker;

    void run()
    {
        try {
            status = work(stop);
        } catch (...) {
            failure = std::current_exception();
        }
        std::lock_guard<std::mutex> guard(mutex);
        done = true;
        changed.notify_one();
    }
    bool wait()
    {
        std::unique_lock<std::mutex> guard(mutex);
        return changed.wait_for(guard, POLL_TIME, [this] { return done; });
    }
    bool is_done()
    {
        std::lock_guard<std::mutex> guard(mutex);
        return done;
    }
};

/* Interrupted calls that still run. The GIL guards this list. It is never destroyed, because calls may
 * outlive the interpreter. */
std::list<std::unique_ptr<call>> &left_calls()
{
    static auto *calls = new std::list<std::unique_ptr<call>>;
    return *calls;
}

void release_left_calls()
{
    left_calls().remove_if([](const std::unique_ptr<call> &one) {
        if (!one->is_done())
            return false;
        one->worker.join();
        return true;
    });
}

bool is_main_thread()
{
    const py::module_ threading = py::module_::import("threading");
    return threading.attr("main_thread")().attr("ident").cast<unsigned long>() == PyThread_get_thread_ident();
}

} // namespace

void check_signals()
{
    if (PyErr_CheckSignals() != 0)
        throw py::error_already_set();
}

ldpc_status interruptible(long_work work, bool quick)
{
    if (quick || !is_main_thread()) {
        const stop_flag never{false};
        py::gil_scoped_release release;
        return work(never);
    }
    release_left_calls();
    auto running = std::make_unique<call>(std::move(work));
    running->worker = std::thread(&call::run, running.get());
    for (bool done = false; !done;) {
        {
            py::gil_scoped_release release;
            done = running->wait();
        }
        if (!done && PyErr_CheckSignals() != 0) {
            running->stop = true;
            left_calls().push_back(std::move(running));
            throw py::error_already_set();
        }
    }
    running->worker.join();
    if (running->failure)
        std::rethrow_exception(running->failure);
    return running->status;
}
