/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses a code and its decoders on the CPU and on a driver in host memory. Each run makes a different call
 * fail: memory, thread, lock, file, driver, compiler or OpenCL. The library function that makes the call must
 * return an error message. Run with a leak checker. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "faults/faults.h"
#include "ldpc/ldpc.h"

#ifdef LDPC_HAVE_CUDA
#include "cuda/host_driver.h"
#include "cuda/sim/simulator.h"
#include "opencl/fake_opencl.h"
#endif

enum { CODEWORDS = 5, N = 648, K = 324, LAUNCH_TIMED_OUT = 702 };

static char folder[32];
static int8_t llr[CODEWORDS * N];
static uint8_t right[CODEWORDS * K], message[CODEWORDS * K];

typedef struct life {
    ldpc_status status; /* the first failure */
} life;

static void note(life *l, ldpc_status status, const char *sentence)
{
    static const ldpc_status allowed[] = {LDPC_ERR_MEMORY, LDPC_ERR_THREAD, LDPC_ERR_FILE, LDPC_ERR_DEVICE,
                                          LDPC_ERR_BACKEND};
    bool known = status == LDPC_OK;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        known |= status == allowed[i];
    if (!known)
        fail_msg("call %zu: %s: %s", (size_t)fault_at, ldpc_status_string(status), sentence);
    assert_true(status == LDPC_OK || (sentence[0] && !strchr(sentence, '\n')));
    l->status = l->status ? l->status : status;
}

/* ---- the life of a decoder */

static void decode(life *l, ldpc_decoder *dec)
{
    const ldpc_batch batch = {.n_codewords = CODEWORDS, .llr = llr, .message = message};
    memset(message, 7, sizeof message);
    ldpc_status status = ldpc_decode(dec, &batch);
    note(l, status, ldpc_decoder_message(dec));
    if (!status)
        assert_memory_equal(message, right, sizeof right);
    memset(message, 7, sizeof message);
    status = ldpc_submit(dec, &batch);
    note(l, status, ldpc_decoder_message(dec));
    if (status)
        return;
    status = ldpc_collect(dec, -1, NULL);
    note(l, status, ldpc_decoder_message(dec));
    if (!status)
        assert_memory_equal(message, right, sizeof right);
}

/* device memory is host memory here */
static void decode_on_device(life *l, ldpc_decoder *dec)
{
    uint8_t packed[CODEWORDS][(K + 7) / 8];
    const ldpc_batch batch = {.n_codewords = CODEWORDS, .llr = llr, .message = packed[0]};
    memset(packed, 7, sizeof packed);
    const ldpc_status status = ldpc_decode_device(dec, NULL, &batch);
    note(l, status, ldpc_decoder_message(dec));
    for (size_t i = 0; !status && i < CODEWORDS * K; i++)
        assert_int_equal(packed[i / K][i % K / 8] >> (7 - i % K % 8) & 1, right[i]);
}

static void wait_for_kernel(life *l, ldpc_decoder *dec)
{
    note(l, ldpc_decoder_wait_kernel(dec, -1), ldpc_decoder_message(dec));
}

static void set(life *l, ldpc_decoder *dec)
{
    note(l, ldpc_decoder_set_offset(dec, 2), ldpc_decoder_message(dec));
    wait_for_kernel(l, dec);
    note(l, ldpc_decoder_set_max_iterations(dec, 9), ldpc_decoder_message(dec));
    note(l, ldpc_decoder_set_early_stop(dec, false), ldpc_decoder_message(dec));
    wait_for_kernel(l, dec);
}

static void simulate(life *l, ldpc_decoder *dec)
{
    ldpc_sim_params sim;
    ldpc_sim_block block;
    ldpc_error err = {""};
    ldpc_sim_params_init(&sim);
    note(l, ldpc_sim_blocks(dec, &sim, 0, 3, &block, &err), err.message);
}

static void pinned_memory(ldpc_decoder *dec)
{
    /* ldpc_decoder_alloc() may return NULL without an error message */
    ldpc_decoder_free(dec, ldpc_decoder_alloc(dec, 100));
}

