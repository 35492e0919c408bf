/* SPDX-License-Identifier: BSD-3-Clause */
/* Soft demapper, in two steps:
 *
 *     1. the kernel computes bit planes from the cells, one chunk of cells at a time
 *     2. the LLRs are copied, run by run, from the planes to codeword order
 *
 *     planes:  [first bit of cells 0, 1, 2 ...][second bit of cells 0, 1, 2 ...] ...        `stride` apart
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ldpc/decoder.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "base/versioned.h"
#include "code/repeat_accumulate.h"
#include "cpu/isa_list.h"
#include "dvb/demapper.h"

enum { CHUNK = LDPC_DEMAPPER_CHUNK };

/* ---- the table of kernels, slowest first */

#define DECLARE(isa) extern const ldpc_demap_kernel ldpc_demap_##isa;
#define KERNEL(isa)  &ldpc_demap_##isa.row,

LDPC_EACH_ISA(DECLARE)

static const ldpc_cpu_row *const kernels[] = {LDPC_EACH_ISA(KERNEL)};

enum { KERNELS = sizeof kernels / sizeof *kernels };

const char *ldpc_demapper_kernel_list(size_t i)
{
    for (size_t k = 0; k < KERNELS; k++)
        if (ldpc_cpu_runs(kernels[k]->features) && i-- == 0)
            return kernels[k]->name;
    return NULL;
}

/* Returns the fastest kernel for this CPU with this name (NULL: any name), or NULL if there is no such
 * kernel. */
static const ldpc_demap_kernel *find_kernel(const char *name)
{
    return (const ldpc_demap_kernel *)ldpc_cpu_best_row(kernels, KERNELS, ldpc_cpu_features(), name);
}

/* ---- creation */

static const ldpc_layout params_layout = LDPC_LAYOUT(ldpc_demapper_params, n);

void ldpc_demapper_params_init_sized(ldpc_demapper_params *params, size_t size)
{
    const ldpc_demapper_params defaults = {
        .size = size, .deinterleave = true, .llr_scale = LDPC_DEFAULT_LLR_SCALE};
    if (params)
        ldpc_write_struct(&params_layout, params, size, &defaults);
}

/* Returns whether the last cell is padded. */
static bool has_padding(const ldpc_modcod *modcod)
{
    return modcod->n % modcod->constellation->bits != 0;
}

static ldpc_status check_points(const ldpc_demapper_params *params, ldpc_error *err)
{
    enum { MAX_BITS = 8, MAX_N = 65528 }; /* positions of bits fit 16 bits */
    if (params->code || params->modulation)
        return ldpc_fail(err, LDPC_ERR_PARAM, "points: expected code = NULL and modulation = NULL");
    if (params->bits < 1 || params->bits > MAX_BITS)
        return ldpc_fail(err, LDPC_ERR_PARAM, "bits %u: expected 1 .. %d bits per cell", params->bits,
                         MAX_BITS);
    if (params->n < 1 || params->n > MAX_N)
        return ldpc_fail(err, LDPC_ERR_PARAM, "n = %u: expected codewords of 1 .. %d bits with points",
                         params->n, MAX_N);
    double power = 0;
    for (size_t i = 0; i < (size_t)2 << params->bits; i++)
        power += (double)params->points[i] * (double)params->points[i];
    return power > 0 && power < 1e30
               ? LDPC_OK
               : ldpc_fail(err, LDPC_ERR_PARAM, "points: expected finite numbers, not all 0");
}

static ldpc_status find_modcod(const ldpc_demapper_params *params, ldpc_modcod *modcod, ldpc_error *err)
{
    if (!params->points)
        return ldpc_modcod_make(params->code, params->modulation, modcod, err);
    const ldpc_status status = check_points(params, err);
    if (status == LDPC_OK)
        *modcod = ldpc_modcod_with_points(params->n, params->bits);
    return status;
}

