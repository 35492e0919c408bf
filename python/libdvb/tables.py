# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of a reception for a terminal."""
from rich.markup import escape
from rich.table import Table

MOST_SERVICES, MOST_PIDS = 60, 12  # of a table


def yes(value):
    return "yes" if value else "no"


def counted(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"


def two_columns(title, lines):
    table = Table(title=title, title_justify="left", show_header=False)
    table.add_column(style="bold")
    table.add_column()
    for name, value in lines:
        table.add_row(name, str(value))
    return table


def with_header(title, columns, rows):
    """Returns a table with column names above rows of text."""
    table = Table(title=title, title_justify="left")
    for name in columns:
        table.add_column(name)
    for row in rows:
        table.add_row(*row)
    return table


def network_rows(result):
    """Returns a row for each live output of --json."""
    rows = []
    for live in result["live"]:
        clients = f"{counted(live['clients'], 'client')}, " if "clients" in live else ""
        refused = f"{live['refused']} refused, " if live.get("refused") else ""
        rows.append((live["to"], f"{clients}{refused}{counted(live['lost_packets'], 'packet')} lost"))
    return rows


def lost_samples(result):
    """Returns how many samples the radio has lost, as text, or ""."""
    known = f", {result['lost_samples']} samples" if result["lost_samples"] else ""
    return f"{counted(result['gaps'], 'time')}{known}" if result["gaps"] else ""


def gap_advice(result):
    """Returns a note about samples that the radio has lost, or ""."""
    lost = lost_samples(result)
    return lost and (f"the radio lost samples ({lost}): its USB port or this computer is too slow for {1e-6 * result['sample_rate']:g} MS/s; "
                     "try a lower --sample-rate, another USB port, or fewer programs at the same time")


def losses(status):
    """Returns the number of losses of lock and their causes, as text."""
    reasons = {name.removeprefix("losses_").replace("_", " "): count for name, count in status.items() if name.startswith("losses_") and count}
    if not reasons:
        return "never"
    return f"{counted(sum(reasons.values()), 'time')}: {', '.join(f'{reason} {count}' for reason, count in reasons.items())}; last: {status['last_loss']}"


def megabits(bit_rate):
    return "" if bit_rate is None else f"{1e-6 * bit_rate:.3f}"


def pid_list(entries):
    """Returns kinds and PIDs as text: "PAT 0, SDT 17"."""
    texts = [f"{entry['kind']} {entry['pid']}{' (scrambled)' * entry['scrambled']}".lstrip() for entry in entries]
    more = len(texts) - MOST_PIDS
    return ", ".join([*texts[:MOST_PIDS], *([f"and {more} more"] if more > 0 else ())])


def service_rows(stream):
    """Returns rows for the result of services.Services, also without the PIDs: service_id, name, provider, streams with PIDs, Mbit/s."""
    services, others = stream["services"], stream.get("other_pids")
    rows = [(str(s["service_id"]), s["name"], s["provider"], pid_list(s.get("pids", ())), megabits(s["bit_rate"])) for s in services[:MOST_SERVICES]]
    if len(services) > MOST_SERVICES:
        rows.append(("", f"and {len(services) - MOST_SERVICES} more services", "", "", ""))
    rate = stream["bit_rate"]
    nulls = rate and rate * stream["null_share"]
    return [*rows, *([("", "other PIDs", "", pid_list(others), megabits(rate and sum(entry["bit_rate"] for entry in others)))] if others else ()),
            ("", "null packets", "", f"{100 * stream['null_share']:.1f} %", megabits(nulls)), ("", "whole stream", "", "", megabits(rate))]


SERVICE_COLUMNS = "number", "service", "provider", "streams and PIDs", "mean Mbit/s"


def service_table(of, stream):
    """Returns the table of services. `of` names the stream."""
    return with_header(f"Services{of}", SERVICE_COLUMNS, ([escape(cell) for cell in row] for row in service_rows(stream)))
