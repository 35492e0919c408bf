/* SPDX-License-Identifier: BSD-3-Clause */
/* Generates the kernel "straight": statements for each layer, with constants. */
#include "cuda/kernels/straight_text.h"

enum { LLR_BIAS = 1152 }; /* of llr_pair() */

/* ---- loading */

static bool has_consecutive_llrs(const ldpc_emitter *e, uint32_t group, uint32_t *first)
{
    uint32_t z = e->s->code->z, parts = e->s->parts;
    const int32_t *source = e->positions->source + ldpc_straight_position(e->s, group);
    for (uint32_t i = 0; i < z * parts; i += parts)
        if (source[0] < 0 || source[i] != source[0] + (int32_t)i)
            return false;
    *first = (uint32_t)source[0];
    return true;
}

void ldpc_straight_channel(ldpc_emitter *e, uint32_t group, uint32_t shift, int bias)
{
    uint32_t first = ldpc_straight_position(e->s, group);
    bool direct = has_consecutive_llrs(e, group, &first);
    ldpc_name at = ldpc_straight_lane_i(e->s, first);
    ldpc_write(&e->w, " i=LANE(%u); ", shift);
    if (direct)
        ldpc_write(&e->w, "v=llr_pair(la[%s],lb[%s],LEAST_LLR,MOST_LLR);", at.text, at.text);
    else
        ldpc_write(&e->w, "v=channel_pair(la,lb,a.source[%s],LEAST_LLR,MOST_LLR);", at.text);
    if (bias < 0) /* both subtractions are exact */
        ldpc_write(&e->w, " v=hsub(v,BOTH(%d));", LLR_BIAS);
    if (bias != LLR_BIAS)
        ldpc_write(&e->w, " v=hsub(v,BOTH(%d));", bias < 0 ? -bias : LLR_BIAS - bias);
    ldpc_write(&e->w, "\n");
}

static void emit_load_column(ldpc_emitter *e, uint32_t group)
{
    const ldpc_straight *s = e->s;
    const ldpc_straight_column *c = &s->columns[group];
    if (c->storage == LDPC_STORAGE_TWO_EDGES) { /* the message has the bias */
        ldpc_straight_channel(e, group, ldpc_straight_first(s, group)->shift,
                              s->soft_offset - s->message_bias);
        ldpc_write(&e->w, " u32 L%u=v;\n", group);
    } else if (c->storage == LDPC_STORAGE_LEAF) {
        ldpc_straight_channel(e, group, ldpc_straight_first(s, group)->shift, s->soft_offset);
        ldpc_name posterior = ldpc_straight_leaf(s, group);
        ldpc_write(&e->w, " p[%u]=v; %s=v;\n", c->base, posterior.text);
    } else if (c->storage == LDPC_STORAGE_INPUT) {
        return; /* read in each iteration */
    } else if (c->degree) {
        ldpc_straight_channel(e, group, ldpc_straight_last(s, group)->shift, s->bias);
        ldpc_write(&e->w, " u32 L%u;\n", group);
        ldpc_straight_store(e, ldpc_straight_last(s, group), "v");
    } else {
        ldpc_straight_channel(e, group, 0, s->bias);
        ldpc_write(&e->w, " p[%u]=v;\n", c->base);
    }
}

static void emit_load(ldpc_emitter *e)
{
    const ldpc_straight *s = e->s;
    for (uint32_t w = 0; w < s->packs; w++) {
        ldpc_name pack = ldpc_straight_pack(s, w);
        ldpc_write(&e->w, " %s%s=0x01010101u*(BOTH(%d)&0xffu);\n",
                   ldpc_straight_in_register(s, w) ? "u32 " : "", pack.text, s->message_bias);
    }
    ldpc_write(&e->w, " u32 i, v; int at;\n");
    for (uint32_t g = 0; g < s->code->groups; g++)
        emit_load_column(e, g);
}

/* ---- results */

static void emit_value(ldpc_emitter *e, uint32_t group)
{
    const ldpc_straight *s = e->s;
    uint32_t shift = s->columns[group].degree ? ldpc_straight_last(s, group)->shift : 0;
    ldpc_name posterior = ldpc_straight_posterior(s, group, shift);
    ldpc_write(&e->w, " i=LANE(%u); v=%s;", shift, posterior.text);
}

