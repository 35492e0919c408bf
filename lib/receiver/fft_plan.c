/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creates FFTW plans. */
#include "receiver/fft_plan.h"

#include <pthread.h>

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

static fftwf_plan plan_with(int length, float complex *in, float complex *out, int sign, unsigned effort)
{
    pthread_mutex_lock(&planner);
    fftwf_plan plan = fftwf_plan_dft_1d(length, in, out, sign, effort);
    pthread_mutex_unlock(&planner);
    return plan;
}

fftwf_plan rx_fft_plan(int length, float complex *in, float complex *out, int sign)
{
    return plan_with(length, in, out, sign, FFTW_ESTIMATE);
}

fftwf_plan rx_fft_plan_fast(int length, float complex *in, float complex *out, int sign)
{
    return plan_with(length, in, out, sign, FFTW_MEASURE);
}

void rx_fft_destroy(fftwf_plan plan)
{
    if (!plan)
        return;
    pthread_mutex_lock(&planner);
    fftwf_destroy_plan(plan);
    pthread_mutex_unlock(&planner);
}
