/* SPDX-License-Identifier: BSD-3-Clause */
/* Two simulated GPUs: libcuda.so.1 and libnvrtc.so in one library. Device memory is on the host, each stream
 * is a thread, libldpc decodes. A program with this library's folder in LD_LIBRARY_PATH uses the complete
 * asynchronous code path of a GPU. Persistent kernels use counter (ldpc_next() in device.cuh) and scratch
 * memory.
 *
 *     FAKE_GPU_CODES     names of the codes that the GPUs decode, separated by commas; n and k must differ
 *     FAKE_GPU_US        minimum duration of a launch, microseconds
 *     FAKE_GPU_FAILS_AT  number of the launch, from 1, at which the device is lost until fake_gpu_answer()
 *     FAKE_GPU_RESULT    error that the driver returns from then on; default 719
 *     FAKE_GPU_HANGS_AT  number of the launch, from 1, that hangs with all later work until fake_gpu_answer()
 *     FAKE_GPU_ALLOCATES maximum bytes of an allocation of device memory; default: no limit
 *     FAKE_GPU_REGISTERS maximum bytes of registered memory; default: no limit
 *     FAKE_NVRTC_WAITS   compilations wait until a file with this name exists
 *
 * Calls that free a resource first wait for all earlier work, as in the driver. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cuda/host/driver.h"
#include "fake_gpu.h"

#define LOST      719
#define NO_MEMORY 2

/* fake_gpu_wait() waits until a launch hangs. fake_gpu_answer() ends the hang or the loss of the device. */
void fake_gpu_wait_for_hang(void);
void fake_gpu_answer(void);

#define DECLARE(member, symbol, arguments) int symbol arguments;
LDPC_CUDA_FUNCTIONS(DECLARE)
LDPC_NVRTC_FUNCTIONS(DECLARE)

/* a command: copy, launch (args.n_codewords > 0), record an event, or wait for an event */
typedef struct work {
    struct work *next;
    void *to;
    const void *from;
    size_t bytes;
    ldpc_cuda_args args;
    unsigned blocks; /* of the launch */
    struct cu_event *event, *awaited;
    unsigned records; /* the command waits until `awaited` has this number of records */
} work;

struct cu_event {
    unsigned recorded, reached;
};

struct cu_stream {
    pthread_t thread;
    work *first, *last;
    bool busy, closing;
};

/* guards all variables */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
/* commands of all streams */
static unsigned issued, ended;
static unsigned launches, hanging; /* launches begun, launches hanging */
static bool lost, answered;
static pthread_once_t default_once = PTHREAD_ONCE_INIT;
static cu_stream default_stream;
static int thing; /* handle without content */

long fake_gpu_number(const char *variable)
{
    const char *text = getenv(variable);
    return text ? strtol(text, NULL, 10) : 0;
}

/* After the device was lost, all driver calls return this error. */
static int loss(void)
{
    long result = fake_gpu_number("FAKE_GPU_RESULT");
    return result ? (int)result : LOST;
}

int fake_gpu_state(void)
{
    pthread_mutex_lock(&mutex);
    int result = lost ? loss() : 0;
    pthread_mutex_unlock(&mutex);
    return result;
}

/* ---- launches */

void fake_gpu_pause(long us)
{
    const struct timespec t = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};
    nanosleep(&t, NULL);
}

/* The caller must hold the mutex. */
static void hang(void)
{
    hanging++;
    pthread_cond_broadcast(&changed);
    while (!answered)
        pthread_cond_wait(&changed, &mutex);
    hanging--;
}

