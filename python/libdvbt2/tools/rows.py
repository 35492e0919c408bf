# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of tables: L1 signalling, channel, FEC, packets."""

from libdvb.tables import counted, losses, yes


def signal_rows(status, pre):
    """Returns the table rows with the signalling of P1 and L1-pre."""
    rows = [("state", status["state"])]
    rows += [(name.replace("_", " ").replace("fft", "FFT"), status[name]) for name in ("profile", "fft_size", "guard_interval")
             if status[name]]
    rows += [("spectrum", "inverted: I and Q are swapped (corrected)")] if status["mirrored"] else []
    if pre:
        rows += [
            ("preamble (S1)", pre["s1_name"]), ("pilot pattern", pre["pilot_pattern_name"]),
            ("extended carriers", yes(pre["bwt_ext"])), ("PAPR reduction", pre["papr_name"]),
            ("version", pre["t2_version_name"]), ("L1-post", f"{pre['l1_mod_name']}, {pre['l1_post_size']} cells, "
             f"{'scrambled' if pre['l1_post_scrambled'] else 'not scrambled'}"),
            ("frames of a super-frame", pre["num_t2_frames"]), ("data symbols of a frame", pre["num_data_symbols"]),
            ("cell, network, system", f"{pre['cell_id']:#06x}, {pre['network_id']:#06x}, {pre['t2_system_id']:#06x}"),
        ]
    return rows


# Units of the fields in L1 and in-band signalling.
UNITS = {"frequency": "Hz", "l1_post_size": "cells", "l1_post_info_size": "bits", "fef_length": "T", "plp_start": "cells",
         "current_plp_start": "cells", "sub_slice_interval": "cells", "type_2_start": "cells", "tto": "T", "first_iscr": "T",
         "iscr": "T", "ts_rate": "bit/s", "length": "bits"}


def all_fields(fields):
    """Yields (name in EN 302 755, value, meaning or unit) of every field."""
    for name, value in fields.items():
        if isinstance(value, (list, tuple, dict)) or name.endswith("_name") or name == "code_length":
            continue
        words = fields.get(f"{name}_name", fields.get(f"{name.removesuffix('_type')}_name"))
        if isinstance(value, bool):
            yield name.upper(), words or yes(value)
        elif words is not None:
            yield name.upper(), f"{value} ({words})"
        else:
            yield name.upper(), f"{value} {UNITS[name]}" if name in UNITS else str(value)


def numbered(elements, prefix=""):
    """Yields the fields of all structs in a list. Each name contains the index of its struct."""
    for number, element in enumerate(elements):
        for name, value in all_fields(element):
            yield f"{prefix}{name} [{number}]", value


def signalling_rows(signalling):
    """Returns the table rows with in-band signalling and ISSY of a PLP."""
    if not signalling:
        return []
    counts = ("in_band_frames", "in_band_errors")
    rows = [(name.replace("_", " ").replace("in band", "in-band"), signalling[name]) for name in counts if signalling[name]]
    rows += [(f"ISSY {name}", value) for name, value in all_fields({k: v for k, v in signalling.items() if k not in counts})]
    a, b = signalling.get("in_band_a"), signalling.get("in_band_b")
    if a:
        rows += [*all_fields(a), *numbered(a["frames"]), *numbered(a["other_plps"], "OTHER ")]
    return rows + (list(all_fields(b)) if b else [])


PLP_COLUMNS = ("id", "type", "payload", "cells", "FEC", "rotated", "interleaver", "blocks")


def plp_rows(post):
    dynamic = post.get("dynamic", {"plps": ()})  # not in messages of the blocks
    blocks = {plp["plp_id"]: plp["plp_num_blocks"] for plp in dynamic["plps"]}
    for plp in post["plps"]:
        yield [str(plp["plp_id"]), plp["plp_type_name"], plp["plp_payload_name"],
               f"{plp['plp_mod_name']} {plp['plp_cod_name']}", str(plp["code_length"]), yes(plp["plp_rotation"]),
               counted(plp["time_il_length"], "frame" if plp["time_il_type"] else "TI block"), str(blocks.get(plp["plp_id"], ""))]


def channel_rows(status):
    if not status["locks"]:
        return [("level", f"{status['level_db']:.1f} dB of full scale")]
    return [
        ("level", f"{status['level_db']:.1f} dB of full scale"), ("C/N", f"{status['cn_db']:.1f} dB"),
        ("MER expected from the pilots", f"{status['expected_mer_db']:.1f} dB"), ("carrier offset", f"{round(status['carrier_hz']):+d} Hz"),
        ("clock offset", f"{status['clock_ppm']:+.2f} ppm"), ("delay spread", f"{status['delay_spread_us']:.2f} us"),
        ("frames received, lost", f"{status['frames']}, {status['lost_frames']}"),
        ("L1 errors", status["l1_errors"]), ("lock lost", losses(status)),
    ]


def stream_rows(counters, kernel):
    """Returns the table rows about FEC and packets."""
    codewords = counters["codewords"]
    iterations = counters["iterations"] / codewords if codewords else 0.0
    raw = f"{counters['bit_errors'] / counters['bits']:.2e}" if counters["bits"] else "unknown: no codeword converged" if codewords else ""
    mer = f"{counters['mer_db']:.1f} dB" if counters["mer_db"] else "unknown" if codewords else ""
    generic = [(f"{name} frames", counters[f"{name.lower()}_frames"]) for name in ("GFPS", "GCS", "GSE")]
    return [
        ("MER", mer), ("LDPC codewords, failed", f"{codewords}, {counters['failed_codewords']}"),
        ("LDPC iterations", f"{iterations:.2f} on average ({kernel})" if kernel else "none"),
        ("bit errors before decoding", raw),
        ("BCH corrected bits, failed", f"{counters['bch_corrected_bits']}, {counters['bch_failed']}"),
        ("baseband frames with wrong headers", counters["header_errors"]), ("packets", counters["packets"]), ("packets with errors", counters["ts_errors"]),
        ("packets lost", counters["lost_packets"]), *(row for row in generic if row[1]),
    ]
