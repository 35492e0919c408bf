# SPDX-License-Identifier: BSD-3-Clause
"""Error rates over Eb/N0: curves with their 95 % intervals, BPSK without a code, the Shannon limit."""
import io
import math

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from . import cli, outputs, results

PANELS_IN_A_ROW = 4
MOST_RUNS = 100  # of a picture
RATES = {"fer": ("FER", "-", "o"), "ber": ("BER", "--", "s")}


def label(text):
    """A text as matplotlib prints it: a $ would begin a formula."""
    return cli.printable(text).replace("$", r"\$")


def curve(axes, run, rate, colour, run_name):
    name, style, marker = RATES[rate]
    points = sorted((p for p in run["points"] if p["frames"]), key=lambda p: p["ebn0"])
    seen = [p for p in points if p["frame_errors"] and p[rate] > 0]
    bars = [[max(0.0, p[rate] - p.get(rate + "_low", p[rate])) for p in seen],
            [max(0.0, p.get(rate + "_high", p[rate]) - p[rate]) for p in seen]]
    axes.errorbar([p["ebn0"] for p in seen], [p[rate] for p in seen], yerr=bars, color=colour, linestyle=style,
                  marker=marker, markersize=4, capsize=2, label=f"{label(run_name)}, {name}")
    if rate == "fer":  # no errors: the rate is below this
        none = [p for p in points if not p["frame_errors"]]
        axes.plot([p["ebn0"] for p in none], [p["fer_high"] for p in none], color=colour, marker="v", linestyle="",
                  fillstyle="none")


def limits(axes, runs, span):
    """BPSK without a code, and the limit of each rate and modulation."""
    x = np.linspace(*span, 200)
    for fading in sorted({run.get("fading", "none") for run in runs}):
        channel = "" if fading == "none" else f", {fading}"
        axes.plot(x, [results.uncoded(value, fading) for value in x], color="0.5", linewidth=1,
                  label=label(f"BPSK, no code{channel}"))
    kinds = {(round(run["rate"], 4), run.get("modulation", "bpsk")) for run in runs
             if run.get("rate") and run.get("modulation", "bpsk") in results.AXIS_BITS and run.get("fading", "none") == "none"}
    for rate, modulation in sorted(kinds):
        limit = results.shannon_limit(rate, "bpsk" if modulation == "qpsk" else modulation)
        what = f"rate {rate:.3g}" + ("" if modulation in ("bpsk", "qpsk") else f", {modulation}")
        axes.axvline(limit, color="0.3", linestyle=":", linewidth=1, label=f"Shannon limit {limit:.2f} dB, {what}")


def colour(number):
    colours = plt.rcParams["axes.prop_cycle"].by_key()["color"]
    return colours[number % len(colours)]


def panel(axes, runs, colours, shown, references, name_of=results.name_of):
    for run, its_colour in zip(runs, colours):
        for rate in shown:
            curve(axes, run, rate, its_colour, name_of(run))
    x = [p["ebn0"] for run in runs for p in run["points"]]
    if references and x:
        margin = max(0.2, 0.05 * (max(x) - min(x)))
        limits(axes, runs, (min(x) - margin, max(x) + margin))
    smallest = [p[rate] for run in runs for p in run["points"] for rate in shown if p[rate] > 0]
    axes.set(yscale="log", xlabel="Eb/N0, dB", ylabel="error rate")
    axes.set_ylim(10 ** math.floor(math.log10(min(smallest, default=1e-3) + 1e-30)) / 2, 1.5)
    axes.grid(True, which="both", alpha=0.3)


def by_code(runs):
    groups = {}
    for run in runs:
        groups.setdefault(run.get("code") or "", []).append(run)
    return groups


def decoder_names(groups):
    """A function that names the decoder of a run, by which it has its colour: codes may have other numbers of iterations, unless
    these are what the curves of one panel differ in."""
    def short(run):
        return results.decoder_of(run | {"max_iterations": None})

    clash = any(len(set(map(short, group))) < len(set(map(results.decoder_of, group))) for group in groups)
    return results.decoder_of if clash else short


def draw(runs, path, shown=("fer", "ber"), title=None, references=True, panels=False):
    """One picture of all runs, or a panel for each code; the ending of the path says which format."""
    form = outputs.picture_format(path)
    if len(runs) > MOST_RUNS:
        raise ValueError(f"{len(runs)} runs are too many for a picture: expected at most {MOST_RUNS}")
    groups = by_code(runs) if panels else {"": runs}
    columns = min(len(groups), PANELS_IN_A_ROW)
    rows = math.ceil(len(groups) / columns)
    size = (4.5 * columns, 4.6 * rows) if panels else (8, 6)
    figure, grid = plt.subplots(rows, columns, figsize=size, squeeze=False, layout="constrained")
    for axes in grid.flat[len(groups):]:
        axes.remove()
    decoder = decoder_names(groups.values())
    decoders = list(dict.fromkeys(map(decoder, runs)))
    for axes, (code, group) in zip(grid.flat, groups.items()):
        if panels:  # the same decoder has the same colour everywhere, and names stand where no curve does
            panel(axes, group, [colour(decoders.index(decoder(run))) for run in group], shown, references, results.decoder_of)
            axes.legend(fontsize="x-small", loc="upper center", bbox_to_anchor=(0.5, -0.13), ncol=2)
        else:
            panel(axes, group, map(colour, range(len(group))), shown, references)
            axes.legend(fontsize="small")
        axes.set_title(label(code))
    figure.suptitle(label(title or ""))
    picture = io.BytesIO()
    figure.savefig(picture, format=form, dpi=120)
    plt.close(figure)
    outputs.write_whole(path, picture.getvalue())