static ldpc_status check_params(const ldpc_demapper_params *params, const ldpc_modcod *modcod,
                                ldpc_error *err)
{
    if (!(params->llr_scale >= 0.25f && params->llr_scale <= 64.0f))
        return ldpc_fail(err, LDPC_ERR_PARAM, "llr_scale %g: expected 0.25 .. 64 steps per nat",
                         (double)params->llr_scale);
    if (params->rotated && !modcod->t2)
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "rotated = true: expected a code dvbt2:..., because only DVB-T2 has rotated "
                         "constellations");
    if (params->deinterleave && modcod->c2)
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "deinterleave = true: expected false, because the bit interleaver of DVB-C2 is not "
                         "supported");
    if (!params->deinterleave && has_padding(modcod))
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "deinterleave = false: expected true, because cells of %s have padding bits",
                         modcod->constellation->name);
    if (params->kernel && !find_kernel(params->kernel))
        return ldpc_fail(err, LDPC_ERR_PARAM, "kernel \"%.60s\": expected a demapping kernel of this machine",
                         params->kernel);
    return LDPC_OK;
}

static void set_points(ldpc_demapper *dem, const float *given)
{
    const double angle = dem->rotated ? ldpc_t2_angle(dem->modcod.constellation->bits) : 0.0;
    const size_t count = (size_t)1 << dem->modcod.constellation->bits;
    double points[2 * LDPC_MAX_POINTS];
    if (given)
        ldpc_scale_points(given, count, points);
    else
        ldpc_modcod_points(&dem->modcod, points);
    for (size_t i = 0; i < count; i++) {
        const double x = points[2 * i], y = points[2 * i + 1];
        dem->points[2 * i] = (float)(x * cos(angle) - y * sin(angle));
        dem->points[2 * i + 1] = (float)(x * sin(angle) + y * cos(angle));
    }
    dem->cosine = (float)cos(angle);
    dem->sine = (float)sin(angle);
}

static int32_t position(const ldpc_demapper *dem, bool deinterleave, uint32_t i)
{
    const uint32_t bits = dem->modcod.constellation->bits, at = deinterleave ? dem->order[i] : i;
    return (int32_t)(dem->plane[at % bits] * dem->stride + at / bits);
}

static size_t make_runs(const ldpc_demapper *dem, bool deinterleave, uint32_t first, uint32_t end,
                        uint32_t step, ldpc_llr_run *runs)
{
    size_t count = 0;
    for (uint32_t start = first; start < first + step && start < end; start++)
        for (uint32_t i = start; i < end; count++) {
            ldpc_llr_run run = {i, step, (uint32_t)position(dem, deinterleave, i), 0, 1};
            if (i + step < end)
                run.from_step = position(dem, deinterleave, i + step) - (int32_t)run.from;
            int32_t next = (int32_t)run.from + run.from_step;
            for (i += step; i < end && position(dem, deinterleave, i) == next; i += step, run.count++)
                next += run.from_step;
            if (runs)
                runs[count] = run;
        }
    return count;
}

static uint32_t best_step(const ldpc_demapper *dem, bool deinterleave, uint32_t first, uint32_t end)
{
    const uint32_t q = (dem->modcod.n - dem->modcod.k) / LDPC_RA_GROUP;
    const uint32_t steps[] = {1, 2, dem->modcod.constellation->bits, q ? q : 1, q ? 2 * q : 1};
    uint32_t best = 1;
    size_t fewest = SIZE_MAX;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const size_t count = make_runs(dem, deinterleave, first, end, steps[i], NULL);
        best = count < fewest ? steps[i] : best;
        fewest = count < fewest ? count : fewest;
    }
    return best;
}

static void collect_parity(ldpc_demapper *dem)
{
    const uint32_t k = dem->modcod.k, q = (dem->modcod.n - k) / LDPC_RA_GROUP;
    for (size_t r = dem->n_direct; r < dem->n_runs; r++) {
        ldpc_llr_run *run = &dem->runs[r];
        run->to = (run->to - k) % q * LDPC_RA_GROUP + (run->to - k) / q;
        run->to_step = 1;
    }
}

