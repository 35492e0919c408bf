// SPDX-License-Identifier: BSD-3-Clause
// Long DVB codes (64800 bits): two words to a block in the halves of its registers, a
// thread for each of the 360 rows of a layer, one block to a multiprocessor, blocks go on until all words are
// done.
//
// The posteriors of the information bits stay in shared memory. Those of the parity bits are never needed
// while decoding: parity bit i joins rows i and i + 1 only, so its message to the one row is its channel plus
// what the other has sent. The row before is the same thread's row of the layer before, but for layer 0,
// where the last layer hands them over.
//
// Check messages: layers 0 .. XRG-1 in registers; XRG .. XST-1 in shared memory; the others run in a loop of
// UNR layers a turn, of which the first USM have them in shared memory and the rest in global memory, loaded
// two layers ahead.
//
// dvb.c writes in front of this: GI and QL groups of information and parity bits, DI information bits of a
// row, PADS that some rows have less, MAXSUB and ND (most occurrences of a column in a row - 1, most such
// edges), the layout, TABLE, EARLY_STOP, MESSAGE_BIAS, NO_OTHER (|Q| where there is no edge), ALL_SENT (each
// column is a symbol), RULE_HAS_THIRD (the rule asks for the third smallest |Q|), and the function rule();
// minima.cuh comes in between.
#include "half_check_node.cuh"

struct E {
    u32 s, s1, b, d;
};
// 4 shift, 4 shift - 1440, byte offset of the group; d: occurrences, bits 28 and 29: so many of the first
// edges are not there, bit 30: the first edge is outside, bit 31: threads meet afterwards
constexpr int D = DI + 2, W = (DI + 2 + I8) / 2, NT = 384; // degree, message words of a row, threads
constexpr int NB = (QL - XST) / UNR;                       // turns of the loop
constexpr int GR = NB * (UNR - USM), SR = XST - XRG + NB * USM;
constexpr int KI = GI * 360, KS = KI - 360 * XGROUP; // information bits; those in shared memory
static_assert((QL - XST) % UNR == 0 && XST >= 2 && XRG <= XST, "layers");
// Posteriors are stored as L + BIAS, messages as the low bytes of R + MESSAGE_BIAS; the high bytes are HIGH.
constexpr u32 BIAS = I8 ? MESSAGE_BIAS + 128 : MESSAGE_BIAS,
              HIGH = 0x01010101 * (H(MESSAGE_BIAS) >> 8 & 0xff), NONE = 0x01010101 * (H(MESSAGE_BIAS) & 0xff);
static constexpr E tabs[QL * DI] = TABLE;
extern "C" __constant__ E tab[QL * DI + DI] = TABLE;
static __device__ const E tabd[QL * DI] = TABLE;
DEVICE_INLINE E stab(int i)
{
    return tabd[i];
}

extern __shared__ u32 sm[];
#define AT(a) (*(u32 *)((char *)sm + (a)))

struct Ctx {
    u32 t, t4, qp;
    u32 *xf, *xb, *pl, *gx;
    u16 *ch;
    bool last;
};

// Is edge e of a layer with the flags d none?
DEVICE_INLINE bool is_pad(int e, u32 d)
{
    return e < PADS && e < (int)(d >> 28 & 3);
}
DEVICE_INLINE u32 message(const u32 (&c)[W], int e) // + MESSAGE_BIAS
{
    return prmt(c[e / 2], HIGH, e & 1 ? 0x4341 : 0x4240);
}
// What a row finds of its two parity bits: the message qb of the bit before, and qo of its own.
// 16 bits: x.qp is the former; own the channel of the latter, and back what the next row has sent to it.
// 8 bits: x.qp and own are posteriors, the messages are among the row's own words.
template <bool FIRST, bool LASTPOS>
DEVICE_INLINE void parity_in(Ctx &x, const u32 (&c)[W], u32 back, u32 &own, u32 &qb, u32 &qo, bool is_last)
{
    if (LASTPOS && is_last)
        (I8 ? own : back) = x.xb[x.t];
    if (FIRST)
        x.qp = x.t ? x.xf[(int)x.t - 1] : I8 ? H(BIAS) : H(NO_OTHER);
    if (I8) {
        x.qp = var_msg_i8(x.qp, message(c, DI));
        own = var_msg_i8(own, message(c, I8 ? DI + 1 : 0));
        qb = FIRST && !x.t ? H(NO_OTHER) : hsub(x.qp, H(128));
        qo = hsub(own, H(128));
    } else {
        qb = x.qp;
        qo = hadd(own, back);
    }
}

