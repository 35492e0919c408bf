/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/phase/trellis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dvbs2/phase/trellis_kernels.h"
#include "receiver/kernels.h"

static const struct {
    const char *isa;
    dvbs2_trellis_function *run;
} table[] = {
    {"baseline", dvbs2_trellis_run_baseline},
#ifdef RX_HAVE_X86
    {"avx2",     dvbs2_trellis_run_avx2    },
    {"avx512",   dvbs2_trellis_run_avx512  },
#endif
};

/* shapes[level][part][n] = exp(a (cos x - 1)), n = 0 .. 2 DVBS2_PHASES - 1. a: sharpness of the level.
 * x = (n - part / DVBS2_PARTS) * dvbs2_phase_step. */
static float *make_shapes(void)
{
    enum { ROW = 2 * DVBS2_PHASES };
    float *shapes = ldpc_allocate(DVBS2_LEVELS * DVBS2_PARTS * ROW, sizeof *shapes), *to = shapes;
    for (int level = 0; shapes && level < DVBS2_LEVELS; level++)
        for (int n = 0; n < DVBS2_PARTS * ROW; n++) {
            const double x = dvbs2_phase_step * (n % ROW - (double)(n / ROW) / DVBS2_PARTS);
            const float sharpness = dvbs2_least_level * powf(dvbs2_level_ratio, (float)level);
            *to++ = level > 0 ? expf(sharpness * (float)(cos(x) - 1)) : 1;
        }
    return shapes;
}

bool dvbs2_trellis_reserve(dvbs2_trellis *trellis, size_t count)
{
    if (count <= trellis->room)
        return true;
    dvbs2_trellis_free(trellis);
    trellis->shapes = make_shapes();
    trellis->forward = ldpc_allocate(count, sizeof *trellis->forward);
    trellis->room = trellis->shapes && trellis->forward ? count : 0;
    return trellis->room > 0;
}

dvbs2_phase_model dvbs2_trellis_limit(dvbs2_phase_model walk)
{
    const double most_white =
        dvbs2_most_share * dvbs2_phase_step * dvbs2_phase_step; /* blocks of one symbol */
    return (dvbs2_phase_model){.white = fmax(0, fmin(walk.white, most_white)), .slow = fmax(0, walk.slow)};
}

bool dvbs2_trellis_run(dvbs2_trellis *trellis, const dvbs2_trellis_frame *frame, float *llr)
{
    const char *isa = trellis->isa ? trellis->isa : rx_kernels_best()->name;
    size_t row = 0;
    while (strcmp(table[row].isa, isa) != 0)
        row++;
    return table[row].run(trellis, frame, llr);
}

void dvbs2_trellis_free(dvbs2_trellis *trellis)
{
    free(trellis->shapes);
    free(trellis->forward);
    *trellis = (dvbs2_trellis){.isa = trellis->isa};
}
