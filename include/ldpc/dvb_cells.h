/* SPDX-License-Identifier: BSD-3-Clause */
/* From the cells of DVB-T2, DVB-S2, S2X and C2 to the LLRs of LDPC codewords: soft demapper, bit deinterleaver, time
 * and cell deinterleaver of DVB-T2, and an estimate of the noise from the cells alone.
 *
 *     ldpc_demapper *dem;
 *     ldpc_demapper_params params;
 *     ldpc_demapper_params_init(&params);
 *     params.code = "dvbt2:64800:2/3";
 *     params.modulation = "256qam";
 *     params.rotated = true;
 *     ldpc_demapper_create(&params, &dem, NULL);
 *     ldpc_cells cells = { .n_codewords = 1, .iq = iq, .noise = 0.02f };
 *     ldpc_demap(dem, &cells, llr);
 *
 * A cell is one complex value of the constellation after the equaliser: two floats, I then Q, in units where
 * the mean power of the constellation is 1. Noise is the mean power of a cell's error in the same units (I
 * and Q together): 10^(-MER / 10). An FEC block is the n bits of one LDPC codeword.
 *
 * Standards: ETSI EN 302 755 (DVB-T2), clauses 6.1.3 to 6.5; ETSI EN 302 307-1 (DVB-S2) and 302 307-2 (S2X),
 * clauses 5.3.3 and 5.4.
 */
#ifndef LDPC_DVB_CELLS_H
#define LDPC_DVB_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ldpc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Parameters of a demapper. Always start from ldpc_demapper_params_init(). Strings are copied. */
typedef struct ldpc_demapper_params {
    size_t size; /**< set by the init function; see version.h, "Compatibility" */
    /** "dvbt2:N:RATE", "dvbs2:N:RATE", "dvbs2x:N:RATE" or "dvbc2:N:RATE"; no default */
    const char *code;
    /** T2: "qpsk" "16qam" "64qam" "256qam"; S2 and S2X: "qpsk" "8psk" "8apsk" "16apsk" "32apsk" "64apsk" "128apsk"
     * "256apsk", each with some codes; C2: "16qam" "64qam" "256qam" "1024qam" "4096qam"; no default */
    const char *modulation;
    bool rotated; /**< T2: rotated constellation with cyclic Q delay; default false */
    bool exact;   /**< LLRs from sums over all points; default false: from the nearest ones (max-log) */
    /** LLRs in codeword order, default true; false: cell after cell. C2: false only. 128APSK: true only, because a
     * codeword is no whole number of cells. */
    bool deinterleave;
    float llr_scale;    /**< LLR steps per nat, 0.25 .. 64; default LDPC_DEFAULT_LLR_SCALE (decoder.h) */
    const char *kernel; /**< name of a kernel, see ldpc_demapper_kernel_list(); NULL (default) = the best */
} ldpc_demapper_params;

/** Fill in the defaults of a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API void ldpc_demapper_params_init_sized(ldpc_demapper_params *params, size_t size);

/** Fill in the defaults. */
static inline void ldpc_demapper_params_init(ldpc_demapper_params *params)
{
    ldpc_demapper_params_init_sized(params, sizeof *params);
}

/** Cells of whole FEC blocks, block after block. The caller owns the buffers. */
typedef struct ldpc_cells {
    size_t size; /**< 0, or sizeof this struct to use fields younger than 1.0: version.h, "Compatibility" */
    size_t n_codewords;
    const float *iq; /**< n_codewords * ldpc_demapper_cells() cells, I and Q alternating */
    const float
        *cell_noise; /**< noise of each cell, or NULL; noise that is 0, negative, infinite or NaN marks
                                  an erasure */
    float noise;     /**< noise of all cells if cell_noise is NULL, above 0 */
} ldpc_cells;

/** A demapper: constellation, bit order, kernel and scratch memory. One thread at a time may use it. */
typedef struct ldpc_demapper ldpc_demapper;

/**
 * Make a demapper. ldpc_demap() allocates nothing.
 *
 * @param dem  out: the demapper, or NULL after a failure
 * @param err  out: what failed, one sentence; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_NAME (code), LDPC_ERR_PARAM (a value out of range, or the standard
 * does not use this modulation with this code), LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_demapper_create(const ldpc_demapper_params *params, ldpc_demapper **dem,
                                          ldpc_error *err);
LDPC_API void ldpc_demapper_destroy(ldpc_demapper *dem); /**< NULL is allowed */

/**
 * Cells to LLRs.
 *
 * @param llr  out: n_codewords * ldpc_demapper_n() LLRs, ln(P(bit = 0) / P(bit = 1)) in steps of 1/llr_scale
 * nat, rounded, -127 .. 127; positive favours bit 0. A part of a cell, I or Q, that is not finite is an
 * erasure; a bit without information has LLR 0. With one noise for all cells, all bits of a point of a rotated
 * constellation get LLR 0 when its I or its Q is erased; with cell_noise the other part still counts.
 *
 * Rotated constellations: I of a cell and Q of the next cell (for the last cell of a FEC block, of its
 * first) belong to the same point. Max-log then searches all points of the plane, with the noise of either
 * cell.
 *
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (n_codewords, noise)
 */
