# SPDX-License-Identifier: BSD-3-Clause
"""Checks that every program has a manual page that describes all of its options."""
import os
import re
import unittest

from programs import PROGRAMS
from test_cli import Case

PAGES = os.path.join(os.path.dirname(PROGRAMS), "share", "man", "man1")


@unittest.skipUnless(os.path.isdir(PAGES), "built without manual pages")
class Manuals(Case):
    def test_pages_tell_all_options(self):
        programs = sorted(name for name in os.listdir(PROGRAMS) if name.startswith("ldpc-") and name != "ldpc-python")
        self.assertGreater(len(programs), 5)
        for program in programs:
            with self.subTest(program), open(os.path.join(PAGES, program + ".1"), encoding="utf-8") as file:
                page = file.read()
                self.assertTrue(page.startswith(f".TH {program.upper()}".replace("-", "\\-")), page[:60])
                plain = page.replace("\\-", "-")
                for heading in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES"):
                    self.assertIn(f"\n.SH {heading}\n", plain)
                examples = plain.split(".SH EXAMPLES\n.nf\n")[1]
                self.assertGreaterEqual(len(re.findall(rf"^{program} ", examples, re.MULTILINE)), 2)
                offered = set(re.findall(r"^  .*?(--[a-z0-9-]+)", self.output(program, "--help"), re.MULTILINE))
                self.assertEqual(offered - set(re.findall(r"--[a-z0-9-]+", plain)), set())


if __name__ == "__main__":
    unittest.main()
