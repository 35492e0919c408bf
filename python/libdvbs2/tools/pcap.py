# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes PDUs as a capture file for Wireshark and tcpdump (pcap)."""
import struct

MAGIC, VERSION, MOST_BYTES = 0xA1B2C3D4, (2, 4), 65535
IP, USER = 101, 147  # link types: IPv4 or IPv6 packets; any other packets


def pdus_of(data):
    """Yields the PDUs. In `data`, each PDU follows its length (two bytes)."""
    at = 0
    while at < len(data):
        start = at + 2
        at = start + int.from_bytes(data[at:start], "big")
        yield data[start:at]


def writer(put, link_type, seconds):
    """Writes the file header with `put`. Returns a function that writes a PDU. The result of `seconds()` becomes the time of the PDU."""
    put(struct.pack("<IHHiIII", MAGIC, *VERSION, 0, 0, MOST_BYTES, link_type))

    def write(data):
        whole, fraction = divmod(round(seconds() * 1e6), 1000000)
        for pdu in pdus_of(data):
            put(struct.pack("<IIII", whole, fraction, len(pdu), len(pdu)) + pdu)
    return write