static bool has_constant(const ldpc_emitter *e)
{
    for (uint32_t i = 0; i < e->s->code->n; i++)
        if (e->positions->codeword_at[i] == LDPC_CUDA_ZERO)
            return true;
    return false;
}

/* Stores the posteriors v of lane i. */
static void emit_store_posterior(ldpc_emitter *e, uint32_t group)
{
    uint32_t first = ldpc_straight_position(e->s, group);
    bool direct = has_consecutive_llrs(e, group, &first);
    ldpc_name at = ldpc_straight_lane_i(e->s, first);
    ldpc_write(&e->w, direct ? " at=%s; POSTERIOR\n" : " at=a.source[%s]; POSTERIOR\n", at.text);
}

/* Returns the number of rows. */
static uint32_t emit_stored_columns(ldpc_emitter *e, bool leaves)
{
    const ldpc_straight *s = e->s;
    uint32_t count = 0;
    for (uint32_t g = 0; g < s->code->groups; g++) {
        const ldpc_straight_column *c = &s->columns[g];
        const bool leaf = c->storage == LDPC_STORAGE_LEAF;
        if (!ldpc_straight_is_framed(s, g) || leaf != leaves)
            continue;
        uint32_t word = c->base + (leaf && s->early_stop ? s->code->z : 0), shift = 0;
        if (c->degree)
            shift = ldpc_straight_last(s, g)->shift;
        if (c->degree && !leaf)
            word = ldpc_straight_last(s, g)->frame;
        ldpc_write(&e->w, "{%u,%u,%u},", word, shift, ldpc_straight_position(s, g));
        count++;
    }
    return count;
}

static void emit_stored_posteriors(ldpc_emitter *e, uint32_t first, uint32_t end, int bias)
{
    if (first < end)
        ldpc_write(
            &e->w,
            "#pragma unroll 1\n for(u32 c=%u;c<%u;c++){ i=LANE(stored[c].shift); "
            "v=hsub(p[stored[c].word],BOTH(%d)); at=a.source[stored[c].position+PARTS*i]; POSTERIOR }\n",
            first, end, bias);
}

/* Writes one statement per group. A loop would need more registers and be 5 % slower for 5G codes. */
static void emit_posteriors(ldpc_emitter *e)
{
    const ldpc_straight *s = e->s;
    ldpc_write(&e->w, " if(a.posterior){\n");
    emit_stored_posteriors(e, 0, e->stored_others, s->bias);
    emit_stored_posteriors(e, e->stored_others, e->stored_others + e->stored_leaves, s->soft_offset);
    for (uint32_t g = 0; g < s->code->groups; g++)
        if (s->columns[g].storage != LDPC_STORAGE_INPUT && !ldpc_straight_is_framed(s, g)) {
            emit_value(e, g);
            emit_store_posterior(e, g);
        }
    if (has_constant(e))
        ldpc_write(&e->w, " v=BOTH(%d); for(i=t;i<%u;i+=%u) if(a.codeword_at[i]==~0u){ at=i; POSTERIOR }\n",
                   LDPC_KNOWN_LLR, s->code->n, s->code->z);
    ldpc_write(&e->w, " }\n");
}

static void emit_collect(ldpc_emitter *e, uint32_t group)
{
    ldpc_write(&e->w, " h%u|=v>>%u&0x%xu;\n", group / 16, group % 16, 0x80008000u >> group % 16);
}

void ldpc_straight_finish_input(ldpc_emitter *e, uint32_t group, uint32_t shift, const char *posterior)
{
    ldpc_write(&e->w, "  i=LANE(%u); v=hsub(%s,BOTH(%d));", shift, posterior, e->s->soft_offset);
    emit_collect(e, group);
    ldpc_write(&e->w, "  if(a.posterior){");
    emit_store_posterior(e, group);
    ldpc_write(&e->w, "  }\n");
}

