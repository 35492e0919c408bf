# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of a reception for a terminal."""
from rich.table import Table


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


def losses(status):
    """Returns the number of losses of lock and their causes, as text."""
    reasons = {name.removeprefix("losses_").replace("_", " "): count for name, count in status.items() if name.startswith("losses_") and count}
    if not reasons:
        return "never"
    return f"{counted(sum(reasons.values()), 'time')}: {', '.join(f'{reason} {count}' for reason, count in reasons.items())}; last: {status['last_loss']}"
