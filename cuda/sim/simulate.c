/* SPDX-License-Identifier: BSD-3-Clause */
/* A batch of frames is a sequence of launches on the stream of a slot:
 *
 *     BEGIN, ENCODE, TRANSMIT      simulate.cuh: LLRs in device memory
 *     the decoder's kernel         messages and info in device memory
 *     COUNT                        simulate.cuh: a record for each block of 64 frames
 *
 * and one copy of the records to the host. The slots of all GPUs take turns, so that one batch is made while
 * another is decoded.
 */
#include "cuda/sim/simulate.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "cuda/sim/encoding.h"

/* Memory of a batch, more where fewer words do not fill a GPU, and the part of free memory that all batches
 * of a GPU may take together. */
#define BATCH_BYTES ((size_t)128 << 20)
#define MEMORY_PART 4

enum { GROUP = 32, THREADS = 256, MOST_THREADS = 512, WARP = 32 };

enum { BEGIN, ENCODE, TRANSMIT, COUNT }; /* as in simulate.cuh */

/* The same struct as in simulate.cuh. */
typedef struct simulate_args {
    cu_pointer x, encoding, message_column, transmitted, llr, floats, decoded, info, counts;
    uint64_t seed, first;
    uint32_t point, phase, words, columns, n, k;
    uint32_t axis_bits, axes, fading, zero_codeword, symbol_bits;
    float sigma, gain, llr_scale;
} simulate_args;

_Static_assert(sizeof(ldpc_sim_block) == 176, "ldpc_counts of simulate.cuh has another layout");

/* What the slots of one GPU share. */
typedef struct station {
    const ldpc_cuda_engine *engine;
    cu_module module;
    cu_function function;
    cu_pointer encoding, message_column, transmitted;
    uint32_t columns;
    unsigned encode_threads;
} station;

/* A batch under way. */
typedef struct desk {
    const ldpc_cuda_stream *slot;
    const station *station;
    cu_pointer x, llr, message, info, counts;
    ldpc_sim_block *host; /* pinned, as long as counts */
    size_t words;         /* 0: none under way */
    ldpc_sim_block *to;
} desk;

struct ldpc_cuda_simulator {
    const ldpc_plan *plan;
    station *stations;
    desk *desks;
    size_t n_stations, n_desks;
    size_t max_words; /* of a batch, a multiple of LDPC_SIM_BLOCK */
};

#define CHECK(engine, call, what, err) ldpc_cuda_check((engine)->driver, (engine)->driver->call, what, err)

static bool soft(const ldpc_plan *plan)
{
    return plan->arithmetic == LDPC_ARITHMETIC_FLOAT;
}

static size_t n_bits(const ldpc_code *code)
{
    return (size_t)code->n * ldpc_code_symbol_bits(code);
}

static size_t k_bits(const ldpc_code *code)
{
    return (size_t)code->k * ldpc_code_symbol_bits(code);
}

static size_t blocks_of(uint64_t words)
{
    return (size_t)((words + LDPC_SIM_BLOCK - 1) / LDPC_SIM_BLOCK);
}

/* ---- a station */

static ldpc_status load_program(station *s, ldpc_error *err)
{
    const ldpc_cuda_driver *driver = s->engine->driver;
    char *source = ldpc_cuda_join(ldpc_cuda_text_frame_recipe, ldpc_cuda_text_simulate);
    if (!source)
        return ldpc_fail_memory(err);
    ldpc_status status = ldpc_cuda_load(s->engine, source, &s->module, err);
    free(source);
    if (status)
        return status;
    int result = driver->module_function(&s->function, s->module, "ldpc_simulate");
    if (result == CU_NOT_FOUND)
        return ldpc_fail(err, LDPC_ERR_UNSUPPORTED, "this GPU makes no frames");
    return ldpc_cuda_check(driver, result, "no kernel", err);
}

static unsigned whole_warps(size_t threads)
{
    return (unsigned)(threads + WARP - 1) / WARP * WARP;
}

