/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles the programs of a device or reads them from the cache directory, and launches kernels. */
#include "opencl/opencl_internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cuda/host/cache.h"
#include "cuda/kernels/kernel.h"

struct cu_module {
    const ldpc_opencl_device *device;
    cl_program program;
    cl_kernel kernel;
    pthread_mutex_t mutex; /* locked while arguments are set and the kernel is launched, because the kernel
                            * object stores the arguments */
};

/* ---- compiling */

static unsigned most_registers(unsigned threads, unsigned blocks)
{
    enum { WARP = 32, QUARTERS = 4, REGISTERS = 512, MOST = 255, UNIT = 8 };
    unsigned warps = (threads + WARP - 1) / WARP * (blocks ? blocks : 1);
    unsigned registers = REGISTERS / ((warps + QUARTERS - 1) / QUARTERS);
    return registers > MOST ? MOST : registers - registers % UNIT;
}

static bool takes_ptx(const ldpc_opencl_device *d)
{
    return d->capability >= LDPC_CUDA_LEAST_CAPABILITY;
}

/* Divisions by llr_scale must be rounded as in the reference decoder. */
static void write_options(const ldpc_opencl_device *d, const ldpc_cuda_source *source, char *options,
                          size_t bytes)
{
    int length =
        snprintf(options, bytes, "-cl-std=CL1.2 -w%s -D LDPC_THREADS=%u",
                 d->divides_exactly ? " -cl-fp32-correctly-rounded-divide-sqrt" : "", source->threads);
    if (takes_ptx(d))
        snprintf(options + length, bytes - (size_t)length, " -D LDPC_PTX=%u -cl-nv-maxrregcount=%u",
                 d->capability, most_registers(source->threads, source->min_blocks));
}

static void read_log(const ldpc_opencl_device *d, cl_program program, char *log, size_t log_bytes)
{
    size_t bytes = 0;
    log[0] = 0;
    if (ldpc_cl->program_build_info(program, d->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes))
        return;
    char *all = ldpc_allocate(bytes + 1, 1);
    if (all && !ldpc_cl->program_build_info(program, d->id, CL_PROGRAM_BUILD_LOG, bytes, all, NULL)) {
        const char *first = strstr(all, "error:");
        first = first ? first : all;
        snprintf(log, log_bytes, "%.*s", (int)strcspn(first, "\n"), first);
    }
    free(all);
}

static int build(const ldpc_opencl_device *d, cl_program *program, const char *options, char *log,
                 size_t log_bytes)
{
    int result = ldpc_cl->program_build(*program, 1, &d->id, options, NULL, NULL);
    if (!result)
        return 0;
    read_log(d, *program, log, log_bytes);
    ldpc_cl->program_release(*program);
    *program = NULL;
    return result;
}

static int build_source(const ldpc_opencl_device *d, const char *text, const char *options,
                        cl_program *program, char *log, size_t log_bytes)
{
    int result = 0;
    *program = ldpc_cl->program_from_source(d->context, 1, &text, NULL, &result);
    return result ? result : build(d, program, options, log, log_bytes);
}

/* ---- the cache */

static void make_key(ldpc_cuda_cache_key *key, const ldpc_opencl_device *d, const char *text,
                     const char *options)
{
    char made_by[LDPC_CUDA_CACHE_MADE_BY];
    snprintf(made_by, sizeof made_by, "OpenCL %s, %s, %s, %s", d->platform_name, d->name, d->driver_version,
             options);
    ldpc_cuda_cache_key_make(key, text, made_by);
}

static bool build_cached(const ldpc_opencl_device *d, const char *folder, const ldpc_cuda_cache_key *key,
                         const char *options, cl_program *program)
{
    void *image;
    size_t bytes;
    int result = 0;
    char log[8];
    if (!ldpc_cuda_cache_read(folder, key, &image, &bytes))
        return false;
    const unsigned char *binary = image;
    *program = ldpc_cl->program_from_binary(d->context, 1, &d->id, &bytes, &binary, NULL, &result);
    if (!result)
        result = build(d, program, options, log, sizeof log);
    free(image);
    return !result;
}

/* If the binary cannot be stored, the next decoder compiles the program again. */
static void store(const char *folder, const ldpc_cuda_cache_key *key, cl_program program)
{
    size_t bytes = 0;
    if (ldpc_cl->program_info(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) || !bytes)
        return;
    unsigned char *binary = ldpc_allocate(bytes, 1);
    if (binary && !ldpc_cl->program_info(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL))
        ldpc_cuda_cache_write(folder, key, binary, bytes);
    free(binary);
}