static void emit_begin_results(ldpc_emitter *e)
{
    const ldpc_straight *s = e->s;
    ldpc_write(&e->w, " u32 ok=active;\n");
    for (uint32_t i = 0; i * 16 < s->code->groups; i++)
        ldpc_write(&e->w, " u32 h%u=0;\n", i);
    if (!s->leaves_have_no_room)
        return;
    ldpc_write(&e->w, " if(a.max_iterations==0){\n");
    for (uint32_t g = 0; g < s->code->groups; g++)
        if (s->columns[g].storage == LDPC_STORAGE_INPUT) {
            uint32_t shift = ldpc_straight_first(s, g)->shift;
            ldpc_straight_channel(e, g, shift, s->soft_offset);
            ldpc_straight_finish_input(e, g, shift, "v");
        }
    ldpc_write(&e->w, " }\n");
}

static bool in_message(const ldpc_emitter *e, uint32_t group)
{
    const uint32_t first = ldpc_straight_position(e->s, group), parts = e->s->parts;
    for (uint32_t i = 0; i < e->s->code->k; i++) {
        const uint32_t lanes = e->positions->message_at[i] - first; /* wraps around for earlier bits */
        if (lanes % parts == 0 && lanes / parts < e->s->code->z)
            return true;
    }
    return false;
}

static void emit_decisions(ldpc_emitter *e, uint32_t group)
{
    const ldpc_straight *s = e->s;
    ldpc_name place = ldpc_straight_lane_i(s, ldpc_straight_position(s, group));
    if (s->columns[group].storage == LDPC_STORAGE_INPUT)
        return; /* collected in the last iteration */
    emit_value(e, group);
    if (s->early_stop)
        ldpc_write(&e->w, " st[%s]=(u16)sign_bytes(v);\n", place.text);
    else
        emit_collect(e, group);
}

static void emit_collected(ldpc_emitter *e, uint32_t group)
{
    const ldpc_straight *s = e->s;
    uint32_t shift = s->columns[group].degree ? ldpc_straight_last(s, group)->shift : 0;
    ldpc_name place = ldpc_straight_lane_i(s, ldpc_straight_position(s, group));
    ldpc_write(&e->w, " i=LANE(%u); st[%s]=(u16)sign_bytes(h%u<<%u);\n", shift, place.text, group / 16,
               group % 16);
}

static void emit_groups(ldpc_emitter *e, void (*emit)(ldpc_emitter *e, uint32_t group))
{
    /* PoCL 3.1 miscompiles a branch inside the branch of early stop (docs/opencl.md). */
    const bool condition = !(e->s->early_stop && e->s->cpu);
    for (int others = 0; others < 2; others++) {
        if (others && condition)
            ldpc_write(&e->w, " if(a.codeword%s){\n", e->s->early_stop ? "" : "||a.info");
        for (uint32_t g = 0; g < e->s->code->groups; g++)
            if (in_message(e, g) != others)
                emit(e, g);
    }
    if (condition)
        ldpc_write(&e->w, " }\n");
}

/* Writes one byte per bit. Without early stop, the bytes overwrite the posteriors. Decisions stay in
 * registers until all threads have passed a barrier. */
static void emit_bits(ldpc_emitter *e)
{
    emit_groups(e, emit_decisions);
    if (!e->s->early_stop) {
        ldpc_write(&e->w, " __syncthreads();\n");
        emit_groups(e, emit_collected);
    }
    ldpc_write(&e->w, " __syncthreads();\n");
}

static bool is_run(const uint32_t *at, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (at[i] != at[0] + i)
            return false;
    return count && at[0] % 8 == 0;
}

static void emit_put(ldpc_emitter *e, const char *what, const uint32_t *at, uint32_t n)
{
    bool run = is_run(at, n);
    ldpc_write(&e->w, " if(a.%s) put_bits(st,", what);
    if (run)
        ldpc_write(&e->w, "0,%u", at[0]);
    else
        ldpc_write(&e->w, "a.%s_at,0", what);
    ldpc_write(&e->w, ",%u,a.%s+(size_t)c0*%u,a.%s+(size_t)c1*%u,ok,t);\n", n, what, (n + 7) / 8, what,
               (n + 7) / 8);
}

static void emit_store(ldpc_emitter *e)
{
    const ldpc_code *code = e->s->code;
    emit_posteriors(e);
    emit_bits(e);
    emit_put(e, "message", e->positions->message_at, code->k);
    emit_put(e, "codeword", e->positions->codeword_at, code->n);
}

