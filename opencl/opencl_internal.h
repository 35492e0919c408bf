/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the function table of the GPU backends (cuda/host/driver.h) with OpenCL. Engines, streams, order
 * of batches, failures and the cache directory are those of CUDA.
 *
 *   devices.c    devices of all platforms, their properties and contexts
 *   commands.c   memory, command queues, events, launches
 *   programs.c   programs and their cache
 *   driver.c     libOpenCL */
#ifndef LDPC_OPENCL_INTERNAL_H
#define LDPC_OPENCL_INTERNAL_H

#include "cuda/host/driver.h"
#include "opencl/driver.h"

enum { LDPC_OPENCL_NAME = 128, LDPC_OPENCL_MOST_DEVICES = 64 };

typedef struct ldpc_opencl_device {
    cl_device id;
    cl_platform platform;
    char name[LDPC_OPENCL_NAME], platform_name[LDPC_OPENCL_NAME], driver_version[LDPC_OPENCL_NAME];
    uint64_t type; /* CL_DEVICE_TYPE_... */
    unsigned capability;
    bool divides_exactly;
    unsigned units; /* number of compute units */
    size_t most_threads;
    uint64_t local_bytes;
    uint64_t global_bytes, cache_bytes;
    unsigned users; /* users of the context */
    cl_context context;
    cl_queue queue; /* for synchronous commands */
} ldpc_opencl_device;

/* valid after ldpc_opencl_driver_open() has succeeded */
extern const ldpc_opencl *ldpc_cl;

/* Returns the device whose context this thread has entered. */
ldpc_opencl_device *ldpc_opencl_current(void);

/* Converts an OpenCL result to a result of the function table. Failed allocations become CU_OUT_OF_MEMORY. */
int ldpc_opencl_result(int result);
int ldpc_opencl_error_string(int result, const char **text);

ldpc_opencl_device *ldpc_opencl_device_at(int i);

/* As in ldpc_cuda_driver. */
int ldpc_opencl_device_count(int *count);
const char *ldpc_opencl_why_no_device(void); /* if there is none */
int ldpc_opencl_device_get(int *device, int number);
int ldpc_opencl_device_name(char *name, int size, int device);
int ldpc_opencl_device_attribute(int *value, int attribute, int device);
int ldpc_opencl_context_retain(cu_context *context, int device);
int ldpc_opencl_context_release(int device);
int ldpc_opencl_context_push(cu_context context);
int ldpc_opencl_context_pop(cu_context *context);
int ldpc_opencl_memory_info(size_t *available, size_t *total);

/* programs.c */
int ldpc_opencl_build(cu_module *module, const ldpc_cuda_source *source, char *log, size_t log_bytes);
int ldpc_opencl_module_unload(cu_module module);
int ldpc_opencl_module_function(cu_function *function, cu_module module, const char *name);
int ldpc_opencl_function_set(cu_function function, int attribute, int value);
int ldpc_opencl_most_threads(unsigned *threads, cu_function function);
int ldpc_opencl_occupancy(int *blocks, cu_function function, int threads, size_t shared_bytes);
int ldpc_opencl_launch(cu_function function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                       unsigned bz, unsigned shared_bytes, cu_stream stream, void **parameters, void **extra);

/* Returns the function table of the GPU backends, or NULL with a message in *why. */
const ldpc_cuda_driver *ldpc_opencl_driver_open(const char **why);

/* Parses a list of devices (docs/opencl.md) into the array `numbers`, which has `present` elements. Returns
 * the number of listed devices, or 0 if the list is invalid. */
size_t ldpc_opencl_read_devices(const char *list, int present, int *numbers);

#endif
