# SPDX-License-Identifier: BSD-3-Clause
"""Generates manual pages from the --help texts of the programs.

usage: python3 -m libldpc.tools.manual FOLDER PROGRAM...
"""
import importlib.machinery
import importlib.util
import pathlib
import re
import sys
import textwrap

import click

import libldpc


def module_of(program):
    """Loads a program file as a module."""
    loader = importlib.machinery.SourceFileLoader(program.name.replace("-", "_"), str(program))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def roff(text):
    """Escapes a text for roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def paragraphs(text):
    parts = [re.sub(r"\s+", " ", part).strip() for part in re.split(r"\n\s*\n", (text or "").replace("\b", ""))]
    return [part for part in parts if part]


def options_of(command, context):
    lines = []
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record:
            names, text = record
            lines += [".TP", ".B " + roff(names), roff(re.sub(r"\s+", " ", text))]
    return lines


def usage(command, context):
    return [".B " + roff(context.command_path), roff(" ".join(command.collect_usage_pieces(context)))]


def description(command):
    return [line for part in paragraphs(command.help) for line in (".PP", roff(part))]


def examples(command):
    """Returns the section EXAMPLES, from "Examples:" at the end of the help."""
    if not command.epilog:
        return []
    lines = textwrap.dedent(command.epilog.partition(":\n")[2]).rstrip()
    return [".SH EXAMPLES", ".nf", roff(lines), ".fi"]


def context_of(command, name, parent=None):
    return click.Context(command, info_name=name, parent=parent, **command.context_settings)


def page(program):
    module = module_of(program)
    command, name = module.main, program.name
    context = context_of(command, name)
    summary = module.__doc__.strip().splitlines()[0].split(":", 1)[1].strip().rstrip(".")
    lines = [f'.TH {roff(name.upper())} 1 "" "libldpc {libldpc.__version__}" "User Commands"', ".SH NAME",
             f"{roff(name)} \\- {roff(summary)}", ".SH SYNOPSIS", *usage(command, context), ".SH DESCRIPTION",
             *description(command), ".SH OPTIONS", *options_of(command, context)]
    for sub_name, sub in sorted(getattr(command, "commands", {}).items()):
        sub_context = context_of(sub, sub_name, context)
        lines += [f".SH {roff(sub_name.upper())}", *usage(sub, sub_context), *description(sub),
                  *options_of(sub, sub_context)]
    return "\n".join(lines + examples(command)) + "\n"


def main(folder, *programs):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for program in map(pathlib.Path, programs):
        (folder / (program.name + ".1")).write_text(page(program), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
