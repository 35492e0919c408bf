# SPDX-License-Identifier: BSD-3-Clause
"""Rules of the source tree: includes between folders, headers that compile alone, sizes of functions and files."""
import ast
import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

TREE = pathlib.Path(__file__).resolve().parents[2]
C_SUFFIXES = {".c", ".h", ".cc", ".cu", ".cuh"}
MOST_FUNCTION_LINES = 80
MOST_FILE_LINES = 500
# State machines are easier to read in one file.
MOST_STATE_MACHINE_LINES = 800
STATE_MACHINES = {"lib/dvbt2/channel/demodulator.c"}
# {folder with headers only: folder whose compiler flags are used for these headers}
HEADERS_LIKE = {"include/ldpc": "lib/code", "include/gnuradio/ldpc": "lib/gr",
                "python": "python/libldpc"}
# Folders that are built only with CUDA, GNU Radio or Python.
OPTIONAL_FOLDERS = {"cuda/backend", "cuda/host", "cuda/kernels", "cuda/sim", "include/gnuradio/ldpc", "lib/gr",
                    "opencl", "python/libldpc", "python/ldpc/bindings", "tests/bench/comparison", "tests/cuda", "tests/fake_gpu", "tests/opencl"}
DEVICE_PRELUDES = {"tests/emulate"}  # code around device text that is compiled as C++
TABLE_FOLDERS = {"lib/code/tables"}
TEXTS = {".md", ".txt", ".csv", ".yml", ".grc", ".png", ".alist", ".xz", ".ts", ".json", ".cs4", ".cs8"}  # data, documents


