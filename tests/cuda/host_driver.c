/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, strdup */
#include "host_driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <cmocka.h>

#include "base/deadline.h"
#include "cuda/host/compilation.h"
#include "cuda/host/nvrtc.h"

enum { NOT_SUPPORTED = 801, COMPILE_ERROR = 6, MOST_PIECES = 512 };

/* ---- the driver */

struct host_driver host_driver = {
    .mutex = PTHREAD_MUTEX_INITIALIZER,
    .changed = PTHREAD_COND_INITIALIZER,
    .devices = 2,
    .blocks = 1,
    .memory = {{.free_bytes = 1 << 30}, {.free_bytes = 1 << 30}}
};

/* memory of the current context */
static _Thread_local struct host_memory *memory_now = &host_driver.memory[0];

static int step(void)
{
    pthread_mutex_lock(&host_driver.mutex);
    int n = ++host_driver.calls;
    host_driver.calls_after_end += host_driver.ended;
    bool fails = host_driver.fail_at &&
                 (n == host_driver.fail_at || (host_driver.for_ever && n > host_driver.fail_at));
    int result = host_driver.ended ? CU_CONTEXT_IS_DESTROYED : fails ? host_driver.result : 0;
    pthread_mutex_unlock(&host_driver.mutex);
    return result;
}

void host_driver_reset(int fail_at, int result, bool for_ever)
{
    pthread_mutex_lock(&host_driver.mutex);
    host_driver.calls = 0;
    host_driver.fail_at = fail_at;
    host_driver.result = result;
    host_driver.for_ever = for_ever;
    host_driver.ended = false;
    pthread_mutex_unlock(&host_driver.mutex);
}

void host_driver_release_compiler(void)
{
    pthread_mutex_lock(&host_driver.mutex);
    host_driver.compiler_works = false;
    pthread_cond_broadcast(&host_driver.changed);
    pthread_mutex_unlock(&host_driver.mutex);
}

void host_driver_hang(int gpu, bool hangs)
{
    pthread_mutex_lock(&host_driver.mutex);
    host_driver.memory[gpu].hangs = hangs;
    pthread_cond_broadcast(&host_driver.changed);
    pthread_mutex_unlock(&host_driver.mutex);
}

/* Waits for all work of the GPU. */
static void wait_for(const void *gpu)
{
    pthread_mutex_lock(&host_driver.mutex);
    host_driver.waiting++;
    pthread_cond_broadcast(&host_driver.changed);
    while (((const struct host_memory *)gpu)->hangs)
        pthread_cond_wait(&host_driver.changed, &host_driver.mutex);
    host_driver.waiting--;
    pthread_mutex_unlock(&host_driver.mutex);
}

/* Returns the result of event_query(). */
static int query(const void *gpu)
{
    pthread_mutex_lock(&host_driver.mutex);
    const bool ready = !((const struct host_memory *)gpu)->hangs;
    host_driver.queries++;
    pthread_mutex_unlock(&host_driver.mutex);
    return ready ? step() : CU_NOT_READY;
}

static int reached(const void *gpu)
{
    wait_for(gpu);
    return step();
}

static void count(int change)
{
    pthread_mutex_lock(&host_driver.mutex);
    host_driver.live += change;
    pthread_mutex_unlock(&host_driver.mutex);
}

/* If made() fails, no resource is created. If given_back() fails, the resource is freed nevertheless. */
static int made(void)
{
    int result = step();
    if (!result)
        count(1);
    return result;
}

static int given_back(void)
{
    count(-1);
    return step();
}

/* ---- memory */

typedef enum memory_kind { DEVICE, DRIVER, REGISTERED } memory_kind;

static struct {
    char *memory; /* NULL: a free place */
    size_t bytes;
    memory_kind kind;
} pieces[MOST_PIECES];

/* Returns the index of a memory block. NULL: index of a free entry. */
static size_t place_of(const void *memory)
{
    size_t i = 0;
    while (i < MOST_PIECES && pieces[i].memory != memory)
        i++;
    assert_in_range(i, 0, MOST_PIECES - 1);
    return i;
}

static void note_memory(void *memory, size_t bytes, memory_kind kind)
{
    pthread_mutex_lock(&host_driver.mutex);
    const size_t i = place_of(NULL);
    pieces[i].memory = memory;
    pieces[i].bytes = bytes;
    pieces[i].kind = kind;
    pthread_mutex_unlock(&host_driver.mutex);
}