static ldpc_status upload_encoding(station *s, ldpc_error *err)
{
    ldpc_encoding encoding;
    const ldpc_code *code = s->engine->plan->code;
    s->columns = code->columns;
    if (!ldpc_code_has_encoder(code))
        return LDPC_OK; /* the zero word is all there is */
    ldpc_status status = ldpc_encoding_make(code, &encoding);
    if (status == LDPC_ERR_LIMIT)
        return ldpc_fail(err, LDPC_ERR_UNSUPPORTED, "frames of so large a code are made on the host");
    if (status)
        return ldpc_fail_memory(err);
    s->columns = encoding.columns;
    s->encode_threads = encoding.widest < MOST_THREADS ? whole_warps(encoding.widest + 1) : MOST_THREADS;
    status = ldpc_cuda_upload(s->engine->driver, encoding.table, encoding.words * sizeof *encoding.table,
                              &s->encoding, err);
    ldpc_encoding_free(&encoding);
    return status;
}

/* The columns of `count` symbols, bit by bit. */
static ldpc_status upload_columns(const station *s, const uint32_t *column, uint32_t count,
                                  cu_pointer *memory, ldpc_error *err)
{
    uint32_t p = ldpc_code_symbol_bits(s->engine->plan->code);
    uint32_t *bits = ldpc_allocate((size_t)count * p, sizeof *bits);
    if (!bits)
        return ldpc_fail_memory(err);
    for (uint32_t i = 0; i < count * p; i++)
        bits[i] = column[i / p] == LDPC_NO_COLUMN ? LDPC_NO_COLUMN : column[i / p] * p + i % p;
    ldpc_status status =
        ldpc_cuda_upload(s->engine->driver, bits, (size_t)count * p * sizeof *bits, memory, err);
    free(bits);
    return status;
}

static ldpc_status station_open(station *s, ldpc_error *err)
{
    const ldpc_code *code = s->engine->plan->code;
    ldpc_status status = load_program(s, err);
    if (!status)
        status = upload_encoding(s, err);
    if (!status)
        status = upload_columns(s, code->message, code->k, &s->message_column, err);
    if (!status)
        status = upload_columns(s, code->transmitted, code->n, &s->transmitted, err);
    return status;
}

static void station_close(station *s)
{
    const ldpc_cuda_driver *driver = s->engine->driver;
    const cu_pointer memory[] = {s->encoding, s->message_column, s->transmitted};
    bool entered =
        !ldpc_cuda_engine_enter(s->engine, NULL); /* if not, the calls below are refused: no harm */
    for (int i = 0; i < 3; i++)
        if (memory[i])
            driver->memory_free(memory[i]);
    if (s->module)
        driver->module_unload(s->module);
    if (entered)
        ldpc_cuda_engine_leave(s->engine);
}

/* ---- a desk */

static size_t llr_bytes(const ldpc_plan *plan)
{
    return n_bits(plan->code) * (soft(plan) ? sizeof(float) : 1);
}

static size_t message_bytes(const ldpc_plan *plan)
{
    return (k_bits(plan->code) + 7) / 8;
}

static ldpc_status desk_open(desk *d, size_t words, ldpc_error *err)
{
    const ldpc_cuda_engine *engine = d->slot->engine;
    const struct {
        cu_pointer *at;
        size_t bytes;
    } memory[] = {
        {&d->x,       words / GROUP * d->station->columns * sizeof(uint32_t)},
        {&d->llr,     words * llr_bytes(engine->plan)                       },
        {&d->message, words * message_bytes(engine->plan)                   },
        {&d->info,    words * sizeof(ldpc_codeword_info)                    },
        {&d->counts,  blocks_of(words) * sizeof *d->host                    },
    };
    void *host = NULL;
    ldpc_status status = LDPC_OK;
    for (int i = 0; i < 5 && !status; i++)
        status = CHECK(engine, memory_alloc(memory[i].at, memory[i].bytes), "no memory for frames", err);
    if (!status)
        status = CHECK(engine, host_alloc(&host, blocks_of(words) * sizeof *d->host, CU_HOST_PORTABLE),
                       "no pinned memory for counts", err);
    d->host = host;
    return status;
}

