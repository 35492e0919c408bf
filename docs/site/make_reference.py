# SPDX-License-Identifier: BSD-3-Clause
"""Reference pages, generated in docs/reference at each build of the site: C API, Python API, programs, blocks, codes."""
import atexit
import inspect
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import yaml

DOCS = pathlib.Path(__file__).resolve().parents[1]
ROOT = DOCS.parent
REFERENCE = DOCS / "reference"
PROGRAMS = ["ldpc-info", "ldpc-make", "ldpc-bench", "ldpc-tune", "ldpc-ber", "ldpc-plot", "ldpc-encode", "ldpc-decode", "ldpc-dvbt2", "ldpc-dvbs2"]
COMMANDS = {"ldpc-make": ["random", "expand"]}
HEADERS = {"libldpc": ["status", "code", "decoder", "llr", "packet", "dvb_cells", "dvb_fec", "sim", "sample_format", "version"],
           "libdvbt2": ["dvbt2", "dvbt2_l1", "dvbt2_plp", "dvbt2_fields"], "libdvbs2": ["dvbs2", "dvbs2_survey", "dvbs2_band"]}
DOXYFILE = """
INPUT = {include}
RECURSIVE = YES
FILE_PATTERNS = *.h
OUTPUT_DIRECTORY = {output}
GENERATE_XML = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
OPTIMIZE_OUTPUT_FOR_C = YES
JAVADOC_AUTOBRIEF = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = LDPC_API=
QUIET = YES
EXTRACT_STATIC = YES
WARN_IF_UNDOCUMENTED = NO
WARN_IF_INCOMPLETE_DOC = NO
WARN_AS_ERROR = FAIL_ON_WARNINGS
STRIP_FROM_PATH = {include}
"""


def version():
    return re.search(r'LDPC_VERSION_STRING "(.*)"', (ROOT / "include/ldpc/version.h").read_text()).group(1)


def doxygen_xml():
    """Folder of the XML that Doxygen writes for the headers. It is removed at exit."""
    output = pathlib.Path(tempfile.mkdtemp(prefix="gr-ldpc-doxygen-"))
    atexit.register(shutil.rmtree, output, ignore_errors=True)
    text = DOXYFILE.format(include=ROOT / "include/ldpc", output=output)
    subprocess.run(["doxygen", "-"], input=text, text=True, check=True)
    return output / "xml"


def c_page():
    lines = ["# C API", "", "`#include <ldpc/ldpc.h>` declares all of libldpc, `<ldpc/dvbt2_fields.h>` all of libdvbt2; libdvbs2 has `<ldpc/dvbs2.h>`, `<ldpc/dvbs2_survey.h>` and `<ldpc/dvbs2_band.h>`.", ""]
    for library, headers in HEADERS.items():
        lines += [f"## {library}", ""]
        for header in headers:
            lines += [f"### ldpc/{header}.h", "", "```{eval-rst}", f".. doxygenfile:: {header}.h", "   :sections: define enum func typedef struct innerclass briefdescription detaileddescription", "```", ""]
    return lines


def documented(name, thing, level):
    """A heading and a docstring."""
    text = inspect.getdoc(thing) or ""
    return [f"{'#' * level} {name}", "", "```text", *text.splitlines(), "```", ""] if text else []


def module_page(module):
    """Returns the page of a module: its docstring, functions, and classes with their members."""
    name = module.__name__
    lines = [f"## {name}", "", "```text", *inspect.getdoc(module).splitlines(), "```", ""]
    for thing_name in sorted(module.__all__):
        thing = getattr(module, thing_name)
        if not callable(thing):
            continue
        lines += documented(f"{name}.{thing_name}", thing, 3)
        if inspect.isclass(thing):
            for member, value in sorted(vars(thing).items()):
                if not member.startswith("_"):
                    lines += documented(f"{thing_name}.{member}", value, 4)
    return lines


def python_page():
    import libldpc
    lines = ["# Python API", "", "The docstrings, as `help()` shows them.", "", *module_page(libldpc)]
    try:
        import libdvbs2
        import libdvbt2
    except ImportError:
        return lines  # the receivers were not built
    return lines + module_page(libdvbt2) + module_page(libdvbs2)


def help_of(*command):
    """Returns the output of --help for a terminal with 110 columns."""
    text = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "110"}).stdout
    return ["```text", *text.rstrip().splitlines(), "```", ""]


def programs_page():
    lines = ["# Programs", "", "The output of `--help`; each program has a manual page with the same text.", ""]
    for program in PROGRAMS:
        if shutil.which(program):
            lines += [f"## {program}", "", *help_of(program)]
            for command in COMMANDS.get(program, ()):
                lines += [f"### {program} {command}", "", *help_of(program, command)]
    return lines


def blocks_page():
    lines = ["# GNU Radio blocks", "", "The block descriptions of GNU Radio Companion.", ""]
    for path in sorted((ROOT / "grc").glob("*.block.yml")):
        block = yaml.safe_load(path.read_text())
        lines += [f"## {block['label']}", "", f"`{block['id']}`", ""]
        rows = [f"| `{item['id']}` | {item.get('label', '')} | {str(item.get('default', '')).replace('|', chr(92) + '|')} |"
                for item in block.get("parameters", []) if item.get("hide") != "all"]
        if rows:
            lines += ["| parameter | label | default |", "|---|---|---|", *rows, ""]
        if block.get("documentation"):
            lines += ["```text", *block["documentation"].rstrip().splitlines(), "```", ""]
    return lines


def codes_page():
    import libldpc
    lines = ["# All codes", "", "n and k of each named code. Families with parameters: [codes.md](../codes.md).", "",
             "| name | standard | n | k |", "|---|---|---|---|"]
    for name in libldpc.codes():
        code = libldpc.code(name)
        lines.append(f"| `{name}` | {code.standard} | {code.n} | {code.k} |")
    return lines


def write_pages():
    REFERENCE.mkdir(exist_ok=True)
    for name, page in {"c_api": c_page, "python_api": python_page, "programs": programs_page, "blocks": blocks_page, "all_codes": codes_page}.items():
        (REFERENCE / f"{name}.md").write_text("\n".join(page()) + "\n")
