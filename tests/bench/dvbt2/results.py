# SPDX-License-Identifier: GPL-3.0-or-later
"""A table of results, and a comparison of the worst results with the targets."""
import csv
import dataclasses
import pathlib

from rich.table import Table


@dataclasses.dataclass
class Row:
    what: str
    target: str
    measured: str
    met: bool


@dataclasses.dataclass
class Result:
    title: str
    columns: list
    lines: list = dataclasses.field(default_factory=list)  # rows of the table, lists of values
    rows: list = dataclasses.field(default_factory=list)

    def add(self, *values):
        self.lines.append([text(value) for value in values])

    def judge(self, what, target, measured, met):
        self.rows.append(Row(what, target, measured, bool(met)))


def text(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def show(console, result):
    """Prints the results on a terminal."""
    table = Table(*result.columns, title=result.title, title_justify="left")
    for line in result.lines:
        table.add_row(*line)
    console.print(table)
    for row in result.rows:
        console.print(f"[bold]{'met' if row.met else '[red]MISSED[/red]'}[/bold]  {row.what}: {row.measured}  "
                      f"(target: {row.target})")


def markdown_table(columns, lines):
    parts = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join(parts + ["| " + " | ".join(line) + " |" for line in lines]) + "\n"


def markdown(result):
    rows = [[row.what, row.target, row.measured, "yes" if row.met else "**no**"] for row in result.rows]
    return (f"## {result.title}\n\n" + markdown_table(["what", "target", "measured", "met"], rows) + "\n"
            + markdown_table(result.columns, result.lines))


def save(folder, name, result):
    """Writes NAME.md and NAME.csv."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text(markdown(result), encoding="utf-8")
    with open(folder / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(result.columns)
        writer.writerows(result.lines)
