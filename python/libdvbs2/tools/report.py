# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of a reception, and the reason why nothing was received."""
from libdvb.tables import counted, lost_samples, losses, network_rows, service_table, two_columns, with_header, yes

FORMATS = {"GCS": "GSE", "GSE-HEM": "GSE-HEM", "GFPS": "generic packets", "TS": "TS"}  # names of TS/GS in the baseband header
SHORT = 0.2  # seconds; a shorter recording may end before the receiver has found the signal


def modcod_table(result):
    rows = ([f"{m['modulation'].upper()} {m['rate']}", str(m["code_length"]), yes(m["pilots"]), str(m["frames"]), str(m["failed_frames"]),
             f"{m['iterations'] / m['frames']:.1f}"] for m in result["modcods"])
    return with_header("MODCODs", ("MODCOD", "bits", "pilots", "frames", "failed", "LDPC iterations"), rows)


def stream_table(result):
    rows = (["single" if s["isi"] is None else str(s["isi"]), FORMATS[s["ts_gs"]], str(s["frames"]), str(s["failed_frames"]),
             str(s["packets"]), str(s["ts_errors"]), str(s["pdus"])] for s in result["streams"])
    return with_header("Streams", ("ISI", "format", "frames", "failed", "packets", "marked packets", "PDUs"), rows)


def channel_rows(status):
    if not status["locks"]:
        return [("state", status["state"])]
    return [("state", status["state"]), ("Es/N0", f"{status['esn0_db']:.1f} dB"),
            *([("distortion, C/D", f"{status['cd_db']:.1f} dB")] if status["cd_db"] else []),
            ("carrier offset", f"{round(status['carrier_hz']):+d} Hz"), ("clock offset", f"{status['clock_ppm']:+.2f} ppm"),
            ("roll-off", f"{status['roll_off']:.2f}"), ("spectrum", "inverted: I and Q are swapped (corrected)" if status["mirrored"] else "upright"),
            ("frames, failed", f"{status['frames']}, {status['failed_frames']}"),
            ("dummy frames, VL-SNR frames", f"{status['dummy_frames']}, {status['vlsnr_frames']}"),
            ("baseband frames with wrong headers", status["header_errors"]), ("PDUs lost", status["lost_pdus"]), ("lock lost", losses(status))]


def tables(result):
    """Yields the tables of a result in the format of ldpc-dvbs2 --json. The received streams come first."""
    if result["streams"]:
        yield stream_table(result)
    for stream in result["streams"]:
        if stream["packets"]:
            yield service_table("" if stream["isi"] is None else f" of ISI {stream['isi']}", stream)
    yield two_columns("Channel", [("level", f"{result['status']['level_db']:.1f} dB of full scale"), *channel_rows(result["status"]),
                                   *([("samples lost by the radio", lost_samples(result))] if result["gaps"] else ())])
    if result["live"]:
        yield two_columns("Players", network_rows(result))
    if result["modcods"]:
        yield modcod_table(result)


def sentence(result, seconds, came):
    """Returns the reason why nothing was received, or ""."""
    status = result["status"]
    if status["message"] or came:
        return status["message"]
    if not status["samples"]:
        return "the input has no samples"
    if not status["locks"]:
        state = "no signal was found" if status["state"] == "timing" else "no PL header was found"
        short = f"; a recording should have at least {SHORT:g} s" if seconds < SHORT else ""
        return (f"{state} within {seconds:.2f} s: expected a DVB-S2 signal of {result['symbol_rate']:.10g} baud at Es/N0 of at least -2 dB "
                f"(wrong --symbol-rate, --sample-rate or --format?){short}")
    frames = sum(m["frames"] for m in result["modcods"])
    failed = sum(m["failed_frames"] for m in result["modcods"])
    if frames and (frames == failed or frames == status["header_errors"]):
        modcods = ", ".join(f"{m['modulation'].upper()} {m['rate']}" for m in result["modcods"])
        return f"all {counted(frames, 'frame')} failed: an Es/N0 of {status['esn0_db']:.1f} dB is too low for {modcods}, or --gold is wrong"
    if not result["streams"] and (status["other_frames"] or result["other_streams"]):
        return f"the signal has streams, but not stream {result['isi']}: --isi all receives all of them"
    return "no frame carries packets or PDUs"


def other_streams(result):
    """Returns a note about streams that were received but not selected, or ""."""
    others = result["other_streams"]
    if not others or not result["streams"] or result["isi"] is not None:
        return ""
    return f"the signal also has the ISI {', '.join(map(str, others))}: --isi all receives all streams"