// And what it leaves, from its new messages gb and go.
template <bool FIRST, bool LASTPOS>
DEVICE_INLINE void parity_out(Ctx &x, u32 own, u32 qo, u32 &gb, u32 go, int l, bool is_last)
{
    u32 before = I8 ? posterior_i8(hadd(x.qp, gb)) : hadd(x.qp, hsub(gb, H(MESSAGE_BIAS)));
    u32 after = I8 ? posterior_i8(hadd(own, go)) : hadd(own, go);
    if (FIRST) {
        if (x.t)
            x.xb[(int)x.t - 1] = I8 ? before : gb;
        else if (I8)
            x.xb[359] = x.xf[359]; // joins this layer nowhere
        if (!x.t)
            gb = H(MESSAGE_BIAS);
    } else if (I8) {
        __stcg(x.ch + (l - 1) * NT, (u16)prmt(hsub(before, H(128)), 0, 0x4420u));
    }
    if (x.last && !FIRST)
        x.pl[(l - 1) * NT] = I8 ? hsub(before, H(BIAS)) : before;
    if (x.last && LASTPOS && is_last)
        x.pl[l * NT] = I8 ? hsub(after, H(BIAS)) : hadd(qo, hsub(go, H(MESSAGE_BIAS)));
    x.qp = after;
    if (LASTPOS && is_last)
        x.xf[x.t] = after;
}

// One layer. a: byte addresses of the information posteriors; c: message words, old and new; back, ch: see
// above, ch as bytes; du: its flags.
template <bool FIRST, bool LASTPOS>
DEVICE_INLINE void row(const ldpc_cuda_args &arg, Ctx &x, const u32 (&a)[DI], u32 (&c)[W], u32 back, u32 ch,
                       u32 du, int l, bool is_last)
{
    u32 q[D], b[I8 ? DI : 1],
        own = hsub(prmt(ch, 0x64646464u, 0x4140u), I8 ? H(-128) : H(1152 + MESSAGE_BIAS));
    u32 *const first = (u32 *)((char *)(XGROUP && (du >> 30 & 1) ? x.gx : sm) + a[0]);
    const u32 flags = du;
    du &= 0x0fffffffu;
#pragma unroll
    for (int e = 0; e < DI; e++) {
        if (is_pad(e, flags)) { // larger than any other, so that it is no minimum
            q[e] = H(NO_OTHER);
            continue;
        }
        u32 v = XGROUP && e == 0 ? *first : AT(a[e]);
        if (I8)
            b[e] = var_msg_i8(v, message(c, e));
        q[e] = I8 ? hsub(b[e], H(128)) : hsub(v, message(c, e));
    }
    parity_in<FIRST, LASTPOS>(x, c, back, own, q[DI], q[DI + 1], is_last);
    const Messages messages = check_node(arg, minima(q));
    u32 g[D];
#pragma unroll
    for (int i = 0; i < D; i++)
        g[i] = new_message(messages, q[i]);
    if (ND && du)
        __syncthreads();
#pragma unroll
    for (int e = 0; e < DI; e++)
        if (!is_pad(e, flags) && (e < DI - ND || !(du >> 2 * (e - DI + ND) & 3))) {
            u32 v = I8 ? posterior_i8(hadd(b[e], g[e])) : hadd(q[e], g[e]);
            if (XGROUP && e == 0)
                *first = v;
            else
                AT(a[e]) = v;
        }
    if (ND && du) {
#pragma unroll
        for (u32 sub = 1; sub <= MAXSUB; sub++) {
            __syncthreads();
#pragma unroll
            for (int j = 0; j < ND; j++)
                if ((du >> 2 * j & 3) == sub) {
                    int e = DI - ND + j;
                    u32 v = hadd(AT(a[e]), hsub(g[e], message(c, e)));
                    AT(a[e]) = I8 ? posterior_i8(v) : v;
                }
        }
    }
    parity_out<FIRST, LASTPOS>(x, own, q[DI + 1], g[DI], g[DI + 1], l, is_last);
#pragma unroll
    for (int w = 0; w < W; w++)
        c[w] = prmt(g[2 * w], 2 * w + 1 < DI + 1 + I8 ? g[2 * w + 1] : g[2 * w], 0x6240u);
}
#define BACK(w) prmt((w)[DI / 2], HIGH, DI & 1 ? 0x4341 : 0x4240)