static ldpc_decoder *make_decoder(life *l, const ldpc_code *code, const char *backend)
{
    ldpc_decoder_params params;
    ldpc_decoder *dec;
    ldpc_error err = {""};
    ldpc_decoder_params_init(&params);
    params.algorithm = LDPC_ALGORITHM_OFFSET_MIN_SUM;
    params.backend = backend;
    params.kernel = strcmp(backend, "cuda") && strcmp(backend, "opencl") ? NULL : "straight";
    params.threads = 3;
    params.max_batch = CODEWORDS;
    params.cache_dir = folder;
    params.min_gpu_batch = strcmp(backend, "gpu") ? 0 : 2; /* uses GPU and CPU */
    ldpc_status status = ldpc_decoder_create(code, &params, &dec, &err);
    note(l, status, err.message);
    assert_true((status == LDPC_OK) == (dec != NULL));
    return dec;
}

static ldpc_status live(const char *backend)
{
    life l = {LDPC_OK};
    ldpc_code *code;
    ldpc_error err = {""};
    char name[64];
    snprintf(name, sizeof name, "qc:%s/code", folder);
    note(&l, ldpc_code_create(name, &code, &err), err.message);
    if (!code)
        return l.status;
    ldpc_decoder *dec = make_decoder(&l, code, backend);
    if (dec) {
        wait_for_kernel(&l, dec);
        decode(&l, dec);
        if (strcmp(ldpc_decoder_backend(dec), "cuda") == 0)
            decode_on_device(&l, dec);
        set(&l, dec);
        simulate(&l, dec);
        pinned_memory(dec);
    }
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
    return l.status;
}

/* ---- folder */

/* Deletes all files except the file "code". Returns the number of incomplete files. */
static size_t clean_folder(void)
{
    DIR *dir = opendir(folder);
    size_t unfinished = 0;
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        const char *end = strrchr(entry->d_name, '.');
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "code") == 0)
            continue;
        unfinished += !end || strcmp(end, ".cubin") != 0;
        unlinkat(dirfd(dir), entry->d_name, 0);
    }
    closedir(dir);
    return unfinished;
}

static int make_folder(void **state)
{
    (void)state;
    static char text[1 << 20];
    char path[64];
    ldpc_code *code;
    size_t needed;
    strcpy(folder, "/tmp/ldpc_faults_XXXXXX");
    if (!mkdtemp(folder) || ldpc_code_create("wifi:648:1/2", &code, NULL))
        return -1;
    snprintf(path, sizeof path, "%s/code", folder);
    FILE *file = fopen(path, "w");
    if (!file || ldpc_code_write_qc(code, text, sizeof text, &needed) || fputs(text, file) < 0)
        return -1;
    fclose(file);
    for (size_t i = 0; i < sizeof right; i++)
        right[i] = i * i % 7 < 3;
    for (size_t w = 0; w < CODEWORDS; w++) {
        uint8_t codeword[N];
        if (ldpc_encode(code, right + w * K, 1, codeword))
            return -1;
        for (size_t i = 0; i < N; i++)
            llr[w * N + i] = codeword[i] ? -20 : 20;
    }
    ldpc_code_destroy(code);
    return 0;
}

static int delete_folder(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "%s/code", folder);
    clean_folder();
    return unlink(path) || rmdir(folder);
}

/* ---- each call in turn */

/* begin() selects the call that fails. end() returns true if this call was made. */
typedef struct calls {
    void (*begin)(size_t at);
    bool (*end)(void);
} calls;

static const calls of_the_system = {fault_begin, fault_end};

static void fail_in_turn(const char *backend, const calls *kind, size_t least_failures)
{
    size_t failures = 0;
    for (size_t call = 1;; call++) {
        assert_true(call < 100000);
        kind->begin(call);
        ldpc_status status = live(backend);
        if (!kind->end()) {
            assert_int_equal(status, LDPC_OK); /* fewer than `call` calls */
            break;
        }
        failures += status != LDPC_OK;
        assert_int_equal(clean_folder(), 0);
#ifdef LDPC_HAVE_CUDA
        assert_int_equal(host_driver.live + host_driver.compilations + fake_opencl.live, 0);
#endif
    }
    assert_true(failures >= least_failures);
    assert_int_equal(live(backend), LDPC_OK);
    clean_folder();
}

static void test_on_the_cpu(void **state)
{
    (void)state;
    fail_in_turn("cpu", &of_the_system, 60);
}

#ifdef LDPC_HAVE_CUDA

/* The program is a number: 1 decides bits by the signs of LLRs, 2 simulates frames without errors. */
static void compile(const char *source, char image[HOST_DRIVER_IMAGE])
{
    image[0] = strstr(source, "ldpc_simulate") ? 2 : 1;
}

static void *load(const void *image)
{
    static char marks[] = {0, 1, 2};
    return &marks[image == ldpc_cuda_image_any() ? 1 : (int)*(const char *)image];
}

