/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory, command queues, events and the function table. A cu_pointer is an OpenCL buffer, a cu_stream a
 * command queue. */
#include "opencl/opencl_internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const ldpc_opencl *ldpc_cl;

/* OpenCL only pins memory that it has allocated. Mapping the memory gives its address. */
typedef struct pinned {
    struct pinned *next;
    char *memory;
    size_t bytes;
    cl_memory buffer;
    cl_queue queue;
} pinned;

static pinned *all_pinned;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* ---- errors */

int ldpc_opencl_result(int result)
{
    return result == CL_OBJECT_ALLOCATION_FAILURE || result == CL_OUT_OF_HOST_MEMORY ? CU_OUT_OF_MEMORY
                                                                                     : result;
}

int ldpc_opencl_error_string(int result, const char **text)
{
    static const struct {
        int result;
        const char *text;
    } known[] = {
        {CU_OUT_OF_MEMORY,                             "out of memory"                                       },
        {CU_NOT_FOUND,                                 "not found"                                           },
        {CL_DEVICE_NOT_FOUND,                          "no such device"                                      },
        {CL_DEVICE_NOT_AVAILABLE,                      "the device is not available"                         },
        {CL_COMPILER_NOT_AVAILABLE,                    "no compiler available"                               },
        {CL_OUT_OF_RESOURCES,                          "the device is out of resources"                      },
        {CL_BUILD_PROGRAM_FAILURE,                     "the program cannot be compiled"                      },
        {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a command failed on the device"                      },
        {CL_INVALID_VALUE,                             "the driver rejected an argument"                     },
        {CL_INVALID_CONTEXT,                           "the context is no longer valid"                      },
        {CL_INVALID_COMMAND_QUEUE,                     "the command queue is no longer valid"                },
        {CL_INVALID_MEM_OBJECT,                        "the buffer is no longer valid"                       },
        {CL_INVALID_BINARY,                            "the compiled program is for another device or driver"},
        {CL_INVALID_PROGRAM_EXECUTABLE,                "the program was not built for this device"           },
        {CL_INVALID_KERNEL_NAME,                       "the program has no kernel of that name"              },
        {CL_INVALID_KERNEL,                            "the kernel is not valid"                             },
        {CL_INVALID_KERNEL_ARGS,                       "an argument of the kernel is not set"                },
        {CL_INVALID_WORK_GROUP_SIZE,                   "the device does not support work-groups of this size"},
        {CL_INVALID_EVENT,                             "the event is no longer valid"                        },
        {CL_INVALID_OPERATION,                         "the device does not support this operation"          },
        {CL_INVALID_BUFFER_SIZE,                       "the device does not support a buffer of this size"   },
        {CL_NVIDIA_ILLEGAL_ACCESS,                     "a kernel failed, or the device is lost"              },
    };
    *text = "unknown OpenCL error";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].result == result)
            *text = known[i].text;
    return 0;
}

/* ---- memory */

static cl_memory buffer_of(cu_pointer memory)
{
    return (cl_memory)(uintptr_t)memory;
}

/* Drivers allocate a buffer only at its first use. The buffer is migrated now, so that a failed allocation is
 * reported here. */
static int memory_alloc(cu_pointer *memory, size_t bytes)
{
    const ldpc_opencl_device *d = ldpc_opencl_current();
    int result = 0;
    cl_memory buffer = ldpc_cl->memory_create(d->context, CL_MEMORY_READ_WRITE, bytes, NULL, &result);
    *memory = 0;
    if (result)
        return ldpc_opencl_result(result);
    result = ldpc_cl->memory_migrate(d->queue, 1, &buffer, CL_MIGRATE_CONTENT_UNDEFINED, 0, NULL, NULL);
    if (!result)
        result = ldpc_cl->finish(d->queue);
    if (result)
        ldpc_cl->memory_release(buffer);
    else
        *memory = (cu_pointer)(uintptr_t)buffer;
    return ldpc_opencl_result(result);
}

