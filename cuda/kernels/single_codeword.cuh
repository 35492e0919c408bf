// SPDX-License-Identifier: BSD-3-Clause
/* Loads LLRs and stores results of kernels in which a thread has one codeword. The kernel defines:
 *
 *   codeword_state               values of a thread
 *   WORKER(s), WORKERS(s)        index of the thread among the threads of its codeword, their number
 *   llr_number                   float, or int for LLR steps
 *   channel_llr(a, i)            LLR i of the launch
 *   KNOWN_LLR                    LLR of a known zero
 *   posterior_at(s, position)    as llr_number
 *   POSTERIOR_STEPS(x)           the posterior x in LLR steps */

DEVICE_INLINE llr_number ldpc_channel(const ldpc_cuda_args *a, u32 codeword, u32 position, bool live)
{
    int source = a->source[position];
    llr_number value = source == LDPC_CUDA_KNOWN ? KNOWN_LLR : 0;
    if (source >= 0 && live)
        value = channel_llr(a, (size_t)codeword * a->n + source);
    return value;
}

DEVICE void ldpc_store_bits(const codeword_state *s, IN_GLOBAL const u32 *at, u32 bits, IN_GLOBAL u8 *out)
{
    for (u32 byte = WORKER(s); byte < (bits + 7) / 8; byte += WORKERS(s)) {
        u32 packed = 0;
        for (u32 i = 8 * byte; i < 8 * byte + 8; i++) {
            bool one = i < bits && at[i] != LDPC_CUDA_ZERO && posterior_at(s, at[i]) < 0;
            packed = packed << 1 | one;
        }
        out[byte] = (u8)packed;
    }
}

DEVICE void ldpc_store(const ldpc_cuda_args *a, const codeword_state *s, u32 codeword)
{
    if (a->message)
        ldpc_store_bits(s, a->message_at, a->k, a->message + (size_t)codeword * ((a->k + 7) / 8));
    if (a->codeword)
        ldpc_store_bits(s, a->codeword_at, a->n, a->codeword + (size_t)codeword * ((a->n + 7) / 8));
    for (u32 i = WORKER(s); a->posterior && i < a->n; i += WORKERS(s)) {
        u32 at = a->codeword_at[i];
        a->posterior[(size_t)codeword * a->n + i] =
            at == LDPC_CUDA_ZERO ? LDPC_CUDA_KNOWN_LLR : (short)POSTERIOR_STEPS(posterior_at(s, at));
    }
}
