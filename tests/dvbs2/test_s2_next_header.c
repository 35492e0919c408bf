/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests how the synchroniser uses the header after a frame. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbs2/support/sender.h"
#include "dvbs2/sync/synchroniser.h"

/* Symbols arrive in small pieces. Ends with symbols whose energy is infinite. */
static void test_the_symbols_after_a_frame(void **state)
{
    (void)state;
    enum { PIECE = 10, FRAMES = 6, TAIL = 40000 };
    sender s = {0};
    dvbs2_synchroniser sync;
    dvbs2_pl_frame frame;
    float complex *symbols = malloc((FRAMES * DVBS2_MOST_SYMBOLS + TAIL) * sizeof *symbols);
    assert_true(symbols && dvbs2_synchroniser_init(&sync, 0));
    size_t count = 0, room, frames = 0;
    for (int i = 0; i < FRAMES; i++)
        count += sender_frame(&s, 4 * 13 + 1 /* 8PSK 2/3 */, symbols + count);
    channel(symbols, count, 0, 0, 20);
    for (int i = 0; i < TAIL; i++)
        symbols[count + (size_t)i] = i % 2 ? 1e20f : -1e20f * I;
    for (size_t done = 0; done + PIECE <= count + TAIL; done += PIECE) {
        memcpy(dvbs2_synchroniser_room(&sync, &room), symbols + done, PIECE * sizeof *symbols);
        dvbs2_synchroniser_add(&sync, PIECE);
        for (; dvbs2_synchroniser_read(&sync, &frame); frames++) {
            const size_t after = done + PIECE - (size_t)frame.at - frame.format.length;
            assert_true(frames < 2 || frames + 1 == FRAMES || after < DVBS2_HEADER + PIECE);
        }
    }
    assert_int_equal(frames, FRAMES);
    assert_false(sync.locked);
    assert_int_equal(sync.losses[DVBS2_SYNC_HEADER], 1);
    dvbs2_synchroniser_free(&sync);
    free(symbols);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_symbols_after_a_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
