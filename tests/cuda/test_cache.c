/* SPDX-License-Identifier: BSD-3-Clause */
/* The folder of compiled kernels must return exactly the bytes that were written. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cuda/host/cache.h"
#include "ldpc/ldpc.h"
#include "host_driver.h"

static char folder[64];
static const char image[] = "machine code, more or less, for a GPU";

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/ldpc_cache_XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

/* Returns the number of files in the folder. */
static int each_file(void (*visit)(const char *path))
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int files = 0;
    while (dir && (entry = readdir(dir))) {
        char path[400];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        files++;
        if (visit)
            visit(path);
    }
    if (dir)
        closedir(dir);
    return files;
}

static void delete_file(const char *path)
{
    remove(path);
}

static int delete_folder(void **state)
{
    (void)state;
    each_file(delete_file);
    return rmdir(folder);
}

static bool stored(const ldpc_cuda_cache_key *key)
{
    void *found;
    size_t bytes = 0;
    bool ok = ldpc_cuda_cache_read(folder, key, &found, &bytes);
    if (ok) {
        assert_int_equal(bytes, sizeof image);
        assert_memory_equal(found, image, sizeof image);
    } else {
        assert_null(found);
    }
    free(found);
    return ok;
}

static void test_what_was_written_comes_back(void **state)
{
    (void)state;
    ldpc_cuda_cache_key key, other;
    ldpc_cuda_cache_key_make(&key, "source", "sm_90 nvrtc 13000");
    assert_false(stored(&key));
    ldpc_cuda_cache_write(folder, &key, image, sizeof image);
    assert_true(stored(&key));
    assert_int_equal(each_file(NULL), 1);
    ldpc_cuda_cache_key_make(&other, "source ", "sm_90 nvrtc 13000");
    assert_false(stored(&other));
    ldpc_cuda_cache_key_make(&other, "source", "sm_89 nvrtc 13000");
    assert_false(stored(&other));
    ldpc_cuda_cache_key_make(&other, "source", "sm_90 nvrtc 12080");
    assert_false(stored(&other));
    each_file(delete_file);
}

static long flip_at;

static void flip_byte(const char *path)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, flip_at, SEEK_SET);
    int c = fgetc(file);
    fseek(file, flip_at, SEEK_SET);
    fputc(c ^ 0x10, file);
    fclose(file);
}

static void shorten(const char *path)
{
    assert_int_equal(truncate(path, flip_at), 0);
}

static void append(const char *path)
{
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    fputc('x', file);
    fclose(file);
}

static long size_of_file;

static void measure(const char *path)
{
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    size_of_file = (long)facts.st_size;
}

static void test_damaged_files_are_not_used(void **state)
{
    (void)state;
    ldpc_cuda_cache_key key;
    ldpc_cuda_cache_key_make(&key, "source", "sm_90 nvrtc 13000");
    ldpc_cuda_cache_write(folder, &key, image, sizeof image);
    each_file(measure);
    for (flip_at = 0; flip_at < size_of_file; flip_at++) {
        ldpc_cuda_cache_write(folder, &key, image, sizeof image);
        assert_true(stored(&key));
        each_file(flip_byte);
        assert_false(stored(&key));
        ldpc_cuda_cache_write(folder, &key, image, sizeof image); /* and are replaced */
        assert_true(stored(&key));
        each_file(shorten);
        assert_false(stored(&key));
    }
    ldpc_cuda_cache_write(folder, &key, image, sizeof image);
    each_file(append);
    assert_false(stored(&key));
    each_file(delete_file);
}

static void test_decoders_use_it(void **state)
{
    (void)state;
    ldpc_code *code;
    ldpc_decoder_params params;
    assert_int_equal(ldpc_code_create("wifi:648:1/2", &code, NULL), LDPC_OK);
    ldpc_decoder_params_init(&params);
    params.backend = "cuda";
    params.kernel = "straight";
    params.max_batch = 4;
    params.cache_dir = folder;
    const int compiled[] = {1, 1, 2};
    for (int i = 0; i < 3; i++) {
        ldpc_decoder *dec;
        flip_at = 70;
        if (i == 2)
            each_file(flip_byte);
        assert_int_equal(ldpc_decoder_create(code, &params, &dec, NULL), LDPC_OK);
        assert_int_equal(host_driver.compiled, compiled[i]);
        ldpc_decoder_destroy(dec);
    }
    ldpc_code_destroy(code);
}

static ldpc_status create(const ldpc_code *code)
{
    ldpc_decoder *dec;
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.backend = "cuda";
    params.kernel = "straight";
    params.cache_dir = folder;
    const ldpc_status status = ldpc_decoder_create(code, &params, &dec, NULL);
    ldpc_decoder_destroy(dec);
    return status;
}

/* Creation fails after no more than one compilation. A stored program that cannot be loaded is compiled
 * again, unless the driver is out of memory. */
