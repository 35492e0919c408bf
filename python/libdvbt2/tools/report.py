# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of what was received, for a terminal."""
from rich.table import Table

from libdvbt2.tools import rows


def two_columns(title, lines):
    table = Table(title=title, title_justify="left", show_header=False)
    table.add_column(style="bold")
    table.add_column()
    for name, value in lines:
        table.add_row(name, str(value))
    return table


def tables(result):
    """Tables of a result as ldpc-dvbt2 --json writes it."""
    status, pre, post = result["status"], result["l1_pre"], result["l1_post"]
    yield two_columns("Signal", rows.signal_rows(status, pre))
    if post:
        plps = Table(title="PLPs", title_justify="left")
        columns = rows.PLP_COLUMNS if "dynamic" in post else rows.PLP_COLUMNS[:-1]
        for name in columns:
            plps.add_column(name)
        for row in rows.plp_rows(post):
            plps.add_row(*row[:len(columns)])
        yield plps
    yield two_columns("Channel", rows.channel_rows(status))
    if "counters" in result:
        yield two_columns("Transport stream", rows.stream_rows(result["counters"], result["kernel"]))
