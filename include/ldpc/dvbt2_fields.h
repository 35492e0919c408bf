/* SPDX-License-Identifier: GPL-3.0-or-later */
/* L1, status and counters field by field, for those who show them, store them or send them on: each field
 * with its name, and where it stands for something, with that in words.
 *
 *     static void print(void *context, const dvbt2_field *field)
 *     {
 *         printf("%s: %s\n", field->name, field->text ? field->text : ...);
 *     }
 *     dvbt2_l1_pre_fields(dvbt2_receiver_l1_pre(rx), print, NULL);
 *
 * Names are those of EN 302 755 in lower case. A value in words is a field of its own: guard_interval is the
 * number in the signal, guard_interval_name says "1/128".
 */
#ifndef LDPC_DVBT2_FIELDS_H
#define LDPC_DVBT2_FIELDS_H

#include "ldpc/dvbt2.h"
#include "ldpc/dvbt2_plp.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dvbt2_field_kind {
    DVBT2_FIELD_FLAG,   /**< `number` is 0 or 1 */
    DVBT2_FIELD_NUMBER, /**< `number` */
    DVBT2_FIELD_REAL,   /**< `real` */
    DVBT2_FIELD_TEXT,   /**< `text` */
} dvbt2_field_kind;

typedef struct dvbt2_field {
    const char *name;
    dvbt2_field_kind kind;
    int64_t number;
    double real;
    const char *text; /**< not NULL where kind is DVBT2_FIELD_TEXT; valid during the call */
} dvbt2_field;

/** Called once for each field, in the order of the standard. */
typedef void dvbt2_field_function(void *context, const dvbt2_field *field);

LDPC_API void dvbt2_l1_pre_fields(const dvbt2_l1_pre *pre, dvbt2_field_function *function, void *context);

/** The fields that stand once; PLPs, frequencies and auxiliary streams are arrays of the struct. */
LDPC_API void dvbt2_l1_configurable_fields(const dvbt2_l1_configurable *config,
                                           dvbt2_field_function *function, void *context);
/** One RF channel, auxiliary stream or extension block; nothing where there is none of this number. */
LDPC_API void dvbt2_l1_rf_fields(const dvbt2_l1_configurable *config, uint8_t i,
                                 dvbt2_field_function *function, void *context);
LDPC_API void dvbt2_l1_aux_fields(const dvbt2_l1_configurable *config, uint8_t i,
                                  dvbt2_field_function *function, void *context);
LDPC_API void dvbt2_l1_extension_fields(const dvbt2_l1_post *post, uint32_t i, dvbt2_field_function *function,
                                        void *context);
/** AUX_PRIVATE_DYN is an array of the struct too. */
LDPC_API void dvbt2_l1_dynamic_fields(const dvbt2_l1_dynamic *dynamic, dvbt2_field_function *function,
                                      void *context);

/** One PLP of the configurable and of the dynamic part. */
LDPC_API void dvbt2_l1_plp_fields(const dvbt2_l1_plp *plp, dvbt2_field_function *function, void *context);
LDPC_API void dvbt2_l1_plp_dynamic_fields(const dvbt2_l1_plp_dynamic *plp, dvbt2_field_function *function,
                                          void *context);

/** In-band signalling; `other` of type A is an array of dvbt2_l1_plp_dynamic. */
LDPC_API void dvbt2_in_band_a_fields(const dvbt2_in_band_a *a, dvbt2_field_function *function, void *context);
LDPC_API void dvbt2_in_band_a_frame_fields(const dvbt2_in_band_a *a, uint32_t i,
                                           dvbt2_field_function *function, void *context);
LDPC_API void dvbt2_in_band_b_fields(const dvbt2_in_band_b *b, dvbt2_field_function *function, void *context);
/** What stands once: counts, ISCR, TTO, BUFS. A field that the PLP does not send is left out. */
LDPC_API void dvbt2_plp_signalling_fields(const dvbt2_plp_signalling *signalling,
                                          dvbt2_field_function *function, void *context);

LDPC_API void dvbt2_status_fields(const dvbt2_status *status, dvbt2_field_function *function, void *context);
LDPC_API void dvbt2_plp_counters_fields(const dvbt2_plp_counters *counters, dvbt2_field_function *function,
                                        void *context);

#ifdef __cplusplus
}
#endif
#endif
