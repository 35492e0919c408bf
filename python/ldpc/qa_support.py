# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the blocks share: noisy words, and small flowgraphs around one block."""
import libldpc
import numpy as np
import pmt
from gnuradio import blocks, gr


def words(name, count, ebn0=4.0, seed=1):
    """Messages (count, k) and int8 LLRs (count, n) of random words through noise."""
    return libldpc.noisy_frames(libldpc.code(name), ebn0=ebn0, count=count, seed=seed)


def reference(name, llrs, **options):
    """What libldpc's decoder makes of the same LLRs: bits and info."""
    return libldpc.decoder(libldpc.code(name), **options).decode(llrs)


def byte_source(items, repeat=False, tags=()):
    items = np.ascontiguousarray(items).ravel()
    return blocks.vector_source_b(items.view(np.uint8).tolist(), repeat, 1, list(tags))


def run(block, items, tags=(), extra=()):
    """Send the items (bytes, or float32) through a block to its end; returns the vector sink."""
    graph = gr.top_block()
    items = np.concatenate([np.ascontiguousarray(items).ravel(), np.asarray(extra, items.dtype)])
    source = (blocks.vector_source_f(items.tolist(), False, 1, list(tags)) if items.dtype == np.float32
              else byte_source(items, False, tags))
    sink = blocks.vector_sink_b()
    graph.connect(source, block, sink)
    graph.run()
    return sink


def output(sink):
    return np.array(sink.data(), np.uint8)


def rows(sink, width):
    """The output as words; fails if it is not a whole number of them."""
    return output(sink).reshape(-1, width)


def tag(offset, key, value):
    made = gr.tag_t()
    made.offset, made.key, made.value = offset, pmt.intern(key), pmt.to_pmt(value)
    return made


def tags_of(sink, key):
    """[(offset, value)] of the tags with this key."""
    return [(t.offset, pmt.to_python(t.value)) for t in sink.tags() if pmt.symbol_to_string(t.key) == key]
