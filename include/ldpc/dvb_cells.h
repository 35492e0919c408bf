/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts cells of DVB-T2, DVB-S2, S2X and C2 to LLRs of LDPC codewords: soft demapper, bit deinterleaver,
 * time and cell deinterleaver of DVB-T2, and blind noise estimation.
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
 * A cell is one equalised complex value: two floats, I then Q, scaled such that the mean power of the
 * constellation is 1. The noise of a cell is the mean power of its error on the same scale, the sum of I and
 * Q: 10^(-MER / 10). A FEC block is the n bits of one LDPC codeword.
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
    size_t size; /**< set by the init function; see version.h, "Compatibility" */
    /** "dvbt2:N:RATE", "dvbs2:N:RATE", "dvbs2x:N:RATE" or "dvbc2:N:RATE"; no default. NULL with `points` */
    const char *code;
    /** T2: "qpsk" "16qam" "64qam" "256qam"; S2 and S2X: "qpsk" "8psk" "8apsk" "16apsk" "32apsk" "64apsk"
     * "128apsk" "256apsk", each of which is defined for some codes only; C2: "16qam" "64qam" "256qam"
     * "1024qam" "4096qam"; no default. NULL with `points` */
    const char *modulation;
    bool rotated; /**< DVB-T2 only: the constellation is rotated, with cyclic Q delay; default false */
    /** true: exact LLRs, computed from sums over all points; false (default): max-log LLRs, computed from the
     * nearest points */
    bool exact;
    /** true (default): the LLRs are in codeword order; false: they are in the order of the cells. DVB-C2
     * requires false. 128APSK requires true, because the bits of a codeword do not fill the last cell. */
    bool deinterleave;
    float llr_scale; /**< LLR steps per nat, 0.25 .. 64; default LDPC_DEFAULT_LLR_SCALE (decoder.h) */
    /** name of a kernel from ldpc_demapper_kernel_list(); NULL (default) = the fastest kernel */
    const char *kernel;
    /** constellation of the caller, used instead of code and modulation: 2^bits points, I and Q alternating. The
     * index is the label, its first bit most significant. The points are copied and scaled to mean power 1.
     * Cells carry codeword bits in order; the last cell is padded. NULL (default): code and modulation */
    const float *points;
    uint32_t bits; /**< bits per cell with `points`, 1 .. 8 */
    uint32_t n;    /**< bits of a codeword with `points`, 1 .. 65528 */
} ldpc_demapper_params;

/** Set the defaults in a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API void ldpc_demapper_params_init_sized(ldpc_demapper_params *params, size_t size);

/** Set the defaults. */
static inline void ldpc_demapper_params_init(ldpc_demapper_params *params)
{
    ldpc_demapper_params_init_sized(params, sizeof *params);
}

/** Cells of complete FEC blocks in order of reception. The caller owns the buffers. */
typedef struct ldpc_cells {
    /** sizeof(ldpc_cells), or 0 to use the fields of version 1.0 only; see version.h, "Compatibility" */
    size_t size;
    size_t n_codewords;
    const float *iq; /**< n_codewords * ldpc_demapper_cells() cells, I and Q alternating */
    /** noise of each cell, or NULL. A cell whose noise is 0, negative, infinite or NaN is an erasure */
    const float *cell_noise;
    float noise; /**< noise of all cells, above 0; used if cell_noise is NULL */
} ldpc_cells;

/** A demapper: constellation, bit order, kernel and scratch memory. Not thread-safe. */
typedef struct ldpc_demapper ldpc_demapper;

/**
 * Create a demapper. It allocates all memory here; ldpc_demap() allocates none.
 *
 * @param dem  out: the demapper, or NULL on failure
 * @param err  out: error message; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_NAME (no such code), LDPC_ERR_PARAM (a value is out of range, or
 * the standard does not use this modulation with this code), LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_demapper_create(const ldpc_demapper_params *params, ldpc_demapper **dem,
                                          ldpc_error *err);
LDPC_API void ldpc_demapper_destroy(ldpc_demapper *dem); /**< NULL is allowed */

/**
 * Compute LLRs from cells.
 *
 * @param llr  out: n_codewords * ldpc_demapper_n() LLRs, ln(P(bit = 0) / P(bit = 1)) as multiples of
 *             1/llr_scale nats, rounded, -127 .. 127; a positive LLR favours bit 0. If I or Q is not finite,
 *             it is an erasure. A bit about which the cells give no information has LLR 0.
 *
 * Rotated constellations: I of a cell and Q of the next cell belong to the same point; Q of the first cell of
 * a FEC block belongs to its last cell. If cell_noise is given, the demapper searches the points in two
 * dimensions and uses the noise of both cells; if I or Q is erased, it still uses the other component. If all
 * cells have the same noise, all bits of the point get LLR 0 if I or Q is erased.
 *
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (n_codewords, noise)
 */
LDPC_API ldpc_status ldpc_demap(ldpc_demapper *dem, const ldpc_cells *cells, int8_t *llr);

