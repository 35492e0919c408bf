/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a DVB-S2 signal and its packets: dvbs2_signal PREFIX PLS_CODE STREAMS FRAMES
 *
 *   PREFIX.cf32       samples, two per symbol
 *   PREFIX.ts         packets of the single stream, if STREAMS is 0
 *   PREFIX.isi<i>.ts  packets of ISI i, if STREAMS is not 0 */
#include <stdio.h>
#include <stdlib.h>

#include "dvbs2/support/sender.h"

enum { MOST_STREAMS = 2, MOST_SYMBOLS = 33300 };

static FILE *open_file(const char *prefix, const char *suffix)
{
    char path[4096];
    snprintf(path, sizeof path, "%s%s", prefix, suffix);
    FILE *file = fopen(path, "wb");
    if (!file)
        exit(1);
    return file;
}

static void write_packets(const char *prefix, const char *suffix, const sender *s)
{
    FILE *file = open_file(prefix, suffix);
    for (uint32_t i = 0; i < s->packets; i++) {
        uint8_t packet[188];
        sender_packet(s, i, packet);
        fwrite(packet, sizeof packet, 1, file);
    }
    fclose(file);
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    const uint8_t code = (uint8_t)atoi(argv[2]);
    const size_t streams = (size_t)atoi(argv[3]), frames = (size_t)atoi(argv[4]);
    sender senders[MOST_STREAMS] = {
        {.stream = streams ? 1 : 0, .seed = 1},
        {.stream = 2,               .seed = 2}
    };
    float complex *symbols = malloc((frames + 1) * MOST_SYMBOLS * sizeof *symbols);
    float complex *samples = malloc((frames + 1) * MOST_SYMBOLS * 2 * sizeof *samples);
    if (!symbols || !samples)
        return 1;
    size_t count = 0;
    for (size_t i = 0; i < frames; i++)
        count += sender_frame(&senders[streams ? i % streams : 0], code, symbols + count);
    const size_t n = sender_shape(symbols, count, 2, 0.25, samples);
    channel(samples, n, 0.2, 0.05, 12);
    FILE *file = open_file(argv[1], ".cf32");
    fwrite(samples, sizeof *samples, n, file);
    fclose(file);
    write_packets(argv[1], streams ? ".isi1.ts" : ".ts", &senders[0]);
    if (streams)
        write_packets(argv[1], ".isi2.ts", &senders[1]);
    free(symbols);
    free(samples);
    return 0;
}
