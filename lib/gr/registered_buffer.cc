/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A buffer between two blocks that is registered with a decoder's GPU. */
#include "registered_buffer.h"

namespace gr
{
namespace ldpc
{

static void *memory_of(const buffer_sptr &buffer)
{
    return const_cast<char *>(buffer->base());
}

/* GNU Radio maps its pages twice, one copy behind the other: codewords that cross the end follow each other too. */
std::unique_ptr<registered_buffer> registered_buffer::make(ldpc_decoder *decoder, const buffer_sptr &buffer)
{
    const size_t bytes = 2 * buffer->bufsize() * buffer->get_sizeof_item();
    if (buffer->get_mapping_type() != buffer_mapping_type::double_mapped ||
        ldpc_decoder_register(decoder, memory_of(buffer), bytes) != LDPC_OK)
        return nullptr;
    return std::unique_ptr<registered_buffer>(new registered_buffer(decoder, buffer));
}

/* Memory that stays registered must stay mapped: such a buffer is never freed. */
registered_buffer::~registered_buffer()
{
    if (ldpc_decoder_unregister(d_decoder, memory_of(d_buffer)) != LDPC_OK)
        new buffer_sptr(d_buffer);
}

} // namespace ldpc
} // namespace gr