static ldpc_status set_runs(ldpc_demapper *dem, bool deinterleave, ldpc_error *err)
{
    const uint32_t k = dem->modcod.k, n = dem->modcod.n, q = (n - k) / LDPC_RA_GROUP;
    const uint32_t step = best_step(dem, deinterleave, 0, k),
                   parity_step = best_step(dem, deinterleave, k, n);
    const size_t count = make_runs(dem, deinterleave, 0, k, step, NULL);
    dem->n_runs = count + make_runs(dem, deinterleave, k, n, parity_step, NULL);
    dem->runs = ldpc_allocate(dem->n_runs, sizeof *dem->runs);
    if (!dem->runs)
        return ldpc_fail_memory(err);
    make_runs(dem, deinterleave, 0, k, step, dem->runs);
    make_runs(dem, deinterleave, k, n, parity_step, dem->runs + count);
    dem->n_direct = parity_step == q ? count : dem->n_runs;
    collect_parity(dem);
    return LDPC_OK;
}

/* Returns the number of bits in the cells of a codeword, including padding. */
static size_t positions_of(const ldpc_modcod *modcod)
{
    return (size_t)modcod->data_cells * modcod->constellation->bits;
}

static void set_order(ldpc_demapper *dem)
{
    ldpc_modcod_bit_order(&dem->modcod, dem->order);
    for (size_t i = 0; i < positions_of(&dem->modcod); i++)
        dem->bit_at[i] = (uint16_t)dem->modcod.n;
    for (uint32_t i = 0; i < dem->modcod.n; i++)
        dem->bit_at[dem->order[i]] = (uint16_t)i;
}

static ldpc_status allocate(ldpc_demapper *dem, ldpc_error *err)
{
    dem->order = ldpc_allocate(dem->modcod.n, sizeof *dem->order);
    dem->bit_at = ldpc_allocate(positions_of(&dem->modcod), sizeof *dem->bit_at);
    dem->planes = ldpc_allocate(dem->stride, dem->modcod.constellation->bits);
    dem->parity = ldpc_allocate(dem->modcod.n - dem->modcod.k, 1);
    dem->chunk = ldpc_allocate(4 * CHUNK, sizeof *dem->chunk);
    return dem->order && dem->bit_at && dem->planes && dem->parity && dem->chunk ? LDPC_OK
                                                                                 : ldpc_fail_memory(err);
}

static void set_shape(ldpc_demapper *dem, float llr_scale)
{
    const uint32_t bits = dem->modcod.constellation->bits;
    const bool qam = dem->modcod.constellation->qam;
    dem->shape = (ldpc_demap_shape){.search = qam ? LDPC_DEMAP_AXES : LDPC_DEMAP_POINTS,
                                    .exact = dem->exact,
                                    .bits = bits,
                                    .llr_scale = llr_scale,
                                    .step = (float)ldpc_qam_step(bits),
                                    .cosine = dem->cosine,
                                    .sine = dem->sine,
                                    .points = dem->points,
                                    .quadrant = dem->quadrant};
}

ldpc_status ldpc_demapper_create(const ldpc_demapper_params *params, ldpc_demapper **result, ldpc_error *err)
{
    ldpc_modcod modcod = {0};
    if (result)
        *result = NULL;
    if (!params || !result)
        return ldpc_fail(err, LDPC_ERR_NULL, "%s must not be NULL", params ? "result" : "params");
    ldpc_demapper_params own;
    ldpc_status status = ldpc_read_struct(&params_layout, &own, params, err);
    if (status == LDPC_OK && !own.points && (!own.code || !own.modulation))
        status = ldpc_fail(err, LDPC_ERR_NULL, "params.code and params.modulation must not be NULL");
    if (status == LDPC_OK)
        status = find_modcod(&own, &modcod, err);
    if (status == LDPC_OK)
        status = check_params(&own, &modcod, err);
    if (status != LDPC_OK)
        return status;
    ldpc_demapper *dem = ldpc_allocate(1, sizeof *dem);
    if (!dem)
        return ldpc_fail_memory(err);
    dem->modcod = modcod;
    dem->rotated = own.rotated;
    dem->exact = own.exact;
    dem->kernel = find_kernel(own.kernel);
    dem->stride = (modcod.data_cells + LDPC_DEMAP_CELLS - 1) / LDPC_DEMAP_CELLS * LDPC_DEMAP_CELLS;
    set_points(dem, own.points);
    set_shape(dem, own.llr_scale);
    ldpc_demapper_find_mirrors(dem);
    status = allocate(dem, err);
    if (status == LDPC_OK) {
        set_order(dem);
        status = set_runs(dem, own.deinterleave, err);
    }
    if (status != LDPC_OK) {
        ldpc_demapper_destroy(dem);
        return status;
    }
    *result = dem;
    return LDPC_OK;
}

