/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2_fields.h"

#include <algorithm>
#include <cstdint>

namespace gr
{
namespace ldpc
{

namespace
{

void add(void *context, const dvbt2_field *field)
{
    pmt::pmt_t &dict = *static_cast<pmt::pmt_t *>(context);
    pmt::pmt_t value;
    switch (field->kind) {
    case DVBT2_FIELD_FLAG:
        value = pmt::from_bool(field->number != 0);
        break;
    case DVBT2_FIELD_NUMBER:
        value = pmt::from_long(static_cast<long>(field->number));
        break;
    case DVBT2_FIELD_REAL:
        value = pmt::from_double(field->real);
        break;
    case DVBT2_FIELD_TEXT:
        value = pmt::mp(field->text);
        break;
    }
    dict = pmt::dict_add(dict, pmt::mp(field->name), value);
}

template <class Struct>
pmt::pmt_t dict_of(void (*fields)(const Struct *, dvbt2_field_function *, void *), const Struct &from)
{
    pmt::pmt_t dict = pmt::make_dict();
    fields(&from, add, &dict);
    return dict;
}

/* Converts an array in a struct to a vector of dictionaries. */
template <class Struct, class Index>
pmt::pmt_t vector_of(void (*fields)(const Struct *, Index, dvbt2_field_function *, void *),
                     const Struct &from, Index count)
{
    pmt::pmt_t vector = pmt::make_vector(count, pmt::PMT_NIL);
    for (Index i = 0; i < count; i++) {
        pmt::pmt_t dict = pmt::make_dict();
        fields(&from, i, add, &dict);
        pmt::vector_set(vector, i, dict);
    }
    return vector;
}

/* Calls `number` with the name and the value of each field. */
template <class Visitor> void frame_numbers(dvbt2_plp_frame &frame, Visitor &&number)
{
    number("frame", frame.frame);
    number("frame_idx", frame.frame_idx);
    number("lost", frame.lost);
    number("cells", frame.cells);
    number("cells_per_block", frame.cells_per_block);
    number("n_blocks", frame.n_blocks);
    number("ti_blocks", frame.ti_blocks);
    number("frames", frame.frames);
    number("part", frame.part);
    number("lite", frame.lite);
    number("has_common", frame.has_common);
    number("start", frame.start);
    number("plp_id", frame.plp.plp_id);
    number("plp_fec_type", frame.plp.plp_fec_type);
    number("plp_cod", frame.plp.plp_cod);
    number("plp_mod", frame.plp.plp_mod);
    number("plp_rotation", frame.plp.plp_rotation);
    number("frame_interval", frame.plp.frame_interval);
    number("time_il_length", frame.plp.time_il_length);
    number("time_il_type", frame.plp.time_il_type);
    number("in_band_a_flag", frame.plp.in_band_a_flag);
    number("in_band_b_flag", frame.plp.in_band_b_flag);
}

} // namespace

pmt::pmt_t status_dict(const dvbt2_status &status)
{
    return dict_of(dvbt2_status_fields, status);
}

pmt::pmt_t counters_dict(const dvbt2_plp_counters &counters)
{
    return dict_of(dvbt2_plp_counters_fields, counters);
}

pmt::pmt_t signalling_dict(const dvbt2_plp_signalling &signalling)
{
    pmt::pmt_t dict = dict_of(dvbt2_plp_signalling_fields, signalling);
    if (signalling.has_a) {
        const dvbt2_in_band_a &in_band = signalling.a;
        pmt::pmt_t others = pmt::make_vector(in_band.n_others, pmt::PMT_NIL);
        for (uint8_t i = 0; i < in_band.n_others; i++)
            pmt::vector_set(others, i, dict_of(dvbt2_l1_plp_dynamic_fields, in_band.other[i]));
        pmt::pmt_t a = dict_of(dvbt2_in_band_a_fields, in_band);
        a = pmt::dict_add(a, pmt::mp("frames"),
                          vector_of(dvbt2_in_band_a_frame_fields, in_band, in_band.n_frames));
        dict = pmt::dict_add(dict, pmt::mp("in_band_a"), pmt::dict_add(a, pmt::mp("other_plps"), others));
    }
    if (signalling.has_b)
        dict = pmt::dict_add(dict, pmt::mp("in_band_b"), dict_of(dvbt2_in_band_b_fields, signalling.b));
    return dict;
}

pmt::pmt_t l1_dict(const dvbt2_l1_pre &pre, const dvbt2_l1_post &post)
{
    pmt::pmt_t configurable = dict_of(dvbt2_l1_configurable_fields, post.config);
    pmt::pmt_t plps = pmt::make_vector(post.config.num_plp, pmt::PMT_NIL);
    for (uint8_t i = 0; i < post.config.num_plp; i++)
        pmt::vector_set(plps, i, dict_of(dvbt2_l1_plp_fields, post.config.plp[i]));
    configurable = pmt::dict_add(configurable, pmt::mp("plps"), plps);
    const dvbt2_l1_configurable &config = post.config;
    configurable =
        pmt::dict_add(configurable, pmt::mp("rf"),
                      vector_of(dvbt2_l1_rf_fields, config, std::min<uint8_t>(config.num_rf, DVBT2_MAX_RF)));
    configurable = pmt::dict_add(
        configurable, pmt::mp("aux"),
        vector_of(dvbt2_l1_aux_fields, config, std::min<uint8_t>(config.num_aux, DVBT2_MAX_AUX)));
    configurable = pmt::dict_add(configurable, pmt::mp("extensions"),
                                 vector_of(dvbt2_l1_extension_fields, post,
                                           std::min<uint32_t>(post.extensions, DVBT2_MAX_EXTENSIONS)));
    pmt::pmt_t dict = pmt::dict_add(pmt::make_dict(), pmt::mp("pre"), dict_of(dvbt2_l1_pre_fields, pre));
    return pmt::dict_add(dict, pmt::mp("post"), configurable);
}

pmt::pmt_t frame_dict(const dvbt2_plp_frame &frame)
{
    pmt::pmt_t dict = pmt::make_dict();
    dvbt2_plp_frame copy = frame;
    frame_numbers(copy, [&dict](const char *name, auto value) {
        dict = pmt::dict_add(dict, pmt::mp(name), pmt::from_long(static_cast<long>(value)));
    });
    return dict;
}

bool frame_of(const pmt::pmt_t &dict, dvbt2_plp_frame &frame)
{
    frame = {};
    if (!pmt::is_dict(dict))
        return false;
    bool complete = true;
    frame_numbers(frame, [&](const char *name, auto &value) {
        const pmt::pmt_t found = pmt::dict_ref(dict, pmt::mp(name), pmt::PMT_NIL);
        complete = complete && pmt::is_integer(found) && pmt::to_long(found) >= 0;
        if (complete)
            value = static_cast<std::decay_t<decltype(value)>>(pmt::to_long(found));
    });
    return complete;
}

} // namespace ldpc
} // namespace gr