static int memory_free(cu_pointer memory)
{
    return ldpc_opencl_result(ldpc_cl->memory_release(buffer_of(memory)));
}

static int map(pinned *p, size_t bytes)
{
    const ldpc_opencl_device *d = ldpc_opencl_current();
    int result = 0;
    p->buffer =
        ldpc_cl->memory_create(d->context, CL_MEMORY_READ_WRITE | CL_MEMORY_ALLOC_HOST, bytes, NULL, &result);
    if (result)
        return result;
    p->queue = d->queue;
    p->bytes = bytes;
    p->memory =
        ldpc_cl->memory_map(d->queue, p->buffer, 1, CL_MAP_READ_WRITE, 0, bytes, 0, NULL, NULL, &result);
    if (result)
        ldpc_cl->memory_release(p->buffer);
    return result;
}

static int host_alloc(void **memory, size_t bytes, unsigned flags)
{
    (void)flags;
    pinned *p = ldpc_allocate(1, sizeof *p);
    int result = p ? map(p, bytes) : CL_OUT_OF_HOST_MEMORY;
    if (result) {
        free(p);
        return ldpc_opencl_result(result);
    }
    pthread_mutex_lock(&mutex);
    p->next = all_pinned;
    all_pinned = p;
    pthread_mutex_unlock(&mutex);
    *memory = p->memory;
    return 0;
}

static int host_free(void *memory)
{
    pthread_mutex_lock(&mutex);
    pinned **link = &all_pinned;
    while (*link && (*link)->memory != memory)
        link = &(*link)->next;
    pinned *p = *link;
    if (p)
        *link = p->next;
    pthread_mutex_unlock(&mutex);
    if (!p)
        return CU_NOT_FOUND;
    ldpc_cl->memory_unmap(p->queue, p->buffer, p->memory, 0, NULL, NULL);
    ldpc_cl->finish(p->queue);
    int result = ldpc_cl->memory_release(p->buffer);
    free(p);
    return ldpc_opencl_result(result);
}

static int pointer_attributes(unsigned count, const int *attributes, void **values, cu_pointer memory)
{
    (void)count, (void)attributes;
    const char *at = (const char *)(uintptr_t)memory;
    unsigned *type = values[0];
    pthread_mutex_lock(&mutex);
    for (const pinned *p = all_pinned; p; p = p->next)
        if (at >= p->memory && at < p->memory + p->bytes)
            *type = CU_MEMORY_TYPE_HOST;
    pthread_mutex_unlock(&mutex);
    return 0;
}

/* ---- copies and queues */

static cl_queue queue_of(cu_stream stream)
{
    return (cl_queue)(void *)stream;
}

static int copy_in(cu_pointer to, const void *from, size_t bytes)
{
    return ldpc_opencl_result(
        ldpc_cl->write(ldpc_opencl_current()->queue, buffer_of(to), 1, 0, bytes, from, 0, NULL, NULL));
}

static int copy_in_async(cu_pointer to, const void *from, size_t bytes, cu_stream stream)
{
    return ldpc_opencl_result(
        ldpc_cl->write(queue_of(stream), buffer_of(to), 0, 0, bytes, from, 0, NULL, NULL));
}

static int copy_out_async(void *to, cu_pointer from, size_t bytes, cu_stream stream)
{
    return ldpc_opencl_result(
        ldpc_cl->read(queue_of(stream), buffer_of(from), 0, 0, bytes, to, 0, NULL, NULL));
}

static int stream_create(cu_stream *stream, unsigned flags)
{
    (void)flags;
    const ldpc_opencl_device *d = ldpc_opencl_current();
    int result = 0;
    *stream = (cu_stream)(void *)ldpc_cl->queue_create(d->context, d->id, 0, &result);
    return ldpc_opencl_result(result);
}

static int stream_destroy(cu_stream stream)
{
    return ldpc_opencl_result(ldpc_cl->queue_release(queue_of(stream)));
}

