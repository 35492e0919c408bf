# SPDX-License-Identifier: BSD-3-Clause
"""Finds missing parts of docstrings, for tests."""
import inspect
import re

SIGNATURE = re.compile(r"\w+\((.*)\)(?: -> .*)?$", re.MULTILINE)


def split(text):
    """Returns the names of the parameters, and the text of a docstring. The docstring may begin with the signature."""
    head, _, rest = text.partition("\n")
    signature = SIGNATURE.match(head)
    if not signature:
        return [], text.strip()
    given, before = signature[1], None
    while given != before:  # types and defaults with commas
        given, before = re.sub(r"\[[^\[\]]*\]|\([^()]*\)", "", given), given
    names = [parameter.partition(":")[0].partition("=")[0].strip() for parameter in given.split(",")]
    return [name for name in names if name.isidentifier() and name != "self"], rest.strip()


def missing(names, text):
    return [name for name in names if not re.search(rf"\b{name}\b", text)]


def gaps(module):
    """Yields a text for each missing docstring, parameter or exception."""
    for name in module.__all__:
        value = getattr(module, name)
        if not callable(value):
            continue
        names, text = split(inspect.getdoc(value) or "")
        members = {}
        if inspect.isclass(value):
            names = split(inspect.getdoc(value.__init__) or "")[0]
            members = {member: inspect.getdoc(content) for member, content in vars(value).items() if not member.startswith("_")}
        elif not SIGNATURE.match(inspect.getdoc(value) or ""):
            names = list(inspect.signature(value).parameters)
        if not text:
            yield f"{name}: no docstring"
        for parameter in missing(names, text):
            yield f"{name}: parameter {parameter}"
        if names and "Error" not in text:
            yield f"{name}: what it raises"
        for member, docstring in members.items():
            parameters, said = split(docstring or "")
            if not said:
                yield f"{name}.{member}: no docstring"
            for parameter in missing(parameters, said):
                yield f"{name}.{member}: parameter {parameter}"
