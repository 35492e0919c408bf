/* SPDX-License-Identifier: BSD-3-Clause */
/* Generates the prologue of chip.cuh. */
#include "cuda/kernels/chip.h"
#include "cuda/kernels/chip_pass.h"
#include "cuda/kernels/half_rule.h"

/* Writes a struct Pass (chip.cuh). */
static void write_pass(ldpc_writer *w, const ldpc_chip *c, const ldpc_chip_pass *pass)
{
    uint32_t bytes = 4 * c->threads;
    uint32_t flags = pass->checks << CHIP_PASS_CHECKS | pass->kind << CHIP_PASS_KIND |
                     pass->degree << CHIP_PASS_DEGREE | (uint32_t)pass->barrier << CHIP_PASS_BARRIER |
                     pass->twin_degree << CHIP_PASS_TWIN_DEGREE |
                     (uint32_t)pass->missing_edge << CHIP_PASS_MISSING_EDGE;
    ldpc_write(w, "{%uu,%uu,%uu,%uu,%uu},", pass->at,
               pass->packs * bytes | (pass->shared_messages ? CHIP_SHARED_MESSAGE : 0), pass->ahead * bytes,
               pass->plane, flags);
}

static void write_passes(ldpc_writer *w, const ldpc_chip *c)
{
    ldpc_write(w, "#define PASS_TABLE {");
    for (uint32_t i = 0; i < c->n_passes; i++)
        write_pass(w, c, &c->passes[i]);
    write_pass(w, c, &c->passes[c->n_passes - 1]);
    ldpc_write(w, "}\n");
}

static void write_kinds(ldpc_writer *w, const ldpc_chip *c)
{
    ldpc_write(w, "#define CASES ");
    for (uint32_t i = 0; i < c->kinds; i++) {
        const ldpc_chip_pass *pass = &c->passes[c->kind[i]];
        ldpc_write(w, "case %u: update_check<%u,%u,%d,%d,%d>(a,x,pass,next,ahead); break; ", i, pass->degree,
                   pass->twin_degree, pass->leaf, pass->shared_messages, pass->missing_edge);
    }
    ldpc_write(w, "\n");
}

static void write_edge(ldpc_writer *w, const ldpc_chip *c, const ldpc_block *block, uint32_t lane)
{
    uint32_t z = c->code->z, bytes = 4 * c->pairs;
    ldpc_write(w, "{%uu,%uu},", bytes * ((block->shift + lane) % z), bytes * c->place[block->group * z]);
}

static void write_layer(ldpc_writer *w, const ldpc_chip *c, uint32_t check)
{
    const ldpc_chip_layer *layer = &c->layers[check / c->code->z];
    const ldpc_block *end = ldpc_chip_end_block(c->code, check);
    uint32_t lane = check % c->code->z;
    if (layer->missing_edge)
        write_edge(w, c, layer->missing_edge, lane);
    for (const ldpc_block *b = ldpc_chip_first_block(c->code, check); b < end; b++)
        if (b != layer->missing_edge && b != layer->leaf)
            write_edge(w, c, b, lane);
    if (layer->missing_edge)
        ldpc_write(w, "{%uu,0},", layer->missing_edge->missing_lane - lane);
}

static void write_edges(ldpc_writer *w, const ldpc_chip *c)
{
    ldpc_write(w, "#define EDGES {");
    for (const ldpc_chip_pass *pass = c->passes; pass < c->passes + c->n_passes; pass++) {
        write_layer(w, c, c->checks[pass->first].number);
        if (pass->twin_degree)
            write_layer(w, c, c->checks[pass->first + pass->checks].number);
    }
    ldpc_write(w, "{0,0}}\n");
}

static bool has_twins(const ldpc_chip *c)
{
    for (uint32_t i = 0; i < c->n_passes; i++)
        if (c->passes[i].twin_degree)
            return true;
    return false;
}

static void write_numbers(ldpc_writer *w, const ldpc_chip *c)
{
    const struct {
        const char *name;
        size_t value;
    } numbers[] = {
        {"PAIRS",                c->pairs                   },
        {"CHECKS",               c->pass_checks             },
        {"THREADS",              c->threads                 },
        {"BLOCKS",               c->blocks                  },
        {"Z",                    c->code->z                 },
        {"PASSES",               c->n_passes                },
        {"CIRCULANTS",           c->circulants              },
        {"TWINS",                has_twins(c)               },
        {"REGISTER_EDGES",       ldpc_chip_register_edges(c)},
        {"PLACES_AHEAD",         c->places_ahead            },
        {"MESSAGES_AHEAD",       c->messages_ahead          },
        {"TWINS_MESSAGES_AHEAD", c->twins_messages_ahead    },
        {"MESSAGES_AT",          c->places * c->pairs       },
        {"PLANES_AT",            ldpc_chip_planes_at(c)     },
        {"SCRATCH_U32",          ldpc_chip_scratch_u32(c)   },
        {"LEAVES",               ldpc_chip_leaves_at(c)     },
        {"LOCATIONS",            ldpc_chip_locations_at(c)  },
        {"EARLY_STOP",           c->plan->early_stop        },
        {"I8",                   c->i8                      },
        {"WIDE",                 c->wide                    },
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ldpc_write(w, "#define %s %zu\n", numbers[i].name, numbers[i].value);
}

static void write_rule(ldpc_writer *w, const ldpc_chip *c)
{
    ldpc_rule rule = ldpc_plan_rule(c->plan);
    ldpc_write(w, "#define MESSAGE_BIAS %d\n#define NO_OTHER %d\n", ldpc_half_message_bias(&rule, c->i8),
               ldpc_half_no_other(c->i8));
    ldpc_cuda_write_half_rule(w, &rule);
    ldpc_cuda_write_llr_limit(w, c->plan);
}

char *ldpc_chip_text(const ldpc_chip *c)
{
    ldpc_writer w = {0};
    write_numbers(&w, c);
    write_rule(&w, c);
    write_passes(&w, c);
    write_kinds(&w, c);
    if (c->circulants)
        write_edges(&w, c);
    ldpc_write(&w, "%s", ldpc_cuda_text_chip);
    return ldpc_writer_end(&w);
}
