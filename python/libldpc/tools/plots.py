# SPDX-License-Identifier: BSD-3-Clause
"""Plots error rates over Eb/N0 with 95 % intervals, and reference curves."""
import io
import itertools
import math

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from . import cli, limits, outputs, results

PANELS_IN_A_ROW = 4
MIN_WIDTH = 6.5  # inches
ENTRY_INCHES, LETTER_INCHES, LINE_INCHES = 0.75, 0.075, 0.22  # legend: beside the text, per letter, per line
STYLES = ("-", ":", "-.", (0, (6, 2)), (0, (1, 3)), (0, (4, 1, 1, 1, 1, 1)))  # of reference curves
MOST_RUNS = 100  # maximum per plot
RATES = {"fer": ("FER", "-", "o"), "ber": ("BER", "--", "s")}


def label(text):
    """Escapes $, which starts a formula in matplotlib."""
    return cli.printable(text).replace("$", r"\$")


def axis_of(run):
    return results.AXIS_OF_CHANNEL.get(run.get("channel"), "ebn0")


def common_axis(runs):
    """Returns the axis that all runs have. Raises ValueError if the runs have different axes."""
    axis, *others = dict.fromkeys(map(axis_of, runs))
    if others:
        raise ValueError(f"the runs have different axes (\"{results.AXIS_LABELS[axis]}\" and \"{results.AXIS_LABELS[others[0]]}\"): expected one axis in a plot")
    return axis


def curve(axes, run, rate, colour, run_name):
    name, style, marker = RATES[rate]
    axis = axis_of(run)
    points = sorted((p for p in run["points"] if p["frames"] or p["ber"] or p["fer"]), key=lambda p: p[axis])
    seen = [p for p in points if (p["frame_errors"] or not p["frames"]) and p[rate] > 0]
    if not seen and not any(p["frames"] for p in points):  # a file without this rate
        return
    bars = [[max(0.0, p[rate] - p.get(rate + "_low", p[rate])) for p in seen],
            [max(0.0, p.get(rate + "_high", p[rate]) - p[rate]) for p in seen]]
    axes.errorbar([p[axis] for p in seen], [p[rate] for p in seen], yerr=bars, color=colour, linestyle=style,
                  marker=marker, markersize=4, capsize=2, label=f"{label(run_name)}, {name}")
    if rate == "fer":  # no errors: upper bounds
        none = [p for p in points if p["frames"] and not p["frame_errors"]]
        axes.plot([p[axis] for p in none], [p["fer_high"] for p in none], color=colour, marker="v", linestyle="",
                  fillstyle="none")


def alike(runs, *keys):
    """Returns the distinct combinations of modulation and values of `keys`. Only runs over AWGN are used."""
    kinds = {tuple(run.get(key) for key in keys) + (run.get("modulation") or "bpsk",) for run in runs
             if (run.get("fading") or "none") == "none" and axis_of(run) == "ebn0"}
    return sorted((kind for kind in kinds if all(kind) and kind[-1] in limits.AXIS_BITS), key=str)


def name_of_modulation(modulation):
    return "BPSK" if modulation in ("bpsk", "qpsk") else modulation.upper()


def draw_uncoded(axes, runs, x):
    """Plots the uncoded modulations."""
    modulations = dict.fromkeys(name_of_modulation(kind[-1]) for kind in alike(runs))
    styles = iter(STYLES)
    for name in modulations:
        axes.plot(x, [limits.uncoded(value, modulation=name.lower()) for value in x], color="0.5", linewidth=1, linestyle=next(styles),
                  label=f"BER of uncoded {name}")
    if any(run.get("fading") == "rayleigh" for run in runs):
        axes.plot(x, [limits.uncoded(value, "rayleigh") for value in x], color="0.7", linewidth=1, label="BER of uncoded BPSK, Rayleigh fading")


def draw_limits(axes, runs, x, shown, with_numbers):
    """Plots the Shannon limit, and the frame error rate of the best codes."""
    number = "" if not with_numbers else ", {0}"
    for style, (rate, modulation) in zip(itertools.cycle(STYLES[1:]), sorted({(round(rate, 4), name_of_modulation(modulation).lower()) for rate, modulation in alike(runs, "rate")})):
        limit = limits.shannon_limit(rate, modulation)
        what = f"{limit:.2f} dB, rate {rate:.3g}" + ("" if modulation == "bpsk" else f", {modulation}")
        axes.axvline(limit, color="0.3", linestyle=style, linewidth=1, label="Shannon limit" + number.format(what))
    if "fer" not in shown:
        return
    for style, (n, k, modulation) in zip(itertools.cycle(STYLES[2:] + STYLES[1:2]), alike(runs, "n", "k")):
        x = np.linspace(min(limits.shannon_limit(k / n, modulation), x[0]), x[-1], 200)
        axes.plot(x, [limits.normal_approximation(value, n, k, modulation) for value in x], color="tab:brown", linewidth=1, linestyle=style,
                  label="FER of the best codes" + number.format(f"n = {n}, k = {k}" + ("" if name_of_modulation(modulation) == "BPSK" else f", {modulation}")))


