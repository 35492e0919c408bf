/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of OpenCL. They are looked up when the first decoder needs them. Therefore the library also
 * loads on machines without OpenCL. Tests replace driver.c by functions that fail on demand.
 *
 * The few types of OpenCL's ABI are declared here, so that no OpenCL header is needed. */
#ifndef LDPC_OPENCL_DRIVER_H
#define LDPC_OPENCL_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cl_platform *cl_platform;
typedef struct cl_device *cl_device;
typedef struct cl_context *cl_context;
typedef struct cl_queue *cl_queue;
typedef struct cl_memory *cl_memory;
typedef struct cl_program *cl_program;
typedef struct cl_kernel *cl_kernel;
typedef struct cl_event *cl_event;

enum {
    CL_SUCCESS = 0,
    CL_DEVICE_NOT_FOUND = -1,
    CL_DEVICE_NOT_AVAILABLE = -2,
    CL_COMPILER_NOT_AVAILABLE = -3,
    CL_OBJECT_ALLOCATION_FAILURE = -4,
    CL_OUT_OF_RESOURCES = -5,
    CL_OUT_OF_HOST_MEMORY = -6,
    CL_BUILD_PROGRAM_FAILURE = -11,
    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST = -14,
    CL_INVALID_VALUE = -30,
    CL_INVALID_CONTEXT = -34,
    CL_INVALID_COMMAND_QUEUE = -36,
    CL_INVALID_MEM_OBJECT = -38,
    CL_INVALID_BINARY = -42,
    CL_INVALID_PROGRAM_EXECUTABLE = -45,
    CL_INVALID_KERNEL_NAME = -46,
    CL_INVALID_KERNEL = -48,
    CL_INVALID_KERNEL_ARGS = -52,
    CL_INVALID_WORK_GROUP_SIZE = -54,
    CL_INVALID_EVENT = -58,
    CL_INVALID_OPERATION = -59,
    CL_INVALID_BUFFER_SIZE = -61,
    CL_NVIDIA_ILLEGAL_ACCESS = -9999, /* NVIDIA only: a kernel has failed */
    CL_PLATFORM_NAME = 0x0902,
    /* device properties */
    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    CL_DEVICE_SINGLE_FP_CONFIG = 0x101b,
    CL_DEVICE_GLOBAL_MEM_CACHE_SIZE = 0x101e,
    CL_DEVICE_GLOBAL_MEM_SIZE = 0x101f,
    CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
    CL_DEVICE_NAME = 0x102b,
    CL_DRIVER_VERSION = 0x102d,
    CL_DEVICE_VERSION = 0x102f,
    CL_DEVICE_CAPABILITY_MAJOR = 0x4000,
    CL_DEVICE_CAPABILITY_MINOR = 0x4001,
    CL_DEVICE_TYPE_CPU = 2,
    CL_DEVICE_TYPE_GPU = 4,
    CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT = 1 << 7,
    /* flags of memory buffers */
    CL_MEMORY_READ_WRITE = 1,
    CL_MEMORY_ALLOC_HOST = 16,
    CL_MAP_READ_WRITE = 3,
    CL_MIGRATE_CONTENT_UNDEFINED = 2,
    CL_PROGRAM_BINARY_SIZES = 0x1165,
    CL_PROGRAM_BINARIES = 0x1166,
    CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_KERNEL_WORK_GROUP_SIZE = 0x11b0,
    CL_EVENT_STATUS = 0x11d3,
};
#define CL_DEVICE_TYPE_ALL 0xffffffffu

/* F(type, member, symbol, arguments). Functions of type int return 0 for success; other functions have an
 * error argument. */
