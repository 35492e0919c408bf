// SPDX-License-Identifier: BSD-3-Clause
/* Stores decisions and posteriors of kernels with two codewords per register (pair_codewords.cuh). The kernel
 * defines:
 *
 *   pair_state                        values of a thread; `first` and `second` are its codewords
 *   WORKER(s), WORKERS                index of the thread among the threads of its pair, their number
 *   posteriors_at(a, s, position)     the posteriors of both codewords, as halves */

DEVICE void store_pair_bits(const ldpc_cuda_args *a, const pair_state *s, u32 ok, IN_GLOBAL const u32 *at,
                            u32 bits, IN_GLOBAL u8 *out)
{
    u32 bytes = (bits + 7) / 8;
    for (u32 b = WORKER(s); b < bytes; b += WORKERS) {
        u32 v0 = 0, v1 = 0;
        for (u32 i = 8 * b; i < 8 * b + 8; i++) {
            u32 v = i < bits && at[i] != LDPC_CUDA_ZERO ? posteriors_at(a, s, at[i]) : 0;
            v0 = v0 << 1 | (v >> 15 & 1);
            v1 = v1 << 1 | v >> 31;
        }
        if (ok & 1)
            out[(size_t)s->first * bytes + b] = (u8)v0;
        if (ok & 2)
            out[(size_t)s->second * bytes + b] = (u8)v1;
    }
}

DEVICE void store_pair_decisions(const ldpc_cuda_args *a, const pair_state *s, u32 ok, IN_GLOBAL u8 *message)
{
    if (message)
        store_pair_bits(a, s, ok, a->message_at, a->k, message);
    if (a->codeword)
        store_pair_bits(a, s, ok, a->codeword_at, a->n, a->codeword);
    for (u32 i = WORKER(s); a->posterior && i < a->n; i += WORKERS) {
        u32 at = a->codeword_at[i];
        store_pair_posterior(a, ok, s->first, s->second, i,
                             at == LDPC_CUDA_ZERO ? h2(LDPC_CUDA_KNOWN_LLR, LDPC_CUDA_KNOWN_LLR)
                                                  : posteriors_at(a, s, at));
    }
}

DEVICE void store_pair(const ldpc_cuda_args *a, const pair_state *s, u32 ok, IN_GLOBAL u8 *message,
                       u32 iterations, u32 counts)
{
    store_pair_decisions(a, s, ok, message);
    if (a->info && WORKER(s) == 0)
        store_pair_info(a, ok, s->first, s->second, iterations, counts);
}
