/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that the process registers. */
#include <pthread.h>

#include "cuda/host/driver.h"
#include "fake_gpu.h"

#define ALREADY_REGISTERED 712
#define NOT_REGISTERED     713
#define MAX_REGISTERED     256
#define LARGE_BYTES        500000

/* Return the number of registered blocks, and the number of copies from registered memory. */
unsigned fake_gpu_registered(void);
unsigned fake_gpu_copies(void);

#define DECLARE(member, symbol, arguments) int symbol arguments;
LDPC_CUDA_FUNCTIONS(DECLARE)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct registered {
    const char *memory; /* NULL: a free place */
    size_t bytes;
} registered[MAX_REGISTERED];
static unsigned large_copies;

/* Returns the registered block that overlaps these bytes, or NULL. The caller must hold the mutex. */
static struct registered *find_registered(const char *memory, size_t bytes)
{
    for (size_t i = 0; i < MAX_REGISTERED; i++)
        if (registered[i].memory && memory < registered[i].memory + registered[i].bytes &&
            registered[i].memory < memory + bytes)
            return &registered[i];
    return NULL;
}

static int note_registered(void *memory, size_t bytes)
{
    size_t free_place = 0;
    while (free_place < MAX_REGISTERED && registered[free_place].memory)
        free_place++;
    const size_t most = (size_t)fake_gpu_number("FAKE_GPU_REGISTERS");
    if (find_registered(memory, bytes))
        return ALREADY_REGISTERED;
    if (free_place == MAX_REGISTERED || (most && bytes > most))
        return CU_OUT_OF_MEMORY;
    registered[free_place] = (struct registered){.memory = memory, .bytes = bytes};
    return 0;
}

int cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags)
{
    (void)flags;
    pthread_mutex_lock(&mutex);
    int result = note_registered(memory, bytes);
    pthread_mutex_unlock(&mutex);
    return result ? result : fake_gpu_state();
}

int cuMemHostUnregister(void *memory)
{
    fake_gpu_wait();
    pthread_mutex_lock(&mutex);
    struct registered *r = find_registered(memory, 1);
    bool is_it = r && r->memory == memory;
    if (is_it)
        r->memory = NULL;
    pthread_mutex_unlock(&mutex);
    return is_it ? fake_gpu_state() : NOT_REGISTERED;
}

unsigned fake_gpu_registered(void)
{
    unsigned count = 0;
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < MAX_REGISTERED; i++)
        count += registered[i].memory && registered[i].bytes >= LARGE_BYTES;
    pthread_mutex_unlock(&mutex);
    return count;
}

unsigned fake_gpu_copies(void)
{
    pthread_mutex_lock(&mutex);
    unsigned count = large_copies;
    pthread_mutex_unlock(&mutex);
    return count;
}

/* Returns the memory type. The type of unregistered memory is 0. */
int cuPointerGetAttributes(unsigned count, const int *attributes, void **values, cu_pointer memory)
{
    (void)count, (void)attributes;
    pthread_mutex_lock(&mutex);
    *(unsigned *)values[0] = find_registered((const char *)(uintptr_t)memory, 1) ? CU_MEMORY_TYPE_HOST : 0;
    pthread_mutex_unlock(&mutex);
    return 0;
}

void fake_gpu_note_copy(const void *from, size_t bytes)
{
    pthread_mutex_lock(&mutex);
    const struct registered *r = find_registered(from, bytes);
    large_copies += r && r->bytes >= LARGE_BYTES;
    pthread_mutex_unlock(&mutex);
}