/* Returns the length. */
static size_t forget_memory(void *memory, memory_kind kind)
{
    pthread_mutex_lock(&host_driver.mutex);
    const size_t i = place_of(memory);
    assert_int_equal(pieces[i].kind, kind);
    const size_t bytes = pieces[i].bytes;
    pieces[i].memory = NULL;
    pthread_mutex_unlock(&host_driver.mutex);
    return bytes;
}

void host_driver_end_context(bool made_again)
{
    pthread_mutex_lock(&host_driver.mutex);
    host_driver.ended = true;
    host_driver.made_again = made_again;
    host_driver.live = host_driver.contexts;
    for (size_t i = 0; i < MOST_PIECES; i++) {
        if (pieces[i].memory && pieces[i].kind == DEVICE)
            free(pieces[i].memory);
        else if (pieces[i].memory && pieces[i].kind == DRIVER)
            munmap(pieces[i].memory, pieces[i].bytes);
        pieces[i].memory = NULL;
    }
    pthread_mutex_unlock(&host_driver.mutex);
}

static int fake_host_alloc(void **memory, size_t bytes, unsigned flags)
{
    (void)flags;
    wait_for(memory_now);
    void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return CU_OUT_OF_MEMORY;
    int result = made();
    if (result) {
        munmap(mapped, bytes);
        return result;
    }
    note_memory(mapped, bytes, DRIVER);
    *memory = mapped;
    return 0;
}

static int fake_host_free(void *memory)
{
    wait_for(memory_now);
    munmap(memory, forget_memory(memory, DRIVER));
    return given_back();
}

static int fake_host_register(void *memory, size_t bytes, unsigned flags)
{
    (void)flags;
    wait_for(memory_now);
    int result = host_driver.cannot_register ? NOT_SUPPORTED : made();
    if (!result)
        note_memory(memory, bytes, REGISTERED);
    return result;
}

static int fake_host_unregister(void *memory)
{
    wait_for(memory_now);
    forget_memory(memory, REGISTERED);
    return given_back();
}

static int fake_host_address(cu_pointer *address, void *memory, unsigned flags)
{
    (void)flags;
    pthread_mutex_lock(&host_driver.mutex);
    place_of(memory);
    pthread_mutex_unlock(&host_driver.mutex);
    *address = (cu_pointer)(uintptr_t)memory;
    return step();
}

/* ---- the rest */

