# SPDX-License-Identifier: BSD-3-Clause
"""ldpc-plot, and the curves that it compares with."""
import csv
import os
import subprocess
import unittest

from libldpc.tools import result_files, results
from test_ber import QUICK, SOURCE, Folder
from test_cli import PROGRAMS

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


class Plot(Folder):
    def results(self):
        """One file of ours, one of AFF3CT."""
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
            result = subprocess.run([os.path.join(PROGRAMS, "ldpc-plot"), "-"], stdin=file, capture_output=True, text=True, timeout=300)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, self.output("ldpc-plot", ours).replace(ours, "-"))

    def test_aff3ct_says_what_it_is(self):
        run = result_files.read(self.results()[1])[0]
        self.assertEqual(results.name_of(run), "LDPC, theirs, 16qam")
        self.assertEqual((run["n"], run["k"], run["rate"]), (200, 100, 0.5))

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
        source = os.path.join(SOURCE, "docs", "ber.csv")
        self.output("ldpc-plot", source, "--panels", "--output", self.path("b.svg"))
        with open(self.path("b.svg"), encoding="utf-8") as file:
            self.assertEqual(file.read().count("Shannon limit"), len({run["code"] for run in result_files.read(source)}))

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
        for text, pattern in (("hello", "neither one of ldpc-ber"), ("{}", "not a result file"), ('{"points": [{}]}', "not a")):
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
        """Values of Richardson and Urbanke for BPSK; spectral efficiency 2 with 16-QAM."""
        for rate, limit in ((1 / 2, 0.187), (3 / 4, 1.626), (5 / 6, 2.362), (1 / 4, -0.794)):
            self.assertAlmostEqual(results.shannon_limit(rate), limit, places=2)
        self.assertAlmostEqual(results.shannon_limit(0.5, "16qam"), 2.1, delta=0.3)
        self.assertGreater(results.shannon_limit(0.5, "16qam"), 1.7609)  # without a modulation: (2^2 - 1) / 2

    def test_uncoded(self):
        self.assertAlmostEqual(results.uncoded(9.588), 1e-5, delta=2e-7)
        self.assertAlmostEqual(results.uncoded(10, "rayleigh"), 0.02327, places=5)

    def test_intervals(self):
        low, high = results.interval(10, 100)
        self.assertAlmostEqual(low, 0.0552, places=4)
        self.assertAlmostEqual(high, 0.1744, places=4)
        self.assertEqual(results.interval(0, 100)[0], 0)
        self.assertAlmostEqual(results.interval(0, 100)[1], 0.0370, places=4)


if __name__ == "__main__":
    unittest.main()
