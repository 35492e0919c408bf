/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates a plan. Backends rely on checked values and on the absence of "auto". */
#define _POSIX_C_SOURCE 200809L
#include "plan/plan.h"
#include "plan/algorithms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "base/versioned.h"

#define MAX_ITERATIONS 10000
#define MAX_THREADS    1024
#define MAX_BATCH      (1u << 20)
#define EMS_KEPT       16
#define MAX_STREAMS    64
#define MAX_OFFSET     63

static const ldpc_layout params_layout = LDPC_LAYOUT(ldpc_decoder_params, llr_limit);

void ldpc_decoder_params_init_sized(ldpc_decoder_params *params, size_t size)
{
    if (!params)
        return;
    const ldpc_decoder_params defaults = {
        .size = size,
        .max_iterations = 50,
        .early_stop = true,
        .llr_scale = LDPC_DEFAULT_LLR_SCALE,
        .offset = -1,
        .backend = "cpu",
        .threads = 1,
        .llr_limit = LDPC_DEFAULT_LLR_LIMIT,
    };
    ldpc_write_struct(&params_layout, params, size, &defaults);
}

ldpc_status ldpc_decoder_params_read(ldpc_decoder_params *own, const ldpc_decoder_params *given,
                                     ldpc_error *err)
{
    if (given)
        return ldpc_read_struct(&params_layout, own, given, err);
    ldpc_decoder_params_init(own);
    return LDPC_OK;
}

static bool whole(float x)
{
    return x == floorf(x);
}

static ldpc_status check_kinds(const ldpc_decoder_params *params, ldpc_error *err)
{
    if ((unsigned)params->algorithm > LDPC_LAST_ALGORITHM)
        return ldpc_fail(err, LDPC_ERR_PARAM, "algorithm %u: expected 0 .. %u", (unsigned)params->algorithm,
                         LDPC_LAST_ALGORITHM);
    if ((unsigned)params->arithmetic > LDPC_ARITHMETIC_FLOAT)
        return ldpc_fail(err, LDPC_ERR_PARAM, "arithmetic %u: expected 0 .. %u", (unsigned)params->arithmetic,
                         LDPC_ARITHMETIC_FLOAT);
    if ((unsigned)params->schedule > LDPC_SCHEDULE_FLOODING)
        return ldpc_fail(err, LDPC_ERR_PARAM, "schedule %u: expected 0 .. %u", (unsigned)params->schedule,
                         LDPC_SCHEDULE_FLOODING);
    if (params->algorithm == LDPC_ALGORITHM_SUM_PRODUCT && params->arithmetic != LDPC_ARITHMETIC_AUTO &&
        params->arithmetic != LDPC_ARITHMETIC_FLOAT)
        return ldpc_fail(err, LDPC_ERR_PARAM, "sum-product: expected float arithmetic, found %s",
                         ldpc_arithmetic_name(params->arithmetic));
    return LDPC_OK;
}

bool ldpc_algorithm_only_nonbinary(ldpc_algorithm algorithm)
{
    return algorithm == LDPC_ALGORITHM_MIN_MAX || algorithm == LDPC_ALGORITHM_EMS;
}

static bool nonbinary_algorithm(ldpc_algorithm algorithm)
{
    return algorithm == LDPC_ALGORITHM_AUTO || algorithm == LDPC_ALGORITHM_MIN_SUM ||
           algorithm == LDPC_ALGORITHM_SUM_PRODUCT || ldpc_algorithm_only_nonbinary(algorithm);
}

static ldpc_status check_field(const ldpc_code *code, const ldpc_decoder_params *params, ldpc_error *err)
{
    bool nonbinary = code->order > 2;
    if (!nonbinary && ldpc_algorithm_only_nonbinary(params->algorithm))
        return ldpc_fail(err, LDPC_ERR_PARAM, "%s: expected a code over GF(q), q > 2; %s is binary",
                         ldpc_algorithm_name(params->algorithm), code->name);
    if (params->kept && params->algorithm != LDPC_ALGORITHM_EMS)
        return ldpc_fail(err, LDPC_ERR_PARAM, "kept %u: expected algorithm \"ems\", found \"%s\"",
                         params->kept, ldpc_algorithm_name(params->algorithm));
    if (!nonbinary)
        return LDPC_OK;
    if (!nonbinary_algorithm(params->algorithm))
        return ldpc_fail(
            err, LDPC_ERR_UNSUPPORTED,
            "%s is over GF(%u): expected algorithm min-max, min-sum, ems or sum-product, found %s",
            code->name, code->order, ldpc_algorithm_name(params->algorithm));
    if (params->arithmetic == LDPC_ARITHMETIC_I16 ||
        (params->algorithm == LDPC_ALGORITHM_EMS && params->arithmetic == LDPC_ARITHMETIC_I8))
        return ldpc_fail(
            err, LDPC_ERR_UNSUPPORTED,
            "%s is over GF(%u): expected i8 or float arithmetic for min-max and min-sum, float for ems and "
            "sum-product, found %s",
            code->name, code->order, ldpc_arithmetic_name(params->arithmetic));
    if (params->kept > code->order)
        return ldpc_fail(err, LDPC_ERR_PARAM, "kept %u: expected 1 .. %u elements of GF(%u), or 0",
                         params->kept, code->order, code->order);
    return LDPC_OK;
}

