/* SPDX-License-Identifier: BSD-3-Clause */
#include "fake_opencl.h"

#include <stdlib.h>
#include <string.h>

#include "cuda/kernels/launch_args.h"
#include "ldpc/decoder.h"

struct fake_opencl fake_opencl = {
    .platforms = 1,
    .devices = 1,
    .type = CL_DEVICE_TYPE_CPU,
    .most_threads = 256,
    .mutex = PTHREAD_MUTEX_INITIALIZER,
    .answered = PTHREAD_COND_INITIALIZER,
};

enum { POINTERS = 14 }; /* pointers of ldpc_cuda_args */

struct cl_memory {
    char *bytes;
};

/* Arguments of the one kernel. */
static cl_memory pointer[POINTERS];
static ldpc_cuda_numbers numbers;
static int thing; /* handle without content */

static int step(void)
{
    int n = ++fake_opencl.calls;
    bool fails = fake_opencl.fail_at &&
                 (n == fake_opencl.fail_at || (fake_opencl.for_ever && n > fake_opencl.fail_at));
    return fails ? fake_opencl.result : 0;
}

void fake_opencl_hang(bool hangs)
{
    pthread_mutex_lock(&fake_opencl.mutex);
    fake_opencl.hangs = hangs;
    pthread_cond_broadcast(&fake_opencl.answered);
    pthread_mutex_unlock(&fake_opencl.mutex);
}

static bool hanging(void)
{
    pthread_mutex_lock(&fake_opencl.mutex);
    const bool hangs = fake_opencl.hangs;
    pthread_mutex_unlock(&fake_opencl.mutex);
    return hangs;
}

static void wait_for_device(void)
{
    pthread_mutex_lock(&fake_opencl.mutex);
    while (fake_opencl.hangs)
        pthread_cond_wait(&fake_opencl.answered, &fake_opencl.mutex);
    pthread_mutex_unlock(&fake_opencl.mutex);
}

static int reached(void)
{
    wait_for_device();
    return step();
}

static void *made(int *result)
{
    *result = step();
    fake_opencl.live += !*result;
    return *result ? NULL : &thing;
}

static int given_back(void)
{
    wait_for_device();
    fake_opencl.live--;
    return step();
}

/* ---- decoding */

static void *bytes_of(int i)
{
    return pointer[i] ? pointer[i]->bytes : NULL;
}

static void decide(uint32_t w, const uint32_t *at, uint32_t bits, uint8_t *to)
{
    const int8_t *llr = (const int8_t *)bytes_of(0) + (size_t)w * numbers.n;
    const int32_t *source = bytes_of(11);
    uint8_t *packed = to + (size_t)w * ((bits + 7) / 8);
    memset(packed, 0, (bits + 7) / 8);
    for (uint32_t i = 0; i < bits; i++)
        packed[i / 8] |= (uint8_t)((llr[source[at[i]]] < 0) << (7 - i % 8));
}

/* The constant indices of pointer[] and bytes_of() are those of LDPC_ARGS_POINTERS. */
static void decode(void)
{
    for (uint32_t w = 0; w < numbers.n_codewords; w++) {
        if (pointer[3])
            decide(w, bytes_of(13), numbers.k, bytes_of(3));
        if (pointer[4])
            decide(w, bytes_of(12), numbers.n, bytes_of(4));
        if (pointer[7])
            ((ldpc_codeword_info *)bytes_of(7))[w] = (ldpc_codeword_info){0, 0, 1, 1};
    }
}

/* ---- function table */

static int tell(size_t room, void *value, size_t *size, const void *answer, size_t bytes)
{
    if (size)
        *size = bytes;
    if (value)
        memcpy(value, answer, bytes < room ? bytes : room);
    return step();
}

