/* SPDX-License-Identifier: BSD-3-Clause */
#include "cxx_text.h"

#include <string.h>

#include "cuda/kernels/kernel.h"

/* emulate.h defines __launch_bounds__ and LDPC_BOUNDS as empty, so the last arguments are written separately. */
static bool write_bounds(FILE *file, const char *source)
{
    const char *bounds = NULL;
    static const char *const names[] = {"__launch_bounds__(", " LDPC_BOUNDS("};
    for (size_t i = 0; i < 2; i++)
        for (const char *next = source; (next = strstr(next, names[i])); next++)
            bounds = !bounds || next > bounds ? next : bounds;
    const char *end = bounds ? strchr(bounds, ')') : NULL;
    if (!end)
        return false;
    bounds = strchr(bounds, '(') + 1;
    fprintf(file, "static const unsigned emu_launch_bounds[] = {%.*s};\n", (int)(end - bounds), bounds);
    return true;
}

/* Writes a part of a source without its declaration of shared memory. */
static void write_text(FILE *file, const char *text, const char *end)
{
    static const char dynamic[] = "extern __shared__ u32 sm[];";
    for (const char *found; (found = strstr(text, dynamic)) && found < end; text = found + strlen(dynamic))
        fwrite(text, 1, (size_t)(found - text), file);
    fwrite(text, 1, (size_t)(end - text), file);
}

/* emulate.h replaces half.cuh. */
bool cxx_text_write(FILE *file, const char *source)
{
    const char *half = strstr(source, ldpc_cuda_text_half);
    const char *rest = half ? half + strlen(ldpc_cuda_text_half) : source;
    fprintf(file, "#define EMU_KERNEL %s\n",
            strstr(source, "ldpc_simulate") ? "ldpc_simulate" : "ldpc_decode");
    fprintf(file, "#include \"%s/emulate/emulate.h\"\n", LDPC_TESTS_DIR);
    if (half)
        write_text(file, source, half);
    write_text(file, rest, rest + strlen(rest));
    fprintf(file, "\n");
    const bool ok = write_bounds(file, source);
    fprintf(file, "#include \"%s/emulate/emulate_end.h\"\n", LDPC_TESTS_DIR);
    return ok;
}