static ldpc_status check_numbers(const ldpc_decoder_params *params, ldpc_error *err)
{
    if (!(params->llr_scale >= 0.25f && params->llr_scale <= 64))
        return ldpc_fail(err, LDPC_ERR_PARAM, "llr_scale %g: expected 0.25 .. 64 steps per nat",
                         (double)params->llr_scale);
    if (params->llr_limit > LDPC_MAX_LLR)
        return ldpc_fail(err, LDPC_ERR_PARAM, "llr_limit %u: expected 1 .. %d LLR steps, or 0 for %d",
                         params->llr_limit, LDPC_MAX_LLR, LDPC_DEFAULT_LLR_LIMIT);
    if (params->threads > MAX_THREADS)
        return ldpc_fail(err, LDPC_ERR_PARAM, "threads %u: expected 0 (one per core) .. %u", params->threads,
                         MAX_THREADS);
    if (params->max_batch > MAX_BATCH)
        return ldpc_fail(err, LDPC_ERR_PARAM, "max_batch %zu: expected 0 (the backend's choice) .. %u",
                         params->max_batch, MAX_BATCH);
    if (params->streams > MAX_STREAMS)
        return ldpc_fail(err, LDPC_ERR_PARAM, "streams %u: expected 0 (the backend's choice) .. %u",
                         params->streams, MAX_STREAMS);
    if (params->kernel && strlen(params->kernel) >= sizeof((ldpc_plan *)0)->kernel)
        return ldpc_fail(err, LDPC_ERR_PARAM, "kernel: found a name of %zu characters, expected at most %zu",
                         strlen(params->kernel), sizeof((ldpc_plan *)0)->kernel - 1);
    return LDPC_OK;
}

ldpc_status ldpc_plan_set_max_iterations(ldpc_plan *plan, uint32_t max_iterations, ldpc_error *err)
{
    if (max_iterations > MAX_ITERATIONS)
        return ldpc_fail(err, LDPC_ERR_PARAM, "max_iterations %u: expected 0 .. %u", max_iterations,
                         MAX_ITERATIONS);
    plan->max_iterations = max_iterations;
    return LDPC_OK;
}

ldpc_status ldpc_plan_set_offset(ldpc_plan *plan, float offset, ldpc_error *err)
{
    bool automatic = offset < 0;
    if (!automatic && plan->algorithm != LDPC_ALGORITHM_OFFSET_MIN_SUM)
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "offset: expected a decoder with algorithm \"offset\", found \"%s\"",
                         ldpc_algorithm_name(plan->algorithm));
    if (!automatic && !(offset <= MAX_OFFSET))
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "offset %g: expected 0 .. %d LLR steps, or -1 for the library's choice",
                         (double)offset, MAX_OFFSET);
    if (!automatic && plan->arithmetic != LDPC_ARITHMETIC_FLOAT && !whole(offset))
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "offset %g: expected an integer number of LLR steps in %s arithmetic",
                         (double)offset, ldpc_arithmetic_name(plan->arithmetic));
    plan->offset = automatic ? -1 : offset;
    return LDPC_OK;
}

ldpc_status ldpc_plan_set_factor(ldpc_plan *plan, float factor, ldpc_error *err)
{
    bool automatic = factor == 0;
    if (!automatic && plan->algorithm != LDPC_ALGORITHM_NORMALIZED_MIN_SUM)
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "factor: expected a decoder with algorithm \"normalized\", found \"%s\"",
                         ldpc_algorithm_name(plan->algorithm));
    if (!automatic && !(factor >= 1.0f / 16 && factor <= 1))
        return ldpc_fail(err, LDPC_ERR_PARAM, "factor %g: expected 1/16 .. 1, or 0 for the library's choice",
                         (double)factor);
    if (!automatic && plan->arithmetic != LDPC_ARITHMETIC_FLOAT && !whole(16 * factor))
        return ldpc_fail(err, LDPC_ERR_PARAM, "factor %g: expected a multiple of 1/16 in %s arithmetic",
                         (double)factor, ldpc_arithmetic_name(plan->arithmetic));
    plan->factor = factor;
    return LDPC_OK;
}

