/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structs of libdvbt2 as dictionaries. */
#include "bindings.h"

#include <algorithm>

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

template <class Struct, class Index>
py::dict dict_of(void (*fields)(const Struct *, Index, dvbt2_field_function *, void *), const Struct &from,
                 Index i)
{
    py::dict dict;
    fields(&from, i, add, &dict);
    return dict;
}

template <class Struct, class Index>
py::list list_of(void (*fields)(const Struct *, Index, dvbt2_field_function *, void *), const Struct &from,
                 Index count)
{
    py::list list;
    for (Index i = 0; i < count; i++)
        list.append(dict_of(fields, from, i));
    return list;
}

py::dict dynamic_dict(const dvbt2_l1_dynamic &dynamic, const dvbt2_l1_configurable &config)
{
    py::dict dict = dict_of(dvbt2_l1_dynamic_fields, dynamic);
    py::list plps, aux;
    for (uint8_t i = 0; i < config.num_plp; i++)
        plps.append(dict_of(dvbt2_l1_plp_dynamic_fields, dynamic.plp[i]));
    for (uint8_t i = 0; i < config.num_aux && i < DVBT2_MAX_AUX; i++)
        aux.append(dynamic.aux_private_dyn[i]);
    dict["plps"] = plps;
    dict["aux_private_dyn"] = aux;
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
    py::list plps;
    for (uint8_t i = 0; i < config.num_plp; i++)
        plps.append(plp_dict(config.plp[i]));
    dict["rf"] = list_of(dvbt2_l1_rf_fields, config, std::min<uint8_t>(config.num_rf, DVBT2_MAX_RF));
    dict["plps"] = plps;
    dict["aux"] = list_of(dvbt2_l1_aux_fields, config, std::min<uint8_t>(config.num_aux, DVBT2_MAX_AUX));
    dict["dynamic"] = dynamic_dict(post.dynamic, config);
    if (post.has_next)
        dict["next_dynamic"] = dynamic_dict(post.next, config);
    dict["extensions"] =
        list_of(dvbt2_l1_extension_fields, post, std::min<uint32_t>(post.extensions, DVBT2_MAX_EXTENSIONS));
    return dict;
}

py::dict signalling_dict(const dvbt2_plp_signalling &signalling)
{
    py::dict dict = dict_of(dvbt2_plp_signalling_fields, signalling);
    if (signalling.has_a) {
        py::dict a = dict_of(dvbt2_in_band_a_fields, signalling.a);
        py::list others;
        for (uint8_t i = 0; i < signalling.a.n_others; i++)
            others.append(dict_of(dvbt2_l1_plp_dynamic_fields, signalling.a.other[i]));
        a["frames"] = list_of(dvbt2_in_band_a_frame_fields, signalling.a, signalling.a.n_frames);
        a["other_plps"] = others;
        dict["in_band_a"] = a;
    }
    if (signalling.has_b)
        dict["in_band_b"] = dict_of(dvbt2_in_band_b_fields, signalling.b);
    return dict;
}
