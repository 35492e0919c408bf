/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a fuzz target without libFuzzer on each input of a corpus (format: corpus.py).
 *
 *     fuzz_code_text CORPUS */
#include "fuzz.h"

enum { MOST_LINE = 1 << 14 };

static unsigned digit(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a') + 10;
}

/* The memory has the exact size of the input, so that sanitizers detect accesses beyond it. */
static void replay(const char *line, size_t length)
{
    uint8_t *data = malloc(length ? length : 1);
    size_t size = 0;
    FUZZ_CHECK(data);
    for (size_t i = 0; i < length; i++) {
        bool escaped = line[i] == '\\' && i + 3 < length + 1 && line[i + 1] == 'x';
        data[size++] =
            (uint8_t)(escaped ? digit(line[i + 2]) << 4 | digit(line[i + 3]) : (unsigned char)line[i]);
        i += escaped ? 3 : 0;
    }
    uint8_t *exact = realloc(data, size ? size : 1);
    FUZZ_CHECK(exact);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

int main(int argc, char **argv)
{
    static char line[MOST_LINE];
    unsigned long inputs = 0;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: %s CORPUS\n", argv[0]);
        return 2;
    }
    while (fgets(line, sizeof line, file)) {
        size_t length = strcspn(line, "\n");
        FUZZ_CHECK(line[length] == '\n');
        if (length == 0 || line[0] == '#')
            continue;
        replay(line, length);
        inputs++;
    }
    fclose(file);
    printf("%lu inputs\n", inputs);
    return inputs == 0; /* an empty corpus proves nothing */
}
