/* SPDX-License-Identifier: BSD-3-Clause */
/* A process may end at any moment of a compilation in the background, and does not wait for it to its end. Skipped where libnvrtc
 * is not installed. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "cuda/host/compilation.h"

enum {
    CAPABILITY = 90,
    STATEMENTS = 400, /* for which NVRTC takes about a second */
    MOMENTS = 12,
    MOMENT_MS = 60,
    SECONDS = 60 /* after which a child counts as hung */
};

static char *make_source(void)
{
    const size_t line = 100;
    char *text = malloc((STATEMENTS + 2) * line), *end = text;
    assert_non_null(text);
    end += sprintf(end, "extern \"C\" __global__ void ldpc_decode(float *a, int n) {\nfloat x = a[0];\n");
    for (int i = 0; i < STATEMENTS; i++)
        end += sprintf(end, "if (n > %d) x = x * a[%d] + a[%d + n];\n__syncthreads();\na[n + %d] = x;\n", i,
                       i, 7 * i, i);
    sprintf(end, "}\n");
    return text;
}

/* The child begins to compile and ends after so many moments. */
static void end_after(int moments)
{
    const struct timespec moment = {.tv_nsec = 1000000 * MOMENT_MS};
    alarm(SECONDS);
    if (!ldpc_cuda_compilation_begin(ldpc_nvrtc_open(), make_source(), CAPABILITY, NULL))
        exit(1);
    for (int i = 0; i < moments; i++)
        nanosleep(&moment, NULL);
    exit(0);
}

static void test_exit(void **state)
{
    (void)state;
    for (int moments = 0; moments < MOMENTS; moments++) {
        int status = -1;
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0)
            end_after(moments);
        assert_int_equal(waitpid(child, &status, 0), child);
        if (!WIFEXITED(status) || WEXITSTATUS(status))
            fail_msg("status 0x%x after %d ms", (unsigned)status, moments * MOMENT_MS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exit)};
    if (!ldpc_nvrtc_open())
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