static void count_frames(const ldpc_simulate_args *a)
{
    ldpc_sim_block *counts = (ldpc_sim_block *)(uintptr_t)a->counts;
    for (uint32_t done = 0; done < a->n_frames; done += LDPC_SIM_BLOCK) {
        const uint32_t left = a->n_frames - done;
        *counts++ = (ldpc_sim_block){.frames = left < LDPC_SIM_BLOCK ? left : LDPC_SIM_BLOCK};
    }
}

static void launch(void *function, const ldpc_cuda_args *a, unsigned blocks, unsigned threads)
{
    (void)blocks, (void)threads;
    if (*(const char *)function != 1) {
        const ldpc_simulate_args *simulation = (const void *)a;
        if (simulation->phase == LDPC_SIMULATE_COUNT)
            count_frames(simulation);
        return;
    }
    const uint32_t *at = (const uint32_t *)(uintptr_t)a->message_at;
    const int32_t *source = (const int32_t *)(uintptr_t)a->source;
    const size_t bytes = (a->k + 7) / 8;
    for (uint32_t w = 0; w < a->n_codewords; w++) {
        uint8_t *packed = (uint8_t *)(uintptr_t)a->message + w * bytes;
        memset(packed, 0, bytes);
        for (uint32_t i = 0; i < a->k; i++)
            if (((const int8_t *)(uintptr_t)a->llr)[(size_t)w * a->n + (uint32_t)source[at[i]]] < 0)
                packed[i / 8] |= (uint8_t)(0x80 >> i % 8);
        if (a->info)
            ((ldpc_codeword_info *)(uintptr_t)a->info)[w] = (ldpc_codeword_info){1, 0, 1, 1};
    }
}

static void driver_begin(size_t at)
{
    host_driver.calls = 0;
    host_driver.fail_at = (int)at;
    host_driver.result = CU_OUT_OF_MEMORY;
}

/* All calls after these errors fail. */
static void time_out_begin(size_t at)
{
    driver_begin(at);
    host_driver.result = LAUNCH_TIMED_OUT;
    host_driver.for_ever = true;
}

static void destroyed_begin(size_t at)
{
    driver_begin(at);
    host_driver.result = CU_CONTEXT_IS_DESTROYED;
    host_driver.for_ever = true;
}

static bool driver_end(void)
{
    bool made = host_driver.calls >= host_driver.fail_at;
    host_driver.fail_at = 0;
    host_driver.for_ever = false;
    return made;
}

/* Functions that select the failing call of the driver or the compiler. */
static const calls of_the_driver = {driver_begin, driver_end}, time_outs = {time_out_begin, driver_end},
                   destroyed_contexts = {destroyed_begin, driver_end};

static void opencl_begin(size_t at)
{
    fake_opencl.calls = 0;
    fake_opencl.fail_at = (int)at;
    fake_opencl.result = CL_OBJECT_ALLOCATION_FAILURE;
}

static bool opencl_end(void)
{
    bool made = fake_opencl.calls >= fake_opencl.fail_at;
    fake_opencl.fail_at = 0;
    return made;
}

static const calls of_opencl = {opencl_begin, opencl_end};

static void test_on_a_gpu(void **state)
{
    (void)state;
    host_driver.compile = compile;
    host_driver.load = load;
    host_driver.launch = launch;
    for (int i = 0; i < 2; i++)
        host_driver.memory[i].free_bytes = 1 << 20; /* saves time */
    fail_in_turn("cuda", &of_the_system, 60);
    fail_in_turn("cuda", &of_the_driver, 60);
    fail_in_turn("cuda", &time_outs, 60);
    fail_in_turn("cuda", &destroyed_contexts, 60);
}

static void test_on_opencl(void **state)
{
    (void)state;
    assert_int_equal(live("opencl"), LDPC_OK); /* the first call also searches for devices */
    clean_folder();
    fail_in_turn("opencl", &of_the_system, 60);
    fail_in_turn("opencl", &of_opencl, 60);
}

static void test_on_both(void **state)
{
    (void)state;
    fail_in_turn("gpu", &of_the_system, 60);
    fail_in_turn("gpu", &of_the_driver, 60);
    fail_in_turn("gpu", &time_outs, 60);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_on_the_cpu),
#ifdef LDPC_HAVE_CUDA
        cmocka_unit_test(test_on_a_gpu),
        cmocka_unit_test(test_on_opencl),
        cmocka_unit_test(test_on_both),
#endif
    };
    return cmocka_run_group_tests(tests, make_folder, delete_folder);
}
