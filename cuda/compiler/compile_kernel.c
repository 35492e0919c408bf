/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles a GPU kernel for libldpc (cuda/host/compilation.h). Reads the source from standard input. Writes the
 * machine code to file descriptor 3, and one line to file descriptor 4: an error message, or nothing.
 *
 * Ends as soon as the read end of file descriptor 4 is closed. The end of libldpc's process also closes it. */
#define _GNU_SOURCE /* sched_setaffinity */
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/write_all.h"
#include "cuda/host/compilation.h"
#include "cuda/host/driver.h"
#include "cuda/host/nvrtc.h"

enum { FIRST_OTHER_FILE = LDPC_CUDA_MESSAGE_FILE + 1, MOST_FILES = 1024, FAILURE = 1, WRONG_CALL = 2 };

/* Closes files that the parent has opened without FD_CLOEXEC. */
static void close_other_files(void)
{
#ifdef SYS_close_range
    if (!syscall(SYS_close_range, FIRST_OTHER_FILE, ~0u, 0))
        return;
#endif
    for (int file = FIRST_OTHER_FILE; file < MOST_FILES; file++)
        close(file);
}

/* Allows all CPUs. The calling thread may have been bound to one CPU. */
static void use_cpus_of_program(void)
{
    cpu_set_t cpus;
    if (!sched_getaffinity(getppid(), sizeof cpus, &cpus))
        sched_setaffinity(0, sizeof cpus, &cpus);
}

static void *end_with_reader(void *unused)
{
    struct pollfd message = {.fd = LDPC_CUDA_MESSAGE_FILE}; /* reports only a closed pipe */
    (void)unused;
    while (poll(&message, 1, -1) <= 0 || !message.revents)
        ;
    _exit(FAILURE);
}

/* Does not run the exit handlers of NVRTC. */
static void end(const char *message)
{
    bool told = ldpc_write_all(LDPC_CUDA_MESSAGE_FILE, message, strlen(message)) &&
                ldpc_write_all(LDPC_CUDA_MESSAGE_FILE, "\n", 1);
    _exit(message[0] || !told ? FAILURE : 0);
}

static char *read_source(void)
{
    size_t bytes = 0, room = 1 << 16;
    char *text = ldpc_allocate(room, 1);
    ssize_t more = 0;
    while (text && (more = read(STDIN_FILENO, text + bytes, room - 1 - bytes)) > 0) {
        bytes += (size_t)more;
        if (bytes < room - 1)
            continue;
        char *larger = ldpc_reallocate(text, 1, room *= 2);
        if (!larger)
            free(text);
        text = larger;
    }
    if (text)
        text[bytes] = 0;
    return text;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    ldpc_nvrtc nvrtc;
    ldpc_error err = {""};
    void *image = NULL;
    size_t bytes = 0;
    if (count != 3 && count != 4) {
        fprintf(stderr,
                "usage: %s NVRTC CAPABILITY [CACHE_FOLDER] <SOURCE 3>IMAGE 4>MESSAGE: a part of libldpc\n",
                arguments[0]);
        return WRONG_CALL;
    }
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the file size limit fails instead of ending the process */
    close_other_files();
    use_cpus_of_program();
    (void)!pthread_create(&thread, NULL, end_with_reader, NULL);
    char *source = read_source();
    if (!source)
        end("out of memory");
    if (!ldpc_nvrtc_load(arguments[1], &nvrtc))
        end("the compiler of GPU kernels cannot load libnvrtc");
    const int capability = atoi(arguments[2]);
    const char *cache_dir = arguments[3];
    if (cache_dir)
        ldpc_cuda_lock_program(&nvrtc, source, capability, cache_dir);
    if (!ldpc_cuda_compile(&nvrtc, source, capability, cache_dir, &image, &bytes, &err) &&
        !ldpc_write_all(LDPC_CUDA_IMAGE_FILE, image, bytes))
        snprintf(err.message, sizeof err.message, "the compiler of GPU kernels cannot write its result");
    end(err.message);
}
