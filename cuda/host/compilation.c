/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* memfd_create, pipe2, ppoll */
#include "cuda/host/compilation.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/memory.h"
#include "base/status_internal.h"
#include "base/write_all.h"
#include "cuda/host/compiler_path.h"

extern char **environ;

struct ldpc_cuda_compilation {
    pid_t process;
    int image_file;
    int message; /* read end of the pipe for the message; closing it ends the compiler */
    size_t message_bytes;
    bool done, reaped;
    ldpc_status status;
    ldpc_error error;
    void *image;
};

/* ---- the compiler's files */

static int raise_number(int file)
{
    if (file < 0 || file > LDPC_CUDA_MESSAGE_FILE)
        return file;
    int raised = fcntl(file, F_DUPFD_CLOEXEC, LDPC_CUDA_MESSAGE_FILE + 1);
    close(file);
    return raised;
}

static int make_memory_file(void)
{
    return raise_number(memfd_create("ldpc kernel", MFD_CLOEXEC));
}

/* RLIMIT_FSIZE applies to memory files, too; exceeding it would end the process. */
static bool is_allowed(size_t bytes)
{
    struct rlimit limit;
    return !getrlimit(RLIMIT_FSIZE, &limit) && (limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur);
}

/* A pipe would make the caller wait until the compiler has read the source. */
static int make_source_file(const char *source)
{
    int file = is_allowed(strlen(source)) ? make_memory_file() : -1;
    if (file >= 0 && ldpc_write_all(file, source, strlen(source)) && lseek(file, 0, SEEK_SET) == 0)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

static void make_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC)) {
        ends[0] = ends[1] = -1;
        return;
    }
    ends[0] = raise_number(ends[0]);
    ends[1] = raise_number(ends[1]);
}

static void close_file(int file)
{
    if (file >= 0)
        close(file);
}

/* ---- the compiler's process */

static bool set_files(posix_spawn_file_actions_t *files, int source, int image, int message)
{
    return !posix_spawn_file_actions_adddup2(files, source, STDIN_FILENO) &&
           !posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) &&
           !posix_spawn_file_actions_addopen(files, STDERR_FILENO, "/dev/null", O_WRONLY, 0) &&
           !posix_spawn_file_actions_adddup2(files, image, LDPC_CUDA_IMAGE_FILE) &&
           !posix_spawn_file_actions_adddup2(files, message, LDPC_CUDA_MESSAGE_FILE);
}

/* The compiler has its own process group, which Ctrl-C does not reach. */
static bool set_attributes(posix_spawnattr_t *attributes, short scheduler)
{
    const struct sched_param usual = {.sched_priority = 0};
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    return !posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                     POSIX_SPAWN_SETSIGDEF | scheduler) &&
           !posix_spawnattr_setsigmask(attributes, &none) &&
           !posix_spawnattr_setsigdefault(attributes, &all) &&
           !posix_spawnattr_setschedpolicy(attributes, SCHED_OTHER) &&
           !posix_spawnattr_setschedparam(attributes, &usual);
}

static bool start_with(ldpc_cuda_compilation *c, const posix_spawn_file_actions_t *files, short scheduler,
                       char *const *arguments)
{
    posix_spawnattr_t attributes;
    if (posix_spawnattr_init(&attributes))
        return false;
    bool ok = set_attributes(&attributes, scheduler) &&
              !posix_spawn(&c->process, arguments[0], files, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    return ok;
}

static bool start(ldpc_cuda_compilation *c, int source, int message, char *const *arguments)
{
    posix_spawn_file_actions_t files;
    if (posix_spawn_file_actions_init(&files))
        return false;
    bool ok =
        set_files(&files, source, c->image_file, message) &&
        (start_with(c, &files, POSIX_SPAWN_SETSCHEDULER, arguments) || start_with(c, &files, 0, arguments));
    posix_spawn_file_actions_destroy(&files);
    return ok;
}

static atomic_int ending[16];

static void reap_later(pid_t process)
{
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        int nobody = 0;
        if (atomic_compare_exchange_strong(&ending[i], &nobody, process))
            return;
    }
}

static void reap_ended(void)
{
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        const pid_t process = atomic_exchange(&ending[i], 0);
        if (process && waitpid(process, NULL, WNOHANG) == 0)
            reap_later(process);
    }
}

static int wait_for_process(const ldpc_cuda_compilation *c)
{
    int how = 0;
    while (waitpid(c->process, &how, 0) < 0)
        if (errno != EINTR)
            return 0;
    return how;
}

static bool begin(ldpc_cuda_compilation *c, const char *nvrtc, const char *source, int capability,
                  const char *cache_dir)
{
    char path[PATH_MAX], number[16];
    snprintf(number, sizeof number, "%d", capability);
    char *arguments[] = {path, (char *)nvrtc, number, (char *)cache_dir, NULL};
    int message[2];
    if (nvrtc[0] != '/' || !ldpc_cuda_compiler_path(path, sizeof path))
        return false;
    const int source_file = make_source_file(source);
    c->image_file = make_memory_file();
    make_pipe(message);
    c->message = message[0];
    bool ok = source_file >= 0 && c->image_file >= 0 && message[0] >= 0 && message[1] >= 0 &&
              start(c, source_file, message[1], arguments);
    close_file(source_file);
    close_file(message[1]);
    if (!ok) {
        close_file(c->image_file);
        close_file(c->message);
    }
    return ok;
}