void ldpc_demapper_destroy(ldpc_demapper *dem)
{
    if (!dem)
        return;
    free(dem->order);
    free(dem->bit_at);
    free(dem->runs);
    free(dem->planes);
    free(dem->parity);
    free(dem->chunk);
    free(dem);
}

/* ---- demapping */

/* Loads I and Q. In rotated constellations, Q of a point is in the next cell. Erasures fill the rest of the
 * chunk. */
static void fill_chunk(ldpc_demapper *dem, const float *iq, const float *noise, size_t first, size_t count)
{
    float *const i = dem->chunk, *const q = i + CHUNK, *const wi = q + CHUNK, *const wq = wi + CHUNK;
    const size_t next = dem->rotated ? first + 1 : first;
    const size_t consecutive = next + count <= dem->modcod.cells ? count : count - 1;
    const size_t noise_step = noise == dem->same_noise ? 0 : 1;
    if (count < CHUNK)
        memset(i, 0, 4 * CHUNK * sizeof *i);
    dem->kernel->weigh(count, iq + 2 * first, noise + noise_step * first, i, wi);
    dem->kernel->weigh(consecutive, iq + 2 * next + 1, noise + noise_step * next, q, wq);
    if (consecutive < count) /* the first cell contains Q of the last point */
        dem->kernel->weigh(1, iq + 1, noise, q + consecutive, wq + consecutive);
}

static void derotate(const ldpc_demapper *dem)
{
    float *const i = dem->chunk, *const q = i + CHUNK, *const wi = q + CHUNK, *const wq = wi + CHUNK;
    for (size_t c = 0; c < CHUNK; c++) {
        const float x = i[c], y = q[c], weight = wi[c] < wq[c] ? wi[c] : wq[c];
        wi[c] = wq[c] = weight;
        i[c] = x * dem->cosine + y * dem->sine;
        q[c] = y * dem->cosine - x * dem->sine;
    }
}

static void set_noise(ldpc_demapper *dem, float noise)
{
    for (size_t c = 0; c < CHUNK; c++)
        dem->same_noise[c] = noise;
}

size_t ldpc_demapper_load(ldpc_demapper *dem, const float *iq, size_t first)
{
    const size_t left = dem->modcod.data_cells - first, count = left < CHUNK ? left : CHUNK;
    set_noise(dem, 1.0f);
    fill_chunk(dem, iq, dem->same_noise, first, count);
    if (dem->rotated)
        derotate(dem);
    return count;
}

/* If I and Q of a rotated constellation have different noise, LLRs need both dimensions. */
static ldpc_demap_shape shape_for(const ldpc_demapper *dem, bool noise_per_cell)
{
    ldpc_demap_shape shape = dem->shape;
    if (dem->rotated && noise_per_cell)
        shape.search = LDPC_DEMAP_LATTICE;
    return shape;
}

static inline void copy_run(const ldpc_llr_run *run, const uint32_t to_step, const int32_t from_step,
                            const int8_t *restrict planes, int8_t *restrict llr)
{
    const int8_t *const from = planes + run->from;
    int8_t *const to = llr + run->to;
    for (uint32_t i = 0; i < run->count; i++)
        to[(size_t)i * to_step] = from[(ptrdiff_t)i * from_step];
}

/* The compiler vectorises copies with constant steps. */
static void copy_runs(const ldpc_llr_run *runs, size_t count, const int8_t *restrict planes,
                      int8_t *restrict to)
{
    for (const ldpc_llr_run *run = runs; run < runs + count; run++) {
        if (run->to_step == 1 && run->from_step == 1)
            copy_run(run, 1, 1, planes, to);
        else if (run->to_step == 1 && run->from_step == 2)
            copy_run(run, 1, 2, planes, to);
        else
            copy_run(run, run->to_step, run->from_step, planes, to);
    }
}

