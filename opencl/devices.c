/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices of all platforms, their properties and contexts. */
#include "opencl/opencl_internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/process.h"

enum { MOST_PLATFORMS = 16, MOST_NESTED = 4 };

static ldpc_opencl_device devices[LDPC_OPENCL_MOST_DEVICES];
static int n_devices;
static unsigned n_platforms;
static unsigned process; /* process that has listed the devices; a forked child lacks the drivers' threads */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* guards the contexts */

/* The last one is current. */
static _Thread_local ldpc_opencl_device *entered[MOST_NESTED];
static _Thread_local int n_entered;

/* ---- finding them */

static uint64_t number_of(cl_device device, unsigned property, size_t bytes)
{
    uint64_t wide = 0;
    uint32_t narrow = 0;
    if (bytes == sizeof narrow)
        return ldpc_cl->device_info(device, property, bytes, &narrow, NULL) ? 0 : narrow;
    return ldpc_cl->device_info(device, property, bytes, &wide, NULL) ? 0 : wide;
}

static void text_of(cl_device device, unsigned property, char text[LDPC_OPENCL_NAME])
{
    if (ldpc_cl->device_info(device, property, LDPC_OPENCL_NAME - 1, text, NULL))
        text[0] = 0;
}

static void describe(ldpc_opencl_device *d, cl_platform platform, cl_device id)
{
    *d = (ldpc_opencl_device){
        .id = id,
        .platform = platform,
        .type = number_of(id, CL_DEVICE_TYPE, sizeof(uint64_t)),
        .units = (unsigned)number_of(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(uint32_t)),
        .most_threads = (size_t)number_of(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t)),
        .local_bytes = number_of(id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(uint64_t)),
        .global_bytes = number_of(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(uint64_t)),
        .cache_bytes = number_of(id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof(uint64_t)),
        .divides_exactly =
            number_of(id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof(uint64_t)) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT,
        .capability = (unsigned)(10 * number_of(id, CL_DEVICE_CAPABILITY_MAJOR, sizeof(uint32_t)) +
                                 number_of(id, CL_DEVICE_CAPABILITY_MINOR, sizeof(uint32_t))),
    };
    text_of(id, CL_DEVICE_NAME, d->name);
    text_of(id, CL_DRIVER_VERSION, d->driver_version);
    if (ldpc_cl->platform_info(platform, CL_PLATFORM_NAME, sizeof d->platform_name - 1, d->platform_name,
                               NULL))
        d->platform_name[0] = 0;
}

static void add_devices(cl_platform platform, bool gpus)
{
    cl_device found[LDPC_OPENCL_MOST_DEVICES];
    unsigned count = 0;
    if (ldpc_cl->devices(platform, CL_DEVICE_TYPE_ALL, LDPC_OPENCL_MOST_DEVICES, found, &count))
        return;
    for (unsigned i = 0; i < count && i < LDPC_OPENCL_MOST_DEVICES; i++) {
        bool gpu = number_of(found[i], CL_DEVICE_TYPE, sizeof(uint64_t)) & CL_DEVICE_TYPE_GPU;
        if (gpu == gpus && n_devices < LDPC_OPENCL_MOST_DEVICES)
            describe(&devices[n_devices++], platform, found[i]);
    }
}

static void find_once(void)
{
    cl_platform platforms[MOST_PLATFORMS];
    unsigned count = 0;
    ldpc_process_watch();
    process = ldpc_process_number();
    if (ldpc_cl->platforms(MOST_PLATFORMS, platforms, &count))
        return;
    n_platforms = count;
    for (int gpus = 1; gpus >= 0; gpus--)
        for (unsigned i = 0; i < count && i < MOST_PLATFORMS; i++)
            add_devices(platforms[i], gpus);
}

int ldpc_opencl_device_count(int *count)
{
    pthread_once(&once, find_once);
    *count = process == ldpc_process_number() ? n_devices : 0;
    return 0;
}

const char *ldpc_opencl_why_no_device(void)
{
    if (process != ldpc_process_number())
        return "OpenCL cannot be used in a process that was forked after its parent had used OpenCL: fork "
               "before the first use, or start a new program";
    return n_platforms ? "no OpenCL platform has a device: the driver's GPU is absent, or this user is "
                         "not allowed to open it (groups render, video)"
                       : "OpenCL has no platform (no driver is installed): install the GPU's driver, or PoCL "
                         "for the CPU";
}

ldpc_opencl_device *ldpc_opencl_device_at(int i)
{
    return i >= 0 && i < n_devices ? &devices[i] : NULL;
}

/* ---- choosing them */

static bool contains(const char *text, const char *part, size_t length)
{
    for (; *text; text++)
        if (strncasecmp(text, part, length) == 0)
            return true;
    return false;
}

static bool is_meant(int i, const char *word, size_t length)
{
    const ldpc_opencl_device *d = &devices[i];
    if (length && strspn(word, "0123456789") == length)
        return strtol(word, NULL, 10) == i;
    if (length == 3 && strncasecmp(word, "all", 3) == 0)
        return true;
    if (length == 3 && strncasecmp(word, "gpu", 3) == 0)
        return d->type & CL_DEVICE_TYPE_GPU;
    if (length == 3 && strncasecmp(word, "cpu", 3) == 0)
        return d->type & CL_DEVICE_TYPE_CPU;
    return length && (contains(d->platform_name, word, length) || contains(d->name, word, length));
}

