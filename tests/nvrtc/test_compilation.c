/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the background compiler process, first with shell scripts, then with the NVRTC of tests/fake_gpu. */
#define _GNU_SOURCE /* mkdtemp, pipe2, setenv */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/deadline.h"
#include "cuda/host/compilation.h"
#include "cuda/host/compiler_path.h"
#include "cuda/host/nvrtc.h"

enum { CAPABILITY = 90, SECONDS = 120 /* a hanging child */ };

static const char source[] = "extern \"C\" __global__ void ldpc_decode() {}\n";
static char folder[] = "/tmp/ldpc_compilation_XXXXXX";
static const char *compiler; /* what is started */
static ldpc_nvrtc fake_nvrtc;

/* Replaces lib's function. */
bool ldpc_cuda_compiler_path(char *path, size_t size)
{
    return snprintf(path, size, "%s", compiler) < (int)size;
}

static const char *in_folder(const char *name)
{
    static char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void empty_folder(void)
{
    DIR *dir = opendir(folder);
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            remove(in_folder(entry->d_name));
    closedir(dir);
}

static void make_file(const char *name)
{
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    fclose(file);
}

static void use_script(const char *commands)
{
    static char path[400];
    snprintf(path, sizeof path, "%s", in_folder("script"));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\ncd %s\n%s\n", folder, commands);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
    compiler = path;
}

static ldpc_cuda_compilation *begin(const char *cache_dir)
{
    return ldpc_cuda_compilation_begin(&fake_nvrtc, source, CAPABILITY, cache_dir);
}

static ldpc_status poll_for(ldpc_cuda_compilation *c, int64_t us)
{
    const struct timespec until = ldpc_deadline(us);
    const void *image;
    return ldpc_cuda_compilation_wait(c, &until, &image, NULL);
}

static void expect_image(ldpc_cuda_compilation *c, const char *image)
{
    const void *got = NULL;
    ldpc_error err = {""};
    assert_non_null(c);
    if (ldpc_cuda_compilation_wait(c, NULL, &got, &err))
        fail_msg("%s", err.message);
    assert_memory_equal(got, image, strlen(image));
    assert_int_equal(poll_for(c, 0), LDPC_OK); /* it stays */
    ldpc_cuda_compilation_drop(c);
}

static void expect_failure(const char *sentence)
{
    const void *image;
    ldpc_error err = {""};
    ldpc_cuda_compilation *c = begin(NULL);
    assert_non_null(c);
    assert_int_equal(ldpc_cuda_compilation_wait(c, NULL, &image, &err), LDPC_ERR_DEVICE);
    assert_string_equal(err.message, sentence);
    err.message[0] = 0;
    assert_int_equal(ldpc_cuda_compilation_wait(c, NULL, &image, &err), LDPC_ERR_DEVICE);
    assert_string_equal(err.message, sentence);
    ldpc_cuda_compilation_drop(c);
}

static int count_files(void)
{
    int count = 0;
    DIR *dir = opendir("/proc/self/fd");
    assert_non_null(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

static int set_up(void **state)
{
    (void)state;
    alarm(SECONDS); /* this compiler never ends */
    unsetenv("FAKE_NVRTC_WAITS");
    empty_folder();
    return 0;
}

/* ---- scripts */

static void test_files(void **state)
{
    (void)state;
    use_script("cat >&3; echo >&4");
    const int files = count_files();
    expect_image(begin(NULL), source);
    assert_int_equal(count_files(), files);
}

static void test_arguments(void **state)
{
    char expected[400];
    (void)state;
    use_script("echo $# \"$1\" \"$2\" \"$3\" >&3; echo >&4");
    snprintf(expected, sizeof expected, "2 %s 90 \n", fake_nvrtc.path);
    expect_image(begin(NULL), expected);
    snprintf(expected, sizeof expected, "3 %s 90 a folder\n", fake_nvrtc.path);
    expect_image(begin("a folder"), expected);
}

static void test_failures(void **state)
{
    (void)state;
    char longest[sizeof((ldpc_error *)NULL)->message];
    const int files = count_files();
    use_script("echo 'line 1: error' >&4; exit 1");
    expect_failure("line 1: error");
    use_script("printf 'half a sen' >&4; sleep 0.01; printf tence >&4");
    expect_failure("half a sentence");
    use_script("cat >&3; kill -9 $$");
    expect_failure("the compiler of GPU kernels was killed by signal 9");
    use_script("cat >&3");
    expect_failure("the compiler of GPU kernels ended without a result");
    use_script("echo >&4");
    expect_failure("the compiler of GPU kernels wrote no machine code");
    use_script("head -c 100000 /dev/zero | tr '\\0' x >&4");
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    expect_failure(longest);
    assert_int_equal(count_files(), files);
}

static void test_cannot_begin(void **state)
{
    (void)state;
    const int files = count_files();
    use_script("");
    assert_int_equal(chmod(compiler, 0600), 0);
    assert_null(begin(NULL));
    compiler = in_folder("not there");
    assert_null(begin(NULL));
    assert_int_equal(count_files(), files);
}

static void test_at_work(void **state)
{
    (void)state;
    use_script("until [ -e go ]; do sleep 0.01; done; cat >&3; echo >&4");
    ldpc_cuda_compilation *c = begin(NULL), *other = begin(NULL);
    assert_int_equal(poll_for(c, 0), LDPC_AGAIN);
    assert_int_equal(poll_for(c, 1000), LDPC_AGAIN);
    make_file("go");
    expect_image(other, source);
    expect_image(c, source);
}

/* The result arrives even if the program ignores SIGCHLD or waits for all children. */
static void test_children_of_the_program(void **state)
{
    (void)state;
    use_script("cat >&3; echo >&4");
    signal(SIGCHLD, SIG_IGN);
    expect_image(begin(NULL), source);
    use_script("echo 'line 1: error' >&4; exit 1");
    expect_failure("line 1: error");
    signal(SIGCHLD, SIG_DFL);
    use_script("cat >&3; echo >&4");
    ldpc_cuda_compilation *c = begin(NULL);
    assert_true(waitpid(-1, NULL, 0) > 0);
    expect_image(c, source);
}

static pid_t wait_for_number(const char *name)
{
    int number = 0;
    while (!number) {
        FILE *file = fopen(in_folder(name), "r");
        if (!file)
            continue;
        if (fscanf(file, "%d", &number) != 1)
            number = 0;
        fclose(file);
    }
    return number;
}

static void test_drop_ends_the_compiler(void **state)
{
    (void)state;
    const struct sched_param usual = {.sched_priority = 0};
    use_script("trap '' TERM INT HUP; echo $$ >number; while :; do sleep 0.01; done");
    assert_int_equal(sched_setscheduler(0, SCHED_BATCH, &usual), 0);
    ldpc_cuda_compilation *c = begin(NULL);
    const pid_t process = wait_for_number("number");
    assert_int_equal(getpgid(process), process); /* Ctrl-C must not reach the compiler */
    assert_int_equal(sched_getscheduler(process), SCHED_OTHER);
    assert_int_equal(sched_setscheduler(0, SCHED_OTHER, &usual), 0);
    ldpc_cuda_compilation_drop(c);
    use_script("");
    while (kill(process, 0) == 0) /* each call removes ended processes */
        ldpc_cuda_compilation_drop(begin(NULL));
    assert_int_equal(errno, ESRCH);
    ldpc_cuda_compilation_drop(NULL);
    ldpc_cuda_compilation_abandon(NULL);
}

static void expect_exit(pid_t child)
{
    int how = -1;
    assert_int_equal(waitpid(child, &how, 0), child);
    if (!WIFEXITED(how) || WEXITSTATUS(how))
        fail_msg("the child ended with status 0x%x", (unsigned)how);
}

/* The program has written its result but does not end. */
static void test_no_wait_for_the_end(void **state)
{
    (void)state;
    use_script("cat >&3; echo >&4; exec sleep 1000");
    ldpc_cuda_compilation *c = begin(NULL);
    const void *image;
    assert_int_equal(ldpc_cuda_compilation_wait(c, NULL, &image, NULL), LDPC_OK);
    ldpc_cuda_compilation_drop(c);
}

/* Profilers and other preloaded tools may print. */
static void test_chatter(void **state)
{
    (void)state;
    use_script("echo profiler; echo warning >&2; cat >&3; echo more >&2; echo >&4");
    expect_image(begin(NULL), source);
}

static void test_without_standard_files(void **state)
{
    (void)state;
    use_script("cat >&3; echo >&4");
    const pid_t child = fork();
    if (child == 0) {
        const void *image;
        for (int file = 0; file <= STDERR_FILENO; file++)
            close(file);
        ldpc_cuda_compilation *c = begin(NULL);
        _exit(!c || ldpc_cuda_compilation_wait(c, NULL, &image, NULL) ||
              memcmp(image, source, strlen(source)) != 0);
    }
    expect_exit(child);
}

/* The source exceeds the limit of file sizes. A file with the source would end the process with SIGXFSZ. */
static void test_limit_of_files(void **state)
{
    (void)state;
    use_script("cat >&3; echo >&4");
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {.rlim_cur = sizeof source / 2, .rlim_max = sizeof source / 2};
        _exit(setrlimit(RLIMIT_FSIZE, &limit) || begin(NULL));
    }
    expect_exit(child);
}

static void test_forked_child(void **state)
{
    (void)state;
    use_script("until [ -e go ]; do sleep 0.01; done; cat >&3; echo >&4");
    ldpc_cuda_compilation *c = begin(NULL);
    const pid_t child = fork();
    if (child == 0) {
        ldpc_cuda_compilation_abandon(c);
        _exit(0);
    }
    expect_exit(child);
    make_file("go");
    expect_image(c, source);
}

/* ---- compiler with the fake NVRTC, whose result is "fake" */

static void test_program(void **state)
{
    (void)state;
    compiler = COMPILE_KERNEL;
    setenv("LD_PRELOAD", "/not/there.so", 1); /* the dynamic linker prints a warning */
    expect_image(begin(NULL), "fake");
    unsetenv("LD_PRELOAD");
    assert_false(ldpc_cuda_is_compiled(&fake_nvrtc, source, CAPABILITY, folder));
    expect_image(begin(folder), "fake");
    assert_true(ldpc_cuda_is_compiled(&fake_nvrtc, source, CAPABILITY, folder));
}

static void test_program_failures(void **state)
{
    (void)state;
    compiler = COMPILE_KERNEL;
    const char *path = fake_nvrtc.path;
    fake_nvrtc.path = "/not/there/libnvrtc.so";
    expect_failure("the compiler of GPU kernels cannot load libnvrtc");
    fake_nvrtc.path = path;
    const int how = system(COMPILE_KERNEL " </dev/null >/dev/null 2>&1");
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 2);
}

static ldpc_cuda_compilation *unfinished;

/* A compiler must end with its parent process, even while NVRTC runs. */
static void test_program_ends_with_its_user(void **state)
{
    (void)state;
    compiler = COMPILE_KERNEL;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0); /* this process adopts orphans */
    setenv("FAKE_NVRTC_WAITS", in_folder("never"), 1);
    for (int killed = 0; killed < 2; killed++) {
        int how;
        const pid_t child = fork();
        if (child == 0) {
            alarm(SECONDS);
            if (!(unfinished = begin(folder)))
                _exit(1);
            if (killed)
                raise(SIGKILL);
            exit(0);
        }
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_true(killed ? WIFSIGNALED(how) : WIFEXITED(how) && WEXITSTATUS(how) == 0);
        int ended = 0;
        while (wait(NULL) > 0) /* wait() fails when all compilers have ended */
            ended++;
        assert_true(ended > 0 && errno == ECHILD);
    }
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
}