static void desk_close(desk *d)
{
    const ldpc_cuda_driver *driver = d->slot->engine->driver;
    const cu_pointer memory[] = {d->x, d->llr, d->message, d->info, d->counts};
    bool entered = !ldpc_cuda_engine_enter(d->slot->engine, NULL);
    for (int i = 0; i < 5; i++)
        if (memory[i])
            driver->memory_free(memory[i]);
    if (d->host)
        driver->host_free(d->host);
    if (entered)
        ldpc_cuda_engine_leave(d->slot->engine);
}

/* ---- open, close */

/* Memory of a desk for LDPC_SIM_BLOCK words. */
static size_t block_bytes(const ldpc_cuda_simulator *sim)
{
    return LDPC_SIM_BLOCK * (llr_bytes(sim->plan) + message_bytes(sim->plan) + sizeof(ldpc_codeword_info)) +
           LDPC_SIM_BLOCK / GROUP * sim->stations[0].columns * sizeof(uint32_t) + sizeof(ldpc_sim_block);
}

/* Words of a batch that one GPU has room for beside those of its other slots, in whole blocks of frames. */
static ldpc_status words_on(const ldpc_cuda_simulator *sim, const station *s, size_t *words, ldpc_error *err)
{
    const ldpc_cuda_engine *engine = s->engine;
    size_t free_bytes = 0, total = 0, streams = sim->n_desks / sim->n_stations;
    ldpc_status status = CHECK(engine, memory_info(&free_bytes, &total), "no facts about memory", err);
    size_t room = free_bytes / MEMORY_PART / streams / block_bytes(sim);
    size_t blocks = BATCH_BYTES / block_bytes(sim), wave = blocks_of(engine->wave * engine->words);
    blocks = blocks > wave ? blocks : wave;
    blocks = blocks < room ? blocks : room;
    *words = (blocks ? blocks : 1) * LDPC_SIM_BLOCK;
    return status;
}

static ldpc_status open_station(ldpc_cuda_simulator *sim, station *s, const ldpc_cuda_engine *engine,
                                ldpc_error *err)
{
    size_t words = 0;
    ldpc_status status = ldpc_cuda_engine_enter(engine, err);
    if (status)
        return status;
    s->engine = engine;
    status = station_open(s, err);
    if (!status)
        status = words_on(sim, s, &words, err);
    if (!sim->max_words || words < sim->max_words)
        sim->max_words = words; /* what all of them have room for */
    ldpc_cuda_engine_leave(engine);
    return status;
}

static ldpc_status open_desk(ldpc_cuda_simulator *sim, desk *d, const ldpc_cuda_stream *slot, ldpc_error *err)
{
    ldpc_status status = ldpc_cuda_engine_enter(slot->engine, err);
    if (status)
        return status;
    d->slot = slot;
    d->station = &sim->stations[(size_t)(d - sim->desks) % sim->n_stations];
    status = desk_open(d, sim->max_words, err);
    ldpc_cuda_engine_leave(slot->engine);
    return status;
}

/* Slots are dealt over the GPUs in turn. */
static size_t gpus_of(const ldpc_cuda_stream *slots, size_t n_slots)
{
    size_t gpus = 1;
    while (gpus < n_slots && slots[gpus].engine != slots[0].engine)
        gpus++;
    return gpus;
}

static ldpc_status open_all(ldpc_cuda_simulator *sim, const ldpc_cuda_stream *slots, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    for (size_t i = 0; i < sim->n_stations && !status; i++)
        status = open_station(sim, &sim->stations[i], slots[i].engine, err);
    for (size_t i = 0; i < sim->n_desks && !status; i++)
        status = open_desk(sim, &sim->desks[i], &slots[i], err);
    return status;
}

