/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts cells of DVB-T2, S2, S2X and C2 to LLRs: soft demapper, bit deinterleaver, time and cell
 * deinterleaver of DVB-T2, blind noise estimation.
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
 * A cell is one equalised complex value: two floats, I then Q, at mean constellation power 1. Its noise is
 * the mean power of its error, I plus Q: 10^(-MER / 10). A FEC block is the n bits of one LDPC codeword.
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

/** Parameters of a demapper. Initialise with ldpc_demapper_params_init(). Strings are copied. */
typedef struct ldpc_demapper_params {
    size_t size; /**< see version.h */
    /** "dvbt2:N:RATE", "dvbs2:N:RATE", "dvbs2x:N:RATE" or "dvbc2:N:RATE"; no default. NULL with `points` */
    const char *code;
    /** T2: "qpsk" "16qam" "64qam" "256qam"; S2, S2X (for some codes): "qpsk" "8psk" "8apsk" "16apsk" "32apsk"
     * "64apsk" "128apsk" "256apsk"; C2: "16qam" "64qam" "256qam" "1024qam" "4096qam"; no default. NULL with
     * `points` */
    const char *modulation;
    bool rotated; /**< T2: rotated constellation with cyclic Q delay; default false */
    /** true: exact LLRs, computed from all points; false (default): max-log LLRs */
    bool exact;
    /** LLRs in codeword order (default true) or cell order. C2 needs false; 128APSK needs true, because the
     * last cell is not full */
    bool deinterleave;
    float llr_scale; /**< LLR steps per nat, 0.25 .. 64; default LDPC_DEFAULT_LLR_SCALE */
    /** one of ldpc_demapper_kernel_list(); NULL (default) = fastest */
    const char *kernel;
    /** constellation instead of code and modulation: 2^bits points, I and Q alternating. The index is the
     * label, first bit most significant. Points are copied and scaled to mean power 1. Cells carry codeword
     * bits in order; the last cell is padded. NULL (default): code and modulation */
    const float *points;
    uint32_t bits; /**< with `points`: bits per cell, 1 .. 8 */
    uint32_t n;    /**< with `points`: bits per codeword, 1 .. 65528 */
} ldpc_demapper_params;

/** Set the defaults in a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API void ldpc_demapper_params_init_sized(ldpc_demapper_params *params, size_t size);

/** Set the defaults. */
static inline void ldpc_demapper_params_init(ldpc_demapper_params *params)
{
    ldpc_demapper_params_init_sized(params, sizeof *params);
}

/** Cells of complete FEC blocks as received. The caller owns the buffers. */
typedef struct ldpc_cells {
    /** sizeof(ldpc_cells), or 0 for the fields of version 1.0, see version.h */
    size_t size;
    size_t n_codewords;
    const float *iq; /**< n_codewords * ldpc_demapper_cells() cells, I and Q alternating */
    /** noise of each cell, or NULL. If the noise is 0, negative, infinite or NaN, the cell is an erasure */
    const float *cell_noise;
    float noise; /**< noise of all cells if cell_noise is NULL; above 0 */
} ldpc_cells;

/** A demapper with its scratch memory. Not thread-safe. */
typedef struct ldpc_demapper ldpc_demapper;

/**
 * Create a demapper. ldpc_demap() allocates no memory.
 *
 * @param dem  out: the demapper, or NULL on failure
 * @param err  out: error message; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_NAME (no such code), LDPC_ERR_PARAM (out of range, or the
 * modulation is not used with this code), LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_demapper_create(const ldpc_demapper_params *params, ldpc_demapper **dem,
                                          ldpc_error *err);
LDPC_API void ldpc_demapper_destroy(ldpc_demapper *dem); /**< NULL is allowed */

/**
 * Compute LLRs from cells.
 *
 * @param llr  out: n_codewords * ldpc_demapper_n() LLRs, ln(P(bit = 0) / P(bit = 1)), positive for bit 0, in
 *             steps of 1/llr_scale nats, rounded, -127 .. 127. An infinite or NaN I or Q is an erasure. Bits
 *             without information have LLR 0.
 *
 * In rotated constellations, a point consists of I of a cell and Q of the next cell. The last point of a FEC
 * block has Q of the first cell. With cell_noise, the demapper uses the noise of both cells. If I or Q is
 * erased, the demapper uses only the other component. Without cell_noise, an erased I or Q gives LLR 0 for
 * all bits of the point.
 *
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (n_codewords, noise)
 */
LDPC_API ldpc_status ldpc_demap(ldpc_demapper *dem, const ldpc_cells *cells, int8_t *llr);

/**
 * Estimate the noise power from the distances between cells and constellation points.
 *
 * The result is the noise power, 1e-9 .. 10, for which the expected squared distance to the nearest point
 * equals the measured mean. The estimate is unbiased even at low SNR. Below -45 dB, relative to the mean
 * power of the points, the estimate is proportional to the measured mean. The first call computes a table in
 * up to 0.1 s (256APSK).
 *
 * @param cells  the cells; cell_noise and noise are ignored
 * @param noise  out: noise power as in ldpc_cells
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (n_codewords)
 */