#define LDPC_OPENCL_FUNCTIONS(F)                                                                             \
    F(int, platforms, clGetPlatformIDs, (unsigned, cl_platform *, unsigned *))                               \
    F(int, platform_info, clGetPlatformInfo, (cl_platform, unsigned, size_t, void *, size_t *))              \
    F(int, devices, clGetDeviceIDs, (cl_platform, uint64_t, unsigned, cl_device *, unsigned *))              \
    F(int, device_info, clGetDeviceInfo, (cl_device, unsigned, size_t, void *, size_t *))                    \
    F(cl_context, context_create, clCreateContext,                                                           \
      (const intptr_t *, unsigned, const cl_device *, void *, void *, int *))                                \
    F(int, context_release, clReleaseContext, (cl_context))                                                  \
    F(cl_queue, queue_create, clCreateCommandQueue, (cl_context, cl_device, uint64_t, int *))                \
    F(int, queue_release, clReleaseCommandQueue, (cl_queue))                                                 \
    F(int, flush, clFlush, (cl_queue))                                                                       \
    F(int, finish, clFinish, (cl_queue))                                                                     \
    F(cl_memory, memory_create, clCreateBuffer, (cl_context, uint64_t, size_t, void *, int *))               \
    F(int, memory_release, clReleaseMemObject, (cl_memory))                                                  \
    F(int, memory_migrate, clEnqueueMigrateMemObjects,                                                       \
      (cl_queue, unsigned, const cl_memory *, uint64_t, unsigned, const cl_event *, cl_event *))             \
    F(void *, memory_map, clEnqueueMapBuffer,                                                                \
      (cl_queue, cl_memory, unsigned, uint64_t, size_t, size_t, unsigned, const cl_event *, cl_event *,      \
       int *))                                                                                               \
    F(int, memory_unmap, clEnqueueUnmapMemObject,                                                            \
      (cl_queue, cl_memory, void *, unsigned, const cl_event *, cl_event *))                                 \
    F(int, write, clEnqueueWriteBuffer,                                                                      \
      (cl_queue, cl_memory, unsigned, size_t, size_t, const void *, unsigned, const cl_event *, cl_event *)) \
    F(int, read, clEnqueueReadBuffer,                                                                        \
      (cl_queue, cl_memory, unsigned, size_t, size_t, void *, unsigned, const cl_event *, cl_event *))       \
    F(cl_program, program_from_source, clCreateProgramWithSource,                                            \
      (cl_context, unsigned, const char **, const size_t *, int *))                                          \
    F(cl_program, program_from_binary, clCreateProgramWithBinary,                                            \
      (cl_context, unsigned, const cl_device *, const size_t *, const unsigned char **, int *, int *))       \
    F(int, program_build, clBuildProgram,                                                                    \
      (cl_program, unsigned, const cl_device *, const char *, void *, void *))                               \
    F(int, program_info, clGetProgramInfo, (cl_program, unsigned, size_t, void *, size_t *))                 \
    F(int, program_build_info, clGetProgramBuildInfo,                                                        \
      (cl_program, cl_device, unsigned, size_t, void *, size_t *))                                           \
    F(int, program_release, clReleaseProgram, (cl_program))                                                  \
    F(cl_kernel, kernel_create, clCreateKernel, (cl_program, const char *, int *))                           \
    F(int, kernel_release, clReleaseKernel, (cl_kernel))                                                     \
    F(int, kernel_info, clGetKernelWorkGroupInfo,                                                            \
      (cl_kernel, cl_device, unsigned, size_t, void *, size_t *))                                            \
    F(int, kernel_argument, clSetKernelArg, (cl_kernel, unsigned, size_t, const void *))                     \
    F(int, launch, clEnqueueNDRangeKernel,                                                                   \
      (cl_queue, cl_kernel, unsigned, const size_t *, const size_t *, const size_t *, unsigned,              \
       const cl_event *, cl_event *))                                                                        \
    F(int, marker, clEnqueueMarkerWithWaitList, (cl_queue, unsigned, const cl_event *, cl_event *))          \
    F(int, event_info, clGetEventInfo, (cl_event, unsigned, size_t, void *, size_t *))                       \
    F(int, event_wait, clWaitForEvents, (unsigned, const cl_event *))                                        \
    F(int, event_release, clReleaseEvent, (cl_event))

#define LDPC_OPENCL_MEMBER(type, member, symbol, arguments) type(*member) arguments;
typedef struct ldpc_opencl {
    LDPC_OPENCL_FUNCTIONS(LDPC_OPENCL_MEMBER)
} ldpc_opencl;
#undef LDPC_OPENCL_MEMBER

/* Returns the functions of OpenCL, or NULL with a message in *why. */
const ldpc_opencl *ldpc_opencl_open(const char **why);

#endif
