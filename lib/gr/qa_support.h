/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Noisy codewords with a fixed seed. */
#ifndef INCLUDED_GR_LDPC_QA_SUPPORT_H
#define INCLUDED_GR_LDPC_QA_SUPPORT_H

#include "handles.h"

#include <vector>

struct noisy_codewords {
    gr::ldpc::code_handle code;
    size_t n, k;
    std::vector<uint8_t> messages;
    std::vector<int8_t> llrs;

    noisy_codewords(const char *name, size_t count, double ebn0)
        : code(gr::ldpc::make_code(name)), n(ldpc_code_n(code.get())), k(ldpc_code_k(code.get())),
          messages(count * k), llrs(count * n)
    {
        ldpc_sim_params params;
        ldpc_sim_params_init(&params);
        params.ebn0_db = ebn0;
        for (size_t w = 0; w < count; w++)
            gr::ldpc::check(ldpc_sim_frame(code.get(), &params, LDPC_DEFAULT_LLR_SCALE, w, &messages[w * k],
                                           &llrs[w * n], nullptr),
                            "ldpc_sim_frame");
    }
};

#endif