/* clang-format off */
static int fake_init(unsigned f) { (void)f; return step(); }
static int fake_error_string(int r, const char **s) { (void)r; *s = "made to fail"; return 0; }
static int fake_device_count(int *n) { *n = host_driver.devices; return step(); }
static int fake_device_get(int *d, int i) { *d = i; return step(); }
static int fake_device_name(char *s, int n, int d) { (void)n; (void)d; *s = 0; return step(); }
static int fake_device_attribute(int *v, int a, int d)
{
    (void)d;
    *v = a == CU_CAPABILITY_MAJOR ? 9 : a == CU_CAPABILITY_MINOR ? 0 : a == CU_SM_COUNT ? 2 : a == CU_MOST_THREADS ? 1024 : 232448;
    return step();
}
static int fake_context_retain(cu_context *c, int d)
{
    int result = made();
    *c = (cu_context)&host_driver.memory[d % 2];
    host_driver.contexts += !result;
    return result;
}
static int fake_context_release(int d)
{
    wait_for(&host_driver.memory[d % 2]);
    host_driver.contexts--;
    count(-1);
    return host_driver.ended ? 0 : step();
}
static int fake_context_push(cu_context c) { memory_now = (void *)c; return step(); }
static int fake_context_id(cu_context c, unsigned long long *id)
{
    (void)c;
    *id = host_driver.ended ? 2 : 1;
    return host_driver.ended && !host_driver.made_again ? CU_CONTEXT_IS_DESTROYED : 0;
}
static int fake_context_pop(cu_context *c) { (void)c; return step(); }
static int fake_context_synchronize(void) { return reached(memory_now); }
static int fake_module_load(cu_module *m, const void *image)
{
    wait_for(memory_now);
    int result = host_driver.load_result ? host_driver.load_result : made();
    assert_non_null(image);
    *m = result ? NULL : host_driver.load ? host_driver.load(image) : (void *)&host_driver;
    return result;
}
static int fake_module_unload(cu_module m) { wait_for(memory_now); if (host_driver.unload) host_driver.unload(m); return given_back(); }
static int fake_module_function(cu_function *f, cu_module m, const char *s) { (void)s; *f = (cu_function)m; return step(); }
static int fake_function_set(cu_function f, int a, int v) { (void)f; (void)a; (void)v; return step(); }
static int fake_occupancy(int *n, cu_function f, int t, size_t s) { (void)f; (void)t; (void)s; *n = host_driver.blocks; return step(); }
static int fake_memory_info(size_t *f, size_t *t) { *f = *t = memory_now->free_bytes; return step(); }
static int fake_memory_alloc(cu_pointer *p, size_t n)
{
    void *memory = NULL;
    wait_for(memory_now);
    *p = 0;
    if (n > memory_now->free_bytes)
        return CU_OUT_OF_MEMORY;
    if (n > memory_now->largest)
        memory_now->largest = n;
    int result = made();
    if (!result)
        note_memory(memory = calloc(1, n + 1), n, DEVICE);
    *p = (cu_pointer)(uintptr_t)memory;
    return result;
}
static int fake_memory_free(cu_pointer p)
{
    wait_for(memory_now);
    forget_memory((void *)(uintptr_t)p, DEVICE);
    free((void *)(uintptr_t)p);
    return given_back();
}
static int fake_pointer_attributes(unsigned n, const int *a, void **v, cu_pointer p) { (void)n; (void)a; (void)v; (void)p; return step(); }
static int fake_copy_in(cu_pointer to, const void *from, size_t n)
{
    int result = step();
    if (!result)
        memcpy((void *)(uintptr_t)to, from, n);
    return result;
}
static int fake_copy_in_async(cu_pointer to, const void *from, size_t n, cu_stream s) { (void)s; return fake_copy_in(to, from, n); }
static int fake_copy_out_async(void *to, cu_pointer from, size_t n, cu_stream s)
{
    (void)s;
    int result = step();
    if (!result)
        memcpy(to, (void *)(uintptr_t)from, n);
    return result;
}
static int fake_stream_create(cu_stream *s, unsigned f) { (void)f; int r = made(); *s = r ? NULL : (cu_stream)memory_now; return r; }
static int fake_stream_destroy(cu_stream s) { wait_for(s); return given_back(); }
static int fake_stream_synchronize(cu_stream s) { return s ? reached(s) : step(); }
static int fake_stream_wait(cu_stream s, cu_event e, unsigned f) { (void)s; (void)e; (void)f; return step(); }
static int fake_event_create(cu_event *e, unsigned f) { (void)f; int r = made(); *e = r ? NULL : (cu_event)memory_now; return r; }
static int fake_event_destroy(cu_event e) { (void)e; return given_back(); }
static int fake_event_record(cu_event e, cu_stream s) { (void)e; (void)s; return step(); }
static int fake_event_query(cu_event e) { return query(e); }
static int fake_event_synchronize(cu_event e) { return reached(e); }
/* clang-format on */

static int fake_launch(cu_function f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                       unsigned bz, unsigned shared, cu_stream stream, void **parameters, void **extra)
{
    int result = host_driver.launch_result ? host_driver.launch_result : step();
    (void)gy, (void)gz, (void)by, (void)bz, (void)shared, (void)stream, (void)extra;
    assert_true(gx > 0 && bx > 0);
    if (!result)
        host_driver.launch((void *)f, parameters[0], gx, bx);
    return result;
}

const ldpc_cuda_driver *ldpc_cuda_open(const char **why)
{
#define FAKE(member, symbol, arguments) .member = fake_##member,
    static const ldpc_cuda_driver driver = {
        .name = "CUDA", .backend = "cuda", LDPC_CUDA_FUNCTIONS(FAKE).context_id = fake_context_id};
    *why = NULL;
    return &driver;
}

/* ---- compiler */

struct nvrtc_program {
    const char *source;
};

