# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of a reception on a terminal."""
from rich.table import Table

from libdvb.tables import lost_samples, losses, network_rows, service_table, two_columns, with_header
from libdvbt2.tools import rows
from libdvbt2.tools.scan import slowness

COMMON = 0  # PLP_TYPE
MOST_COLUMNS = 6  # PLPs side by side
CLOCK_PPM = 100.0  # larger offsets mean a wrong sample rate
# LEAST_CN: required C/N in dB over AWGN (ETSI TS 102 831, table 44). Rates 1/3 and 2/5 are extrapolated. CN_MARGIN: margin in dB for pilots and
# losses.
LEAST_CN = {"QPSK": {"1/3": -1.2, "2/5": -0.2, "1/2": 1.0, "3/5": 2.3, "2/3": 3.1, "3/4": 4.1, "4/5": 4.7, "5/6": 5.2},
            "16QAM": {"1/3": 3.3, "2/5": 4.5, "1/2": 6.0, "3/5": 7.6, "2/3": 8.9, "3/4": 10.0, "4/5": 10.8, "5/6": 11.3},
            "64QAM": {"1/3": 6.5, "2/5": 8.0, "1/2": 9.9, "3/5": 12.0, "2/3": 13.5, "3/4": 15.1, "4/5": 16.1, "5/6": 16.7},
            "256QAM": {"1/3": 9.6, "2/5": 11.2, "1/2": 13.2, "3/5": 16.1, "2/3": 17.8, "3/4": 20.0, "4/5": 21.3, "5/6": 22.0}}
CN_MARGIN = 1.5
SHORT = 0.5  # seconds; T2 frames last at most 250 ms in channels from 1.7 MHz, so one is received unless there are FEF parts


def plp_summary(post):
    """One row per PLP."""
    columns = rows.PLP_COLUMNS if "dynamic" in post else rows.PLP_COLUMNS[:-1]
    return with_header("PLPs", columns, (row[:len(columns)] for row in rows.plp_rows(post)))


def plp_fields(post):
    """Makes a table with one row for each field and one column for each PLP. The configurable L1-post comes before the dynamic L1-post."""
    table = Table(title="L1-post, PLPs", title_justify="left", show_header=False)
    table.add_column(style="bold")
    dynamic = {plp["plp_id"]: plp for plp in post.get("dynamic", {"plps": ()})["plps"]}
    plps = [dict(rows.all_fields({**plp, **dynamic.get(plp["plp_id"], {})})) for plp in post["plps"][:MOST_COLUMNS]]
    for name in plps[0] if plps else ():
        table.add_row(name, *(plp[name] for plp in plps))
    if len(post["plps"]) > MOST_COLUMNS:
        table.caption = f"and {len(post['plps']) - MOST_COLUMNS} more PLPs (see --json)"
    return table


def dynamic_fields(dynamic):
    """Returns the dynamic L1-post without PLPs."""
    private = dynamic.get("aux_private_dyn", ())
    return [*rows.all_fields(dynamic), *((f"AUX_PRIVATE_DYN [{i}]", f"{value:#014x}") for i, value in enumerate(private))]


def l1_tables(result):
    """Yields the tables of the L1 signalling."""
    pre, post = result["l1_pre"], result["l1_post"]
    if pre:
        yield two_columns("L1-pre", rows.all_fields(pre))
    if post:
        lists = [line for name in ("rf", "aux", "extensions")
                 for line in rows.numbered(post.get(name, ()), "EXTENSION " if name == "extensions" else "")]
        yield two_columns("L1-post", [*rows.all_fields(post), *lists, *dynamic_fields(post.get("dynamic", {}))])
        yield plp_fields(post)
        if post.get("next_dynamic"):
            following = post["next_dynamic"]
            yield two_columns("L1-post, next frame", [*dynamic_fields(following), *rows.numbered(following["plps"])])


def frames_to_decode(post):
    """Returns the number of T2 frames in which every PLP transmits at least one codeword."""
    return max((plp["frame_interval"] * (plp["time_il_length"] if plp["time_il_type"] else 1) for plp in (post or {}).get("plps", ())), default=1)