static uint32_t thread_count(uint32_t wanted)
{
    if (wanted)
        return wanted;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > MAX_THREADS ? MAX_THREADS : (uint32_t)cores;
}

/* Over GF(q), min-sum beats min-max only if each symbol has two checks (docs/nonbinary.md). */
static ldpc_algorithm best_algorithm(const ldpc_code *code)
{
    if (code->order == 2)
        return code->three_min ? LDPC_ALGORITHM_THREE_MIN : LDPC_ALGORITHM_CORRECTED_MIN_SUM;
    return code->max_variable_degree > 2 ? LDPC_ALGORITHM_MIN_MAX : LDPC_ALGORITHM_MIN_SUM;
}

static bool float_only(ldpc_algorithm algorithm)
{
    return algorithm == LDPC_ALGORITHM_SUM_PRODUCT || algorithm == LDPC_ALGORITHM_EMS;
}

/* Messages are limited, so a wrong channel LLR above this limit could never be corrected. */
static int32_t llr_limit(const ldpc_code *code, ldpc_arithmetic arithmetic, uint32_t wanted)
{
    if (code->order > 2 || arithmetic == LDPC_ARITHMETIC_FLOAT)
        return LDPC_MAX_LLR;
    return wanted ? (int32_t)wanted : LDPC_DEFAULT_LLR_LIMIT;
}

static void choose(ldpc_plan *plan, const ldpc_code *code, const ldpc_decoder_params *params,
                   ldpc_arithmetic arithmetic)
{
    plan->algorithm = params->algorithm ? params->algorithm : best_algorithm(code);
    plan->schedule = params->schedule ? params->schedule : LDPC_SCHEDULE_LAYERED;
    if (params->arithmetic)
        plan->arithmetic = params->arithmetic;
    else
        plan->arithmetic = float_only(plan->algorithm) ? LDPC_ARITHMETIC_FLOAT : arithmetic;
    plan->kept = params->kept ? params->kept : code->order < EMS_KEPT ? code->order : EMS_KEPT;
    plan->early_stop = params->early_stop;
    plan->packed = params->packed;
    plan->llr_scale = params->llr_scale;
    plan->llr_limit = llr_limit(code, plan->arithmetic, params->llr_limit);
    plan->threads = thread_count(params->threads);
    plan->max_batch = params->max_batch;
    plan->streams = params->streams;
    plan->min_gpu_batch = params->min_gpu_batch;
    if (params->kernel)
        strcpy(plan->kernel, params->kernel);
}

static bool copy_string(char **copy, const char *string)
{
    *copy = string ? ldpc_allocate(strlen(string) + 1, 1) : NULL;
    if (*copy)
        strcpy(*copy, string);
    return *copy || !string;
}

static ldpc_status check(const ldpc_code *code, const ldpc_decoder_params *params, ldpc_error *err)
{
    ldpc_status status = check_kinds(params, err);
    if (!status)
        status = check_field(code, params, err);
    return status ? status : check_numbers(params, err);
}

static ldpc_status fill(ldpc_plan *plan, const ldpc_code *code, const ldpc_decoder_params *params,
                        ldpc_error *err)
{
    ldpc_status status = ldpc_plan_set_max_iterations(plan, params->max_iterations, err);
    if (!status)
        status = ldpc_plan_set_offset(plan, params->offset, err);
    if (!status)
        status = ldpc_plan_set_factor(plan, params->factor, err);
    if (status)
        return status;
    if (!copy_string(&plan->cache_dir, params->cache_dir) || !copy_string(&plan->devices, params->devices))
        return ldpc_fail_memory(err);
    plan->code = ldpc_code_retain(code);
    return LDPC_OK;
}

ldpc_status ldpc_plan_init(ldpc_plan *plan, const ldpc_code *code, const ldpc_decoder_params *params,
                           ldpc_arithmetic arithmetic, ldpc_error *err)
{
    memset(plan, 0, sizeof *plan);
    ldpc_status status = check(code, params, err);
    if (status)
        return status;
    choose(plan, code, params, code->order > 2 ? LDPC_ARITHMETIC_I8 : arithmetic);
    status = fill(plan, code, params, err);
    if (status)
        ldpc_plan_clear(plan);
    return status;
}

void ldpc_plan_clear(ldpc_plan *plan)
{
    free(plan->cache_dir);
    free(plan->devices);
    ldpc_code_destroy(plan->code);
    memset(plan, 0, sizeof *plan);
}
