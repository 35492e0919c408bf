/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/host/compilation.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/status_internal.h"
#include "base/thread.h"
#include "cuda/host/nvrtc.h"

struct ldpc_cuda_compilation {
    struct ldpc_cuda_compilation *next;
    const ldpc_nvrtc *nvrtc;
    char *source, *cache_dir; /* cache_dir: NULL = none */
    int capability;
    unsigned users;
    atomic_bool stopped; /* nobody wants it any more */
    bool done;
    ldpc_status status;
    void *image;
    size_t bytes;
    ldpc_error error;
};

static struct compiler {
    unsigned process; /* ldpc_process_number() of the one that has the thread */
    /* guards what follows, and the compilations, except the content of the one under way */
    pthread_mutex_t mutex;
    pthread_cond_t done;
    bool ready;                   /* prepared */
    bool ended;                   /* the process ends */
    ldpc_cuda_compilation *first; /* the one under way; those that wait follow */
    pthread_t thread;
    bool running; /* the thread will look for a next one */
    bool started; /* it has to be joined */
} compiler = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void remember_process(void)
{
    compiler.process = ldpc_process_number();
}

/* False in a forked child, where the thread is missing and the mutex may be locked for ever. */
static bool has_compiler(void)
{
    pthread_once(&once, remember_process);
    return compiler.process == ldpc_process_number();
}

static void end(void)
{
    if (!has_compiler())
        return;
    pthread_mutex_lock(&compiler.mutex);
    compiler.ended = true;
    pthread_mutex_unlock(&compiler.mutex);
    ldpc_cuda_compilations_end();
}

/* With the mutex held. Exit handlers run in reverse order of their registration: NVRTC's, most of which it registers when it
 * compiles for the first time, have to come before ours. After a failure the next call tries again. */
static bool prepare(const ldpc_nvrtc *nvrtc, int capability)
{
    if (!compiler.ready && !ldpc_cuda_prepare_compiler(nvrtc, capability, NULL) &&
        ldpc_condition_init(&compiler.done)) {
        compiler.ready = !atexit(end);
        if (!compiler.ready)
            pthread_cond_destroy(&compiler.done);
    }
    return compiler.ready && !compiler.ended;
}

static void free_compilation(ldpc_cuda_compilation *c)
{
    free(c->source);
    free(c->cache_dir);
    free(c->image);
    free(c);
}

/* ---- the thread */

static void compile(ldpc_cuda_compilation *c)
{
    if (c->stopped)
        c->status = ldpc_fail(&c->error, LDPC_ERR_DEVICE, "the compilation was stopped");
    else
        c->status = ldpc_cuda_compile(c->nvrtc, c->source, c->capability, c->cache_dir, &c->stopped,
                                      &c->image, &c->bytes, &c->error);
}

static void *compile_all(void *context)
{
    (void)context;
    pthread_mutex_lock(&compiler.mutex);
    while (compiler.first) {
        ldpc_cuda_compilation *c = compiler.first;
        pthread_mutex_unlock(&compiler.mutex);
        compile(c);
        pthread_mutex_lock(&compiler.mutex);
        compiler.first = c->next;
        c->done = true;
        pthread_cond_broadcast(&compiler.done);
        if (!c->users)
            free_compilation(c);
    }
    compiler.running = false;
    pthread_mutex_unlock(&compiler.mutex);
    return NULL;
}

/* With the mutex held, which is the thread's last one: it does not wait. */
static void start_thread(void)
{
    if (compiler.started)
        pthread_join(compiler.thread, NULL);
    compiler.running = true;
    compiler.started = ldpc_thread_start(&compiler.thread, compile_all, NULL);
}

void ldpc_cuda_compilations_end(void)
{
    if (!has_compiler())
        return;
    pthread_mutex_lock(&compiler.mutex);
    for (ldpc_cuda_compilation *c = compiler.first; c; c = c->next)
        c->stopped = true;
    const bool started = compiler.started;
    const pthread_t thread = compiler.thread;
    compiler.started = false;
    pthread_mutex_unlock(&compiler.mutex);
    if (started)
        pthread_join(thread, NULL);
}

/* ---- what decoders call */

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* With the mutex held: one that makes the same program. */
static ldpc_cuda_compilation *find(const char *source, int capability, const char *cache_dir)
{
    ldpc_cuda_compilation *c = compiler.first;
    while (c && (c->stopped || c->capability != capability || !same_text(c->cache_dir, cache_dir) ||
                 !same_text(c->source, source)))
        c = c->next;
    return c;
}

static ldpc_cuda_compilation *make(const ldpc_nvrtc *nvrtc, char *source, int capability,
                                   const char *cache_dir)
{
    ldpc_cuda_compilation *c = ldpc_allocate(1, sizeof *c);
    char *folder = cache_dir ? ldpc_allocate(strlen(cache_dir) + 1, 1) : NULL;
    if (!c || (cache_dir && !folder)) {
        free(c);
        free(folder);
        return NULL;
    }
    if (folder)
        strcpy(folder, cache_dir);
    c->nvrtc = nvrtc;
    c->source = source;
    c->cache_dir = folder;
    c->capability = capability;
    return c;
}

/* With the mutex held. */
static void append(ldpc_cuda_compilation *c)
{
    ldpc_cuda_compilation **last = &compiler.first;
    while (*last)
        last = &(*last)->next;
    *last = c;
}

ldpc_cuda_compilation *ldpc_cuda_compilation_begin(const ldpc_nvrtc *nvrtc, char *source, int capability,
                                                   const char *cache_dir)
{
    if (!has_compiler())
        return NULL;
    pthread_mutex_lock(&compiler.mutex);
    if (!prepare(nvrtc, capability)) {
        pthread_mutex_unlock(&compiler.mutex);
        return NULL;
    }
    ldpc_cuda_compilation *c = find(source, capability, cache_dir);
    bool here = false; /* without a thread */
    if (c) {
        free(source);
    } else if ((c = make(nvrtc, source, capability, cache_dir))) {
        append(c);
        if (!compiler.running) {
            start_thread();
            here = !compiler.started;
        }
    }
    if (c)
        c->users++;
    pthread_mutex_unlock(&compiler.mutex);
    if (here)
        compile_all(NULL);
    return c;
}

ldpc_status ldpc_cuda_compilation_wait(ldpc_cuda_compilation *c, const struct timespec *until,
                                       const void **image, ldpc_error *err)
{
    pthread_mutex_lock(&compiler.mutex);
    int result = 0;
    while (!c->done && !result)
        result = until ? pthread_cond_timedwait(&compiler.done, &compiler.mutex, until)
                       : pthread_cond_wait(&compiler.done, &compiler.mutex);
    bool done = c->done;
    pthread_mutex_unlock(&compiler.mutex);
    if (!done)
        return LDPC_AGAIN;
    *image = c->image;
    if (c->status && err)
        *err = c->error;
    return c->status;
}

/* With the mutex held: remove one that waits. */
static void take_out(const ldpc_cuda_compilation *c)
{
    ldpc_cuda_compilation **at = &compiler.first;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
}

void ldpc_cuda_compilation_drop(ldpc_cuda_compilation *c)
{
    if (!c)
        return;
    pthread_mutex_lock(&compiler.mutex);
    c->users--;
    if (!c->users && c == compiler.first) {
        c->stopped = true; /* the thread frees it */
    } else if (!c->users) {
        if (!c->done)
            take_out(c);
        free_compilation(c);
    }
    pthread_mutex_unlock(&compiler.mutex);
}