ldpc_status ldpc_cuda_simulator_open(ldpc_cuda_simulator **simulator, const ldpc_cuda_stream *slots,
                                     size_t n_slots, ldpc_error *err)
{
    *simulator = NULL;
    ldpc_cuda_simulator *sim = ldpc_allocate(1, sizeof *sim);
    if (!sim)
        return ldpc_fail_memory(err);
    sim->plan = slots[0].engine->plan;
    sim->n_stations = gpus_of(slots, n_slots);
    sim->n_desks = n_slots;
    sim->stations = ldpc_allocate(sim->n_stations, sizeof *sim->stations);
    sim->desks = ldpc_allocate(n_slots, sizeof *sim->desks);
    ldpc_status status = sim->stations && sim->desks ? open_all(sim, slots, err) : ldpc_fail_memory(err);
    if (status)
        ldpc_cuda_simulator_close(sim);
    else
        *simulator = sim;
    return status;
}

void ldpc_cuda_simulator_close(ldpc_cuda_simulator *sim)
{
    if (!sim)
        return;
    for (size_t i = 0; sim->desks && i < sim->n_desks && sim->desks[i].slot; i++)
        desk_close(&sim->desks[i]);
    for (size_t i = 0; sim->stations && i < sim->n_stations && sim->stations[i].engine; i++)
        station_close(&sim->stations[i]);
    free(sim->stations);
    free(sim->desks);
    free(sim);
}

/* ---- a batch */

static simulate_args args_of(const desk *d, const ldpc_frames *frames, uint64_t first)
{
    const ldpc_plan *plan = d->slot->engine->plan;
    const ldpc_channel *channel = frames->channel;
    return (simulate_args){
        .x = d->x,
        .encoding = d->station->encoding,
        .message_column = d->station->message_column,
        .transmitted = d->station->transmitted,
        .llr = soft(plan) ? 0 : d->llr,
        .floats = soft(plan) ? d->llr : 0,
        .decoded = d->message,
        .info = d->info,
        .counts = d->counts,
        .seed = channel->seed,
        .first = first,
        .point = channel->point,
        .words = (uint32_t)d->words,
        .columns = d->station->columns,
        .n = (uint32_t)n_bits(plan->code),
        .k = (uint32_t)k_bits(plan->code),
        .axis_bits = (uint32_t)channel->axis_bits,
        .axes = (uint32_t)channel->axes,
        .fading = channel->fading,
        .zero_codeword = frames->zero_codeword,
        .symbol_bits = ldpc_code_symbol_bits(plan->code),
        .sigma = channel->sigma,
        .gain = channel->gain,
        .llr_scale = channel->llr_scale,
    };
}

static ldpc_status launch(const desk *d, simulate_args *args, uint32_t phase, size_t blocks, unsigned threads,
                          ldpc_error *err)
{
    void *parameters[] = {args};
    args->phase = phase;
    return CHECK(d->slot->engine,
                 launch(d->station->function, (unsigned)blocks, 1, 1, threads, 1, 1, 0, d->slot->handle,
                        parameters, NULL),
                 "frames cannot be made", err);
}

/* Threads of a block that go through the `work` pieces of a group with the fewest idle ones. */
static unsigned fitting_threads(size_t work)
{
    unsigned best = WARP;
    size_t least = SIZE_MAX;
    for (unsigned threads = WARP; threads <= THREADS; threads += WARP) {
        size_t all = (work + threads - 1) / threads * threads;
        if (all <= least) {
            least = all;
            best = threads;
        }
    }
    return best;
}

static ldpc_status make_frames(const desk *d, simulate_args *args, ldpc_error *err)
{
    size_t groups = (args->words + GROUP - 1) / GROUP, warps = groups * ((args->k + 127) / 128);
    size_t bits = (size_t)args->axis_bits * args->axes, symbols = (args->n + bits - 1) / bits;
    size_t pieces = (symbols * args->axes + 3) / 4; /* of four axes */
    unsigned threads = fitting_threads(pieces);
    ldpc_status status = launch(d, args, BEGIN, (warps * WARP + THREADS - 1) / THREADS, THREADS, err);
    if (!status && !args->zero_codeword)
        status = launch(d, args, ENCODE, groups, d->station->encode_threads, err);
    if (!status)
        status = launch(d, args, TRANSMIT, groups * ((pieces + threads - 1) / threads), threads, err);
    return status;
}

