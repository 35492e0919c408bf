# SPDX-License-Identifier: BSD-3-Clause
"""Tests ldpc-plot and its reference curves."""
import csv
import os
import unittest
from unittest import mock

import numpy as np

import libldpc
from libldpc.tools import limits, result_files, results
from libldpc.tools import plots  # pylint: disable=unused-import # loads matplotlib once for all programs
from programs import run
from test_ber import QUICK, SOURCE, Folder

AFF3CT = """\
# ----------------------------------------------------
# * Simulation ------------------------------------
#    ** Type                    = BFER
# * Codec -----------------------------------------
#    ** Type                    = LDPC
#    ** Info. bits (K)          = 100 + 32 (CRC)
#    ** Codeword size (N)       = 200
# * Modem -----------------------------------------
#    ** Type                    = QAM
#    ** Bits per symbol         = 4
# ---------------------||------------------------------------------------------||---------------------
#     Es/N0 |    Eb/N0 ||      FRA |       BE |       FE |      BER |      FER ||  SIM_THR |    ET/RT
#      (dB) |     (dB) ||          |          |          |          |          ||   (Mb/s) | (hhmmss)
# ----------|----------||----------|----------|----------|----------|----------||----------|----------
      -2.01 |     1.00 ||      120 |     6000 |      100 | 5.00e-02 | 8.33e-01 ||    4.000 | 00h00'01
      -1.01 |     2.00 ||    50000 |     1200 |      100 | 2.40e-05 | 2.00e-03 ||    6.000 | 00h00'08
# End of the simulation.
"""


PLAIN = "EbN0, BER, FER\n1, 0.05, 0.8\n2, 2e-5, 2e-3\n3, 1e-7,\n"