struct Mem {
    u32 *sr, *gr;
    const u16 *ch;
}; /* message words of this thread in shared and global memory, channel bytes */
DEVICE_INLINE void load_s(u32 (&r)[W], const u32 *p)
{
#pragma unroll
    for (int w = 0; w < W; w++)
        r[w] = p[w * 360];
}
DEVICE_INLINE void load_g(u32 (&r)[W], const u32 *p)
{
#pragma unroll
    for (int w = 0; w < W; w++)
        r[w] = __ldcg(p + w * NT);
}
DEVICE_INLINE void store_s(const u32 (&r)[W], u32 *p)
{
#pragma unroll
    for (int w = 0; w < W; w++)
        p[w * 360] = r[w];
}
DEVICE_INLINE void store_g(const u32 (&r)[W], u32 *p)
{
#pragma unroll
    for (int w = 0; w < W; w++)
        __stcg(p + w * NT, r[w]);
}

// Is the sign product of row t of a layer negative? Bit 15 and bit 31, for the two words.
DEVICE u32 parity(u32 t, int l, const u32 *plane, const u32 *gx)
{
    u32 x = plane[l * NT + t];
    if (l > 0)
        x ^= plane[(l - 1) * NT + t];
    else if (t > 0)
        x ^= plane[(QL - 1) * NT + t - 1];
    for (int e = 0; e < DI; e++) {
        E edge = tabd[l * DI + e];
        if (is_pad(e, edge.d))
            continue;
        const u32 *from = XGROUP && e == 0 && (edge.d >> 30 & 1) ? gx : sm;
        x ^= hsub(*(const u32 *)((const char *)from + rotated_lane(4 * t, edge.s1, 4 * t + edge.s) + edge.b),
                  H(BIAS));
    }
    return x;
}

// Unsatisfied checks of both words.
DEVICE u32 count_unsatisfied(u32 t, const u32 *plane, const u32 *gx, u32 *count)
{
    u32 mine = 0;
    if (t == 0)
        *count = 0;
    for (int l = 0; l < QL; l++)
        mine += parity(t, l, plane, gx) >> 15 & 0x10001u;
    __syncthreads();
    if (mine)
        atomicAdd(count, mine);
    __syncthreads();
    return *count;
}

DEVICE u32 posterior_at(u32 at, const u32 *plane, const u32 *gx)
{
    if (at < KI)
        return hsub(at < KS ? sm[at] : gx[at - KS], H(BIAS));
    return plane[(at - KI) / 360 * NT + (at - KI) % 360];
}

DEVICE void store_bits(u32 t, u32 ok, const u32 *at, u32 count, u8 *first, u8 *second, const u32 *plane,
                       const u32 *gx)
{
    for (u32 b = t; b < (count + 7) / 8; b += 360) {
        u32 v0 = 0, v1 = 0;
        for (u32 i = 8 * b; i < 8 * b + 8; i++) {
            u32 v = i < count ? posterior_at(at[i], plane, gx) : 0;
            v0 = v0 << 1 | (v >> 15 & 1);
            v1 = v1 << 1 | v >> 31;
        }
        if (ok & 1)
            first[b] = (u8)v0;
        if (ok & 2)
            second[b] = (u8)v1;
    }
}

