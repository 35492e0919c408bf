/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The structs of libdvbt2 as dictionaries. */
#include "bindings.h"

#include "ldpc/dvbt2_fields.h"

namespace
{

void add(void *context, const dvbt2_field *field)
{
    py::dict &dict = *static_cast<py::dict *>(context);
    switch (field->kind) {
    case DVBT2_FIELD_FLAG:
        dict[field->name] = field->number != 0;
        break;
    case DVBT2_FIELD_NUMBER:
        dict[field->name] = field->number;
        break;
    case DVBT2_FIELD_REAL:
        dict[field->name] = field->real;
        break;
    case DVBT2_FIELD_TEXT:
        dict[field->name] = field->text;
        break;
    }
}

template <class Struct>
py::dict dict_of(void (*fields)(const Struct *, dvbt2_field_function *, void *), const Struct &from)
{
    py::dict dict;
    fields(&from, add, &dict);
    return dict;
}

py::dict dynamic_dict(const dvbt2_l1_dynamic &dynamic, uint8_t num_plp)
{
    py::dict dict = dict_of(dvbt2_l1_dynamic_fields, dynamic);
    py::list plps;
    for (uint8_t i = 0; i < num_plp; i++)
        plps.append(dict_of(dvbt2_l1_plp_dynamic_fields, dynamic.plp[i]));
    dict["plps"] = plps;
    return dict;
}

} // namespace

py::dict l1_pre_dict(const dvbt2_l1_pre &pre)
{
    return dict_of(dvbt2_l1_pre_fields, pre);
}

py::dict plp_dict(const dvbt2_l1_plp &plp)
{
    return dict_of(dvbt2_l1_plp_fields, plp);
}

py::dict status_dict(const dvbt2_status &status)
{
    return dict_of(dvbt2_status_fields, status);
}

py::dict counters_dict(const dvbt2_plp_counters &counters)
{
    return dict_of(dvbt2_plp_counters_fields, counters);
}

py::dict l1_post_dict(const dvbt2_l1_post &post)
{
    const dvbt2_l1_configurable &config = post.config;
    py::dict dict = dict_of(dvbt2_l1_configurable_fields, config);
    py::list frequencies, plps, aux;
    for (uint8_t i = 0; i < config.num_rf && i < DVBT2_MAX_RF; i++)
        frequencies.append(config.rf[i].frequency);
    for (uint8_t i = 0; i < config.num_plp; i++)
        plps.append(plp_dict(config.plp[i]));
    for (uint8_t i = 0; i < config.num_aux && i < DVBT2_MAX_AUX; i++)
        aux.append(config.aux[i].aux_stream_type);
    dict["frequencies"] = frequencies;
    dict["plps"] = plps;
    dict["aux_stream_types"] = aux;
    dict["dynamic"] = dynamic_dict(post.dynamic, config.num_plp);
    if (post.has_next)
        dict["next_dynamic"] = dynamic_dict(post.next, config.num_plp);
    return dict;
}
