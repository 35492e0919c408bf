/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "base/thread.h"

#include <signal.h>

bool ldpc_thread_start(pthread_t *thread, void *(*body)(void *), void *argument)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int refused = pthread_create(thread, NULL, body, argument);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return !refused;
}