def sources():
    """Yields the paths of the source files, relative to the tree."""
    folders = [d for d in ("apps", "cuda", "include", "lib", "opencl", "python", "scripts", "tests", "examples", ".ci", "grc")
               if (TREE / d).is_dir()]
    for folder in folders:
        for path in sorted((TREE / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix not in TEXTS:
                yield path.relative_to(TREE)


def build_files():
    """Returns the build files outside the source folders."""
    return [path.relative_to(TREE) for path in [TREE / "CMakeLists.txt", *sorted((TREE / "cmake").iterdir())]]


def folder_of_include(source, name):
    """Returns the folder of an included file, or None if it is outside the tree."""
    for root in (source.parent, pathlib.Path("include"), pathlib.Path("lib"), pathlib.Path(".")):
        if (TREE / root / name).is_file():
            return pathlib.PurePosixPath(os.path.normpath(root / name)).parent.as_posix()
    return None


def included_folders():
    """Returns {folder: {included folder: "file includes name"}} for the library, backends and blocks."""
    arrows = {}
    for source in sources():
        if source.suffix not in C_SUFFIXES or source.parts[0] not in ("lib", "cuda", "opencl", "include", "python"):
            continue
        here = source.parent.as_posix()
        for name in re.findall(r'^\s*#\s*include\s+["<]([^">]+)[">]', (TREE / source).read_text(), re.M):
            there = folder_of_include(source, name)
            if there is not None and there != here:
                arrows.setdefault(here, {}).setdefault(there, f"{source} includes {name}")
    return arrows


def documented_folders():
    """Returns {folder: {allowed folders}} from the lines "folder -> folder, folder" in docs/architecture.md."""
    text = (TREE / "docs/architecture.md").read_text().split("## Who may include whom")[1].split("\n## ")[0]
    arrows = {}
    for line in re.findall(r"^    (\S.*->.*)$", text, re.M):
        here, there = line.split("->")
        arrows[here.strip()] = {folder.strip() for folder in there.split(",")}
    return arrows


def cycle(arrows):
    """Returns a cycle of folders, or None. The first folder is repeated at the end."""
    done = set()

    def visit(folder, path):
        if folder in path:
            return path[path.index(folder):] + [folder]
        if folder in done:
            return None
        for other in sorted(arrows.get(folder, ())):
            found = visit(other, path + [folder])
            if found:
                return found
        done.add(folder)
        return None

    for folder in sorted(arrows):
        found = visit(folder, [])
        if found:
            return found
    return None


def c_functions(text):
    """Yields the first line and the length of each function in formatted C or C++. Each brace of a body has its own line. Inside a class
    the brace is indented, otherwise it is in column 0."""
    yield from plain_functions(text)
    begun = {}
    for number, line in enumerate(text.splitlines(), 1):
        if re.fullmatch(r" +\{", line):
            begun[len(line)] = number - 1  # the line with its name, or the last one of several
        elif re.fullmatch(r" +\}", line) and len(line) in begun:
            first = begun.pop(len(line))
            yield first, number - first + 1


def plain_functions(text):
    """Yields the first line and the length of each function whose braces are in column 0."""
    first = body = None
    for number, line in enumerate(text.splitlines(), 1):
        if line == "{" and first:
            body = first
        elif line.startswith("}"):
            if body and line == "}":
                yield body, number - body + 1
            first = body = None
        elif not line.strip() or line[0] in "#/ *\t":
            first = first if line.startswith((" ", "\t")) and first else None if body is None else first
        elif body is None and first is None:
            first = number


def python_functions(text):
    """Yields the first line and the length of each Python function."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno - node.lineno + 1


def shell_functions(text):
    """Yields the first line and the length of each shell function."""
    first = None
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\w+\(\) \{$", line):
            first = number
        elif line == "}" and first:
            yield first, number - first + 1
            first = None


def functions(source):
    """Yields the first line and the length of each function."""
    text = (TREE / source).read_text()
    if source.suffix in C_SUFFIXES:
        return list(c_functions(text))
    if source.suffix == ".py" or "python" in text.split("\n", 1)[0]:
        return list(python_functions(text))
    return list(shell_functions(text))


class Includes(unittest.TestCase):
    def test_folders_include_what_the_document_lists(self):
        documented, found = documented_folders(), included_folders()
        self.assertTrue(documented)
        wrong = [f"{here} -> {there}: {why}" for here, others in found.items() for there, why in others.items()
                 if there not in documented.get(here, ())]
        stale = [f"{here} -> {there} is listed, but nothing includes it" for here, others in documented.items()
                 for there in others if there not in found.get(here, {})]
        self.assertFalse(wrong + stale, "\n" + "\n".join(wrong + stale))

    def test_no_folder_includes_itself_through_others(self):
        self.assertIsNone(cycle(included_folders()))

    def test_the_receivers_parts_belong_to_no_standard(self):
        self.assertLessEqual(set(included_folders()["lib/receiver"]), {"include/ldpc", "lib/base"})
        word = re.compile(r"(?<![a-z0-9])(?:dvb[a-z0-9]*|[ts]2|p[12]|l1|plps?)(?![a-z0-9])", re.I)
        named = [f"{path.relative_to(TREE)}: {word.search(text)[0]}" for path in sorted((TREE / "lib/receiver").iterdir())
                 if word.search(text := path.read_text())]
        self.assertFalse(named, "\n" + "\n".join(named))

    def test_a_cycle_is_found(self):
        self.assertEqual(cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}), ["b", "c", "b"])


def compile_commands():
    """Yields each compiled source with its command, without ccache."""
    build = os.environ["LDPC_BUILD_DIR"]
    for entry in json.loads((pathlib.Path(build) / "compile_commands.json").read_text()):
        file, words = pathlib.Path(entry["file"]), [w for w in shlex.split(entry["command"]) if not w.endswith("ccache")]
        together = re.findall(r'#include "(/.+)"', file.read_text()) if file.parent.name == "Unity" else [file]
        for source in map(pathlib.Path, together):
            if source.is_relative_to(TREE) and not source.is_relative_to(build):
                yield source.relative_to(TREE), words


def compile_flags():
    """Returns {folder: [compiler, flags]} for compiled sources. If a source is compiled for several instruction sets, the flags for
    plain C are returned."""
    flags = {}
    for source, words in compile_commands():
        kept = [words[0]] + [w for at, w in enumerate(words) if at and (
            w.startswith(("-I", "-D", "-std", "-isystem", "-f", "-m")) or words[at - 1] == "-isystem")]
        folder = source.parent.as_posix()
        if folder not in flags or "-DLDPC_ISA=scalar" in kept:
            flags[folder] = kept
    return flags


def first_include(file):
    """Returns the first header of this tree that a file includes, or None."""
    directives = re.findall(r"^[ \t]*#[ \t]*(\w+)[ \t]*(.*)", (TREE / file).read_text(), re.M)
    if file.suffix == ".h" and directives[:1] and directives[0][0] in ("ifndef", "pragma"):
        directives = directives[2 if directives[0][0] == "ifndef" else 1:]  # the guard
    include = re.fullmatch(r'["<]([^">]+)[">]', directives[0][1].strip()) if directives and directives[0][0] == "include" else None
    folder = folder_of_include(file, include[1]) if include else None
    return pathlib.Path(folder) / pathlib.PurePath(include[1]).name if folder else None


def compiled_first():
    """Returns the headers that some source includes first. The build has already compiled such a header without preceding headers."""
    found = set()
    for source, words in compile_commands():
        header = source
        while (pathlib.Path(os.environ["LDPC_BUILD_DIR"]) / words[words.index("-o") + 1]).exists():
            header = first_include(header)
            if header is None or header in found:
                break
            found.add(header)
    return found


class Headers(unittest.TestCase):
    def test_each_header_compiles_alone(self):
        flags = compile_flags()
        headers = [s for s in sources() if s.suffix == ".h" and s.parent.as_posix() not in DEVICE_PRELUDES]
        self.assertGreater(len(headers), 60)

        def complaint(header):
            """Compiles this header alone. Returns the output of the compiler."""
            folder = header.parent.as_posix()
            command = flags.get(HEADERS_LIKE.get(folder, folder))
            if command is None:
                return f"{header}: no source of {folder} is compiled\n" if folder not in OPTIONAL_FOLDERS else ""
            language = "c++" if any(word.startswith("-std=c++") or word.startswith("-std=gnu++") for word in command) else "c"
            result = subprocess.run([*command, "-fsyntax-only", "-Wall", "-Wextra", "-Wno-unused-function", "-Werror", "-x",
                                     language, "-"], input=f'#include "{TREE / header}"\n', capture_output=True, text=True)
            first_lines = "\n".join(result.stderr.splitlines()[:4])
            return f"{header}:\n{first_lines}\n" if result.returncode else ""

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            complaints = "".join(pool.map(complaint, sorted(set(headers) - compiled_first())))
        self.assertFalse(complaints, complaints)

    def test_big_endian_processors_are_refused(self):
        other, reason = ["-U__BYTE_ORDER__", "-D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__"], "little-endian processors only"
        for header in sorted((TREE / "include/ldpc").glob("*.h")):
            for language in ("c", "c++"):
                result = subprocess.run(["cc", "-x", language, "-fsyntax-only", f"-I{TREE}/include", *other, header], capture_output=True,
                                        text=True, check=False)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(reason, result.stderr)
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder, "configure.cmake")
            script.write_text(f'set(CMAKE_C_BYTE_ORDER BIG_ENDIAN)\nset(CMAKE_SYSTEM_PROCESSOR s390x)\ninclude("{TREE}/cmake/LdpcCompiler.cmake")\n')
            result = subprocess.run(["cmake", "-P", script], capture_output=True, text=True, check=False)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(f"{reason}, and s390x is big-endian", " ".join(result.stderr.split()))

    def test_what_stands_first_is_found(self):
        """Some headers need a macro before the first #include."""
        for file, header in (("lib/gr/pipeline.cc", "lib/gr/pipeline.h"), ("lib/gr/pipeline.h", "include/ldpc/decoder.h"),
                             ("lib/plan/plan.c", None), ("lib/gr/alarm.h", None)):
            self.assertEqual(first_include(pathlib.Path(file)), header and pathlib.Path(header), file)


class Sizes(unittest.TestCase):
    def test_functions_are_short(self):
        long = [f"{source}:{first}: {lines} lines" for source in sources() for first, lines in functions(source)
                if lines > MOST_FUNCTION_LINES]
        self.assertFalse(long, "\n" + "\n".join(long))

    def test_files_are_short(self):
        long = []
        for source in [*sources(), *build_files()]:
            lines = len((TREE / source).read_text().splitlines())
            most = MOST_STATE_MACHINE_LINES if source.as_posix() in STATE_MACHINES else MOST_FILE_LINES
            if lines > most and source.parent.as_posix() not in TABLE_FOLDERS:
                long.append(f"{source}: {lines} lines")
        self.assertFalse(long, "\n" + "\n".join(long))

    def test_functions_are_found(self):
        c = "/* a */\nstatic int f(int a,\n             int b)\n{\n    return a;\n}\n\nstruct x {\n    int y;\n};\n"
        self.assertEqual(list(c_functions(c)), [(2, 5)])
        inside = "class a\n{\n    int f(int a)\n    {\n        if (a) {\n            a = 2;\n        }\n        return a;\n    }\n};\n"
        self.assertEqual(list(c_functions(inside)), [(3, 7)])
        self.assertEqual(list(python_functions("def f():\n    return 1\n")), [(1, 2)])
        self.assertEqual(list(shell_functions("f() {\n    true\n}\n")), [(1, 3)])


class Documents(unittest.TestCase):
    def test_files_that_documents_name_exist(self):
        """Paths from the root of the tree, and the last parts of paths of C files."""
        folders = "lib|cuda|opencl|include|tests|apps|scripts|python|grc|examples|docs|cmake|packaging"
        files, dead = [f"/{path}" for path in sources() if path.suffix in C_SUFFIXES], []
        for page in sorted([*TREE.glob("*.md"), *(TREE / "docs").rglob("*.md")]):
            text = page.read_text()
            for name in re.findall(rf"`((?:{folders})/[\w./+*-]*\w[^`\s]*)`", text):
                if re.fullmatch(r"[\w./*+-]+", name) and not any(TREE.glob(name.rstrip("/"))):
                    dead.append(f"{page.name}: {name}")
            for name in re.findall(r"`([\w/-]+\.(?:c|h|cuh))`", text):
                if not any(file.endswith("/" + name) for file in files):
                    dead.append(f"{page.name}: {name}")
        self.assertFalse(dead, "\n" + "\n".join(dead))


if __name__ == "__main__":
    unittest.main()
