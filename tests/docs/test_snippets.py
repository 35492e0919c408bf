# SPDX-License-Identifier: BSD-3-Clause
"""Fenced blocks of the texts run as a reader pastes them: python and sh in order in one empty folder, c against the library."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ["LDPC_PROGRAMS"])
BLOCK = re.compile(r"^```(\w*)( gnuradio)?\n(.*?)^```$", re.S | re.M)
GNURADIO = os.environ.get("LDPC_HAVE_GNURADIO") == "ON"
# {text: (kind, how many) of its blocks that run}; a block in a language that is not here would be tested by nobody
EXPECTED = {
    "README.md": {"python": 2, "c": 1},
    "docs/tutorial.md": {"python": 3, "sh": 4},
}
NOT_RUN = {"console"}  # needs a GPU or a radio


def blocks(name):
    """(language, needs GNU Radio, text) of each fenced block, in order."""
    return [(language, bool(gnuradio) or "from gnuradio" in text, text)
            for language, gnuradio, text in BLOCK.findall((ROOT / name).read_text())]


class Snippets(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.environment = {**os.environ, "PATH": f"{PROGRAMS}:{os.environ['PATH']}", "MPLBACKEND": "agg"}

    def run_command(self, *command, **options):
        done = subprocess.run(command, cwd=self.folder.name, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=600, check=False, **options)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}")
        return done.stdout

    def python(self, text):
        return self.run_command(sys.executable, "-c", text)

    def sh(self, text):
        return self.run_command("sh", "-e", "-c", text)

    def c(self, text):
        library = PROGRAMS.parent / "lib"
        source = pathlib.Path(self.folder.name) / "program.c"
        source.write_text(text)
        self.run_command(os.environ.get("CC", "cc"), "-Wall", "-Wextra", "-Werror", source.name, f"-I{ROOT}/include", f"-L{library}", "-lldpc",
                         f"-Wl,-rpath,{library}", "-o", "program")
        return self.run_command("./program")

    def run_text(self, name):
        found = {}
        said = []
        for language, gnuradio, text in blocks(name):
            if language in NOT_RUN:
                continue
            found[language] = found.get(language, 0) + 1
            if gnuradio and not GNURADIO:
                continue
            said.append({"python": self.python, "sh": self.sh, "c": self.c}[language](text))
        self.assertEqual(found, EXPECTED[name])
        return said

    def test_readme(self):
        said = self.run_text("README.md")
        if GNURADIO:
            self.assertIn("0 bit errors after decoding", said[0])
        self.assertIn("of 100 codewords wrong", said[-2])
        self.assertIn("decoded after", said[-1])

    def test_tutorial(self):
        self.run_text("docs/tutorial.md")
        made = {path.name for path in pathlib.Path(self.folder.name).iterdir()}
        self.assertLessEqual({"h.png", "first.json", "first.png", "two.png"}, made)

    def test_readme_is_short(self):
        self.assertLessEqual(len((ROOT / "README.md").read_text().splitlines()), 120)

    def test_links(self):
        """Every relative link of README and docs leads to a file, and its #part to a heading."""
        for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
            for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text()):
                if "://" in link or link.startswith("mailto:"):
                    continue
                place, _, part = link.partition("#")
                target = (path.parent / place) if place else path
                self.assertTrue(target.exists(), f"{path.name}: {link}")
                if part and target.suffix == ".md":
                    headings = re.findall(r"^#+ (.*)$", target.read_text(), re.M)
                    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
                    self.assertIn(part, anchors, f"{path.name}: {link}")


if __name__ == "__main__":
    unittest.main()