void fake_gpu_wait_for_hang(void)
{
    pthread_mutex_lock(&mutex);
    while (!hanging)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

void fake_gpu_answer(void)
{
    pthread_mutex_lock(&mutex);
    answered = true;
    lost = false;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

void fake_gpu_wait(void)
{
    pthread_mutex_lock(&mutex);
    const unsigned before = issued;
    while ((int)(ended - before) < 0)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

static void launch(const ldpc_cuda_args *args, unsigned blocks)
{
    long fails_at = fake_gpu_number("FAKE_GPU_FAILS_AT"), hangs_at = fake_gpu_number("FAKE_GPU_HANGS_AT");
    pthread_mutex_lock(&mutex);
    launches++;
    if (hangs_at && launches >= (unsigned)hangs_at)
        hang();
    if (fails_at && !answered && launches >= (unsigned)fails_at)
        lost = true;
    bool failed = lost;
    pthread_mutex_unlock(&mutex);
    if (failed || fake_gpu_decode(args, blocks))
        return;
    pthread_mutex_lock(&mutex);
    lost = true;
    pthread_mutex_unlock(&mutex);
}

/* ---- streams */

static void do_work(const work *w)
{
    if (w->args.n_codewords) {
        launch(&w->args, w->blocks);
    } else if (w->awaited) {
        pthread_mutex_lock(&mutex);
        while ((int)(w->awaited->reached - w->records) < 0)
            pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
    } else if (w->bytes && !fake_gpu_state())
        memcpy(w->to, w->from, w->bytes);
}

static void *run(void *context)
{
    cu_stream stream = context;
    pthread_mutex_lock(&mutex);
    while (stream->first || !stream->closing) {
        work *w = stream->first;
        if (!w) {
            pthread_cond_wait(&changed, &mutex);
            continue;
        }
        stream->first = w->next;
        stream->busy = true;
        pthread_mutex_unlock(&mutex);
        do_work(w);
        pthread_mutex_lock(&mutex);
        if (w->event)
            w->event->reached++;
        ended++;
        stream->busy = false;
        free(w);
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void make_default_stream(void)
{
    if (cuStreamCreate(&default_stream, 0))
        abort();
}

/* The handles 0, 1 and 2 are special streams of the CUDA driver. In this library they are one stream. */
static cu_stream stream_of(cu_stream handle)
{
    if ((uintptr_t)handle > 2)
        return handle;
    pthread_once(&default_once, make_default_stream);
    return default_stream;
}

static int append(cu_stream handle, work content)
{
    cu_stream stream = stream_of(handle);
    work *w = malloc(sizeof *w);
    if (!w)
        return NO_MEMORY;
    *w = content;
    w->next = NULL;
    pthread_mutex_lock(&mutex);
    if (stream->first)
        stream->last->next = w;
    else
        stream->first = w;
    stream->last = w;
    issued++;
    int result = lost ? loss() : 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    return result;
}

int cuStreamCreate(cu_stream *stream, unsigned flags)
{
    (void)flags;
    *stream = calloc(1, sizeof **stream);
    if (!*stream || pthread_create(&(*stream)->thread, NULL, run, *stream)) {
        free(*stream);
        return NO_MEMORY;
    }
    return fake_gpu_state();
}

int cuStreamDestroy_v2(cu_stream stream)
{
    pthread_mutex_lock(&mutex);
    stream->closing = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(stream->thread, NULL);
    free(stream);
    return fake_gpu_state();
}

int cuStreamSynchronize(cu_stream handle)
{
    cu_stream stream = stream_of(handle);
    pthread_mutex_lock(&mutex);
    while (stream->first || stream->busy)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return fake_gpu_state();
}

int cuEventCreate(cu_event *event, unsigned flags)
{
    (void)flags;
    *event = calloc(1, sizeof **event);
    return *event ? fake_gpu_state() : NO_MEMORY;
}

int cuEventDestroy_v2(cu_event event)
{
    free(event);
    return fake_gpu_state();
}

int cuEventRecord(cu_event event, cu_stream stream)
{
    pthread_mutex_lock(&mutex);
    event->recorded++;
    pthread_mutex_unlock(&mutex);
    return append(stream, (work){.event = event});
}

int cuStreamWaitEvent(cu_stream stream, cu_event event, unsigned flags)
{
    (void)flags;
    pthread_mutex_lock(&mutex);
    const unsigned records = event->recorded;
    pthread_mutex_unlock(&mutex);
    return append(stream, (work){.awaited = event, .records = records});
}

int cuEventQuery(cu_event event)
{
    pthread_mutex_lock(&mutex);
    bool reached = event->reached == event->recorded;
    pthread_mutex_unlock(&mutex);
    return reached ? fake_gpu_state() : CU_NOT_READY;
}

int cuEventSynchronize(cu_event event)
{
    pthread_mutex_lock(&mutex);
    while (event->reached != event->recorded)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return fake_gpu_state();
}

int cuLaunchKernel(cu_function f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, cu_stream stream, void **parameters, void **extra)
{
    (void)f, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared, (void)extra;
    return append(stream, (work){.args = *(const ldpc_cuda_args *)parameters[0], .blocks = gx});
}

/* ---- memory */

static int allocate(void **memory, size_t bytes)
{
    *memory = calloc(1, bytes);
    return *memory ? fake_gpu_state() : NO_MEMORY;
}

int cuMemAlloc_v2(cu_pointer *memory, size_t bytes)
{
    const size_t most = (size_t)fake_gpu_number("FAKE_GPU_ALLOCATES");
    void *allocated;
    if (most && bytes > most)
        return NO_MEMORY;
    int result = allocate(&allocated, bytes);
    *memory = (cu_pointer)(uintptr_t)allocated;
    return result;
}

int cuMemFree_v2(cu_pointer memory)
{
    fake_gpu_wait();
    free((void *)(uintptr_t)memory);
    return fake_gpu_state();
}

int cuMemcpyHtoD_v2(cu_pointer to, const void *from, size_t bytes)
{
    memcpy((void *)(uintptr_t)to, from, bytes);
    return fake_gpu_state();
}

int cuMemcpyHtoDAsync_v2(cu_pointer to, const void *from, size_t bytes, cu_stream stream)
{
    fake_gpu_note_copy(from, bytes);
    return append(stream, (work){.to = (void *)(uintptr_t)to, .from = from, .bytes = bytes});
}

int cuMemcpyDtoHAsync_v2(void *to, cu_pointer from, size_t bytes, cu_stream stream)
{
    return append(stream, (work){.to = to, .from = (const void *)(uintptr_t)from, .bytes = bytes});
}

/* ---- the compiler */

int nvrtcCompileProgram(nvrtc_program program, int count, const char *const *options)
{
    const char *file = getenv("FAKE_NVRTC_WAITS");
    (void)program, (void)count, (void)options;
    while (file && access(file, F_OK))
        fake_gpu_pause(1000);
    return 0;
}

/* ---- other functions */

/* clang-format off */
int cuInit(unsigned flags) { (void)flags; return 0; }
int cuGetErrorString(int result, const char **text) { *text = result == loss() ? "the fake GPU is lost" : "no fake memory"; return 0; }
int cuDeviceGetCount(int *count) { *count = 2; return 0; }
int cuDeviceGet(int *device, int number) { *device = number; return 0; }
int cuDeviceGetName(char *name, int size, int device) { (void)device; strncpy(name, "Fake GPU", (size_t)size); return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    *value = attribute == CU_CAPABILITY_MAJOR ? 9 : attribute == CU_CAPABILITY_MINOR ? 0 : attribute == CU_SM_COUNT ? 2 : 232448;
    return 0;
}
int cuDevicePrimaryCtxRetain(cu_context *context, int device) { (void)device; *context = (cu_context)&thing; return fake_gpu_state(); }
int cuDevicePrimaryCtxRelease_v2(int device) { (void)device; fake_gpu_wait(); return fake_gpu_state(); }
int cuCtxPushCurrent_v2(cu_context context) { (void)context; return 0; }
int cuCtxSynchronize(void) { fake_gpu_wait(); return fake_gpu_state(); }
int cuCtxPopCurrent_v2(cu_context *context) { *context = (cu_context)&thing; return 0; }
int cuModuleLoadData(cu_module *module, const void *image) { (void)image; *module = (cu_module)&thing; return fake_gpu_state(); }
int cuModuleUnload(cu_module module) { (void)module; fake_gpu_wait(); return fake_gpu_state(); }
int cuModuleGetFunction(cu_function *f, cu_module module, const char *name) { (void)module; *f = (cu_function)&thing; return strcmp(name, "ldpc_decode") ? CU_NOT_FOUND : fake_gpu_state(); }
int cuFuncSetAttribute(cu_function f, int attribute, int value) { (void)f; (void)attribute; (void)value; return fake_gpu_state(); }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, cu_function f, int threads, size_t shared) { (void)f; (void)threads; (void)shared; *blocks = 1; return 0; }
int cuMemGetInfo_v2(size_t *available, size_t *total) { *available = *total = (size_t)1 << 30; return fake_gpu_state(); }
int cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) { (void)flags; return allocate(memory, bytes); }
int cuMemFreeHost(void *memory) { fake_gpu_wait(); free(memory); return fake_gpu_state(); }
int cuMemHostGetDevicePointer_v2(cu_pointer *address, void *memory, unsigned flags) { (void)flags; *address = (uintptr_t)memory; return fake_gpu_state(); }

int nvrtcVersion(int *major, int *minor) { *major = 13; *minor = 0; return 0; }
int nvrtcCreateProgram(nvrtc_program *program, const char *source, const char *name, int headers, const char *const *texts, const char *const *names)
{
    (void)source, (void)name, (void)headers, (void)texts, (void)names;
    *program = (nvrtc_program)&thing;
    return 0;
}
int nvrtcDestroyProgram(nvrtc_program *program) { *program = NULL; return 0; }
int nvrtcGetProgramLogSize(nvrtc_program program, size_t *bytes) { (void)program; *bytes = 1; return 0; }
int nvrtcGetProgramLog(nvrtc_program program, char *log) { (void)program; *log = 0; return 0; }
int nvrtcGetCUBINSize(nvrtc_program program, size_t *bytes) { (void)program; *bytes = 5; return 0; }
int nvrtcGetCUBIN(nvrtc_program program, char *cubin) { (void)program; memcpy(cubin, "fake", 5); return 0; }
/* clang-format on */