LDPC_API ldpc_status ldpc_demapper_noise(ldpc_demapper *dem, const ldpc_cells *cells, float *noise);

/** Reorder n_codewords * n LLRs or bits from cell order to codeword order. `in` and `out` must not overlap.
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (n_codewords), LDPC_ERR_PARAM (128APSK, C2) */
LDPC_API ldpc_status ldpc_bits_deinterleave(const ldpc_demapper *dem, size_t n_codewords, const int8_t *in,
                                            int8_t *out);

LDPC_API size_t ldpc_demapper_n(const ldpc_demapper *dem); /**< LLRs per codeword */
/** Cells per FEC block. 128APSK has 9258 cells with bits, followed by 12 cells that are ignored. */
LDPC_API size_t ldpc_demapper_cells(const ldpc_demapper *dem);
LDPC_API size_t ldpc_demapper_bits(const ldpc_demapper *dem);        /**< bits per cell */
LDPC_API const char *ldpc_demapper_kernel(const ldpc_demapper *dem); /**< name of the kernel */
/** Constellation: 2^bits points, I and Q alternating. The index is the label, first bit most significant. */
LDPC_API const float *ldpc_demapper_points(const ldpc_demapper *dem);
/** Position of each of the n codeword bits: bit b of cell c is at c * bits + b. For C2, bit i is at i. NULL
 * if `dem` is NULL. */
LDPC_API const uint16_t *ldpc_demapper_order(const ldpc_demapper *dem);

/** The i-th demapping kernel on this CPU, from slow to fast; NULL after the last kernel. All kernels
 * compute the same LLRs. */
LDPC_API const char *ldpc_demapper_kernel_list(size_t i);

/* ---------------------------------------------------------------- MODCODs of DVB-S2 */

/** A MODCOD and frame size of DVB-S2 or S2X. */
typedef struct ldpc_dvbs2_modcod {
    /** PLS code of frames without pilots; the code of frames with pilots is higher by 1 */
    uint8_t pls_code;
    const char *modulation; /**< as in ldpc_demapper_params */
    const char *code;
} ldpc_dvbs2_modcod;

/** The i-th MODCOD: normal S2 frames, short S2 frames, S2X frames, without VL-SNR frames. NULL after the
 * last. */
LDPC_API const ldpc_dvbs2_modcod *ldpc_dvbs2_modcod_list(size_t i);

/* ---------------------------------------------------------------- cell and time interleaver of DVB-T2 */

/** Time and cell deinterleaver of one PLP (EN 302 755, 6.4 and 6.5). It is constant and may be shared by
 * threads. */
typedef struct ldpc_cell_deinterleaver ldpc_cell_deinterleaver;

#define LDPC_T2_MAX_BLOCKS 1023 /**< maximum FEC blocks per interleaving frame (PLP_NUM_BLOCKS has 10 bits) */

/**
 * Create a deinterleaver.
 *
 * @param code        "dvbt2:N:RATE"
 * @param modulation  as for the demapper
 * @param ti_blocks   TI blocks per interleaving frame (N_TI), 1 .. 255; 0 = no time interleaving
 * @param deint       out: the deinterleaver, or NULL on failure
 * @param err         out: error message; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_NAME, LDPC_ERR_PARAM, LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_cell_deinterleaver_create(const char *code, const char *modulation,
                                                    uint32_t ti_blocks, ldpc_cell_deinterleaver **deint,
                                                    ldpc_error *err);
LDPC_API void ldpc_cell_deinterleaver_destroy(ldpc_cell_deinterleaver *deint); /**< NULL is allowed */
LDPC_API size_t
ldpc_cell_deinterleaver_cells(const ldpc_cell_deinterleaver *deint); /**< cells per FEC block */

/** Number of TI blocks in an interleaving frame of n_blocks FEC blocks. It is N_TI, or n_blocks without time
 * interleaving. */
LDPC_API uint32_t ldpc_ti_blocks(const ldpc_cell_deinterleaver *deint, uint32_t n_blocks);
/** Number of FEC blocks in TI block i of an interleaving frame of n_blocks FEC blocks; 0 after the last TI
 * block. */
LDPC_API uint32_t ldpc_ti_block_size(const ldpc_cell_deinterleaver *deint, uint32_t n_blocks, uint32_t i);

/**
 * Deinterleave FEC blocks of one TI block.
 *
 * @param ti_size  FEC blocks in the TI block, 1 .. LDPC_T2_MAX_BLOCKS; 1 without time interleaving
 * @param first    first FEC block to return, 0-based
 * @param count    number of FEC blocks to return
 * @param width    floats per item: 2 for cells, 1 for their noise
 * @param in       ti_size * cells items: the complete TI block as received
 * @param out      out: count * cells items for the demapper; must not overlap `in`
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE
 */
LDPC_API ldpc_status ldpc_cells_deinterleave(const ldpc_cell_deinterleaver *deint, uint32_t ti_size,
                                             uint32_t first, uint32_t count, uint32_t width, const float *in,
                                             float *out);

#ifdef __cplusplus
}
#endif
#endif