static void emit_count(ldpc_emitter *e)
{
    const ldpc_straight *s = e->s;
    ldpc_write(&e->w, " if(a.info){ u32 c=0, x=0; if(t==0) *fl=0; __syncthreads();\n");
    ldpc_write(&e->w,
               "#pragma unroll 4\n for(u32 e=0;e<%u;e++){\n"
               "  x^=st[edges[e].position+PARTS*LANE(edges[e].shift)]&EXCEPT(edges[e].missing_lane);\n"
               "  if(edges[e].last){ c+=(x&1)|(x&0x100)<<8; x=0; }\n }\n",
               s->code->layer_start[s->code->layers]);
    ldpc_write(&e->w, " if(c) atomicAdd(fl,c); __syncthreads();\n"
                      " if(t==0) store_pair_info(&a,ok,c0,c1,a.max_iterations,*fl); }\n");
}

/* ---- early stop */

static void emit_parity(ldpc_emitter *e, uint32_t layer)
{
    const ldpc_straight *s = e->s;
    ldpc_write(&e->w, "  x=0;");
    for (uint32_t b = s->code->layer_start[layer]; b < s->code->layer_start[layer + 1]; b++) {
        const ldpc_straight_edge *edge = &s->edges[b];
        ldpc_name posterior = ldpc_straight_posterior(s, edge->group, edge->shift);
        ldpc_write(&e->w, " x^=%s", posterior.text);
        if (edge->missing_lane != LDPC_NO_LANE)
            ldpc_write(&e->w, "&EXCEPT(%u)", edge->missing_lane);
        ldpc_write(&e->w, ";");
    }
    ldpc_write(&e->w, "\n");
}

static void emit_early_stop(ldpc_emitter *e)
{
    const ldpc_straight *s = e->s;
    ldpc_writer *w = &e->w;
    ldpc_write(
        w, " u32 ok=0, x, bad; bool last=it==a.max_iterations, all=last;\n if(!last){\n  if(t==0) *fl=0;\n");
    emit_parity(e, 0);
    ldpc_write(
        w,
        "  __syncthreads(); if(x&0x80008000u) atomicOr(fl,(x>>15&1)|(x>>30&2)); __syncthreads(); bad=*fl;\n"
        "  all=ldpc_block_or(active&~bad,word);\n }\n"
        " if(all){\n  u32 c=0; if(t==0) *fl=0;\n");
    for (uint32_t l = 0; l < s->code->layers; l++) {
        emit_parity(e, l);
        ldpc_write(w, "  c+=count_negative(x);\n");
    }
    ldpc_write(
        w,
        "  __syncthreads(); if(c) atomicAdd(fl,c); __syncthreads(); u32 uns=*fl;\n"
        "  ok=last?active:active&satisfied(uns); if(a.info&&t==0) store_pair_info(&a,ok,c0,c1,it,uns);\n }\n"
        " if(ldpc_block_or(ok,word)){\n");
    emit_store(e);
    ldpc_write(w, "  active&=~ok; if(!ldpc_block_or(active,word)) break;\n }\n");
}

/* ---- the whole */

static void emit_edges(ldpc_emitter *e)
{
    const ldpc_straight *s = e->s;
    ldpc_write(&e->w, "LDPC_CONSTANT bits_edge edges[]={");
    for (uint32_t l = 0; l < s->code->layers; l++)
        for (uint32_t b = s->code->layer_start[l]; b < s->code->layer_start[l + 1]; b++)
            ldpc_write(&e->w, "{%u,%u,%uu,%u},", ldpc_straight_position(s, s->edges[b].group),
                       s->edges[b].shift, s->edges[b].missing_lane, b + 1 == s->code->layer_start[l + 1]);
    ldpc_write(&e->w, "};\n");
}

static void emit_tables(ldpc_emitter *e)
{
    ldpc_write(&e->w, "LDPC_CONSTANT stored_column stored[]={");
    e->stored_others = emit_stored_columns(e, false);
    e->stored_leaves = emit_stored_columns(e, true);
    ldpc_write(&e->w, "{0,0,0}};\n"); /* C++ has no empty arrays */
    if (!e->s->early_stop)
        emit_edges(e);
}

