/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the CUDA driver and of NVRTC. They are looked up when the first decoder is created.
 * Therefore the library also loads on machines without CUDA. Tests replace driver.c by functions that fail on
 * demand. opencl/commands.c implements the table with OpenCL.
 *
 * The few types of the driver's ABI are declared here, so that no CUDA header is needed. */
#ifndef LDPC_CUDA_DRIVER_H
#define LDPC_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t cu_pointer; /* CUdeviceptr */
typedef struct cu_context *cu_context;
typedef struct cu_module *cu_module;
typedef struct cu_function *cu_function;
typedef struct cu_stream *cu_stream;
typedef struct cu_event *cu_event;
typedef struct nvrtc_program *nvrtc_program;

enum {
    CU_SUCCESS = 0,
    CU_OUT_OF_MEMORY = 2,
    CU_NOT_FOUND = 500,
    CU_NOT_READY = 600,
    CU_CONTEXT_IS_DESTROYED = 709,
    /* device attributes */
    CU_MOST_THREADS = 1,
    CU_SHARED_BYTES_PER_SM = 81,
    CU_SM_COUNT = 16,
    CU_L2_BYTES = 38,
    CU_CAPABILITY_MAJOR = 75,
    CU_CAPABILITY_MINOR = 76,
    CU_SHARED_BYTES_OPT_IN = 97,
    LDPC_DEVICE_IS_CPU = 0x10000, /* only for drivers with a compiler */
    /* attributes of kernels, pointers, streams and events */
    CU_KERNEL_SHARED_BYTES = 8,
    CU_POINTER_MEMORY_TYPE = 2,
    CU_MEMORY_TYPE_HOST = 1,
    CU_STREAM_NON_BLOCKING = 1,
    CU_EVENT_BLOCKING_SYNC = 1,
    CU_EVENT_DISABLE_TIMING = 2,
    CU_HOST_PORTABLE = 1, /* flags of pinned memory */
    CU_HOST_MAPPED = 2,
};

/* F(member, symbol, arguments). All functions return 0 for success. */
#define LDPC_CUDA_FUNCTIONS(F)                                                                               \
    F(init, cuInit, (unsigned))                                                                              \
    F(error_string, cuGetErrorString, (int, const char **))                                                  \
    F(device_count, cuDeviceGetCount, (int *))                                                               \
    F(device_get, cuDeviceGet, (int *, int))                                                                 \
    F(device_name, cuDeviceGetName, (char *, int, int))                                                      \
    F(device_attribute, cuDeviceGetAttribute, (int *, int, int))                                             \
    F(context_retain, cuDevicePrimaryCtxRetain, (cu_context *, int))                                         \
    F(context_release, cuDevicePrimaryCtxRelease_v2, (int))                                                  \
    F(context_push, cuCtxPushCurrent_v2, (cu_context))                                                       \
    F(context_pop, cuCtxPopCurrent_v2, (cu_context *))                                                       \
    F(context_synchronize, cuCtxSynchronize, (void))                                                         \
    F(module_load, cuModuleLoadData, (cu_module *, const void *))                                            \
    F(module_unload, cuModuleUnload, (cu_module))                                                            \
    F(module_function, cuModuleGetFunction, (cu_function *, cu_module, const char *))                        \
    F(function_set, cuFuncSetAttribute, (cu_function, int, int))                                             \
    F(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, cu_function, int, size_t))             \
    F(memory_info, cuMemGetInfo_v2, (size_t *, size_t *))                                                    \
    F(memory_alloc, cuMemAlloc_v2, (cu_pointer *, size_t))                                                   \
    F(memory_free, cuMemFree_v2, (cu_pointer))                                                               \
    F(host_alloc, cuMemHostAlloc, (void **, size_t, unsigned))                                               \
    F(host_free, cuMemFreeHost, (void *))                                                                    \
    F(host_register, cuMemHostRegister_v2, (void *, size_t, unsigned))                                       \
    F(host_unregister, cuMemHostUnregister, (void *))                                                        \
    F(host_address, cuMemHostGetDevicePointer_v2, (cu_pointer *, void *, unsigned))                          \
    F(pointer_attributes, cuPointerGetAttributes, (unsigned, const int *, void **, cu_pointer))              \
    F(copy_in, cuMemcpyHtoD_v2, (cu_pointer, const void *, size_t))                                          \
    F(copy_in_async, cuMemcpyHtoDAsync_v2, (cu_pointer, const void *, size_t, cu_stream))                    \
    F(copy_out_async, cuMemcpyDtoHAsync_v2, (void *, cu_pointer, size_t, cu_stream))                         \
    F(stream_create, cuStreamCreate, (cu_stream *, unsigned))                                                \
    F(stream_destroy, cuStreamDestroy_v2, (cu_stream))                                                       \
    F(stream_synchronize, cuStreamSynchronize, (cu_stream))                                                  \
    F(stream_wait, cuStreamWaitEvent, (cu_stream, cu_event, unsigned))                                       \
    F(event_create, cuEventCreate, (cu_event *, unsigned))                                                   \
    F(event_destroy, cuEventDestroy_v2, (cu_event))                                                          \
    F(event_record, cuEventRecord, (cu_event, cu_stream))                                                    \
    F(event_query, cuEventQuery, (cu_event))                                                                 \
    F(event_synchronize, cuEventSynchronize, (cu_event))                                                     \
    F(launch, cuLaunchKernel,                                                                                \
      (cu_function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, cu_stream,         \
       void **, void **))