/* Copies the LLRs from the planes to codeword order. */
static void arrange(const ldpc_demapper *dem, int8_t *llr)
{
    const uint32_t k = dem->modcod.k, q = (dem->modcod.n - k) / LDPC_RA_GROUP;
    copy_runs(dem->runs, dem->n_direct, dem->planes, llr);
    if (dem->n_direct == dem->n_runs)
        return;
    copy_runs(dem->runs + dem->n_direct, dem->n_runs - dem->n_direct, dem->planes, dem->parity);
    dem->kernel->interleave->transpose(dem->parity, LDPC_RA_GROUP, q, LDPC_RA_GROUP, llr + k, q);
}

static void demap_codeword(ldpc_demapper *dem, const float *iq, const float *noise, int8_t *llr)
{
    const ldpc_demap_shape shape = shape_for(dem, noise != dem->same_noise);
    const float *const in = dem->chunk;
    for (size_t first = 0; first < dem->modcod.data_cells; first += CHUNK) {
        const size_t left = dem->modcod.data_cells - first, count = left < CHUNK ? left : CHUNK;
        const size_t filled = (count + LDPC_DEMAP_CELLS - 1) / LDPC_DEMAP_CELLS * LDPC_DEMAP_CELLS;
        const ldpc_demap_chunk chunk = {
            filled, {in,             in + CHUNK    },
             {in + 2 * CHUNK, in + 3 * CHUNK},
             dem->planes + first, dem->stride
        };
        fill_chunk(dem, iq, noise, first, count);
        if (dem->rotated && shape.search == LDPC_DEMAP_AXES)
            derotate(dem);
        dem->kernel->demap(&shape, &chunk);
    }
    arrange(dem, llr);
}

ldpc_status ldpc_cells_read(ldpc_cells *own, const ldpc_cells *given)
{
    static const ldpc_layout layout = LDPC_LAYOUT(ldpc_cells, noise);
    return ldpc_read_struct(&layout, own, given, NULL);
}

ldpc_status ldpc_demap(ldpc_demapper *dem, const ldpc_cells *given, int8_t *llr)
{
    if (!dem || !given || !given->iq || !llr)
        return LDPC_ERR_NULL;
    ldpc_cells own;
    const ldpc_cells *cells = &own;
    if (ldpc_cells_read(&own, given))
        return LDPC_ERR_PARAM;
    if (cells->n_codewords == 0 || (!cells->cell_noise && !(cells->noise > 0.0f)))
        return LDPC_ERR_RANGE;
    if (!cells->cell_noise)
        set_noise(dem, cells->noise);
    for (size_t w = 0; w < cells->n_codewords; w++) {
        const size_t first = w * dem->modcod.cells;
        demap_codeword(dem, cells->iq + 2 * first,
                       cells->cell_noise ? cells->cell_noise + first : dem->same_noise,
                       llr + w * dem->modcod.n);
    }
    return LDPC_OK;
}

ldpc_status ldpc_bits_deinterleave(const ldpc_demapper *dem, size_t n_codewords, const int8_t *in,
                                   int8_t *out)
{
    if (!dem || !in || !out)
        return LDPC_ERR_NULL;
    const size_t n = dem->modcod.n;
    if (has_padding(&dem->modcod) || dem->modcod.c2)
        return LDPC_ERR_PARAM;
    for (size_t w = 0; w < n_codewords; w++, in += n, out += n)
        for (size_t i = 0; i < n; i++)
            out[i] = in[dem->order[i]];
    return n_codewords > 0 ? LDPC_OK : LDPC_ERR_RANGE;
}

/* ---- getters */

size_t ldpc_demapper_n(const ldpc_demapper *dem)
{
    return dem ? dem->modcod.n : 0;
}

size_t ldpc_demapper_cells(const ldpc_demapper *dem)
{
    return dem ? dem->modcod.cells : 0;
}

size_t ldpc_demapper_bits(const ldpc_demapper *dem)
{
    return dem ? dem->modcod.constellation->bits : 0;
}

const char *ldpc_demapper_kernel(const ldpc_demapper *dem)
{
    return dem ? dem->kernel->row.name : "";
}

const float *ldpc_demapper_points(const ldpc_demapper *dem)
{
    return dem ? dem->points : NULL;
}

const uint16_t *ldpc_demapper_order(const ldpc_demapper *dem)
{
    return dem ? dem->order : NULL;
}