/* clang-format off */
static int nvrtc_version(int *major, int *minor) { *major = 13; *minor = 0; return 0; }
static int nvrtc_create(nvrtc_program *p, const char *s, const char *n, int h, const char *const *t, const char *const *i)
{
    (void)n; (void)h; (void)t; (void)i;
    assert_true(strstr(s, "ldpc_decode") || strstr(s, "ldpc_simulate"));
    int result = step();
    if (!result) {
        *p = calloc(1, sizeof **p);
        assert_non_null(*p);
        (*p)->source = s;
    }
    return result;
}
static int nvrtc_destroy(nvrtc_program *p) { free(*p); *p = NULL; return 0; }
static int nvrtc_compile(nvrtc_program p, int n, const char *const *o)
{
    (void)n; (void)o;
    host_driver.compiled++;
    const bool refused = host_driver.refused && strstr(p->source, host_driver.refused);
    return host_driver.compiler_fails || refused ? COMPILE_ERROR : step();
}
static int nvrtc_log_size(nvrtc_program p, size_t *n) { (void)p; *n = 16; return 0; }
static int nvrtc_log(nvrtc_program p, char *s) { (void)p; strcpy(s, "line 1: error"); return 0; }
static int nvrtc_cubin_size(nvrtc_program p, size_t *n) { (void)p; *n = HOST_DRIVER_IMAGE; return step(); }
static int nvrtc_cubin(nvrtc_program p, char *s)
{
    memset(s, 1, HOST_DRIVER_IMAGE);
    if (host_driver.compile)
        host_driver.compile(p->source, s);
    return step();
}
/* clang-format on */

const ldpc_nvrtc *ldpc_nvrtc_open(void)
{
#define FAKE_NVRTC(member, symbol, arguments) .member = nvrtc_##member,
    static const ldpc_nvrtc nvrtc = {LDPC_NVRTC_FUNCTIONS(FAKE_NVRTC).path = ""};
    return &nvrtc;
}

struct ldpc_cuda_compilation {
    char *source, *cache_dir;
    int capability;
    bool done;
    ldpc_status status;
    ldpc_error error;
    void *image;
};

static void count_compilation(int more)
{
    pthread_mutex_lock(&host_driver.mutex);
    host_driver.compilations += more;
    pthread_mutex_unlock(&host_driver.mutex);
}

ldpc_cuda_compilation *ldpc_cuda_compilation_begin(const ldpc_nvrtc *nvrtc, const char *source,
                                                   int capability, const char *cache_dir)
{
    (void)nvrtc;
    ldpc_cuda_compilation *c = step() || host_driver.compiler_is_missing ? NULL : calloc(1, sizeof *c);
    if (!c)
        return NULL;
    *c = (ldpc_cuda_compilation){.source = strdup(source), .capability = capability};
    if (cache_dir)
        c->cache_dir = strdup(cache_dir);
    count_compilation(1);
    return c;
}

/* Waits briefly while holding the mutex. */
static void wait_a_little(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&host_driver.changed, &host_driver.mutex, &until);
}

static bool is_before(const struct timespec *until)
{
    const struct timespec now = ldpc_deadline(0);
    return !until || ldpc_is_before(&now, until);
}

ldpc_status ldpc_cuda_compilation_wait(ldpc_cuda_compilation *c, const struct timespec *until,
                                       const void **image, ldpc_error *err)
{
    size_t bytes;
    pthread_mutex_lock(&host_driver.mutex);
    while (host_driver.compiler_works && is_before(until))
        wait_a_little();
    const bool works = host_driver.compiler_works;
    pthread_mutex_unlock(&host_driver.mutex);
    if (works)
        return LDPC_AGAIN;
    if (!c->done)
        c->status = ldpc_cuda_compile(ldpc_nvrtc_open(), c->source, c->capability, c->cache_dir, &c->image,
                                      &bytes, &c->error);
    c->done = true;
    *image = c->image;
    if (c->status && err)
        *err = c->error;
    return c->status;
}

void ldpc_cuda_compilation_abandon(ldpc_cuda_compilation *c)
{
    ldpc_cuda_compilation_drop(c);
}

void ldpc_cuda_compilation_drop(ldpc_cuda_compilation *c)
{
    if (!c)
        return;
    count_compilation(-1);
    free(c->source);
    free(c->cache_dir);
    free(c->image);
    free(c);
}