static void test_failures_compile_once(void **state)
{
    static const struct {
        bool cached;
        int result, compiled;
    } cases[] = {
        {false, 999,              1},
        {false, CU_OUT_OF_MEMORY, 1},
        {true,  999,              1},
        {true,  CU_OUT_OF_MEMORY, 0},
    };
    (void)state;
    ldpc_code *code;
    assert_int_equal(ldpc_code_create("wifi:648:1/2", &code, NULL), LDPC_OK);
    each_file(delete_file);
    host_driver_reset(0, 0, false);
    host_driver.compiled = 0;
    host_driver.compiler_fails = true;
    assert_int_equal(create(code), LDPC_ERR_DEVICE);
    assert_int_equal(host_driver.compiled, 1);
    host_driver.compiler_fails = false;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        host_driver.load_result = 0;
        if (cases[i].cached)
            assert_int_equal(create(code), LDPC_OK);
        host_driver.compiled = 0;
        host_driver.load_result = cases[i].result;
        assert_int_not_equal(create(code), LDPC_OK);
        assert_int_equal(host_driver.compiled, cases[i].compiled);
        each_file(delete_file);
    }
    host_driver.load_result = 0;
    ldpc_code_destroy(code);
}

/* Files that another user might have created are ignored. Examples: links, pipes, files that others can
 * write. */
static char planted[400];

static void plant_link(const char *path)
{
    snprintf(planted, sizeof planted, "%s.target", path);
    assert_int_equal(rename(path, planted), 0);
    assert_int_equal(symlink(planted, path), 0);
}

static void plant_pipe(const char *path)
{
    remove(path);
    assert_int_equal(mkfifo(path, 0600), 0);
}

static void let_others_write(const char *path)
{
    assert_int_equal(chmod(path, 0622), 0);
}

static void test_planted_files_are_not_used(void **state)
{
    (void)state;
    void (*const plants[])(const char *) = {plant_link, plant_pipe, let_others_write};
    ldpc_cuda_cache_key key;
    ldpc_cuda_cache_key_make(&key, "source", "sm_90 nvrtc 13000");
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++) {
        ldpc_cuda_cache_write(folder, &key, image, sizeof image);
        assert_true(stored(&key));
        each_file(plants[i]);
        assert_false(stored(&key));
        ldpc_cuda_cache_write(folder, &key, image, sizeof image);
        assert_true(stored(&key));
        each_file(delete_file);
    }
}

/* A file may have the name of another kernel after a hash collision. */
static void test_the_whole_key_is_compared(void **state)
{
    (void)state;
    ldpc_cuda_cache_key key, other;
    ldpc_cuda_cache_key_make(&key, "source", "sm_90 nvrtc 13000");
    ldpc_cuda_cache_key_make(&other, "secret", "sm_90 nvrtc 13000");
    memcpy(other.hash, key.hash, sizeof key.hash);
    ldpc_cuda_cache_write(folder, &other, image, sizeof image);
    assert_true(stored(&other));
    assert_false(stored(&key));
    each_file(delete_file);
}

static void test_folders_of_others_are_left_alone(void **state)
{
    (void)state;
    ldpc_cuda_cache_key key;
    ldpc_error error;
    ldpc_cuda_cache_key_make(&key, "source", "sm_90 nvrtc 13000");
    ldpc_cuda_cache_write(folder, &key, image, sizeof image);
    assert_int_equal(ldpc_cache_dir_check(folder, &error), LDPC_OK);
    const mode_t open_to[] = {0777, 0770, 0702, 01777};
    for (size_t i = 0; i < sizeof open_to / sizeof *open_to; i++) {
        assert_int_equal(chmod(folder, open_to[i]), 0);
        assert_false(stored(&key));
        assert_int_equal(ldpc_cache_dir_check(folder, &error), LDPC_ERR_FILE);
        assert_non_null(strstr(error.message, "other users can write to it"));
    }
    each_file(delete_file);
    ldpc_cuda_cache_write(folder, &key, image, sizeof image);
    assert_int_equal(each_file(NULL), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    ldpc_cuda_cache_write(folder, &key, image, sizeof image);
    assert_true(stored(&key));
    each_file(delete_file);
    assert_int_equal(ldpc_cache_dir_check("/no/such/folder", &error), LDPC_OK);
    assert_int_equal(ldpc_cache_dir_check(NULL, NULL), LDPC_OK);
}

static void test_no_folder(void **state)
{
    (void)state;
    ldpc_cuda_cache_key key;
    void *found;
    size_t bytes;
    ldpc_cuda_cache_key_make(&key, "source", "sm_90 nvrtc 13000");
    ldpc_cuda_cache_write("/proc/no/such", &key, image, sizeof image);
    assert_false(ldpc_cuda_cache_read("/proc/no/such", &key, &found, &bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_written_comes_back),
        cmocka_unit_test(test_damaged_files_are_not_used),
        cmocka_unit_test(test_decoders_use_it),
        cmocka_unit_test(test_failures_compile_once),
        cmocka_unit_test(test_planted_files_are_not_used),
        cmocka_unit_test(test_the_whole_key_is_compared),
        cmocka_unit_test(test_folders_of_others_are_left_alone),
        cmocka_unit_test(test_no_folder),
    };
    return cmocka_run_group_tests(tests, make_folder, delete_folder);
}