ldpc_cuda_compilation *ldpc_cuda_compilation_begin(const ldpc_nvrtc *nvrtc, const char *source,
                                                   int capability, const char *cache_dir)
{
    reap_ended();
    ldpc_cuda_compilation *c = ldpc_allocate(1, sizeof *c);
    if (c && !begin(c, nvrtc->path, source, capability, cache_dir)) {
        free(c);
        c = NULL;
    }
    return c;
}

/* ---- the result */

static ldpc_status read_image(ldpc_cuda_compilation *c)
{
    struct stat facts;
    if (fstat(c->image_file, &facts) || facts.st_size <= 0)
        return ldpc_fail(&c->error, LDPC_ERR_DEVICE, "the compiler of GPU kernels wrote no machine code");
    const size_t bytes = (size_t)facts.st_size;
    c->image = ldpc_allocate(bytes, 1);
    if (!c->image)
        return ldpc_fail_memory(&c->error);
    if (pread(c->image_file, c->image, bytes, 0) == (ssize_t)bytes)
        return LDPC_OK;
    return ldpc_fail(&c->error, LDPC_ERR_DEVICE, "machine code of a GPU kernel cannot be read");
}

/* Call this when the message is complete or its pipe has ended. */
static ldpc_status finish(ldpc_cuda_compilation *c)
{
    close(c->message);
    c->message = -1;
    char *end = strchr(c->error.message, '\n');
    const bool told = end != NULL;
    if (told)
        *end = 0;
    ldpc_make_printable(c->error.message);
    if (c->error.message[0])
        return LDPC_ERR_DEVICE;
    if (told)
        return read_image(c);
    const int how = wait_for_process(c);
    c->reaped = true;
    if (WIFSIGNALED(how))
        return ldpc_fail(&c->error, LDPC_ERR_DEVICE, "the compiler of GPU kernels was killed by signal %d",
                         WTERMSIG(how));
    return ldpc_fail(&c->error, LDPC_ERR_DEVICE, "the compiler of GPU kernels ended without a result");
}

static bool is_over(const struct timespec *until, struct timespec *left)
{
    const struct timespec now = ldpc_deadline(0);
    *left = (struct timespec){.tv_sec = until->tv_sec - now.tv_sec, .tv_nsec = until->tv_nsec - now.tv_nsec};
    if (left->tv_nsec < 0) {
        left->tv_sec--;
        left->tv_nsec += 1000000000;
    }
    return left->tv_sec < 0;
}

static bool await_message(const ldpc_cuda_compilation *c, const struct timespec *until)
{
    struct pollfd file = {.fd = c->message, .events = POLLIN};
    for (;;) {
        struct timespec left = {0};
        const bool over = until && is_over(until, &left);
        if (over)
            left = (struct timespec){0};
        int ready = ppoll(&file, 1, until ? &left : NULL, NULL);
        if (ready > 0)
            return true;
        if (over || (ready < 0 && errno != EINTR))
            return false;
    }
}

static bool read_message(ldpc_cuda_compilation *c)
{
    char *to = c->error.message + c->message_bytes;
    const size_t room = sizeof c->error.message - 1 - c->message_bytes;
    ssize_t bytes = read(c->message, to, room);
    if (bytes > 0)
        c->message_bytes += (size_t)bytes;
    return bytes < 0 ? errno == EINTR : bytes > 0 && (size_t)bytes < room && !memchr(to, '\n', (size_t)bytes);
}

ldpc_status ldpc_cuda_compilation_wait(ldpc_cuda_compilation *c, const struct timespec *until,
                                       const void **image, ldpc_error *err)
{
    while (!c->done) {
        if (!await_message(c, until))
            return LDPC_AGAIN;
        if (!read_message(c)) {
            c->status = finish(c);
            c->done = true;
        }
    }
    *image = c->image;
    if (c->status && err)
        *err = c->error;
    return c->status;
}

/* Kills the process only if waitpid() returns 0, that is, if it still runs. */
static void end_process(const ldpc_cuda_compilation *c)
{
    if (waitpid(c->process, NULL, WNOHANG) != 0)
        return;
    kill(c->process, SIGKILL);
    if (waitpid(c->process, NULL, WNOHANG) == 0)
        reap_later(c->process);
}

void ldpc_cuda_compilation_abandon(ldpc_cuda_compilation *c)
{
    if (!c)
        return;
    close_file(c->message);
    close(c->image_file);
    free(c->image);
    free(c);
}

void ldpc_cuda_compilation_drop(ldpc_cuda_compilation *c)
{
    if (c && !c->reaped)
        end_process(c);
    ldpc_cuda_compilation_abandon(c);
}