static bool is_among(int i, const int *numbers, size_t count)
{
    while (count && numbers[count - 1] != i)
        count--;
    return count != 0;
}

size_t ldpc_opencl_read_devices(const char *list, int present, int *numbers)
{
    size_t count = 0;
    for (const char *word = list;; word++) {
        bool found = false;
        word += strspn(word, " ");
        size_t length = strcspn(word, ","), end = length;
        while (length && word[length - 1] == ' ')
            length--;
        for (int i = 0; i < present; i++)
            if (is_meant(i, word, length)) {
                found = true;
                if (!is_among(i, numbers, count))
                    numbers[count++] = i;
            }
        if (!found)
            return 0;
        word += end;
        if (!*word)
            return count;
    }
}

/* ---- properties */

int ldpc_opencl_device_get(int *device, int number)
{
    *device = number;
    return ldpc_opencl_device_at(number) ? 0 : CU_NOT_FOUND;
}

int ldpc_opencl_device_name(char *name, int size, int device)
{
    snprintf(name, (size_t)size, "%s, %s", devices[device].name, devices[device].platform_name);
    return 0;
}

/* OpenCL does not report the shared memory of a multiprocessor. For NVIDIA GPUs, the compute capability gives
 * it. For other devices, the local memory of one work-group is returned. */
static uint64_t local_bytes_per_unit(const ldpc_opencl_device *d)
{
    enum { KIB = 1024 };
    static const struct {
        unsigned capability, kib;
    } known[] = {
        {120, 100},
        {100, 228},
        {90,  228},
        {86,  100},
        {80,  164},
        {75,  64 }
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (d->capability >= known[i].capability)
            return known[i].kib * KIB;
    return d->local_bytes;
}

static int limited(uint64_t value)
{
    return value > INT32_MAX ? INT32_MAX : (int)value;
}

int ldpc_opencl_device_attribute(int *value, int attribute, int device)
{
    const ldpc_opencl_device *d = &devices[device];
    switch (attribute) {
    case CU_CAPABILITY_MAJOR:
        *value = (int)d->capability / 10;
        return 0;
    case CU_CAPABILITY_MINOR:
        *value = (int)d->capability % 10;
        return 0;
    case CU_MOST_THREADS:
        *value = limited(d->most_threads);
        return 0;
    case CU_SM_COUNT:
        *value = (int)d->units;
        return 0;
    case CU_SHARED_BYTES_OPT_IN:
        *value = limited(d->local_bytes);
        return 0;
    case CU_SHARED_BYTES_PER_SM:
        *value = limited(local_bytes_per_unit(d));
        return 0;
    case LDPC_DEVICE_IS_CPU:
        *value = (d->type & CL_DEVICE_TYPE_CPU) != 0;
        return 0;
    case CU_L2_BYTES:
        *value = limited(d->cache_bytes);
        return 0;
    default:
        return CU_NOT_FOUND;
    }
}

/* OpenCL does not report free memory. Half of the memory is assumed to be free. */
int ldpc_opencl_memory_info(size_t *available, size_t *total)
{
    *total = (size_t)ldpc_opencl_current()->global_bytes;
    *available = *total / 2;
    return 0;
}

/* ---- contexts */

static int open_context(ldpc_opencl_device *d)
{
    int result = 0;
    d->context = ldpc_cl->context_create(NULL, 1, &d->id, NULL, NULL, &result);
    if (result)
        return result;
    d->queue = ldpc_cl->queue_create(d->context, d->id, 0, &result);
    if (result)
        ldpc_cl->context_release(d->context);
    return result;
}

int ldpc_opencl_context_retain(cu_context *context, int device)
{
    ldpc_opencl_device *d = &devices[device];
    pthread_mutex_lock(&mutex);
    int result = d->users ? 0 : open_context(d);
    if (!result)
        d->users++;
    pthread_mutex_unlock(&mutex);
    *context = result ? NULL : (cu_context)d;
    return ldpc_opencl_result(result);
}

int ldpc_opencl_context_release(int device)
{
    ldpc_opencl_device *d = &devices[device];
    int result = 0;
    pthread_mutex_lock(&mutex);
    if (--d->users == 0) {
        ldpc_cl->queue_release(d->queue);
        result = ldpc_cl->context_release(d->context);
    }
    pthread_mutex_unlock(&mutex);
    return ldpc_opencl_result(result);
}

int ldpc_opencl_context_push(cu_context context)
{
    if (n_entered == MOST_NESTED)
        return CU_NOT_FOUND;
    entered[n_entered++] = (ldpc_opencl_device *)context;
    return 0;
}

int ldpc_opencl_context_pop(cu_context *context)
{
    *context = (cu_context)entered[--n_entered];
    return 0;
}

ldpc_opencl_device *ldpc_opencl_current(void)
{
    return entered[n_entered - 1];
}
