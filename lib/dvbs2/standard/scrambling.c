/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/standard/scrambling.h"

enum { DEGREE = 18, MASK = (1 << DEGREE) - 1 };

/* x(i) .. x(i + 17) and y(i) .. y(i + 17), element i in bit 0 */
typedef struct registers {
    uint32_t x, y;
} registers;

static uint32_t step_x(uint32_t x) /* 1 + x^7 + x^18 */
{
    return x >> 1 | ((x ^ x >> 7) & 1) << (DEGREE - 1);
}

static uint32_t step_y(uint32_t y) /* 1 + y^5 + y^7 + y^10 + y^18 */
{
    return y >> 1 | ((y ^ y >> 5 ^ y >> 7 ^ y >> 10) & 1) << (DEGREE - 1);
}

static registers advance(registers r, uint32_t steps)
{
    for (; steps > 0; steps--)
        r = (registers){step_x(r.x), step_y(r.y)};
    return r;
}

void dvbs2_scrambling(uint32_t gold, uint8_t *turns, uint32_t count)
{
    registers early = {.x = advance((registers){.x = 1}, gold).x, .y = MASK},
              late = advance(early, DVBS2_GOLD_DELAY);
    for (uint32_t i = 0; i < count; i++) {
        turns[i] = (uint8_t)(2 * ((late.x ^ late.y) & 1) + ((early.x ^ early.y) & 1));
        early = advance(early, 1);
        late = advance(late, 1);
    }
}

void dvbs2_gold_sequences(uint8_t x[DVBS2_GOLD_PERIOD], uint8_t y[DVBS2_GOLD_PERIOD])
{
    registers r = {.x = 1, .y = MASK};
    for (uint32_t i = 0; i < DVBS2_GOLD_PERIOD; i++, r = advance(r, 1)) {
        x[i] = r.x & 1;
        y[i] = r.y & 1;
    }
}
