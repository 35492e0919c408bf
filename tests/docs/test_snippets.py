# SPDX-License-Identifier: BSD-3-Clause
"""Runs the fenced code blocks of the documents: those of python and sh, in their order in one empty folder.

Words after the language state what a block needs: gnuradio, dvbt2 (the receiver), gpu (run with tests/fake_gpu). Blocks that are
marked not-run or console do not run, because test machines lack what they need, such as a GPU or a radio.
"""
import os
import pathlib
import re
import runpy
import shlex
import subprocess
import sys
import tempfile
import unittest

import click

from programs import run

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ["LDPC_PROGRAMS"])
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
               if "reference" not in path.parts)  # docs/reference is written when the site is built
BLOCK = re.compile(r"^```(\w*)((?: [\w-]+)*)\n(.*?)^```$", re.S | re.M)
GNURADIO = os.environ.get("LDPC_HAVE_GNURADIO") == "ON"
if GNURADIO:
    from gnuradio import blocks as _, ldpc as _  # for the forks
FAKE_GPU = PROGRAMS.parent / "tests" / "fake_gpu"
HERE = {"gnuradio": GNURADIO, "dvbt2": GNURADIO and (PROGRAMS / "ldpc-dvbt2").exists(), "gpu": (FAKE_GPU / "libcuda.so.1").exists()}
# Expected blocks of each page: {text: (kind, number of blocks that run)}. The test fails if a page contains a block in a language that is not listed
# here.
EXPECTED = {
    "README.md": {"python": 2},
    "docs/dvb.md": {"python": 5},
    "docs/dvbs2.md": {"python": 3},
    "docs/dvbt2.md": {"python": 2},
    "docs/formats.md": {"sh": 1},
    "docs/measurements/error_rates.md": {"python": 2},
    "docs/gnuradio.md": {"python": 3},
    "docs/python.md": {"python": 4},
    "docs/tuning.md": {"python": 1},
    "docs/tutorial.md": {"python": 3, "sh": 4},
    "docs/howto/c.md": {},
    "docs/howto/changing_codes.md": {"python": 1},
    "docs/howto/cluster.md": {},
    "docs/howto/decode_file.md": {"sh": 2},
    "docs/howto/dvbs2_recording.md": {"python": 1, "sh": 2},
    "docs/howto/dvbs2_rtlsdr.md": {},
    "docs/howto/dvbt2_recording.md": {"python": 1, "sh": 2},
    "docs/howto/error_rate_curve.md": {"python": 1, "sh": 3},
    "docs/howto/flowgraph.md": {"python": 2},
    "docs/howto/gpu.md": {"python": 2, "sh": 1},
    "docs/howto/gr_fec.md": {"python": 1},
    "docs/howto/nr.md": {"python": 1},
    "docs/howto/own_code.md": {"python": 1, "sh": 4},
    "docs/howto/packets.md": {"python": 3},
    "docs/howto/scaling_llrs.md": {"python": 3},
    "docs/howto/soft_output.md": {"python": 2},
}
# The output of a page must match this pattern, which proves that the page decoded codewords.
SAID = {
    "docs/measurements/error_rates.md": "^[1-9][0-9]* of 300 codewords not decoded with three-min, [0-9]+ with both$",
    "docs/howto/changing_codes.md": "^0 wrong bits in 60 codewords of 3 codes$",
    "docs/howto/decode_file.md": "^50 codewords, 0 not converged",
    "docs/dvbs2.md": r"^\+[0-9]+ Hz: [1-9][0-9]* packets\n(?:.*\n)*.*16apsk:16200:2/3\)\n([1-9][0-9]+) packets, \1 right\n\n([1-9][0-9]+) packets, \2 right$",
    "docs/howto/dvbs2_recording.md": "frames, failed +│ [1-9][0-9]*, 0 ",
    "docs/howto/dvbt2_recording.md": r"packets with errors +│ 0 ",
    "docs/howto/flowgraph.md": "^200 codewords, 0 failed",
    "docs/howto/gr_fec.md": "^0 wrong bits of [1-9]",
    "docs/howto/nr.md": "^redundancy version 0: once more\nredundancy version 2: acknowledged$",
    "docs/howto/packets.md": "ldpc_converged . #t",
    "docs/howto/scaling_llrs.md": "^0 of 200 codewords wrong$",
}
NOT_RUN = {"console", "cpp"}
SLOW = {"docs/ber.md"}  # its blocks do not run, but their options are checked


def blocks(name):
    """Returns the language, the requirements and the text of each fenced block that runs, in the order of the document."""
    found = []
    for language, marks, text in BLOCK.findall((ROOT / name).read_text()):
        needs = set(marks.split()) | ({"gnuradio"} if "from gnuradio" in text else set())
        if language not in NOT_RUN and "not-run" not in needs:
            found.append((language, needs, text))
    return found


