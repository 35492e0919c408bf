# SPDX-License-Identifier: BSD-3-Clause
"""The documentation site: the Markdown files of this folder, notebooks that are executed, and a reference made of the headers, modules,
programs and blocks.

    pip install ".[docs]"                            # in an environment; Doxygen from the distribution
    sphinx-build -W -b html docs build-docs          # -W: a warning is an error; build-docs/index.html is the site

Commands and modules are those that `ldpc-info` and `import libldpc` find.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "site"))

import make_reference  # noqa: E402  beside this file, found by the line before

project = "gr-ldpc"
author = "The gr-ldpc authors"
copyright = "2026, " + author
release = version = make_reference.version()

extensions = ["myst_nb", "breathe"]  # myst_nb reads all pages and executes those of notebooks/
exclude_patterns = ["site"]
nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 300
html_theme = "furo"
html_title = f"gr-ldpc {release}"
highlight_language = "text"

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
# Links to files outside of the site lead to the repository.
suppress_warnings = ["myst.xref_missing", "duplicate_declaration.c"]  # of: typedef struct x {...} x

breathe_projects = {"libldpc": str(make_reference.doxygen_xml())}
breathe_default_project = "libldpc"
breathe_domain_by_extension = {"h": "c"}

make_reference.write_pages()