class Plot(Folder):
    def results(self):
        """Plots a file of ldpc-ber and a file of AFF3CT."""
        ours, theirs = self.path("ours.json"), self.path("theirs.txt")
        self.output("ldpc-ber", *QUICK, "--ebn0", "1,2", "--max-frames", "256", "--json", ours, "--quiet")
        with open(theirs, "w", encoding="utf-8") as file:
            file.write(AFF3CT)
        return ours, theirs

    def test_files_together(self):
        ours, theirs = self.results()
        text = self.output("ldpc-plot", ours, theirs)
        self.assertIn("wimax:576:1/2, corrected, i8, 8 iterations", text)
        self.assertRegex(text, r"2\.000 dB +50,000 frames BER 2\.40e-05 FER 2\.00e-03")
        self.assertLess(max(map(len, text.partition("dB")[2].splitlines())), 80)
        rows = list(csv.DictReader(self.output("ldpc-plot", ours, theirs, "--csv", "-").splitlines()))
        self.assertEqual([row["frame_errors"] for row in rows[2:]], ["100", "100"])
        for arguments in (("--rate", "fer"), ("--title", "T", "--no-references"), ("--references",)):
            picture = self.path("p.png")
            self.output("ldpc-plot", ours, theirs, "--output", picture, *arguments)
            with open(picture, "rb") as file:
                self.assertEqual(file.read(4), b"\x89PNG")
            os.remove(picture)

    def test_csv_is_read(self):
        path = self.path("c.csv")
        self.output("ldpc-ber", *QUICK, "--algorithm", "corrected", "--algorithm", "min-sum", "--ebn0", "1,2", "--max-frames",
                    "256", "--csv", path, "--json", self.path("j"), "--quiet")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(self.output("ldpc-plot", path, "--csv", "-"), text)
        read, true = result_files.read(path), result_files.read(self.path("j"))
        self.assertEqual([results.name_of(run) for run in read], [results.name_of(run) for run in true])
        self.assertEqual([run["rate"] for run in read], [0.5, 0.5])
        old = result_files.from_csv("code,ebn0,esn0,frames,frame_errors,bits,bit_errors\nx,1.0,-0.761,64,3,640,7\n")[0]
        self.assertAlmostEqual(results.code_rate(old), 2 / 3, places=3)
        with open(path, "a", encoding="utf-8") as file:
            file.write("x,1\n")
        self.assert_refused("c.csv: not a result file: run", "ldpc-plot", path)

    def test_standard_input_is_read(self):
        ours, _ = self.results()
        with open(ours, encoding="utf-8") as file:
            result = run("ldpc-plot", "-", data=file.read().encode())
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, self.output("ldpc-plot", ours).replace(ours, "-"))

    def test_csv_of_others(self):
        path = self.path("paper.csv")
        for text, first in ((PLAIN, 1.0), ("\ufeff" + PLAIN, 1.0), ("esn0,n,k,fer\n-2,200,100,0.5\n", 1.0103),
                            ("Eb/N0 (dB);BER\r\n1,5;0,05\r\n", 1.5), ("EbN0_dB\tFER\n2\t1e-3\n", 2.0), ('"EbN0 [dB]", "BER"\n3, 1e-3\n', 3.0)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            run, = result_files.read(path)
            self.assertAlmostEqual(run["points"][0]["ebn0"], first, places=4)
        with open(path, "w", encoding="utf-8") as file:
            file.write(PLAIN)
        run, = result_files.read(path)
        self.assertEqual([(point["ber"], point["fer"]) for point in run["points"]], [(0.05, 0.8), (2e-5, 2e-3), (1e-7, 0)])
        from libldpc.tools import plots
        drawn = plots.figure_of([run], references=False).axes[0].get_lines()
        self.assertIn([0.8, 2e-3], [list(line.get_ydata()) for line in drawn])
        with open(path, "w", encoding="utf-8") as file:
            file.write("ebn0,fer\n1,0.5\n")
        self.assertRegex(self.output("ldpc-plot", path), r"BER - FER 5\.00e-01")
        entries = plots.figure_of(result_files.read(path), references=False).axes[0].get_legend_handles_labels()[1]
        self.assertEqual([entry.rpartition(", ")[2] for entry in entries], ["FER"])
        with open(path, "w", encoding="utf-8") as file:
            file.write("esn0,fer\n1,0.5\n")
        with self.assertRaisesRegex(ValueError, "esn0 without ebn0: expected the columns n and k too"):
            result_files.read(path)

    def test_legend_is_the_title(self):
        path = self.path("a.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("[metadata]\ncommand=aff3ct -C LDPC\ntitle=LDPC of the standard\n\n[trace]\n" + AFF3CT)
        run, = result_files.read(path)
        self.assertIn("LDPC of the standard", results.name_of(run))
        self.assertNotIn("a, ", results.name_of(run))

    def test_other_channels_of_aff3ct(self):
        for channel, head, first, axis in (("BEC", "       EP ", "   0.4000 ", "probability"), ("OPTICAL", "      ROP |", " -44.9590 |", "received_power")):
            path = self.path("b.txt")
            lines = ["[metadata]", "title=A code", "[trace]", "# * Channel ----", f"#    ** Type = {channel}",
                     f"# {head}|      FRA |       BE |       FE |      BER |      FER ||  SIM_THR |    ET/RT",
                     f"  {first}|      104 |     3803 |      104 | 4.02e-01 | 1.00e+00 ||     0.04 | 00h00'00"]
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
            run, = result_files.read(path)
            self.assertEqual((run["points"][0][axis], run["points"][0]["bit_errors"]), (float(first.strip(" |")), 3803))
            self.assertEqual(results.name_of(run), f"A code, {channel}")
            self.output("ldpc-plot", path, "--output", self.path("b.svg"))

    def test_aff3ct_says_what_it_is(self):
        run = result_files.read(self.results()[1])[0]
        self.assertEqual(results.name_of(run), "LDPC, theirs, 16qam")
        self.assertEqual((run["n"], run["k"], run["rate"]), (200, 100, 0.5))

    def test_the_collection_of_aff3ct_is_read(self):
        path = self.path("published.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("[metadata]\ncommand=aff3ct -C LDPC\n\n[trace]\n" + AFF3CT)
        self.assertEqual(result_files.read(path)[0]["points"], result_files.read(self.results()[1])[0]["points"])

    def test_a_decoder_has_one_colour_in_all_panels(self):
        from libldpc.tools import plots  # needs matplotlib

        def names(*groups):
            runs = [[{"code": "c", "algorithm": one, "max_iterations": most} for one, most in group] for group in groups]
            name_of = plots.decoder_names(runs)
            return [[name_of(run) for run in group] for group in runs]

        self.assertEqual(names([("a", 10), ("b", 10)], [("a", 50)]), [["a", "b"], ["a"]])
        self.assertEqual(names([("a", 10), ("a", 50)], [("a", 50)]),
                         [["a, 10 iterations", "a, 50 iterations"], ["a, 50 iterations"]])

    def test_the_documented_curves_can_be_drawn(self):
        source = os.path.join(SOURCE, "docs", "measurements", "ber.csv")
        self.output("ldpc-plot", source, "--panels", "--rate", "fer", "--output", self.path("b.svg"))
        with open(self.path("b.svg"), encoding="utf-8") as file:
            text = file.read()
        for code in {run["code"] for run in result_files.read(source)}:
            self.assertIn(f"<!-- {code} -->", text)
        self.assertEqual(text.count("<!-- Shannon limit -->"), 1)
        self.assertNotIn("BER", text)

    def test_the_legend_hides_nothing(self):
        from libldpc.tools import plots  # needs matplotlib
        runs = result_files.read(os.path.join(SOURCE, "docs", "measurements", "ber.csv"))
        for some, panels in ((runs, True), (runs[:3], True), (runs[:1], True), (runs[:6], False), (runs, False)):
            figure = plots.figure_of(some, panels=panels, title="T")
            figure.canvas.draw()
            legend = figure.axes[-1].get_legend().get_window_extent()
            self.assertTrue(figure.bbox.containsx(legend.x0) and figure.bbox.containsx(legend.x1) and legend.y0 >= 0, legend)
            for axes in figure.axes[:-1]:
                self.assertFalse(axes.get_tightbbox(figure.canvas.get_renderer()).overlaps(legend))
            plots.plt.close(figure)

    def test_curves_of_one_name_have_one_colour(self):
        from libldpc.tools import plots
        run = result_files.read(os.path.join(SOURCE, "docs", "measurements", "ber.csv"))[0]
        figure = plots.figure_of([run, run, run | {"algorithm": "other"}], shown=("fer",), references=False)
        bars = [container[0].get_color() for container in figure.axes[0].containers]
        self.assertEqual((bars[0] == bars[1], bars[1] == bars[2]), (True, False))
        plots.plt.close(figure)

    def test_what_curves_are_compared_with(self):
        from libldpc.tools import plots
        runs = [{"code": code, "rate": k / n, "n": n, "k": k, "modulation": modulation,
                 "points": [{"ebn0": 5.0, "frames": 9, "frame_errors": 1, "fer": 1 / 9, "ber": 0.01}]}
                for code, n, k, modulation in (("a", 648, 324, "bpsk"), ("b", 648, 486, "16qam"))]

        def lines(*shown):
            axes = plots.figure_of(runs, shown).axes[0]
            plots.plt.close("all")
            return {line.get_label(): line.get_linestyle() for line in axes.get_lines() if "code" in line.get_label() or "limit" in line.get_label()}

        both = lines("fer", "ber")
        self.assertEqual(sorted(both), ["BER of uncoded 16QAM", "BER of uncoded BPSK", "FER of the best codes, n = 648, k = 324",
                                        "FER of the best codes, n = 648, k = 486, 16qam", "Shannon limit, 0.19 dB, rate 0.5",
                                        "Shannon limit, 4.53 dB, rate 0.75, 16qam"])
        for kind in ("Shannon", "FER", "BER"):
            styles = [style for name, style in both.items() if name.startswith(kind)]
            self.assertEqual(len(set(styles)), 2, kind)
        self.assertFalse([name for name in lines("fer") if name.startswith("BER")])
        self.assertFalse([name for name in lines("ber") if name.startswith("FER")])
        runs = runs[:1]
        self.assertEqual(len(set(lines("fer", "ber").values())), 3)  # limits are distinguishable without colours

    def test_the_table_of_ldpc_ber_is_read_like_aff3ct(self):
        path = self.path("table.txt")
        text = self.output("ldpc-ber", *QUICK, "--ebn0", "1,2", "--max-frames", "256", "--json", self.path("j"), "--quiet")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        table, true = result_files.read(path)[0]["points"], result_files.read(self.path("j"))[0]["points"]
        for name in ("ebn0", "frames", "frame_errors", "bit_errors"):
            self.assertEqual([point[name] for point in table], [point[name] for point in true])
        self.assertIn("wimax:576:1/2, corrected, i8, 8 iterations\n", self.output("ldpc-plot", path))

    def test_wrong_input(self):
        path = self.path("x")
        for text, pattern in (("hello", "expected output of ldpc-ber"), ("{}", "not a result file"), ('{"points": [{}]}', "not a")):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            self.assert_refused(pattern, "ldpc-plot", path)
        self.assert_refused("nosuch", "ldpc-plot", "nosuch")
        ours, _ = self.results()
        self.assert_refused(".png, .svg or .pdf", "ldpc-plot", ours, "--output", self.path("x.gif"))
        self.assert_refused("two outputs have the same name", "ldpc-plot", ours, "--output", "x.png", "--csv", "./x.png")
        self.assert_refused("/nosuchdir/x.png: No such file", "ldpc-plot", ours, "--output", "/nosuchdir/x.png")

    def test_options_are_complete(self):
        self.assert_all_options_tried("ldpc-plot", ["--output", "--rate", "--title", "--references", "--no-references",
                                                    "--panels", "--csv", "--force"])


class Limits(unittest.TestCase):
    def test_shannon(self):
        """The expected values are those of Richardson and Urbanke."""
        for rate, limit in ((1 / 2, 0.187), (3 / 4, 1.626), (5 / 6, 2.362), (1 / 4, -0.794)):
            self.assertAlmostEqual(limits.shannon_limit(rate), limit, places=2)
        self.assertAlmostEqual(limits.shannon_limit(0.5, "16qam"), 2.1, delta=0.3)
        self.assertGreater(limits.shannon_limit(0.5, "16qam"), 1.7609)  # unconstrained input: (2^2 - 1) / 2

    def test_nodes_are_found_once(self):
        """Quadrature nodes are cached, because computing their eigenvalues took most of the time of a plot."""
        limits.quadrature.cache_clear()
        with mock.patch("numpy.polynomial.hermite.hermgauss", wraps=np.polynomial.hermite.hermgauss) as found:
            for ebn0 in (1, 2):
                limits.normal_approximation(ebn0, 2304, 1152)
        self.assertEqual(found.call_count, 1)

    def test_uncoded(self):
        self.assertAlmostEqual(limits.uncoded(9.588), 1e-5, delta=2e-7)
        self.assertAlmostEqual(limits.uncoded(10, "rayleigh"), 0.02327, places=5)

    def test_uncoded_qam_is_what_the_simulation_counts(self):
        decoder = libldpc.decoder("dvbs2:64800:1/2", max_iterations=0)
        for modulation, esn0 in (("bpsk", 4.0), ("qpsk", 7.0), ("16qam", 11.0), ("64qam", 17.0), ("256qam", 23.0)):
            ebn0 = esn0 - results.db(results.SYMBOL_BITS[modulation])
            counted = libldpc.simulate(decoder, esn0, max_frames=64, max_frame_errors=0, esn0=True, modulation=modulation)
            rate = counted.channel_errors / (64 * 64800)
            self.assertAlmostEqual(rate / limits.uncoded(ebn0, modulation=modulation), 1, delta=0.03)

    def test_information(self):
        """Compares mean and variance of the information density, computed by quadrature, with the mean and variance of random samples."""
        generator = np.random.default_rng(1)
        for modulation, sigma in (("bpsk", 0.9), ("16qam", 0.7), ("64qam", 1.1)):
            levels = limits.levels_of(modulation)[0]
            sent = generator.choice(levels, 400_000)
            y = sent + sigma * generator.standard_normal(len(sent))
            likelihood = np.exp(-(y[:, None] - levels) ** 2 / (2 * sigma**2))
            density = np.log2(np.exp(-(y - sent) ** 2 / (2 * sigma**2)) / likelihood.mean(axis=1))
            mean, variance = limits.information(modulation, sigma)
            self.assertAlmostEqual(mean, density.mean(), delta=0.005)
            self.assertAlmostEqual(variance / density.var(), 1, delta=0.02)

    def test_normal_approximation(self):
        for modulation in ("bpsk", "16qam"):
            limit = limits.shannon_limit(0.5, modulation)
            self.assertLess(limits.normal_approximation(limit + 0.01, 10**9, 5 * 10**8, modulation), 1e-9)
            self.assertGreater(limits.normal_approximation(limit - 0.01, 10**9, 5 * 10**8, modulation), 1 - 1e-9)
            rates = [limits.normal_approximation(limit + 1, n, n // 2, modulation) for n in (100, 400, 1600)]
            self.assertEqual(rates, sorted(rates, reverse=True))
        # The curves of BPSK and QPSK are equal.
        self.assertEqual(limits.normal_approximation(3.0, 1000, 500, "qpsk"), limits.normal_approximation(3.0, 1000, 500))

    def test_intervals(self):
        low, high = results.interval(10, 100)
        self.assertAlmostEqual(low, 0.0552, places=4)
        self.assertAlmostEqual(high, 0.1744, places=4)
        self.assertEqual(results.interval(0, 100)[0], 0)
        self.assertAlmostEqual(results.interval(0, 100)[1], 0.0370, places=4)


if __name__ == "__main__":
    unittest.main()
