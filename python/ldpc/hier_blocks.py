# SPDX-License-Identifier: GPL-3.0-or-later
"""Hierarchical blocks with message ports that are freed when neither Python nor a flowgraph has them any more."""
import weakref
from collections import deque

import pmt
from gnuradio import gr

from .ldpc_python import reference_count

# Blocks whose Python object is gone, while flowgraphs may still run them: (block, references of its own, connections, kept).
_orphans = deque()


def _free_unused():
    """Take unused blocks apart."""
    for _ in range(len(_orphans)):
        block, own_references, connections, kept = _orphans.popleft()
        if reference_count(block) > own_references:
            _orphans.append((block, own_references, connections, kept))
            continue
        for source, port in connections:
            block.primitive_msg_disconnect(source.to_basic_block(), port, block.to_basic_block(), port)
        block.disconnect_all()
        for python_block in kept:
            python_block.forget()


def _orphan(*of_block):
    _orphans.append(of_block)
    _free_unused()


class hier_block(gr.hier_block2):
    """A hierarchical block that publishes messages of the blocks in it.

    The list of message connections of a hierarchical block of GNU Radio refers to the block itself, which nothing breaks up:

        block --> its flowgraph --> connection (inner block, "stats") to (block, "stats") --> block

    So the block and all in it would never be freed. Here the connections end when the Python object is gone and no flowgraph
    refers to the block either, or when the next block is made after that."""

    def __init__(self, name, inputs, outputs):
        super().__init__(name, inputs, outputs)
        _free_unused()
        self._published = []

    def publish(self, port, *sources):
        """Messages that leave the sources on a port leave this block on one of the same name."""
        self.message_port_register_hier_out(port)
        for source in sources:
            self.msg_connect(source, port, self, port)
            self._published.append((source, pmt.intern(port)))

    def free_when_unused(self, *kept):
        """To be called once, when all is connected. Inner blocks that are written in Python are kept until then, because GNU
        Radio's threads use their objects without a reference; then they forget() other blocks, because Python collects its
        circles of references late."""
        block = self._impl
        weakref.finalize(self, _orphan, block, reference_count(block), self._published, kept).atexit = False
