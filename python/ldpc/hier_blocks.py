# SPDX-License-Identifier: GPL-3.0-or-later
"""Hierarchical blocks with message ports. These blocks are freed when they are no longer used."""
import weakref
from collections import deque

import pmt
from gnuradio import gr

from .ldpc_python import reference_count

_orphans = deque()


def _free_unused():
    """Disconnects the inner blocks of unused hierarchical blocks. These blocks are then freed."""
    for _ in range(len(_orphans)):
        block, own_references, connections, kept = _orphans.popleft()
        if reference_count(block) > own_references:
            _orphans.append((block, own_references, connections, kept))
            continue
        for source, sink, port in connections:
            try:
                block.primitive_msg_disconnect((source or block).to_basic_block(), port, (sink or block).to_basic_block(), port)
            except RuntimeError as error:  # GNU Radio removes the connection of an input, and then fails because the hierarchical block has no subscribers
                if source or "Port does not exist" not in str(error):
                    raise
        block.disconnect_all()
        for python_block in kept:
            python_block.forget()


def _orphan(*of_block):
    _orphans.append(of_block)
    _free_unused()


class hier_block(gr.hier_block2):
    """A hierarchical block that publishes messages of its inner blocks.

    In GNU Radio the list of message connections of a hierarchical block refers to the block. This is a reference cycle:

        block --> its flowgraph --> connection (inner block, "stats") to (block, "stats") --> block

    This class removes the connections when neither the Python object nor a flowgraph refers to the block. If a flowgraph outlives the
    Python object, this happens when the next hierarchical block is created or deleted."""

    def __init__(self, name, inputs, outputs):
        super().__init__(name, inputs, outputs)
        _free_unused()
        self._connections = []  # of the message ports: source and sink, None for this block

    def publish(self, port, *sources):
        """Publishes the messages of port `port` of the sources."""
        self.message_port_register_hier_out(port)
        for source in sources:
            self.msg_connect(source, port, self, port)
            self._connections.append((source, None, pmt.intern(port)))

    def accept(self, port, sink):
        """Passes the messages on port `port` to a block."""
        self.message_port_register_hier_in(port)
        self.msg_connect(self, port, sink, port)
        self._connections.append((None, sink, pmt.intern(port)))

    def free_when_unused(self, *kept):
        """Frees the block when it is no longer used. Call this function after all connections. Each block in `kept` gets a final call of
        forget()."""
        block = self._impl
        weakref.finalize(self, _orphan, block, reference_count(block), self._connections, kept).atexit = False
