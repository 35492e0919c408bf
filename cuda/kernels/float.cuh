// SPDX-License-Identifier: BSD-3-Clause
// Float arithmetic of docs/arithmetic.md: what the float kernels share. In front of this: RULE (the
// algorithm's number), OFFSET, FACTOR, OTHERS_PEAK, OTHERS_SLOPE, MIN_PEAK, MIN_SLOPE, SCALE (steps per nat).
#define LIMIT 256.0f
#define KNOWN (127 / SCALE)

static __device__ __forceinline__ float limited(float x) // not a number reads as 0
{
    return x == x ? fminf(fmaxf(x, -LIMIT), LIMIT) : 0.0f;
}

static __device__ __forceinline__ float channel_of(const ldpc_args &a, size_t i)
{
    return a.floats ? limited(a.floats[i]) : (float)max((int)a.llr[i], -127) / SCALE;
}

static __device__ __forceinline__ int steps(float posterior)
{
    return (int)rintf(fminf(fmaxf(posterior * SCALE, -32768.0f), 32767.0f));
}

// Of the three smallest |Q|, u <= v <= w: msg_others for the messages to all edges but the one that holds u,
// msg_min to that.
static __device__ void magnitudes(const ldpc_args &, float u, float v, float w, float &msg_others,
                                  float &msg_min)
{
    msg_others = u, msg_min = v;
    if (RULE == 2) { // offset
        msg_others = fmaxf(u - OFFSET, 0.0f);
        msg_min = fmaxf(v - OFFSET, 0.0f);
    } else if (RULE == 3) { // normalised
        msg_others = u * FACTOR;
        msg_min = v * FACTOR;
    } else if (RULE == 4) { // corrected
        msg_others = fmaxf(u - fmaxf(OFFSET, OTHERS_PEAK - OTHERS_SLOPE * (v - u)), u / 2);
        msg_min = fmaxf(v - OFFSET, 0.0f);
    } else if (RULE == 8) { // three-min
        msg_others = fmaxf(u - fmaxf(OFFSET, OTHERS_PEAK - OTHERS_SLOPE * (v - u)), u / 2);
        msg_min = fmaxf(v - fmaxf(MIN_PEAK - MIN_SLOPE * (w - v), 0.0f), 0.0f);
    }
}