static ldpc_status decode_frames(const desk *d, const simulate_args *args, ldpc_error *err)
{
    const ldpc_cuda_batch batch = {
        .words = args->words,
        .buffer = {[LDPC_BUFFER_LLR] = args->llr,
                   [LDPC_BUFFER_LLR_FLOAT] = args->floats,
                   [LDPC_BUFFER_MESSAGE] = d->message,
                   [LDPC_BUFFER_INFO] = d->info},
        .scratch = d->slot->scratch,
        .scratch_blocks = d->slot->scratch_blocks,
    };
    return ldpc_cuda_engine_launch(d->slot->engine, d->slot->handle, &batch, err);
}

static ldpc_status issue(const desk *d, const ldpc_frames *frames, uint64_t first, ldpc_error *err)
{
    const ldpc_cuda_engine *engine = d->slot->engine;
    simulate_args args = args_of(d, frames, first);
    size_t warps = args.words;
    ldpc_status status = make_frames(d, &args, err);
    if (!status)
        status = decode_frames(d, &args, err);
    if (!status)
        status = launch(d, &args, COUNT, (warps * WARP + THREADS - 1) / THREADS, THREADS, err);
    if (!status)
        status =
            CHECK(engine,
                  copy_out_async(d->host, d->counts, blocks_of(d->words) * sizeof *d->host, d->slot->handle),
                  "counts cannot be copied from the GPU", err);
    return status ? status : CHECK(engine, event_record(d->slot->done, d->slot->handle), "no event", err);
}

static ldpc_status start(desk *d, const ldpc_frames *frames, uint64_t done, size_t words, ldpc_error *err)
{
    const ldpc_cuda_engine *engine = d->slot->engine;
    ldpc_status status = ldpc_cuda_engine_enter(engine, err);
    if (status)
        return status;
    d->words = words;
    d->to = frames->blocks + done / LDPC_SIM_BLOCK;
    status = issue(d, frames, frames->first + done, err);
    if (status) {
        engine->driver->stream_synchronize(d->slot->handle);
        d->words = 0;
    }
    ldpc_cuda_engine_leave(engine);
    return status;
}

/* Wait for the batch under way, if there is one, and hand its counts over. */
static ldpc_status finish(desk *d, ldpc_error *err)
{
    const ldpc_cuda_engine *engine = d->slot->engine;
    if (!d->words)
        return LDPC_OK;
    ldpc_status status = ldpc_cuda_engine_enter(engine, err);
    if (!status) {
        status = CHECK(engine, event_synchronize(d->slot->done), "decoding failed", err);
        ldpc_cuda_engine_leave(engine);
    }
    if (!status)
        memcpy(d->to, d->host, blocks_of(d->words) * sizeof *d->host);
    d->words = 0;
    return status;
}

/* Frames of a batch: the same for all slots, but not less than what fills a GPU. */
static size_t part_words(const ldpc_cuda_simulator *sim, uint64_t frames)
{
    const ldpc_cuda_engine *engine = sim->stations[0].engine;
    uint64_t part = frames / sim->n_desks + 1, wave = engine->wave * engine->words;
    part = blocks_of(part > wave ? part : wave) * LDPC_SIM_BLOCK;
    return part < sim->max_words ? (size_t)part : sim->max_words;
}

ldpc_status ldpc_cuda_simulate(ldpc_cuda_simulator *sim, const ldpc_frames *frames, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    size_t turn = 0, part = part_words(sim, frames->count);
    for (uint64_t done = 0; done < frames->count && !status; turn++) {
        desk *d = &sim->desks[turn % sim->n_desks];
        uint64_t left = frames->count - done;
        size_t words = left < part ? (size_t)left : part;
        status = finish(d, err);
        if (!status)
            status = start(d, frames, done, words, err);
        done += words;
    }
    for (size_t i = 0; i < sim->n_desks; i++) {
        ldpc_error other = {""};
        ldpc_status finished = finish(&sim->desks[(turn + i) % sim->n_desks], status ? &other : err);
        status = status ? status : finished;
    }
    return status;
}
