/* SPDX-License-Identifier: BSD-3-Clause */
/* libOpenCL.so.1 on the fake GPUs. A buffer is GPU memory. A command queue is a stream. A kernel object holds
 * the arguments of its next launch. The vendor is not NVIDIA. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/host/driver.h"
#include "cuda/kernels/launch_args.h"
#include "opencl/driver.h"

#define DECLARE_CUDA(member, symbol, arguments) int symbol arguments;
LDPC_CUDA_FUNCTIONS(DECLARE_CUDA)
#define DECLARE(type, member, symbol, arguments) type symbol arguments;
LDPC_OPENCL_FUNCTIONS(DECLARE)

enum { DEVICES = 2, POINTERS = offsetof(ldpc_cuda_args, n_codewords) / sizeof(cu_pointer) };

struct cl_kernel {
    ldpc_cuda_args args;
};

static char devices[DEVICES], thing; /* handle without content */

static int result_of(int cuda)
{
    return cuda == CU_OUT_OF_MEMORY ? CL_OBJECT_ALLOCATION_FAILURE : cuda ? CL_NVIDIA_ILLEGAL_ACCESS : 0;
}

static int tell(size_t room, void *value, size_t *size, const void *answer, size_t bytes)
{
    if (size)
        *size = bytes;
    if (value)
        memcpy(value, answer, bytes < room ? bytes : room);
    return 0;
}

static int finish_if(unsigned blocking, cl_queue q, int result)
{
    return blocking && !result ? clFinish(q) : result;
}

/* ---- devices and programs */

int clGetDeviceInfo(cl_device d, unsigned what, size_t room, void *value, size_t *size)
{
    static const struct {
        unsigned what;
        uint64_t value;
    } known[] = {
        {CL_DEVICE_TYPE,                  CL_DEVICE_TYPE_GPU},
        {CL_DEVICE_MAX_COMPUTE_UNITS,     2                 },
        {CL_DEVICE_MAX_WORK_GROUP_SIZE,   1024              },
        {CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 1 << 20           },
        {CL_DEVICE_GLOBAL_MEM_SIZE,       1 << 30           },
        {CL_DEVICE_LOCAL_MEM_SIZE,        48 << 10          },
    };
    (void)d;
    if (what == CL_DEVICE_NAME || what == CL_DRIVER_VERSION)
        return tell(room, value, size, "Fake GPU", sizeof "Fake GPU");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].what == what)
            return tell(room, value, size, &known[i].value, sizeof known[i].value);
    return CL_INVALID_VALUE;
}

int clGetDeviceIDs(cl_platform p, uint64_t type, unsigned room, cl_device *list, unsigned *count)
{
    (void)p, (void)type;
    for (unsigned i = 0; i < room && i < DEVICES; i++)
        list[i] = (cl_device)(void *)&devices[i];
    *count = DEVICES;
    return 0;
}

int clGetProgramInfo(cl_program p, unsigned what, size_t room, void *value, size_t *size)
{
    static const char binary[] = "fake";
    const size_t bytes = sizeof binary;
    (void)p, (void)room, (void)size;
    if (what == CL_PROGRAM_BINARY_SIZES)
        memcpy(value, &bytes, sizeof bytes);
    else
        memcpy(*(char **)value, binary, bytes);
    return 0;
}

int clGetKernelWorkGroupInfo(cl_kernel k, cl_device d, unsigned what, size_t room, void *value, size_t *size)
{
    (void)k, (void)what;
    return clGetDeviceInfo(d, CL_DEVICE_MAX_WORK_GROUP_SIZE, room, value, size);
}

cl_kernel clCreateKernel(cl_program p, const char *name, int *result)
{
    cl_kernel kernel = calloc(1, sizeof *kernel);
    (void)p, (void)name;
    *result = kernel ? 0 : CL_OUT_OF_HOST_MEMORY;
    return kernel;
}

int clReleaseKernel(cl_kernel k)
{
    free(k);
    return 0;
}

/* ---- commands */

cl_queue clCreateCommandQueue(cl_context c, cl_device d, uint64_t properties, int *result)
{
    cu_stream stream;
    (void)c, (void)d, (void)properties;
    *result = result_of(cuStreamCreate(&stream, 0));
    return (cl_queue)(void *)stream;
}

int clReleaseCommandQueue(cl_queue q)
{
    return result_of(cuStreamDestroy_v2((cu_stream)(void *)q));
}

int clFinish(cl_queue q)
{
    return result_of(cuStreamSynchronize((cu_stream)(void *)q));
}

cl_memory clCreateBuffer(cl_context c, uint64_t flags, size_t bytes, void *host, int *result)
{
    cu_pointer memory;
    (void)c, (void)flags, (void)host;
    *result = result_of(cuMemAlloc_v2(&memory, bytes));
    return (cl_memory)(uintptr_t)memory;
}

int clReleaseMemObject(cl_memory m)
{
    return result_of(cuMemFree_v2((cu_pointer)(uintptr_t)m));
}

