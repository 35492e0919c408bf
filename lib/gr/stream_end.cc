/* SPDX-License-Identifier: GPL-3.0-or-later */
/* End of a block's input stream. */
#include "stream_end.h"

#include <gnuradio/block_detail.h>
#include <gnuradio/buffer_reader.h>

#include <string>

namespace gr
{
namespace ldpc
{

bool stream_end::is_last(size_t items) const
{
    const buffer_reader_sptr reader = d_block.detail()->input(0);
    gr::thread::scoped_lock guard(*reader->mutex());
    return reader->done() && static_cast<size_t>(reader->items_available()) <= items;
}

bool stream_end::reached(int needed, int codeword)
{
    const buffer_reader_sptr reader = d_block.detail()->input(0);
    int left;
    {
        /* the lock keeps the flag and the number of items consistent */
        gr::thread::scoped_lock guard(*reader->mutex());
        if (!reader->done())
            return false;
        left = reader->items_available();
    }
    if (left >= needed)
        return false;
    if (left > 0 && d_left == 0) {
        const std::string text = "the stream ended inside a codeword: dropped its first " +
                                 std::to_string(left) + " of " + std::to_string(codeword) + " items";
        d_logger->warn("{}", text);
        d_left = left;
    }
    return true;
}

} // namespace ldpc
} // namespace gr
