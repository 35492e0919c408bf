/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/host/choose.h"

#include <string.h>

#include "base/status_internal.h"
#include "cuda/host/nvrtc.h"
#include "cuda/host/program.h"

static bool can_compile(const ldpc_cuda_engine *engine, const ldpc_cuda_kernel *kernel)
{
    return engine->driver->build || !kernel->compiled || ldpc_nvrtc_open();
}

static bool is_meant(const ldpc_cuda_engine *engine, const ldpc_cuda_kernel *kernel)
{
    const char *name = engine->plan->kernel;
    return (kernel->opencl || !engine->driver->build) &&
           (name[0] ? strcmp(kernel->name, name) == 0
                    : !kernel->by_name && !(kernel->for_gpus && engine->device.cpu));
}

static void say_unsupported(const ldpc_cuda_engine *engine, const ldpc_cuda_kernel *kernel, ldpc_error *err)
{
    const ldpc_plan *plan = engine->plan;
    unsigned threads = ldpc_cuda_least_threads(kernel, plan, &engine->device);
    if (threads)
        ldpc_fail(err, LDPC_ERR_UNSUPPORTED,
                  "kernel \"%s\" cannot decode %s on this device: it needs work-groups of %u work-items, the "
                  "device supports at most %u",
                  kernel->name, plan->code->name, threads, engine->device.most_threads);
    else
        ldpc_fail(err, LDPC_ERR_UNSUPPORTED, "kernel \"%s\" cannot decode %s with %s, %s, %s", kernel->name,
                  plan->code->name, ldpc_algorithm_name(plan->algorithm),
                  ldpc_arithmetic_name(plan->arithmetic), ldpc_schedule_name(plan->schedule));
}

ldpc_status ldpc_cuda_choose_kernel(ldpc_cuda_engine *engine, ldpc_error *err)
{
    const ldpc_plan *plan = engine->plan;
    const ldpc_cuda_kernel *kernel;
    bool known = !plan->kernel[0];
    engine->chosen = NULL;
    for (size_t i = 0; (kernel = ldpc_cuda_kernel_at(i)) && kernel != engine->unbuildable; i++) {
        if (!is_meant(engine, kernel))
            continue;
        known = true;
        if (!can_compile(engine, kernel))
            ldpc_fail(err, LDPC_ERR_UNSUPPORTED, "kernel \"%s\" needs libnvrtc, which was not found",
                      kernel->name);
        else if (!ldpc_cuda_supports(kernel, plan, &engine->device))
            say_unsupported(engine, kernel, err);
        else
            engine->chosen = kernel;
    }
    if (!known)
        return ldpc_fail(err, LDPC_ERR_PARAM, "backend \"%s\" has no kernel \"%s\"", engine->driver->backend,
                         plan->kernel);
    return engine->chosen ? LDPC_OK : LDPC_ERR_UNSUPPORTED;
}

static void note_skipped(ldpc_cuda_engine *engine, const ldpc_cuda_kernel *skipped, const ldpc_error *why)
{
    const ldpc_error before = engine->skipped;
    ldpc_fail(&engine->skipped, LDPC_ERR_UNSUPPORTED,
              "kernel \"%s\" cannot be built (%.180s): kernel \"%s\" is used instead%s%.200s", skipped->name,
              why->message, engine->chosen->name, before.message[0] ? "; before that, " : "", before.message);
}

bool ldpc_cuda_skip_chosen(ldpc_cuda_engine *engine, ldpc_status status, const ldpc_error *why)
{
    const ldpc_cuda_kernel *skipped = engine->chosen;
    if (status == LDPC_ERR_MEMORY || engine->plan->kernel[0])
        return false;
    engine->unbuildable = skipped;
    if (ldpc_cuda_choose_kernel(engine, NULL)) {
        engine->chosen = skipped;
        return false;
    }
    note_skipped(engine, skipped, why);
    return true;
}

static bool choose_smaller(ldpc_cuda_engine *engine, ldpc_error *why)
{
    const ldpc_cuda_kernel *skipped = engine->chosen;
    const ldpc_error reason = *why;
    if (ldpc_cuda_choose_kernel(engine, why))
        return false;
    if (engine->chosen != skipped)
        note_skipped(engine, skipped, &reason);
    return true;
}

ldpc_status ldpc_cuda_build_fastest(ldpc_cuda_engine *engine, ldpc_error *err)
{
    unsigned most;
    ldpc_status status;
    ldpc_error why = {""};
    do {
        most = engine->device.most_threads;
        status = ldpc_cuda_build(engine, &why);
    } while (status && (engine->device.most_threads < most ? choose_smaller(engine, &why)
                                                           : ldpc_cuda_skip_chosen(engine, status, &why)));
    if (status && err)
        *err = why;
    return status;
}