DEVICE void store(const ldpc_cuda_args &a, u32 t, u32 ok, size_t w0, size_t w1, const u32 *plane,
                  const u32 *gx)
{
    u32 message = (a.k + 7) / 8, codeword = (a.n + 7) / 8;
    if (a.message)
        store_bits(t, ok, a.message_at, a.k, a.message + w0 * message, a.message + w1 * message, plane, gx);
    if (a.codeword)
        store_bits(t, ok, a.codeword_at, a.n, a.codeword + w0 * codeword, a.codeword + w1 * codeword, plane,
                   gx);
    for (u32 i = t; a.posterior && i < a.n; i += 360) {
        u32 v = posterior_at(a.codeword_at[i], plane, gx);
        if (ok & 1)
            a.posterior[w0 * a.n + i] = (short)hlow(v);
        if (ok & 2)
            a.posterior[w1 * a.n + i] = (short)hhigh(v);
    }
}

DEVICE void store_info(const ldpc_cuda_args &a, u32 ok, size_t w0, size_t w1, u32 iterations, u32 unsatisfied)
{
    if (ok & 1)
        ldpc_store_info(&a, w0, iterations, unsatisfied & 0xffff);
    if (ok & 2)
        ldpc_store_info(&a, w1, iterations, unsatisfied >> 16);
}

// Words that are done, stored. Most that go on fail in the first two layers.
DEVICE u32 finished(const ldpc_cuda_args &a, u32 t, u32 it, u32 active, size_t w0, size_t w1,
                    const u32 *plane, const u32 *gx, u32 *count)
{
    u32 x = parity(t, 0, plane, gx) | parity(t, 1, plane, gx);
    u32 first = __syncthreads_or(x & 0x8000u), second = __syncthreads_or(x & 0x80000000u);
    if (!(active & ~((first ? 1 : 0) | (second ? 2 : 0))))
        return 0;
    u32 unsatisfied = count_unsatisfied(t, plane, gx, count);
    u32 ok = active & ~((unsatisfied & 0xffff ? 1 : 0) | (unsatisfied >> 16 ? 2 : 0));
    if (ok) {
        store(a, t, ok, w0, w1, plane, gx);
        if (a.info && t == 0)
            store_info(a, ok, w0, w1, it, unsatisfied);
    }
    __syncthreads();
    return ok;
}

// What the column of a symbol starts from; -1: not sent, -2: known to be zero.
DEVICE_INLINE int channel(const s8 *llr, int symbol)
{
    if (ALL_SENT || symbol >= 0)
        return max((int)__ldg(llr + symbol), -127);
    return symbol == -2 ? 127 : 0;
}