/* The compiler process must close inherited files, even those without FD_CLOEXEC. */
static void test_program_closes_files(void **state)
{
    int ends[2];
    char byte;
    (void)state;
    compiler = COMPILE_KERNEL;
    setenv("FAKE_NVRTC_WAITS", in_folder("never"), 1);
    assert_int_equal(pipe(ends), 0);
    ldpc_cuda_compilation *c = begin(NULL);
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 0); /* the compiler has closed its end of the pipe */
    close(ends[0]);
    ldpc_cuda_compilation_drop(c);
}

static int other_cubin(nvrtc_program program, char *cubin)
{
    (void)program;
    memcpy(cubin, "else", 5);
    return 0;
}

/* Waits for another process that compiles the kernel. */
static void test_program_shares(void **state)
{
    int begun[2], go[2];
    char byte = 0;
    (void)state;
    compiler = COMPILE_KERNEL;
    assert_int_equal(pipe2(begun, O_CLOEXEC) + pipe2(go, O_CLOEXEC), 0);
    const pid_t child = fork();
    if (child == 0) {
        void *image = NULL;
        size_t bytes;
        alarm(SECONDS);
        ldpc_cuda_lock_program(&fake_nvrtc, source, CAPABILITY, folder);
        fake_nvrtc.cubin = other_cubin;
        _exit(write(begun[1], &byte, 1) != 1 || read(go[0], &byte, 1) != 1 ||
              ldpc_cuda_compile(&fake_nvrtc, source, CAPABILITY, folder, &image, &bytes, NULL));
    }
    assert_int_equal(read(begun[0], &byte, 1), 1);
    ldpc_cuda_compilation *c = begin(folder), *other = begin(NULL);
    expect_image(other, "fake");
    assert_int_equal(poll_for(c, 50000), LDPC_AGAIN);
    assert_int_equal(write(go[1], &byte, 1), 1);
    expect_image(c, "else");
    expect_exit(child);
    for (int i = 0; i < 2; i++) {
        close(begun[i]);
        close(go[i]);
    }
}

#define TEST(f) cmocka_unit_test_setup(f, set_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_files),
        TEST(test_arguments),
        TEST(test_failures),
        TEST(test_cannot_begin),
        TEST(test_at_work),
        TEST(test_children_of_the_program),
        TEST(test_drop_ends_the_compiler),
        TEST(test_no_wait_for_the_end),
        TEST(test_chatter),
        TEST(test_without_standard_files),
        TEST(test_limit_of_files),
        TEST(test_forked_child),
        TEST(test_program),
        TEST(test_program_failures),
        TEST(test_program_ends_with_its_user),
        TEST(test_program_closes_files),
        TEST(test_program_shares),
    };
    if (!mkdtemp(folder) || !ldpc_nvrtc_load(FAKE_NVRTC, &fake_nvrtc)) {
        fprintf(stderr, "no folder, or no fake NVRTC\n");
        return 1;
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    empty_folder();
    rmdir(folder);
    return failed;
}