LDPC_API ldpc_status ldpc_demap(ldpc_demapper *dem, const ldpc_cells *cells, int8_t *llr);

/**
 * Estimate the noise of the cells of some FEC blocks blindly, from their distances to the constellation.
 *
 * The result is the noise power for which the expected squared distance to the nearest point equals the mean
 * of the cells. So it has no bias at low SNR, where the nearest point often is not the transmitted one.
 * Exact from -45 dB on; below, the result falls in proportion to the distances. 1e-9 .. 10.
 *
 * The first call makes a table for the constellation, which takes up to 0.1 s (256APSK).
 *
 * @param cells  cell_noise and noise are ignored
 * @param noise  out: noise power as in ldpc_cells
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (n_codewords)
 */
LDPC_API ldpc_status ldpc_demapper_noise(ldpc_demapper *dem, const ldpc_cells *cells, float *noise);

/** From the order of the cells to codeword order: LLRs or bits, n_codewords * n of them. `in` and `out` must
 * not overlap.
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (n_codewords), LDPC_ERR_PARAM (128APSK, C2) */
LDPC_API ldpc_status ldpc_bits_deinterleave(const ldpc_demapper *dem, size_t n_codewords, const int8_t *in,
                                            int8_t *out);

LDPC_API size_t ldpc_demapper_n(const ldpc_demapper *dem); /**< LLRs of a codeword */
/** Cells of a FEC block. 128APSK: 9258 with bits, and 12 that fill the last slot of the frame, which are not read. */
LDPC_API size_t ldpc_demapper_cells(const ldpc_demapper *dem);
LDPC_API size_t ldpc_demapper_bits(const ldpc_demapper *dem);        /**< bits of a cell */
LDPC_API const char *ldpc_demapper_kernel(const ldpc_demapper *dem); /**< name of its kernel */
/** 2^bits points, I and Q alternating; the index is the cell's bits, first one most significant. */
LDPC_API const float *ldpc_demapper_points(const ldpc_demapper *dem);
/** Position of each of the n codeword bits: bit b of cell c is at c * bits + b. For codes of
 * DVB-C2 the order of the cells. NULL for NULL. */
LDPC_API const uint16_t *ldpc_demapper_order(const ldpc_demapper *dem);

/** The i-th demapping kernel that this machine can run, slowest first; NULL past the end. All give the same
 * LLRs. */
LDPC_API const char *ldpc_demapper_kernel_list(size_t i);

/* ---------------------------------------------------------------- cell and time interleaver of DVB-T2 */

/** The inverse of the time and the cell interleaver of one PLP (EN 302 755, 6.4 and 6.5). It never changes
 * after creation: any number of threads may share it. */
typedef struct ldpc_cell_deinterleaver ldpc_cell_deinterleaver;

#define LDPC_T2_MAX_BLOCKS 1023 /**< FEC blocks of an interleaving frame (PLP_NUM_BLOCKS has 10 bits) */

/**
 * Make a cell deinterleaver.
 *
 * @param code        "dvbt2:N:RATE"
 * @param modulation  as for the demapper
 * @param ti_blocks   N_TI, TI blocks of an interleaving frame, 1 .. 255; 0 = no time interleaving
 * @param deint       out: the deinterleaver, or NULL after a failure
 * @param err         out: what failed, one sentence; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_NAME, LDPC_ERR_PARAM, LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_cell_deinterleaver_create(const char *code, const char *modulation,
                                                    uint32_t ti_blocks, ldpc_cell_deinterleaver **deint,
                                                    ldpc_error *err);
LDPC_API void ldpc_cell_deinterleaver_destroy(ldpc_cell_deinterleaver *deint); /**< NULL is allowed */
LDPC_API size_t
ldpc_cell_deinterleaver_cells(const ldpc_cell_deinterleaver *deint); /**< cells of a FEC block */

/** TI blocks of an interleaving frame of n_blocks FEC blocks: N_TI, or n_blocks without time interleaving. */
LDPC_API uint32_t ldpc_ti_blocks(const ldpc_cell_deinterleaver *deint, uint32_t n_blocks);
/** FEC blocks of the i-th TI block of such a frame; 0 past the last. */
LDPC_API uint32_t ldpc_ti_block_size(const ldpc_cell_deinterleaver *deint, uint32_t n_blocks, uint32_t i);

/**
 * Deinterleave some FEC blocks of one TI block.
 *
 * @param ti_size  FEC blocks of the TI block, 1 .. LDPC_T2_MAX_BLOCKS; 1 without time interleaving
 * @param first    first FEC block to return, 0-based
 * @param count    number of FEC blocks to return
 * @param width    floats of an item: 2 for cells, 1 for their noise
 * @param in       ti_size * cells items, the whole TI block as received
 * @param out      out: count * cells items in the order of the demapper; must not overlap `in`
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE
 */
LDPC_API ldpc_status ldpc_cells_deinterleave(const ldpc_cell_deinterleaver *deint, uint32_t ti_size,
                                             uint32_t first, uint32_t count, uint32_t width, const float *in,
                                             float *out);

#ifdef __cplusplus
}
#endif
#endif
