/* SPDX-License-Identifier: BSD-3-Clause */
/* Minimal program: encode a DVB-T2 codeword, convert it to LLRs with errors, decode it.
 *
 *     cc decode.c $(pkg-config --cflags --libs libldpc) -o decode
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ldpc/ldpc.h>

int main(void)
{
    ldpc_error err;
    ldpc_code *code;
    ldpc_decoder *dec;
    if (ldpc_code_create("dvbt2:16200:1/2", &code, &err) || ldpc_decoder_create(code, NULL, &dec, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    size_t n = ldpc_code_n(code), k = ldpc_code_k(code);
    uint8_t *message = calloc(k, 1), *codeword = calloc(n, 1), *decoded = calloc(k, 1);
    float *nat = calloc(n, sizeof *nat);
    int8_t *llr = calloc(n, 1);
    for (size_t i = 0; i < k; i++)
        message[i] = rand() & 1;
    ldpc_encode(code, message, 1, codeword);
    for (size_t i = 0; i < n; i++) /* every 20th bit is wrong */
        nat[i] = (codeword[i] ^ (i % 20 == 0)) ? -2.7f : 2.7f;
    ldpc_quantize(nat, n, ldpc_decoder_llr_scale(dec), llr);

    ldpc_codeword_info info;
    ldpc_decode(dec, &(ldpc_batch){.n_codewords = 1, .llr = llr, .message = decoded, .info = &info});
    printf("%s: %s after %u iterations\n", ldpc_code_name(code),
           memcmp(message, decoded, k) ? "wrong" : "all bits right", (unsigned)info.iterations);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
    return info.converged ? 0 : 1;
}