class Snippets(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        commands = pathlib.Path(self.folder.name) / "commands"
        commands.mkdir()
        (commands / "python3").symlink_to(sys.executable)  # a pasted line means the Python that has the modules
        self.environment = {**os.environ, "PATH": f"{commands}:{PROGRAMS}:{os.environ['PATH']}", "MPLBACKEND": "agg"}

    def run_command(self, *command, **options):
        done = subprocess.run(command, cwd=self.folder.name, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=600, check=False, **options)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}")
        return done.stdout

    def python(self, text):
        """Runs the block in a fork, where all modules are imported already. Blocks with the fake GPU run in a new process, because the
        loader must find its libraries."""
        if "FAKE_GPU_CODES" in self.environment:
            return self.run_command(sys.executable, "-c", text)
        program = pathlib.Path(self.folder.name) / "commands" / "block.py"
        program.write_text(text)
        done = run(program, folder=self.folder.name, PATH=self.environment["PATH"], MPLBACKEND="agg")
        self.assertEqual(done.returncode, 0, f"{text}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def sh(self, text):
        return self.run_command("sh", "-e", "-c", text)

    def run_text(self, name):
        found = {}
        said = []
        for language, needs, text in blocks(name):
            found[language] = found.get(language, 0) + 1
            if not all(HERE[need] for need in needs):
                continue
            if "gpu" in needs:
                self.environment |= {"LD_LIBRARY_PATH": str(FAKE_GPU), "FAKE_GPU_CODES": "wimax:576:1/2"}
            said.append({"python": self.python, "sh": self.sh}[language](text))
        self.assertEqual(found, EXPECTED[name])
        return said

    def test_readme(self):
        said = self.run_text("README.md")
        if GNURADIO:
            self.assertIn("0 bit errors after decoding", said[0])
        self.assertIn("of 100 codewords wrong", said[-1])

    def test_tutorial(self):
        said = self.run_text("docs/tutorial.md")
        self.assertIn("52 bits are wrong before decoding\n0 bits are wrong after 3 iterations\n", said[1])
        made = {path.name for path in pathlib.Path(self.folder.name).iterdir()}
        self.assertLessEqual({"h.png", "first.json", "first.png", "two.png"}, made)

    def test_guides(self):
        """Checks what the code blocks of the guides print."""
        said = {name: self.run_text(f"docs/{name}.md") for name in ("dvb", "formats", "gnuradio", "python", "tuning")}
        if GNURADIO:
            self.assertIn("packets", said["dvb"][3])
            self.assertGreater(int(said["dvb"][3].split()[0]), 500)

    def test_guide_of_dvbt2(self):
        if HERE["dvbt2"]:
            self.python(next(text for language, _, text in blocks("docs/howto/dvbt2_recording.md") if language == "python"))
        said = self.run_text("docs/dvbt2.md")
        if HERE["dvbt2"]:
            self.assertRegex(said[0], r"'packets': [1-9]")
            self.assertIn("'locked': True", said[1])

    def test_every_page(self):
        """Checks that each page with code blocks has a test, and that each of these tests has a page."""
        self.assertEqual({page for page in PAGES if any(kind in ("python", "sh") for kind, _, _ in blocks(page))},
                         {page for page in EXPECTED if EXPECTED[page]} | SLOW)

    def test_options_of_commands(self):
        """Checks the options of commands that do not run: indented lines, console blocks and inline code."""
        mains = {path.name: runpy.run_path(str(path))["main"] for path in PROGRAMS.glob("ldpc-*") if path.name != "ldpc-python"}
        for page in PAGES:
            for program, text in re.findall(r"(?:^ *(?:\$ )?|`)(ldpc-\w+) (-{0,2}\w[^`&|>#\n]*)", (ROOT / page).read_text(), re.M):
                if program not in mains or re.fullmatch(r"-[\w -]*", text):
                    continue  # names of options instead of a command
                arguments, main = shlex.split(text), mains[program]
                if isinstance(main, click.Group):
                    main = main.commands[arguments.pop(0)]
                with self.subTest(page=page, command=f"{program} {text}"):
                    main.make_parser(click.Context(main)).parse_args(arguments)

    def test_commands_of_the_receiver(self):
        """Checks the values of the commands of ldpc-dvbs2 that do not run."""
        program = PROGRAMS / "ldpc-dvbs2"
        if not program.exists():
            self.skipTest("ldpc-dvbs2 is not built")
        script = runpy.run_path(str(program))
        for page in ("docs/others.md", *(page for page in EXPECTED if "dvbs2" in page)):
            commands = re.findall(r"(?:^ {4,}|`)ldpc-dvbs2 (-{0,2}\w[^`&\n]*)", (ROOT / page).read_text(), re.M)
            self.assertTrue(commands, page)
            for command in commands:
                with self.subTest(page=page, command=command):
                    script["check_arguments"](script["main"].make_context("ldpc-dvbs2", shlex.split(command)).params)

    def test_readme_is_short(self):
        self.assertLessEqual(len((ROOT / "README.md").read_text().splitlines()), 120)

    def test_links(self):
        """Checks that every relative link of the documents leads to a file, and its #part to a heading."""
        for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]:
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


def page_test(name):
    def test(self):
        if GNURADIO and name == "docs/dvbs2.md":
            self.python(next(text for _, _, text in blocks("docs/howto/dvbs2_recording.md")))
        said = self.run_text(name)
        if all(HERE[need] for _, needs, _ in blocks(name) for need in needs):
            self.assertRegex("\n".join(said), re.compile(SAID.get(name, ""), re.M))
    return test


for page in EXPECTED:
    if page.startswith("docs/howto/") or page in SAID:
        setattr(Snippets, f"test_{page.removeprefix('docs/').removesuffix('.md').replace('/', '_')}", page_test(page))


if __name__ == "__main__":
    unittest.main()