def failed_codewords(result, codewords):
    """Returns a message about failed codewords. It states whether the C/N is too low."""
    status, plps = result["status"], {plp["plp_id"]: plp for plp in (result["l1_post"] or {}).get("plps", ())}
    ids = [stream["plp"] for stream in result["streams"]]
    plp = next((plps[i] for i in ids if i in plps), next((p for p in plps.values() if p["plp_type"] != COMMON), None))
    least = plp and LEAST_CN.get(plp["plp_mod_name"], {}).get(plp["plp_cod_name"])
    failed = f"all {codewords} LDPC codewords failed"
    if least is None:
        return f"{failed} at a C/N of {status['cn_db']:.1f} dB"
    mode = f"{plp['plp_mod_name']} {plp['plp_cod_name']}"
    if status["cn_db"] < least + CN_MARGIN:
        return f"{failed}: C/N is too low for {mode} ({status['cn_db']:.1f} dB, required about {least + CN_MARGIN:.1f} dB), or the samples are clipped"
    lost = f"lock was lost {losses(status)}; " if status["last_loss"] else ""
    return (f"{failed}, though a C/N of {status['cn_db']:.1f} dB is enough for {mode}: {lost}possible causes: interference, echoes outside the guard "
            "interval, lost samples, or wrong L1 signalling by the modulator")


def other_profile(result):
    """Returns a note about frames of another profile, or ""."""
    status = result["status"]
    if not status["other_profile"] or not status["profile"]:
        return ""
    name, option = ("T2-base", "base") if status["profile"] == "T2-Lite" else ("T2-Lite", "lite")
    return f"the signal also has {name} frames, which are not received with {status['profile']}: --profile {option} receives them"


def sentence(result, seconds, wanted_packets, wanted_frames):
    """Returns why there is no stream, or ""."""
    status, counters = result["status"], [stream["counters"] for stream in result.get("streams", ())]
    packets = sum(c["packets"] for c in counters)
    marked = sum(c["ts_errors"] for c in counters)
    generic = [kind for kind in ("GSE", "GCS", "GFPS") if any(c[f"{kind.lower()}_frames"] for c in counters)]
    enough = SHORT * slowness(result["bandwidth"])
    if status["message"] or packets > marked and wanted_packets or generic and wanted_frames or result["l1_post"] and not counters:
        return status["message"]
    if not status["samples"]:
        return "the input has no samples"
    if packets and not wanted_packets:
        return "the stream is a transport stream: --output writes its packets"
    if generic:
        return f"the stream is {' and '.join(generic)}, not a transport stream: --frames writes its baseband frames"
    codewords = sum(c["codewords"] for c in counters)
    failed = sum(c["failed_codewords"] for c in counters)
    if codewords == failed and status["frames"] < frames_to_decode(result["l1_post"]) and (codewords or status["locked"]):
        return (f"the {seconds:.3f} s of samples end before the T2 frames of the first codewords: "
                f"a recording should have at least {enough:g} s")
    if codewords and codewords == failed:
        return failed_codewords(result, codewords)
    if packets:
        return f"all {packets} packets have errors"
    if codewords:
        return "no complete transport stream packet"
    short = f"; a recording should have at least {enough:g} s" if seconds < enough else ""
    return f"nothing was received within {seconds:.2f} s: the last state was \"{status['state']}\"{short}"


def clock_advice(result):
    """Returns a note about a wrong sample rate, or ""."""
    status, given = result["status"], result["sample_rate"]
    if not status["locks"] or abs(status["clock_ppm"]) <= CLOCK_PPM:
        return ""
    return (f"the clock offset is {status['clock_ppm']:+.0f} ppm (corrected): the true sample rate is near "
            f"{given * (1 + 1e-6 * status['clock_ppm']):.0f}, not {given:.10g}")


def of_plp(stream):
    return "" if stream["plp"] is None else f" of PLP {stream['plp']}"


def tables(result, whole_l1=False):
    """Yields the tables of a result of ldpc-dvbt2 --json, which may lack "services", "gaps" and "live". With whole_l1, all L1 fields are
    included."""
    status, streams = result["status"], result.get("streams", ())
    for stream in streams:
        yield two_columns(f"Transport stream{of_plp(stream)}", rows.stream_rows(stream["counters"], stream["kernel"]))
        if stream["counters"]["packets"] and "services" in stream:
            yield service_table(of_plp(stream), stream)
    lost = [("samples lost by the radio", lost_samples(result))] if result.get("gaps") else []
    yield two_columns("Channel", [*rows.channel_rows(status), *lost])
    if result.get("live"):
        yield two_columns("Players", network_rows(result))
    yield two_columns("Signal", rows.signal_rows(status, result["l1_pre"]))
    if result["l1_post"]:
        yield plp_summary(result["l1_post"])
    if whole_l1:
        yield from l1_tables(result)
    for stream in streams:
        if whole_l1 and (signalling := rows.signalling_rows(stream.get("signalling"))):
            yield two_columns(f"In-band signalling and ISSY{of_plp(stream)}", signalling)
