/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the members of L1, status and counters as named fields, to display, store or forward them. A coded
 * value is followed by its meaning as text.
 *
 *     static void print(void *context, const dvbt2_field *field)
 *     {
 *         printf("%s: %s\n", field->name, field->text ? field->text : ...);
 *     }
 *     dvbt2_l1_pre_fields(dvbt2_receiver_l1_pre(rx), print, NULL);
 *
 * Names are those of EN 302 755 in lower case. guard_interval is the transmitted number, guard_interval_name
 * is "1/128".
 */
#ifndef LDPC_DVBT2_FIELDS_H
#define LDPC_DVBT2_FIELDS_H

#include "ldpc/dvbt2.h"
#include "ldpc/dvbt2_plp.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dvbt2_field_kind {
    DVBT2_FIELD_FLAG, /**< `number` is 0 or 1 */
    DVBT2_FIELD_NUMBER,
    DVBT2_FIELD_REAL,
    DVBT2_FIELD_TEXT,
} dvbt2_field_kind;

typedef struct dvbt2_field {
    const char *name;
    dvbt2_field_kind kind;
    int64_t number;
    double real;
    const char *text; /**< set if kind is DVBT2_FIELD_TEXT; valid during the call */
} dvbt2_field;

/** Called for each field, in the order of the standard. */
typedef void dvbt2_field_function(void *context, const dvbt2_field *field);

LDPC_API void dvbt2_l1_pre_fields(const dvbt2_l1_pre *pre, dvbt2_field_function *function, void *context);

/** Lists the fields that occur once, without PLPs, frequencies and auxiliary streams. */
LDPC_API void dvbt2_l1_configurable_fields(const dvbt2_l1_configurable *config,
                                           dvbt2_field_function *function, void *context);
/** Lists the fields of one RF channel, auxiliary stream or extension block. Lists no field if i is out of
 * range. */
LDPC_API void dvbt2_l1_rf_fields(const dvbt2_l1_configurable *config, uint8_t i,
                                 dvbt2_field_function *function, void *context);
LDPC_API void dvbt2_l1_aux_fields(const dvbt2_l1_configurable *config, uint8_t i,
                                  dvbt2_field_function *function, void *context);
LDPC_API void dvbt2_l1_extension_fields(const dvbt2_l1_post *post, uint32_t i, dvbt2_field_function *function,
                                        void *context);
/** Lists the fields that occur once, except the array AUX_PRIVATE_DYN. */
LDPC_API void dvbt2_l1_dynamic_fields(const dvbt2_l1_dynamic *dynamic, dvbt2_field_function *function,
                                      void *context);

/** The next two functions list the fields of one PLP. */
LDPC_API void dvbt2_l1_plp_fields(const dvbt2_l1_plp *plp, dvbt2_field_function *function, void *context);
LDPC_API void dvbt2_l1_plp_dynamic_fields(const dvbt2_l1_plp_dynamic *plp, dvbt2_field_function *function,
                                          void *context);

/** The next three functions list in-band signalling, except the array `other` of type A. */
LDPC_API void dvbt2_in_band_a_fields(const dvbt2_in_band_a *a, dvbt2_field_function *function, void *context);
LDPC_API void dvbt2_in_band_a_frame_fields(const dvbt2_in_band_a *a, uint32_t i,
                                           dvbt2_field_function *function, void *context);
LDPC_API void dvbt2_in_band_b_fields(const dvbt2_in_band_b *b, dvbt2_field_function *function, void *context);
/** Lists the fields of dvbt2_plp_signalling: counters, ISCR, TTO and BUFS. */
LDPC_API void dvbt2_plp_signalling_fields(const dvbt2_plp_signalling *signalling,
                                          dvbt2_field_function *function, void *context);

LDPC_API void dvbt2_status_fields(const dvbt2_status *status, dvbt2_field_function *function, void *context);
LDPC_API void dvbt2_plp_counters_fields(const dvbt2_plp_counters *counters, dvbt2_field_function *function,
                                        void *context);

#ifdef __cplusplus
}
#endif
#endif