static void emit_head(ldpc_emitter *e)
{
    const ldpc_straight *s = e->s;
    uint32_t z = s->code->z;
    ldpc_write(&e->w, "#define Z %uu\n#define PARTS %uu\n", z, s->parts);
    ldpc_cuda_write_half_rule(&e->w, &s->rule);
    ldpc_cuda_write_llr_limit(&e->w, s->plan);
    ldpc_write(&e->w, "%s", ldpc_cuda_text_straight);
    emit_tables(e);
    ldpc_write(&e->w,
               "LDPC_KERNEL LDPC_BOUNDS(%u,%u) ldpc_decode(LDPC_PARAMETERS)\n{\n"
               " LDPC_BEGIN LDPC_SHARED_MEMORY\n u32 tid=threadIdx.x; if(tid>=%u) return;\n",
               s->threads, s->min_blocks, s->pairs * z);
    if (s->early_stop)
        ldpc_write(&e->w, " __shared__ u32 word[1];\n");
    if (s->pairs > 1)
        ldpc_write(&e->w, " const u32 g=tid/%u, t=tid-g*%u;\n", z, z);
    else
        ldpc_write(&e->w, " const u32 g=0, t=tid;\n");
    ldpc_write(
        &e->w,
        " IN_SHARED u32 *const s=sm+g*%u, *const p=s+t, *const ms=sm+%u+tid;\n"
        " IN_SHARED u16*st=(IN_SHARED u16*)((IN_SHARED u8*)sm+%zu)+g*%zu;\n"
        " IN_SHARED u32*fl=(IN_SHARED u32*)((IN_SHARED u8*)sm+%zu)+g;\n"
        " const u32 w0=2*(blockIdx.x*%u+g), c0=min(w0,a.n_codewords-1), c1=min(w0+1,a.n_codewords-1);\n"
        " IN_GLOBAL const u8*la=(IN_GLOBAL const u8*)a.llr+(size_t)c0*%u, *lb=(IN_GLOBAL const "
        "u8*)a.llr+(size_t)c1*%u;\n"
        " u32 active=(w0<a.n_codewords?1:0)|(w0+1<a.n_codewords?2:0);\n",
        s->pair_u32, s->pair_u32 * s->pairs, s->bits_at, s->bits_bytes, s->counters_at, s->pairs, s->code->n,
        s->code->n);
    /* a.flooding is always 0, which the compiler cannot see */
    bool crowded = s->i8 && s->packs > s->register_packs;
    ldpc_write(&e->w, " const u32 one=HALF_1%s;\n", crowded ? "" : "^a.flooding");
    ldpc_write(
        &e->w,
        " const u32 max_others=RULE_MAX_OTHERS^a.flooding, max_message=RULE_MAX_MESSAGE^a.flooding;\n");
}

char *ldpc_straight_text(const ldpc_straight *s, const ldpc_cuda_positions *positions)
{
    ldpc_emitter e = {.s = s, .positions = positions};
    emit_head(&e);
    if (s->min_blocks == 1)
        ldpc_write(&e.w, " prefetch_codewords(&a,2*blockIdx.x*%u+%u,%u,tid,%u);\n", s->pairs,
                   s->wave_codewords, 2 * s->pairs, s->pairs * s->code->z);
    emit_load(&e);
    if (!s->early_stop)
        emit_begin_results(&e);
    ldpc_write(&e.w, " __syncthreads();\n#pragma unroll 1\n for(u32 it=0;%s;it++){\n",
               s->early_stop ? "" : "it<a.max_iterations");
    if (s->early_stop)
        emit_early_stop(&e);
    else
        ldpc_write(&e.w, " bool last=it+1==a.max_iterations;\n");
    for (uint32_t l = 0; l < s->code->layers; l++)
        ldpc_straight_layer(&e, l);
    ldpc_write(&e.w, " }\n");
    if (!s->early_stop) {
        emit_store(&e);
        emit_count(&e);
    }
    ldpc_write(&e.w, "}\n");
    return ldpc_writer_end(&e.w);
}
