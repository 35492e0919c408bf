/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2_fields.h"

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

/* Numbers of a frame that a tag carries, those of the PLP by the names of the standard. */
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
    number("plp_id", frame.plp.plp_id);
    number("plp_fec_type", frame.plp.plp_fec_type);
    number("plp_cod", frame.plp.plp_cod);
    number("plp_mod", frame.plp.plp_mod);
    number("plp_rotation", frame.plp.plp_rotation);
    number("frame_interval", frame.plp.frame_interval);
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

pmt::pmt_t l1_dict(const dvbt2_l1_pre &pre, const dvbt2_l1_post &post)
{
    pmt::pmt_t configurable = dict_of(dvbt2_l1_configurable_fields, post.config);
    pmt::pmt_t plps = pmt::make_vector(post.config.num_plp, pmt::PMT_NIL);
    for (uint8_t i = 0; i < post.config.num_plp; i++)
        pmt::vector_set(plps, i, dict_of(dvbt2_l1_plp_fields, post.config.plp[i]));
    configurable = pmt::dict_add(configurable, pmt::mp("plps"), plps);
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