static int find_program(const ldpc_opencl_device *d, const ldpc_cuda_source *source, cl_program *program,
                        char *log, size_t log_bytes)
{
    char options[160];
    ldpc_cuda_cache_key key;
    write_options(d, source, options, sizeof options);
    make_key(&key, d, source->text, options);
    if (source->cache_dir && build_cached(d, source->cache_dir, &key, options, program))
        return 0;
    int result = build_source(d, source->text, options, program, log, log_bytes);
    if (!result && source->cache_dir)
        store(source->cache_dir, &key, *program);
    return result;
}

/* ---- modules and functions */

int ldpc_opencl_build(cu_module *module, const ldpc_cuda_source *source, char *log, size_t log_bytes)
{
    cu_module m = ldpc_allocate(1, sizeof *m);
    *module = NULL;
    log[0] = 0;
    if (!m || pthread_mutex_init(&m->mutex, NULL)) {
        free(m);
        return CU_OUT_OF_MEMORY;
    }
    m->device = ldpc_opencl_current();
    int result = find_program(m->device, source, &m->program, log, log_bytes);
    if (result) {
        pthread_mutex_destroy(&m->mutex);
        free(m);
        return ldpc_opencl_result(result);
    }
    *module = m;
    return 0;
}

int ldpc_opencl_module_unload(cu_module module)
{
    if (module->kernel)
        ldpc_cl->kernel_release(module->kernel);
    int result = ldpc_cl->program_release(module->program);
    pthread_mutex_destroy(&module->mutex);
    free(module);
    return ldpc_opencl_result(result);
}

int ldpc_opencl_module_function(cu_function *function, cu_module module, const char *name)
{
    int result = 0;
    module->kernel = ldpc_cl->kernel_create(module->program, name, &result);
    *function = (cu_function)(void *)module;
    return ldpc_opencl_result(result);
}

int ldpc_opencl_function_set(cu_function function, int attribute, int value)
{
    const struct cu_module *m = (const void *)function;
    return attribute == CU_KERNEL_SHARED_BYTES && (uint64_t)value > m->device->local_bytes
               ? CL_OUT_OF_RESOURCES
               : 0;
}

/* On NVIDIA, *threads stays unchanged, because the driver reports 256 even for kernels that run with 1024
 * threads. */
int ldpc_opencl_most_threads(unsigned *threads, cu_function function)
{
    const struct cu_module *m = (const void *)function;
    size_t most = 0;
    if (takes_ptx(m->device))
        return 0;
    int result =
        ldpc_cl->kernel_info(m->kernel, m->device->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    *threads = (unsigned)most;
    return ldpc_opencl_result(result);
}

int ldpc_opencl_occupancy(int *blocks, cu_function function, int threads, size_t shared_bytes)
{
    enum { THREADS = 2048, RESERVED = 1024 };
    const struct cu_module *m = (const void *)function;
    int device = 0, shared = 0;
    *blocks = 1;
    if ((size_t)threads > m->device->most_threads)
        *blocks = 0;
    if (m->device->type & CL_DEVICE_TYPE_CPU || !*blocks)
        return 0;
    while (ldpc_opencl_device_at(device) != m->device)
        device++;
    ldpc_opencl_device_attribute(&shared, CU_SHARED_BYTES_PER_SM, device);
    int by_threads = THREADS / threads, by_shared = shared / (int)(shared_bytes + RESERVED);
    *blocks = by_threads < by_shared ? by_threads : by_shared;
    if (*blocks < 1)
        *blocks = 1;
    return 0;
}

/* ---- launching */

static int set_arguments(cl_kernel kernel, const ldpc_cuda_args *args, unsigned shared_bytes)
{
    unsigned i = 0;
    int result = 0;
#define SET_POINTER(type, name)                                                                              \
    if (!result) {                                                                                           \
        cl_memory buffer = (cl_memory)(uintptr_t)args->name;                                                 \
        result = ldpc_cl->kernel_argument(kernel, i++, sizeof buffer, &buffer);                              \
    }
    LDPC_ARGS_POINTERS(SET_POINTER)
    if (!result)
        result = ldpc_cl->kernel_argument(kernel, i++, sizeof(ldpc_cuda_numbers), &args->n_codewords);
    if (!result) /* a size of 0 is an error in OpenCL */
        result = ldpc_cl->kernel_argument(kernel, i, shared_bytes ? shared_bytes : 16, NULL);
    return result;
}

int ldpc_opencl_launch(cu_function function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                       unsigned bz, unsigned shared_bytes, cu_stream stream, void **parameters, void **extra)
{
    (void)gy, (void)gz, (void)by, (void)bz, (void)extra;
    struct cu_module *m = (void *)function;
    const size_t local = bx, global = (size_t)gx * bx;
    pthread_mutex_lock(&m->mutex);
    int result = set_arguments(m->kernel, parameters[0], shared_bytes);
    if (!result)
        result =
            ldpc_cl->launch((cl_queue)(void *)stream, m->kernel, 1, NULL, &global, &local, 0, NULL, NULL);
    pthread_mutex_unlock(&m->mutex);
    return ldpc_opencl_result(result);
}
