/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of the kernel "chip": what stands in front of chip.cuh, and the files behind it. */
#include "cuda/kernels/chip.h"
#include "cuda/kernels/straight.h"

/* struct Turn of chip.cuh */
static void write_turn(ldpc_writer *w, const ldpc_chip *c, const ldpc_chip_turn *t)
{
    uint32_t bytes = 4 * c->threads; /* of a word of messages */
    ldpc_write(w, "{%uu,%uu,%uu,%uu,%uu},", t->at, t->words * bytes | (t->near ? LDPC_CHIP_NEAR : 0),
               t->ahead * bytes, t->plane,
               t->rows | t->kind << 10 | t->degree << 16 | (uint32_t)t->meets << 23 | t->twin << 24 |
                   (uint32_t)t->gap << 31);
}

static void write_turns(ldpc_writer *w, const ldpc_chip *c)
{
    ldpc_write(w, "#define TABLE {");
    for (uint32_t i = 0; i < c->n_turns; i++)
        write_turn(w, c, &c->turns[i]);
    write_turn(w, c, &c->turns[c->n_turns - 1]);
    ldpc_write(w, "}\n");
}

static void write_kinds(ldpc_writer *w, const ldpc_chip *c)
{
    ldpc_write(w, "#define CASES ");
    for (uint32_t i = 0; i < c->kinds; i++) {
        const ldpc_chip_turn *t = &c->turns[c->kind[i]];
        ldpc_write(w, "case %u: row<%u,%u,%d,%d,%d>(x,t,next,ahead); break; ", i, t->degree, t->twin, t->leaf,
                   t->near, t->gap);
    }
    ldpc_write(w, "\n");
}

/* struct Edge of chip_circulants.cuh, for a turn that begins with this lane */
static void write_edge(ldpc_writer *w, const ldpc_chip *c, const ldpc_block *block, uint32_t lane)
{
    uint32_t z = c->code->z, bytes = 4 * c->pairs;
    ldpc_write(w, "{%uu,%uu},", bytes * ((block->shift + lane) % z), bytes * c->place[block->group * z]);
}

/* The edges of a layer, without its leaf's. The one that a lane has not comes first, the slot of that lane
 * last. */
static void write_layer(ldpc_writer *w, const ldpc_chip *c, uint32_t check)
{
    const ldpc_chip_layer *layer = &c->layers[check / c->code->z];
    const ldpc_block *end = ldpc_chip_end_block(c->code, check);
    uint32_t lane = check % c->code->z;
    if (layer->gap)
        write_edge(w, c, layer->gap, lane);
    for (const ldpc_block *b = ldpc_chip_first_block(c->code, check); b < end; b++)
        if (b != layer->gap && b != layer->leaf)
            write_edge(w, c, b, lane);
    if (layer->gap)
        ldpc_write(w, "{%uu,0},", layer->gap->missing_lane - lane);
}

static void write_edges(ldpc_writer *w, const ldpc_chip *c)
{
    ldpc_write(w, "#define EDGES {");
    for (const ldpc_chip_turn *t = c->turns; t < c->turns + c->n_turns; t++) {
        write_layer(w, c, c->rows[t->first].check);
        if (t->twin)
            write_layer(w, c, c->rows[t->first + t->rows].check);
    }
    ldpc_write(w, "{0,0}}\n"); /* never none */
}

static bool has_twins(const ldpc_chip *c)
{
    for (uint32_t i = 0; i < c->n_turns; i++)
        if (c->turns[i].twin)
            return true;
    return false;
}

static void write_numbers(ldpc_writer *w, const ldpc_chip *c)
{
    const struct {
        const char *name;
        size_t value;
    } numbers[] = {
        {"PAIRS",                c->pairs                  },
        {"SLOTS",                c->slots                  },
        {"THREADS",              c->threads                },
        {"BLOCKS",               c->blocks                 },
        {"Z",                    c->code->z                },
        {"TURNS",                c->n_turns                },
        {"TWINS",                has_twins(c)              },
        {"EDGES_KEPT",           ldpc_chip_edges_kept(c)   },
        {"PLACES_AHEAD",         c->places_ahead           },
        {"MESSAGES_AHEAD",       c->messages_ahead         },
        {"TWINS_MESSAGES_AHEAD", c->twins_messages_ahead   },
        {"MESSAGES_AT",          c->places * c->pairs      },
        {"PLANES_AT",            ldpc_chip_planes_at(c)    },
        {"SCRATCH_WORDS",        ldpc_chip_scratch_words(c)},
        {"LEAVES",               ldpc_chip_leaves_at(c)    },
        {"HOMES",                ldpc_chip_homes_at(c)     },
        {"EARLY_STOP",           c->plan->early_stop       },
        {"I8",                   c->i8                     },
        {"WIDE",                 c->wide                   },
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ldpc_write(w, "#define %s %zu\n", numbers[i].name, numbers[i].value);
}

static void write_rule(ldpc_writer *w, const ldpc_chip *c)
{
    ldpc_rule rule = ldpc_plan_rule(c->plan);
    ldpc_write(w, "#define MB %d\n#define NO_OTHER %d\n#define THIRD %d\n",
               ldpc_straight_message_bias(&rule, c->i8), ldpc_straight_no_other(c->i8),
               ldpc_straight_third(&rule));
    ldpc_write(w, "F void rule(u32 u,u32 hi,u32 th,u32&r1,u32&r2)\n{\n");
    ldpc_straight_rule(w, &rule);
    ldpc_write(w, "  r1=msg_others; r2=msg_min;\n}\n");
}

char *ldpc_chip_text(const ldpc_chip *c)
{
    ldpc_writer w = {0};
    ldpc_write(&w, "%s%s%s", ldpc_cuda_text_args, ldpc_cuda_text_half, ldpc_cuda_text_lanes);
    write_numbers(&w, c);
    write_rule(&w, c);
    write_turns(&w, c);
    write_kinds(&w, c);
    if (c->circulants)
        write_edges(&w, c);
    ldpc_write(&w, "%s%s%s%s", ldpc_cuda_text_minima, ldpc_cuda_text_chip,
               c->circulants ? ldpc_cuda_text_chip_circulants : ldpc_cuda_text_chip_listed,
               ldpc_cuda_text_chip_words);
    return ldpc_writer_end(&w);
}