/* NVRTC, the compiler for generated kernels. */
#define LDPC_NVRTC_FUNCTIONS(F)                                                                              \
    F(version, nvrtcVersion, (int *, int *))                                                                 \
    F(create, nvrtcCreateProgram,                                                                            \
      (nvrtc_program *, const char *, const char *, int, const char *const *, const char *const *))          \
    F(destroy, nvrtcDestroyProgram, (nvrtc_program *))                                                       \
    F(compile, nvrtcCompileProgram, (nvrtc_program, int, const char *const *))                               \
    F(log_size, nvrtcGetProgramLogSize, (nvrtc_program, size_t *))                                           \
    F(log, nvrtcGetProgramLog, (nvrtc_program, char *))                                                      \
    F(cubin_size, nvrtcGetCUBINSize, (nvrtc_program, size_t *))                                              \
    F(cubin, nvrtcGetCUBIN, (nvrtc_program, char *))

#define LDPC_CUDA_MEMBER(member, symbol, arguments) int(*member) arguments;
typedef struct ldpc_cuda_source {
    const char *text;
    unsigned threads;    /* threads per thread block */
    unsigned min_blocks; /* minimum number of thread blocks per multiprocessor, which limits the registers of
                          * a thread; 0: no limit */
    const char *cache_dir;
} ldpc_cuda_source;

typedef struct ldpc_cuda_driver {
    const char *name;    /* for error messages */
    const char *backend; /* name of the backend */
    /* Builds a module from source, and writes the compiler's message to `log`. The pointer is NULL if NVRTC
     * compiles. With `build`, device pointers are opaque handles, and memory cannot be registered. */
    int (*build)(cu_module *, const ldpc_cuda_source *, char *log, size_t log_bytes);
    /* Writes the number of threads per block that the compiled kernel supports. The pointer is NULL if
     * `build` is NULL. */
    int (*most_threads)(unsigned *threads, cu_function);
    LDPC_CUDA_FUNCTIONS(LDPC_CUDA_MEMBER)
    /* cuCtxGetId(): returns a number that no other context has, even after this context ends. NULL before
     * CUDA 12. */
    int (*context_id)(cu_context, unsigned long long *);
} ldpc_cuda_driver;

typedef struct ldpc_nvrtc {
    LDPC_NVRTC_FUNCTIONS(LDPC_CUDA_MEMBER)
    const char *path; /* file name of NVRTC */
} ldpc_nvrtc;
#undef LDPC_CUDA_MEMBER

/* Returns the initialised driver, or NULL with a message in *why. */
const ldpc_cuda_driver *ldpc_cuda_open(const char **why);

/* Loads NVRTC from a file until the process ends. Returns false if this fails. */
bool ldpc_nvrtc_load(const char *path, ldpc_nvrtc *nvrtc);

/* Returns NVRTC, or NULL if it is not installed. */
const ldpc_nvrtc *ldpc_nvrtc_open(void);

#endif