def colour(number):
    colours = plt.rcParams["axes.prop_cycle"].by_key()["color"]
    return colours[number % len(colours)]


def panel(axes, runs, colours, shown, references, name_of, with_numbers):
    for run, its_colour in zip(runs, colours):
        for rate in shown:
            curve(axes, run, rate, its_colour, name_of(run))
    axis = common_axis(runs)
    values = [p[axis] for run in runs for p in run["points"]]
    smallest = [p[rate] for run in runs for p in run["points"] for rate in shown if p[rate] > 0]
    if references and values and axis == "ebn0":
        margin = max(0.2, 0.05 * (max(values) - min(values)))
        x = np.linspace(min(values) - margin, max(values) + margin, 100)
        if "ber" in shown:
            draw_uncoded(axes, runs, x)
        draw_limits(axes, runs, x, shown, with_numbers)
    axes.set(yscale="log", xlabel=results.AXIS_LABELS[axis], ylabel="error rate")
    axes.set_ylim(10 ** math.floor(math.log10(min(smallest, default=1e-3) + 1e-30)) / 2, 1.5)
    axes.grid(True, which="both", alpha=0.3)


def by_code(runs):
    groups = {}
    for run in runs:
        groups.setdefault(run.get("code") or "", []).append(run)
    return groups


def decoder_names(groups):
    """Returns a function that gives each run the name of its decoder."""
    def short(run):
        return results.decoder_of(run | {"max_iterations": None})

    clash = any(len(set(map(short, group))) < len(set(map(results.decoder_of, group))) for group in groups)
    return results.decoder_of if clash else short


def draw(runs, path, shown=("fer", "ber"), title=None, references=True, panels=False):
    """Plots all runs in one panel, or each code in its own panel."""
    form = outputs.picture_format(path)
    figure = figure_of(runs, shown, title, references, panels)
    picture = io.BytesIO()
    figure.savefig(picture, format=form, dpi=120)
    plt.close(figure)
    outputs.write_whole(path, picture.getvalue())


def figure_of(runs, shown=("fer", "ber"), title=None, references=True, panels=False):
    if len(runs) > MOST_RUNS:
        raise ValueError(f"{len(runs)} runs are too many for a plot: expected at most {MOST_RUNS}")
    groups = by_code(runs) if panels else {"": runs}
    columns = min(len(groups), PANELS_IN_A_ROW)
    width = max(MIN_WIDTH, 4.5 * columns) if panels else 8.0
    decoder = decoder_names(groups.values())
    decoders = list(dict.fromkeys(map(decoder, runs)))
    figure = plt.figure(figsize=(width, 1), layout="constrained")
    height = 4.4 if panels else 5.5
    rows = math.ceil(len(groups) / columns)
    grid = figure.add_gridspec(rows + 1, columns, height_ratios=[height] * rows + [1])
    entries = {}  # first curve of each name
    for number, (code, group) in enumerate(groups.items()):
        axes = figure.add_subplot(grid[number // columns, number % columns])
        if panels:  # one colour per decoder in all panels
            panel(axes, group, [colour(decoders.index(decoder(run))) for run in group], shown, references, decoder, False)
        else:
            names = list(dict.fromkeys(map(results.name_of, group)))  # one legend entry per name
            panel(axes, group, [colour(names.index(results.name_of(run))) for run in group], shown, references, results.name_of, True)
        for handle, name in zip(*axes.get_legend_handles_labels()):
            entries.setdefault(name, handle)
        axes.set_title(label(code))
    below = legend_below(figure, grid, entries, width)
    grid.set_height_ratios([height] * rows + [below])
    figure.set_size_inches(width, rows * height + below)
    figure.suptitle(label(title or ""))
    return figure


def legend_below(figure, grid, entries, width):
    """Draws the legend below the grid. Returns its height in inches."""
    axes = figure.add_subplot(grid[-1, :])
    axes.axis("off")
    longest = max(map(len, entries), default=1)
    columns = max(1, min(len(entries), int(width / (ENTRY_INCHES + longest * LETTER_INCHES))))
    if entries:
        axes.legend(entries.values(), entries.keys(), ncol=columns, fontsize="small", loc="upper center", frameon=False, borderaxespad=0)
    return 0.2 + LINE_INCHES * math.ceil(len(entries) / columns)