extern "C" __global__ void __launch_bounds__(NT, 1) ldpc_decode(const __grid_constant__ ldpc_cuda_args arg)
{
    __shared__ u32 count, ticket;
    int t = threadIdx.x;
    if (t >= 360)
        return;
    const int ncw = arg.n_codewords, iters = arg.max_iterations;
    constexpr size_t SC = (size_t)(GR + 2) * W * NT + (QL + 4) * NT / 2 + QL * NT + 3 * NT;
    u32 *mine = arg.scratch + blockIdx.x * SC;
    u16 *ch = (u16 *)(mine + (size_t)(GR + 2) * W * NT);
    u32 *pl = mine + (size_t)(GR + 2) * W * NT + (QL + 4) * NT / 2, *gx = pl + QL * NT;
    u32 *xf = XROWS ? gx + NT : sm + KS, *xb = XROWS ? xf + NT : xf + 360;
    Mem m = {sm + KS + (XROWS ? 0 : 720) + t, mine + t, ch + t};
    for (int pairs = (ncw + 1) / 2, pair; (pair = (int)ldpc_next(&arg, pairs, &ticket)) < pairs;) {
        int w0 = 2 * pair, w1 = min(w0 + 1, ncw - 1);
        const s8 *la = arg.llr + (size_t)w0 * arg.n, *lb = arg.llr + (size_t)w1 * arg.n;
        prefetch_codewords(&arg, w0 + 2 * gridDim.x, 2, t, 360);
#pragma unroll 10
        for (int i = t; i < KI; i += 360) {
            int at = __ldg(arg.source + i);
            u32 v = h2(channel(la, at) + (int)BIAS, channel(lb, at) + (int)BIAS);
            (i < KS ? sm[i] : gx[i - KS]) = v;
        }
#pragma unroll 10
        for (int j = 0; j < QL; j++) {
            int at = __ldg(arg.source + KI + j * 360 + t), x = channel(la, at), y = channel(lb, at);
            ch[j * NT + t] = (u16)((x + 128) | (y + 128) << 8);
            pl[j * NT + t] = h2(x, y);
        }
        for (int i = 0; i < (GR + 2) * W; i++)
            m.gr[i * NT] = NONE;
        for (int i = 0; i < SR * W; i++)
            m.sr[i * 360] = NONE;
        xb[t] = H(MESSAGE_BIAS);
        u32 rr[XRG ? XRG : 1][W];
#pragma unroll
        for (int i = 0; i < XRG; i++)
#pragma unroll
            for (int w = 0; w < W; w++)
                rr[i][w] = NONE;
        __syncthreads();
        xf[t] = hsub(prmt(m.ch[(QL - 1) * NT], 0x64646464u, 0x4140u), I8 ? H(-128) : H(1152));
        __syncthreads();
        Ctx x = {(u32)t, (u32)(4 * t), 0, xf, xb, pl + t, gx, ch + t, false};
        u32 ca = m.ch[0], cb = m.ch[NT], active = 2 * pair + 1 < ncw ? 3 : 1;
#pragma unroll 1
        for (int it = 0; it < iters; it++) {
            if (EARLY_STOP) {
                active &= ~finished(arg, t, it, active, w0, w1, pl, gx, &count);
                if (!active)
                    break;
            }
            x.last = EARLY_STOP || it == iters - 1;
            u32 p0[W], p1[W], p2[W];
            u32 c0 = I8 ? __ldcg(m.ch) : ca, c1 = I8 ? __ldcg(m.ch + NT) : cb, c2;
            if (XRG == 0)
                load_s(p0, m.sr);
            if (XRG <= 1)
                load_s(p1, m.sr + (1 - XRG) * W * 360);
                /* straight part: unrolled by hand through a recursive template would keep p's; the last two
                 * prefetches come back in p0, p1 */
#define SL(l)                                                                                                \
    if constexpr (l < XST) {                                                                                 \
        c2 = __ldcg(m.ch + (l + 2) * NT);                                                                    \
        if constexpr (l + 2 >= XRG && l + 2 < XST)                                                           \
            load_s(p2, m.sr + (l + 2 - XRG) * W * 360);                                                      \
        else if constexpr (l + 2 >= XST) {                                                                   \
            if constexpr (l + 2 - XST < USM)                                                                 \
                load_s(p2, m.sr + (l + 2 - XRG) * W * 360);                                                  \
            else                                                                                             \
                load_g(p2, m.gr + (l + 2 - XST - USM) * W * NT);                                             \
        }                                                                                                    \
        u32 a[DI];                                                                                           \
        _Pragma("unroll") for (int e = 0; e < DI; e++)                                                       \
        {                                                                                                    \
            a[e] = rotated_lane(x.t4, stab((l)*DI + e).s1, x.t4 + stab((l)*DI + e).s) + stab((l)*DI + e).b;  \
        }                                                                                                    \
        constexpr u32 du = tabs[(l < QL ? l : 0) * DI].d;                                                    \
        if constexpr (l < XRG) {                                                                             \
            u32 back;                                                                                        \
            if constexpr (l + 1 < XRG)                                                                       \
                back = BACK(rr[l + 1 < XRG ? l + 1 : 0]);                                                    \
            else                                                                                             \
                back = BACK(p1);                                                                             \
            row<l == 0, false>(arg, x, a, rr[l < XRG ? l : 0], back, c0, du, l, false);                      \
        } else {                                                                                             \
            row<l == 0, false>(arg, x, a, p0, BACK(p1), c0, du, l, false);                                   \
            store_s(p0, m.sr + (l - XRG) * W * 360);                                                         \
        }                                                                                                    \
        _Pragma("unroll") for (int w = 0; w < W; w++)                                                        \
        {                                                                                                    \
            p0[w] = p1[w];                                                                                   \
            p1[w] = p2[w];                                                                                   \
        }                                                                                                    \
        c0 = c1;                                                                                             \
        c1 = c2;                                                                                             \
        if (du >> 31)                                                                                        \
            __syncthreads();                                                                                 \
    }
#define SL10(k)                                                                                              \
    SL(k) SL(k + 1) SL(k + 2) SL(k + 3) SL(k + 4) SL(k + 5) SL(k + 6) SL(k + 7) SL(k + 8) SL(k + 9)
            SL10(0);
            SL10(10);
            SL10(20);
            SL10(30);
            SL10(40);
            SL10(50);
            /* loop part */
            u32 a[DI];
            u32 du;
            const E *te = tab + XST * DI;
#pragma unroll
            for (int e = 0; e < DI; e++)
                a[e] = rotated_lane(x.t4, te[e].s1, x.t4 + te[e].s) + te[e].b;
            du = te[0].d;
            u32 *gp = m.gr, *sp = m.sr + (XST - XRG) * W * 360;
            const u16 *cp = m.ch + XST * NT;
            int l = XST;
#pragma unroll 1
            for (int k = 0; k < NB; k++) {
#pragma unroll
                for (int j = 0; j < UNR; j++) {
                    constexpr int GU = UNR - USM;
                    int j2 = (j + 2) % UNR, turn = (j + 2) / UNR;
                    if (j2 < USM)
                        load_s(p2, (turn && k == NB - 1 ? m.sr : sp + turn * USM * W * 360) + j2 * W * 360);
                    else
                        load_g(p2, gp + (turn * GU + j2 - USM) * W * NT);
                    c2 = __ldcg(cp + (j + 2) * NT);
                    u32 b[DI], dn;
#pragma unroll
                    for (int e = 0; e < DI; e++) {
                        const E v = te[(j + 1) * DI + e];
                        b[e] = rotated_lane(x.t4, v.s1, x.t4 + v.s) + v.b;
                        if (e == 0)
                            dn = v.d;
                    }
                    if (j == UNR - 1)
                        row<false, true>(arg, x, a, p0, BACK(p1), c0, du, l + j, k == NB - 1);
                    else
                        row<false, false>(arg, x, a, p0, BACK(p1), c0, du, l + j, false);
                    if (j < USM)
                        store_s(p0, sp + j * W * 360);
                    else
                        store_g(p0, gp + (j - USM) * W * NT);
#pragma unroll
                    for (int w = 0; w < W; w++) {
                        p0[w] = p1[w];
                        p1[w] = p2[w];
                    }
                    bool sync = du >> 31;
                    c0 = c1;
                    c1 = c2;
                    du = dn;
#pragma unroll
                    for (int e = 0; e < DI; e++)
                        a[e] = b[e];
                    if (sync)
                        __syncthreads();
                }
                gp += (UNR - USM) * W * NT;
                sp += USM * W * 360;
                cp += UNR * NT;
                te += UNR * DI;
                l += UNR;
            }
        }
        if (active) {
            u32 unsatisfied = arg.info ? count_unsatisfied(t, pl, gx, &count) : 0;
            store(arg, t, active, w0, w1, pl, gx);
            if (arg.info && t == 0)
                store_info(arg, active, w0, w1, iters, unsatisfied);
        }
        __syncthreads();
    }
}
