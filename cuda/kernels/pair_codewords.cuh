// SPDX-License-Identifier: BSD-3-Clause
// Functions for kernels with two codewords per register. In masks, bit 0 is the first codeword.
#include "device.cuh"
#include "half.cuh"
#include "pair_numbers.cuh"

#define HALF_1152     BOTH(1152) // 1024 + 128
#define HALF_1407     BOTH(1407) // 1152 + 255
#define HALF_1        BOTH(1)
#define HALF_MINUS_1  BOTH(-1)
#define HALF_255      BOTH(255)
#define SIGNS         0x80008000u
#define BYTES_OF_PAIR 0x5410u // prmt: both low halves
#define PACK_LOW      0x6240u
#define UNPACK_FIRST  0x4240u // first edge of PACK_LOW
#define UNPACK_SECOND 0x4341u // second edge of PACK_LOW
#define UNPACK_PAIR   0x4140u
#define LOW_BYTES     0x4420u
#define HIGH_OF_1152  HIGH_1024

DEVICE_INLINE u32 rotated_lane(u32 a, u32 b, u32 sum)
{
    return min(a + b, sum);
}

// ---- LLRs

/* Converts the bytes of two LLRs to LLR + 1152, limited to `least` .. `most`. The xor gives 1024 + (byte ^
 * 0x80). */
DEVICE_INLINE u32 llr_pair(u32 first, u32 second, u32 least, u32 most)
{
    return hmin(hmax(prmt(first, second, BYTES_OF_PAIR) ^ HALF_1152, least), most);
}

DEVICE_INLINE u32 llr_pair_of(u32 first, u32 second, int byte, u32 least, u32 most)
{
    u32 twice = prmt(first, second, 0x4400u + 0x1111u * byte);
    return hmin(hmax((twice & 0x00ff00ffu) ^ HALF_1152, least), most);
}

// Returns the channel LLRs of a column, plus 1152. LLRs of bits known to be zero are not limited.
DEVICE_INLINE u32 channel_pair(IN_GLOBAL const u8 *first, IN_GLOBAL const u8 *second, int source, u32 least,
                               u32 most)
{
    const u32 known = BOTH(1152 + LDPC_CUDA_KNOWN_LLR);
    if (source >= 0)
        return llr_pair(__ldg(first + source), __ldg(second + source), least, most);
    return source == LDPC_CUDA_KNOWN ? known : HALF_1152;
}

DEVICE_INLINE void prefetch_codewords(const ldpc_cuda_args *a, u32 first, u32 codewords, u32 thread,
                                      u32 threads)
{
    const u32 line = 128; // bytes
    if (first + codewords > a->n_codewords)
        return;
    IN_GLOBAL const s8 *llr = a->llr + (size_t)first * a->n;
    for (u32 i = line * thread; i < codewords * a->n; i += line * threads)
        ldpc_prefetch(llr + i);
}

// ---- check_msgs and posteriors

DEVICE_INLINE u32 unpack_first(u32 packed, u32 high)
{
    return prmt(packed, high, UNPACK_FIRST);
}
DEVICE_INLINE u32 unpack_second(u32 packed, u32 high)
{
    return prmt(packed, high, UNPACK_SECOND);
}
// Two bytes plus 1152.
DEVICE_INLINE u32 unpack_bytes(u32 bytes)
{
    return prmt(bytes, HIGH_OF_1152, UNPACK_PAIR);
}
DEVICE_INLINE u32 pack_messages(u32 first, u32 second)
{
    return prmt(first, second, PACK_LOW);
}

// i8: `posterior` is L + 128 + bias, `msg` is R + bias; the result L - R + 128 is limited to 0 .. 255.
DEVICE_INLINE u32 var_msg_i8(u32 posterior, u32 msg)
{
    return hmin(hrelu(msg, HALF_MINUS_1, posterior), HALF_255);
}

// i8: `var_msg` is Q + 128, `msg` is R. Returns Q + R + 128 in 0 .. 255.
DEVICE_INLINE u32 sum_i8(u32 var_msg, u32 msg)
{
    return hmin(hrelu(msg, HALF_1, var_msg), HALF_255);
}

// i8: `l` is (Q + 128) + (R + 1152). Returns the posterior plus 1280, limited to 1152 .. 1407.
DEVICE_INLINE u32 posterior_i8(u32 l)
{
    return hmin(hmax(l, HALF_1152), HALF_1407);
}

// ---- results

DEVICE_INLINE u32 sign_bytes(u32 v)
{
    return prmt(v, 0, 0x44b9u);
}

DEVICE_INLINE u32 count_negative(u32 v)
{
    return v >> 15 & 0x10001u;
}

DEVICE_INLINE u32 satisfied(u32 counts)
{
    return (counts & 0xffff ? 0 : 1) | (counts >> 16 ? 0 : 2);
}

DEVICE_INLINE void store_pair_info(const ldpc_cuda_args *a, u32 ok, u32 first, u32 second, u32 iterations,
                                   u32 counts)
{
    if (ok & 1)
        ldpc_store_info(a, first, iterations, counts & 0xffff);
    if (ok & 2)
        ldpc_store_info(a, second, iterations, counts >> 16);
}

DEVICE_INLINE void store_pair_posterior(const ldpc_cuda_args *a, u32 ok, u32 first, u32 second, int i, u32 v)
{
    if (ok & 1)
        a->posterior[(size_t)first * a->n + i] = (short)hlow(v);
    if (ok & 2)
        a->posterior[(size_t)second * a->n + i] = (short)hhigh(v);
}