/* clang-format off */
static int fake_platforms(unsigned n, cl_platform *p, unsigned *count) { (void)n; *p = (void *)&thing; *count = fake_opencl.platforms; return fake_opencl.platforms ? 0 : -1001; }
static int fake_platform_info(cl_platform p, unsigned what, size_t n, void *v, size_t *size) { (void)p; (void)what; return tell(n, v, size, "2nd fake", 9); }
static int fake_devices(cl_platform p, uint64_t type, unsigned n, cl_device *d, unsigned *count) { (void)p; (void)type; (void)n; *d = (void *)&thing; *count = fake_opencl.devices; return fake_opencl.devices ? 0 : -1; }
static int fake_device_info(cl_device d, unsigned what, size_t n, void *v, size_t *size)
{
    (void)d;
    uint64_t number = what == CL_DEVICE_TYPE ? fake_opencl.type : what == CL_DEVICE_MAX_COMPUTE_UNITS ? 2 : what == CL_DEVICE_MAX_WORK_GROUP_SIZE ? fake_opencl.most_threads : 1 << 30;
    if (what == CL_DEVICE_CAPABILITY_MAJOR || what == CL_DEVICE_CAPABILITY_MINOR)
    {
        if (!fake_opencl.capability)
            return -30;
        number = what == CL_DEVICE_CAPABILITY_MAJOR ? fake_opencl.capability / 10 : fake_opencl.capability % 10;
    }
    return n > sizeof number ? tell(n, v, size, "Fake device", 12) : tell(n, v, size, &number, sizeof number);
}
static cl_context fake_context_create(const intptr_t *p, unsigned n, const cl_device *d, void *f, void *u, int *r) { (void)p; (void)n; (void)d; (void)f; (void)u; return made(r); }
static int fake_context_release(cl_context c) { (void)c; return given_back(); }
static cl_queue fake_queue_create(cl_context c, cl_device d, uint64_t p, int *r) { (void)c; (void)d; (void)p; return made(r); }
static int fake_queue_release(cl_queue q) { (void)q; return given_back(); }
static int fake_flush(cl_queue q) { (void)q; return step(); }
static int fake_finish(cl_queue q) { (void)q; return reached(); }
static cl_memory fake_memory_create(cl_context c, uint64_t flags, size_t bytes, void *host, int *r)
{
    (void)c; (void)flags; (void)host;
    cl_memory memory = NULL;
    if (made(r) && (memory = calloc(1, sizeof *memory)))
        memory->bytes = calloc(1, bytes);
    return memory;
}
static int fake_memory_release(cl_memory m) { wait_for_device(); free(m->bytes); free(m); return given_back(); }
static int fake_memory_migrate(cl_queue q, unsigned n, const cl_memory *m, uint64_t f, unsigned w, const cl_event *l, cl_event *e) { (void)q; (void)n; (void)m; (void)f; (void)w; (void)l; (void)e; return step(); }
static void *fake_memory_map(cl_queue q, cl_memory m, unsigned b, uint64_t f, size_t o, size_t n, unsigned w, const cl_event *l, cl_event *e, int *r) { (void)q; (void)b; (void)f; (void)o; (void)n; (void)w; (void)l; (void)e; *r = step(); return *r ? NULL : m->bytes; }
static int fake_memory_unmap(cl_queue q, cl_memory m, void *p, unsigned w, const cl_event *l, cl_event *e) { (void)q; (void)m; (void)p; (void)w; (void)l; (void)e; return step(); }
static int fake_write(cl_queue q, cl_memory m, unsigned b, size_t o, size_t n, const void *p, unsigned w, const cl_event *l, cl_event *e)
{
    (void)q; (void)b; (void)w; (void)l; (void)e;
    int result = step();
    if (!result)
        memcpy(m->bytes + o, p, n);
    return result;
}
static int fake_read(cl_queue q, cl_memory m, unsigned b, size_t o, size_t n, void *p, unsigned w, const cl_event *l, cl_event *e)
{
    (void)q; (void)b; (void)w; (void)l; (void)e;
    int result = step();
    if (!result)
        memcpy(p, m->bytes + o, n);
    return result;
}
static cl_program fake_program_from_source(cl_context c, unsigned n, const char **s, const size_t *l, int *r) { (void)c; (void)n; (void)s; (void)l; return made(r); }
static cl_program fake_program_from_binary(cl_context c, unsigned n, const cl_device *d, const size_t *l, const unsigned char **b, int *s, int *r) { (void)c; (void)n; (void)d; (void)l; (void)b; (void)s; return made(r); }
static int fake_program_build(cl_program p, unsigned n, const cl_device *d, const char *o, void *f, void *u) { (void)p; (void)n; (void)d; (void)o; (void)f; (void)u; return fake_opencl.refused_builds && fake_opencl.refused_builds-- ? -11 : step(); }
static int fake_program_info(cl_program p, unsigned what, size_t n, void *v, size_t *size)
{
    (void)p; (void)n; (void)size;
    static const char binary[] = "binary";
    const size_t bytes = sizeof binary;
    if (what == CL_PROGRAM_BINARY_SIZES)
        memcpy(v, &bytes, sizeof bytes);
    else
        memcpy(*(char **)v, binary, bytes);
    return step();
}
static int fake_program_build_info(cl_program p, cl_device d, unsigned what, size_t n, void *v, size_t *size) { (void)p; (void)d; (void)what; return tell(n, v, size, "line 1: error: made to fail\nmore", 33); }
static int fake_program_release(cl_program p) { (void)p; return given_back(); }
static cl_kernel fake_kernel_create(cl_program p, const char *name, int *r) { (void)p; (void)name; return made(r); }
static int fake_kernel_release(cl_kernel k) { (void)k; return given_back(); }
static int fake_kernel_info(cl_kernel k, cl_device d, unsigned what, size_t n, void *v, size_t *size)
{
    (void)k; (void)d; (void)what;
    const size_t most = fake_opencl.kernel_threads ? fake_opencl.kernel_threads : fake_opencl.most_threads;
    return tell(n, v, size, &most, sizeof most);
}
static int fake_kernel_argument(cl_kernel k, unsigned i, size_t n, const void *v)
{
    (void)k;
    if (i < POINTERS)
        memcpy(&pointer[i], v, n);
    else if (i == POINTERS)
        memcpy(&numbers, v, n);
    return step();
}
static int fake_launch(cl_queue q, cl_kernel k, unsigned d, const size_t *o, const size_t *g, const size_t *l, unsigned w, const cl_event *list, cl_event *e)
{
    (void)q; (void)k; (void)d; (void)o; (void)g; (void)l; (void)w; (void)list; (void)e;
    int result = step();
    if (!result)
        decode();
    return result;
}
static int fake_marker(cl_queue q, unsigned w, const cl_event *l, cl_event *e) { (void)q; (void)w; (void)l; int r; *e = made(&r); return r; }
static int fake_event_info(cl_event e, unsigned what, size_t n, void *v, size_t *size) { (void)e; (void)what; const int status = hanging(); return tell(n, v, size, &status, sizeof status); }
static int fake_event_wait(unsigned n, const cl_event *e) { (void)n; (void)e; return reached(); }
static int fake_event_release(cl_event e) { (void)e; fake_opencl.live--; return step(); }
/* clang-format on */

const ldpc_opencl *ldpc_opencl_open(const char **why)
{
#define FAKE(type, member, symbol, arguments) .member = fake_##member,
    static const ldpc_opencl table = {LDPC_OPENCL_FUNCTIONS(FAKE)};
    *why = NULL;
    return &table;
}
