# SPDX-License-Identifier: BSD-3-Clause
"""Tests completion in bash, and the answers that the programs give to zsh and fish."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import libldpc
from programs import PROGRAMS

SHARE = pathlib.Path(PROGRAMS, "..", "share")
COMPLETE = """
. "$1"
COMP_LINE=$2
COMP_POINT=${#COMP_LINE}
read -r _ _ _ _ function program < <(complete -p)
$function "$program" 2>/dev/null
printf '%s\\n' "${COMPREPLY[@]}"
"""


def environment(**more):
    return {**os.environ, "PATH": PROGRAMS + os.pathsep + os.environ["PATH"], **more}


@unittest.skipIf(shutil.which("bash") is None, "no bash")
class Bash(unittest.TestCase):
    def completed(self, line, cwd=None):
        script = SHARE / "bash-completion" / "completions" / line.split()[0]
        result = subprocess.run(["bash", "--norc", "-c", COMPLETE, "bash", str(script.resolve()), line], cwd=cwd, env=environment(),
                                capture_output=True, text=True, timeout=60, check=True)
        return result.stdout.split()

    def test_options_and_choices(self):
        self.assertIn("--max-frames", self.completed("ldpc-ber --max"))
        self.assertEqual(self.completed("ldpc-ber --modulation 1"), ["16qam"])
        self.assertEqual(self.completed("ldpc-bench --algorithm no"), ["normalized"])
        self.assertEqual(self.completed("ldpc-decode --kernel re"), ["ref"])
        self.assertEqual(self.completed("ldpc-make ran"), ["random"])

    def test_names_of_codes(self):
        """After a colon, readline expects only the part of the word after the colon."""
        self.assertEqual(self.completed("ldpc-info wimax:23"), [name[len("wimax:"):] for name in libldpc.codes() if name.startswith("wimax:23")])
        self.assertEqual(self.completed("ldpc-ber --code dvbt2:64800:1"), ["1/2"])
        self.assertIn("alist:", self.completed("ldpc-ber --code al"))

    def test_files_of_codes(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "mine.alist").touch()
            self.assertEqual(self.completed("ldpc-info alist:mi", folder), ["mine.alist"])
            self.assertEqual(self.completed(f"ldpc-info alist:{folder}/m"), [f"{folder}/mine.alist"])
            self.assertEqual(self.completed(f"ldpc-info alist:{folder}/none/m"), [])


class Others(unittest.TestCase):
    def test_every_program_has_a_script(self):
        for program in filter(lambda name: name != "ldpc-python", os.listdir(PROGRAMS)):
            for file in (SHARE / "bash-completion/completions" / program, SHARE / "zsh/site-functions" / f"_{program}",
                         SHARE / "fish/vendor_completions.d" / f"{program}.fish"):
                self.assertIn(f"_{program.upper().replace('-', '_')}_COMPLETE=", file.read_text(encoding="utf-8"))

    def test_what_programs_answer(self):
        for shell, word, expected in (("zsh", "1", "plain\nbds:b1c:200\n_\nplain\nbds:b1c:88\n_\n"), ("fish", "bds:b1c", "plain,bds:b1c:200\nplain,bds:b1c:88\n")):
            result = subprocess.run(["ldpc-info"], capture_output=True, text=True, timeout=60, env=environment(
                _LDPC_INFO_COMPLETE=f"{shell}_complete", COMP_WORDS="ldpc-info bds:b1c", COMP_CWORD=word))
            self.assertEqual(result.stdout, expected)


if __name__ == "__main__":
    unittest.main()
