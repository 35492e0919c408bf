/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/streams/fec.h"

#include <stdlib.h>

#include "base/memory.h"

enum { MOST_BITS = 64800 };

bool dvbs2_fec_init(dvbs2_fec *fec, uint32_t max_iterations)
{
    *fec = (dvbs2_fec){.max_iterations = max_iterations};
    fec->llr = ldpc_allocate(MOST_BITS, sizeof *fec->llr);
    fec->message = ldpc_allocate(MOST_BITS / 8, 1);
    fec->frame = ldpc_allocate(MOST_BITS / 8, 1);
    return fec->llr && fec->message && fec->frame;
}

static void free_chain(dvbs2_fec_chain *chain)
{
    ldpc_demapper_destroy(chain->demapper);
    ldpc_decoder_destroy(chain->decoder);
    ldpc_bch_destroy(chain->bch);
    *chain = (dvbs2_fec_chain){0};
}

void dvbs2_fec_free(dvbs2_fec *fec)
{
    for (size_t i = 0; i < DVBS2_MOST_MODCODS; i++)
        free_chain(&fec->chains[i]);
    free(fec->llr);
    free(fec->message);
    free(fec->frame);
}

static ldpc_status create_decoder(const char *name, uint32_t max_iterations, ldpc_decoder **decoder,
                                  ldpc_error *err)
{
    ldpc_code *code;
    ldpc_status status = ldpc_code_create(name, &code, err);
    if (status)
        return status;
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.max_iterations = max_iterations;
    params.packed = true;
    params.threads = 1;
    params.max_batch = 1;
    status = ldpc_decoder_create(code, &params, decoder, err);
    ldpc_code_destroy(code);
    return status;
}

static ldpc_status create_chain(const ldpc_dvbs2_modcod *modcod, uint32_t max_iterations,
                                dvbs2_fec_chain *chain, ldpc_error *err)
{
    ldpc_demapper_params params;
    ldpc_demapper_params_init(&params);
    params.code = modcod->code;
    params.modulation = modcod->modulation;
    ldpc_status status = ldpc_demapper_create(&params, &chain->demapper, err);
    if (!status)
        status = create_decoder(modcod->code, max_iterations, &chain->decoder, err);
    if (!status)
        status = ldpc_bch_create(modcod->code, &chain->bch, err);
    if (status)
        free_chain(chain);
    return status;
}

ldpc_status dvbs2_fec_decode(dvbs2_fec *fec, const dvbs2_pl_frame *frame, dvbs2_fec_result *result,
                             ldpc_error *err)
{
    dvbs2_fec_chain *chain = &fec->chains[frame->format.modcod];
    ldpc_codeword_info info;
    ldpc_status status = LDPC_OK;
    if (!chain->bch)
        status = create_chain(ldpc_dvbs2_modcod_list(frame->format.modcod), fec->max_iterations, chain, err);
    if (status)
        return status;
    const ldpc_cells cells = {.n_codewords = 1, .iq = (const float *)frame->cells, .noise = frame->noise};
    const ldpc_batch batch = {.n_codewords = 1, .llr = fec->llr, .message = fec->message, .info = &info};
    status = ldpc_demap(chain->demapper, &cells, fec->llr);
    if (!status)
        status = ldpc_decode(chain->decoder, &batch);
    if (!status)
        status = ldpc_bch_decode(chain->bch, fec->message, 1, true, fec->frame, &result->corrected);
    result->frame = fec->frame;
    result->converged = info.converged;
    result->broken = result->corrected == LDPC_BCH_FAILED || !info.decoded;
    result->iterations = info.iterations;
    return status;
}