/**
 * Estimate the noise power of cells without knowledge of the transmitted bits, from the distances between
 * cells and constellation points.
 *
 * The result is the noise power, 1e-9 .. 10, at which the expected squared distance to the nearest point
 * equals the measured squared distance, averaged over the cells. The estimate is unbiased even at low SNR,
 * where the nearest point often is not the transmitted point. For a noise power below -45 dB, relative to the
 * mean power of the points, the result is proportional to the averaged distance.
 *
 * The first call computes a table for the constellation, which takes up to 0.1 s (256APSK).
 *
 * @param cells  the cells; the members cell_noise and noise are ignored
 * @param noise  out: noise power as in ldpc_cells
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (n_codewords)
 */
LDPC_API ldpc_status ldpc_demapper_noise(ldpc_demapper *dem, const ldpc_cells *cells, float *noise);

/** Reorder n_codewords * n LLRs or bits from the order of the cells to codeword order. `in` and `out` must
 * not overlap.
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (n_codewords), LDPC_ERR_PARAM (128APSK, C2) */
LDPC_API ldpc_status ldpc_bits_deinterleave(const ldpc_demapper *dem, size_t n_codewords, const int8_t *in,
                                            int8_t *out);

LDPC_API size_t ldpc_demapper_n(const ldpc_demapper *dem); /**< LLRs per codeword */
/** Cells per FEC block. A block of 128APSK has 9258 cells that carry bits, then 12 cells that pad the last
 * slot of the frame and are not read. */
LDPC_API size_t ldpc_demapper_cells(const ldpc_demapper *dem);
LDPC_API size_t ldpc_demapper_bits(const ldpc_demapper *dem);        /**< bits per cell */
LDPC_API const char *ldpc_demapper_kernel(const ldpc_demapper *dem); /**< name of the kernel */
/** The constellation: 2^bits points, I and Q alternating. The index of a point is its label; the first bit of
 * the label is the most significant bit of the index. */
LDPC_API const float *ldpc_demapper_points(const ldpc_demapper *dem);
/** Position of each of the n codeword bits in the sequence of cells: bit b of cell c is at position c * bits
 * + b. For DVB-C2, bit i is at position i. Returns NULL if `dem` is NULL. */
LDPC_API const uint16_t *ldpc_demapper_order(const ldpc_demapper *dem);

/** Name of the i-th demapping kernel that this CPU can run, in order of increasing speed; NULL after the last
 * kernel. All kernels compute the same LLRs. */
LDPC_API const char *ldpc_demapper_kernel_list(size_t i);

/* ---------------------------------------------------------------- MODCODs of DVB-S2 */

/** A MODCOD and a frame size of DVB-S2 or S2X. */
typedef struct ldpc_dvbs2_modcod {
    /** PLS code of frames without pilots; frames with pilots have the next higher PLS code */
    uint8_t pls_code;
    const char *modulation; /**< as in ldpc_demapper_params */
    const char *code;       /**< name of the LDPC code */
} ldpc_dvbs2_modcod;

/** The i-th MODCOD; NULL after the last MODCOD. The list begins with normal frames of DVB-S2, followed by
 * short frames of DVB-S2 and by frames of S2X. It does not contain VL-SNR frames. */
LDPC_API const ldpc_dvbs2_modcod *ldpc_dvbs2_modcod_list(size_t i);

/* ---------------------------------------------------------------- cell and time interleaver of DVB-T2 */

/** Time and cell deinterleaver of one PLP (EN 302 755, 6.4 and 6.5). It is constant after its creation, so
 * threads may share it. */
typedef struct ldpc_cell_deinterleaver ldpc_cell_deinterleaver;

#define LDPC_T2_MAX_BLOCKS 1023 /**< maximum FEC blocks per interleaving frame (PLP_NUM_BLOCKS has 10 bits) */

/**
 * Create a deinterleaver.
 *
 * @param code        "dvbt2:N:RATE"
 * @param modulation  as for the demapper
 * @param ti_blocks   number of TI blocks per interleaving frame (N_TI), 1 .. 255; 0 = no time interleaving
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

/** Number of TI blocks in an interleaving frame of n_blocks FEC blocks: N_TI, or n_blocks without time
 * interleaving. */
LDPC_API uint32_t ldpc_ti_blocks(const ldpc_cell_deinterleaver *deint, uint32_t n_blocks);
/** Number of FEC blocks in TI block i of an interleaving frame that has n_blocks FEC blocks; 0 after the last
 * TI block. */
LDPC_API uint32_t ldpc_ti_block_size(const ldpc_cell_deinterleaver *deint, uint32_t n_blocks, uint32_t i);

/**
 * Deinterleave some FEC blocks of one TI block.
 *
 * @param ti_size  FEC blocks in the TI block, 1 .. LDPC_T2_MAX_BLOCKS; 1 without time interleaving
 * @param first    first FEC block to return, 0-based
 * @param count    number of FEC blocks to return
 * @param width    floats per item: 2 for cells, 1 for their noise
 * @param in       ti_size * cells items: the complete TI block as received
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