void *clEnqueueMapBuffer(cl_queue q, cl_memory m, unsigned blocking, uint64_t flags, size_t offset,
                         size_t bytes, unsigned waits, const cl_event *list, cl_event *event, int *result)
{
    (void)q, (void)blocking, (void)flags, (void)offset, (void)bytes, (void)waits, (void)list, (void)event;
    *result = 0;
    return m;
}

int clEnqueueWriteBuffer(cl_queue q, cl_memory m, unsigned blocking, size_t offset, size_t bytes,
                         const void *from, unsigned waits, const cl_event *list, cl_event *event)
{
    (void)waits, (void)list, (void)event;
    int result = cuMemcpyHtoDAsync_v2((cu_pointer)(uintptr_t)m + offset, from, bytes, (cu_stream)(void *)q);
    return finish_if(blocking, q, result_of(result));
}

int clEnqueueReadBuffer(cl_queue q, cl_memory m, unsigned blocking, size_t offset, size_t bytes, void *to,
                        unsigned waits, const cl_event *list, cl_event *event)
{
    (void)waits, (void)list, (void)event;
    int result = cuMemcpyDtoHAsync_v2(to, (cu_pointer)(uintptr_t)m + offset, bytes, (cu_stream)(void *)q);
    return finish_if(blocking, q, result_of(result));
}

int clSetKernelArg(cl_kernel k, unsigned i, size_t bytes, const void *value)
{
    if (i <= POINTERS) /* numbers follow */
        memcpy((cu_pointer *)&k->args + i, value, bytes);
    return 0;
}

int clEnqueueNDRangeKernel(cl_queue q, cl_kernel k, unsigned dimensions, const size_t *offset,
                           const size_t *global, const size_t *local, unsigned waits, const cl_event *list,
                           cl_event *event)
{
    void *parameters[] = {&k->args};
    (void)dimensions, (void)offset, (void)global, (void)local, (void)waits, (void)list, (void)event;
    return result_of(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, (cu_stream)(void *)q, parameters, NULL));
}

int clEnqueueMarkerWithWaitList(cl_queue q, unsigned waits, const cl_event *list, cl_event *event)
{
    cu_event made = NULL;
    (void)waits, (void)list;
    int result = cuEventCreate(&made, 0);
    *event = (cl_event)(void *)made;
    return result_of(result ? result : cuEventRecord(made, (cu_stream)(void *)q));
}

int clGetEventInfo(cl_event e, unsigned what, size_t room, void *value, size_t *size)
{
    int result = cuEventQuery((cu_event)(void *)e), status = result == CU_NOT_READY ? 1 : result_of(result);
    (void)what;
    return tell(room, value, size, &status, sizeof status);
}

int clWaitForEvents(unsigned count, const cl_event *list)
{
    (void)count;
    return cuEventSynchronize((cu_event)(void *)*list) ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : 0;
}

int clReleaseEvent(cl_event e)
{
    return result_of(cuEventDestroy_v2((cu_event)(void *)e));
}

/* ---- other functions */

/* clang-format off */
int clGetPlatformIDs(unsigned room, cl_platform *list, unsigned *count) { (void)room; *list = (cl_platform)(void *)&thing; *count = 1; return 0; }
int clGetPlatformInfo(cl_platform p, unsigned what, size_t room, void *value, size_t *size) { (void)p; (void)what; return tell(room, value, size, "fake", 5); }
cl_context clCreateContext(const intptr_t *p, unsigned n, const cl_device *d, void *f, void *data, int *result) { (void)p; (void)n; (void)d; (void)f; (void)data; *result = 0; return (cl_context)(void *)&thing; }
int clReleaseContext(cl_context c) { (void)c; return 0; }
int clFlush(cl_queue q) { (void)q; return 0; }
int clEnqueueMigrateMemObjects(cl_queue q, unsigned n, const cl_memory *m, uint64_t f, unsigned w, const cl_event *l, cl_event *e) { (void)q; (void)n; (void)m; (void)f; (void)w; (void)l; (void)e; return 0; }
int clEnqueueUnmapMemObject(cl_queue q, cl_memory m, void *memory, unsigned w, const cl_event *l, cl_event *e) { (void)q; (void)m; (void)memory; (void)w; (void)l; (void)e; return 0; }
cl_program clCreateProgramWithSource(cl_context c, unsigned n, const char **texts, const size_t *lengths, int *result) { (void)c; (void)n; (void)texts; (void)lengths; *result = 0; return (cl_program)(void *)&thing; }
cl_program clCreateProgramWithBinary(cl_context c, unsigned n, const cl_device *d, const size_t *lengths, const unsigned char **binaries, int *status, int *result) { (void)c; (void)n; (void)d; (void)lengths; (void)binaries; (void)status; *result = 0; return (cl_program)(void *)&thing; }
int clBuildProgram(cl_program p, unsigned n, const cl_device *d, const char *options, void *f, void *data) { (void)p; (void)n; (void)d; (void)options; (void)f; (void)data; return 0; }
int clGetProgramBuildInfo(cl_program p, cl_device d, unsigned what, size_t room, void *value, size_t *size) { (void)p; (void)d; (void)what; return tell(room, value, size, "", 1); }
int clReleaseProgram(cl_program p) { (void)p; return 0; }
/* clang-format on */