static int stream_synchronize(cu_stream stream)
{
    return ldpc_opencl_result(ldpc_cl->finish(queue_of(stream)));
}

/* There is nothing to wait for: drivers keep programs and buffers until their commands have ended. */
static int context_synchronize(void)
{
    return 0;
}

/* ---- events */

struct cu_event {
    cl_event marker; /* NULL until recorded */
};

static int event_create(cu_event *event, unsigned flags)
{
    (void)flags;
    *event = ldpc_allocate(1, sizeof **event);
    return *event ? 0 : CU_OUT_OF_MEMORY;
}

static int event_destroy(cu_event event)
{
    int result = event->marker ? ldpc_cl->event_release(event->marker) : 0;
    free(event);
    return ldpc_opencl_result(result);
}

static int event_record(cu_event event, cu_stream stream)
{
    if (event->marker)
        ldpc_cl->event_release(event->marker);
    event->marker = NULL;
    int result = ldpc_cl->marker(queue_of(stream), 0, NULL, &event->marker);
    return ldpc_opencl_result(result ? result : ldpc_cl->flush(queue_of(stream)));
}

static int stream_wait(cu_stream stream, cu_event event, unsigned flags)
{
    (void)flags;
    return event->marker ? ldpc_opencl_result(ldpc_cl->marker(queue_of(stream), 1, &event->marker, NULL)) : 0;
}

static int event_query(cu_event event)
{
    int status = 0;
    int result = ldpc_cl->event_info(event->marker, CL_EVENT_STATUS, sizeof status, &status, NULL);
    return result ? ldpc_opencl_result(result) : status > 0 ? CU_NOT_READY : ldpc_opencl_result(status);
}

static int event_synchronize(cu_event event)
{
    return ldpc_opencl_result(ldpc_cl->event_wait(1, &event->marker));
}

/* ---- the table */

static int init(unsigned flags)
{
    (void)flags;
    return 0;
}

/* Not used: `build` builds programs. */
static int module_load(cu_module *module, const void *image)
{
    (void)module, (void)image;
    return CU_NOT_FOUND;
}

static const ldpc_cuda_driver table = {
    .name = "OpenCL",
    .backend = "opencl",
    .build = ldpc_opencl_build,
    .most_threads = ldpc_opencl_most_threads,
    .init = init,
    .error_string = ldpc_opencl_error_string,
    .device_count = ldpc_opencl_device_count,
    .device_get = ldpc_opencl_device_get,
    .device_name = ldpc_opencl_device_name,
    .device_attribute = ldpc_opencl_device_attribute,
    .context_retain = ldpc_opencl_context_retain,
    .context_release = ldpc_opencl_context_release,
    .context_push = ldpc_opencl_context_push,
    .context_pop = ldpc_opencl_context_pop,
    .context_synchronize = context_synchronize,
    .module_load = module_load,
    .module_unload = ldpc_opencl_module_unload,
    .module_function = ldpc_opencl_module_function,
    .function_set = ldpc_opencl_function_set,
    .occupancy = ldpc_opencl_occupancy,
    .memory_info = ldpc_opencl_memory_info,
    .memory_alloc = memory_alloc,
    .memory_free = memory_free,
    .host_alloc = host_alloc,
    .host_free = host_free,
    .pointer_attributes = pointer_attributes,
    .copy_in = copy_in,
    .copy_in_async = copy_in_async,
    .copy_out_async = copy_out_async,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .stream_synchronize = stream_synchronize,
    .stream_wait = stream_wait,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_query = event_query,
    .event_synchronize = event_synchronize,
    .launch = ldpc_opencl_launch,
};

const ldpc_cuda_driver *ldpc_opencl_driver_open(const char **why)
{
    int count = 0;
    const ldpc_opencl *opencl = ldpc_opencl_open(why);
    if (!opencl)
        return NULL;
    ldpc_cl = opencl;
    ldpc_opencl_device_count(&count);
    if (count)
        return &table;
    *why = ldpc_opencl_why_no_device();
    return NULL;
}
