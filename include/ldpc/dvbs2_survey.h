/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libdvbs2: find the carriers in a band, with nothing known but the sample rate.
 *
 *     dvbs2_survey_params params;
 *     dvbs2_survey_params_init(&params);
 *     params.sample_rate = 60e6;
 *     params.format = LDPC_CS16;
 *     dvbs2_survey *survey;
 *     const dvbs2_survey_carrier *carrier;
 *     ldpc_error err;
 *     if (dvbs2_survey_create(&params, samples, count, &survey, &err) != LDPC_OK)
 *         puts(err.message);
 *     for (size_t i = 0; (carrier = dvbs2_survey_list(survey, i)) != NULL; i++)
 *         printf("%s at %.0f Hz, %.0f baud\n", dvbs2_standard_name(carrier->standard), carrier->frequency,
 *                carrier->symbol_rate);
 *     dvbs2_survey_destroy(survey); */
#ifndef LDPC_DVBS2_SURVEY_H
#define LDPC_DVBS2_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ldpc/sample_format.h"
#include "ldpc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Parameters of a survey. Initialise with dvbs2_survey_params_init(). */
typedef struct dvbs2_survey_params {
    size_t size;               /**< set by the init function; see version.h, "Compatibility" */
    double sample_rate;        /**< Hz; no default */
    ldpc_sample_format format; /**< default LDPC_CF32 */
    uint32_t reserved;         /**< 0 */
    double least_rate;         /**< lowest symbol rate in baud; default 30e3 */
    /** Gold codes that are tried before others; NULL (default): none. With pilots or dummy frames, these codes are tried first,
     * then 0, the codes that EN 302 307-2 recommends, 10949 i with i = 0 .. 6, and codes that are known to be in use, then all
     * codes. Without them, the parity checks of the LDPC code are used first to search all codes; if none fits, frames are
     * decoded with the codes of this list. */
    const uint32_t *gold;
    size_t n_gold; /**< number of codes in `gold` */
} dvbs2_survey_params;

/** Set the defaults in a struct of `size` bytes. Only needed by callers that do not use these headers. */
LDPC_API void dvbs2_survey_params_init_sized(dvbs2_survey_params *params, size_t size);

/** Set the defaults. */
static inline void dvbs2_survey_params_init(dvbs2_survey_params *params)
{
    dvbs2_survey_params_init_sized(params, sizeof *params);
}

/** Standard of a carrier. */
typedef enum dvbs2_standard {
    DVBS2_STANDARD_UNKNOWN = 0, /**< a linear modulation without PL headers and without the code of DVB-S */
    DVBS2_STANDARD_S,   /**< QPSK with the convolutional code of DVB-S (EN 300 421); dvbs2_receiver does not
                                 * receive it */
    DVBS2_STANDARD_S2,  /**< PL headers of EN 302 307-1 */
    DVBS2_STANDARD_S2X, /**< at least one PL header of EN 302 307-2 */
    DVBS2_STANDARD_TIME_SLICES, /**< PL headers with time slicing (EN 302 307-1, annex M); dvbs2_receiver does not
                                 * receive them */
    DVBS2_STANDARD_SUPERFRAMES, /**< superframes of 612540 symbols (EN 302 307-2, annex E, formats 0 to 4);
                                 * dvbs2_receiver does not receive them */
} dvbs2_standard;

LDPC_API const char *dvbs2_standard_name(dvbs2_standard standard); /**< "DVB-S2X"; never NULL */

/** Frames with the same MODCOD. */
typedef struct dvbs2_survey_modcod {
    const char *modulation; /**< "8psk" */
    const char *code;       /**< name of the LDPC code, such as "dvbs2:64800:2/3" */
    uint32_t pls_code;      /**< its last bit is set if the frames have pilots */
    uint32_t frames;        /**< number of frames */
} dvbs2_survey_modcod;

/** A carrier. */
typedef struct dvbs2_survey_carrier {
    dvbs2_standard standard;
    int32_t gold;       /**< gold code of the PL scrambling; -1: unknown */
    double frequency;   /**< centre of the carrier in Hz; positive: above the centre of the samples */
    double symbol_rate; /**< baud */
    double roll_off;    /**< 0.05, 0.1, 0.15, 0.2, 0.25 or 0.35 */
    double esn0_db;     /**< Es/N0 in dB */
    double level_db;    /**< power of the carrier, dBFS */
    bool mirrored;      /**< whether the spectrum is mirrored; only with PL headers */
    uint32_t n_modcods; /**< number of elements of modcods */
    const dvbs2_survey_modcod *modcods; /**< MODCODs of the received frames, most frequent first */
    uint64_t dummy_frames;              /**< frames without data */
    uint64_t vlsnr_frames;              /**< frames for very low SNR */
    const char *code_rate;              /**< rate of the convolutional code of DVB-S, such as "3/4", or "" */
} dvbs2_survey_carrier;

/** The result of a survey. Only dvbs2_survey_continue() changes it. */
typedef struct dvbs2_survey dvbs2_survey;

/**
 * Search the band for carriers with symbol rates from params->least_rate to the sample rate, divided by 1.1.
 *
 * The MODCODs are found if the samples contain three frames, at most 100000 symbols. Carriers of the lowest symbol rate are
 * found if the samples contain about 2000 of their symbols. Superframes are recognised if the samples contain two of them.
 * At most 2^24 samples are used, and at most 200 carriers are found.
 *
 * @param params   read only during the call
 * @param samples  `count` samples in params.format, read only during the call
 * @param survey   out: the survey, or NULL on failure
 * @param err      out: error message; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (rates, gold codes, less than 16384 samples), LDPC_ERR_PARAM (format),
 * LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status dvbs2_survey_create(const dvbs2_survey_params *params, const void *samples, size_t count,
                                         dvbs2_survey **survey, ldpc_error *err);

/**
 * Examine narrow carriers again, of which the samples of dvbs2_survey_create() contain less than 262144 symbols, so that standard or gold
 * code may be unknown. Only their parts of the band are kept, so that the samples may be as long as necessary.
 *
 * @param samples  `count` samples in the format of the survey; each call continues the samples of the call before. The first
 *                 samples may be those of dvbs2_survey_create()
 * @param count    number of samples; 0 at the end of the signal: the samples until then are used
 * @param more     out: whether a carrier needs more samples
 * @param err      out: error message; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status dvbs2_survey_continue(dvbs2_survey *survey, const void *samples, size_t count,
                                           bool *more, ldpc_error *err);

LDPC_API void dvbs2_survey_destroy(dvbs2_survey *survey); /**< NULL is allowed */

/** Returns carrier `i`, in the order of the frequencies, or NULL after the last one. */
LDPC_API const dvbs2_survey_carrier *dvbs2_survey_list(const dvbs2_survey *survey, size_t i);

/** Returns a sentence if the survey may not have examined the whole spectrum, because it has too many edges (4096), parts between
 * edges (600) or carriers (200), or because the last of four searches still found carriers, or 20 lines that are not certain to be
 * carriers. Otherwise returns "". */
LDPC_API const char *dvbs2_survey_note(const dvbs2_survey *survey);

#ifdef __cplusplus
}
#endif
#endif
