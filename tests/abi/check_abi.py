#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares a library's interface with tests/abi/<library>.txt: exported symbols with their versions, prototypes, layouts of structs,
numbers of enumerators. docs/abi.md says which differences are allowed.

The layouts come from debug information of a source with all public headers; no build is needed."""
import argparse
import difflib
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parents[1] / "include"
PREFIXES = {name: f"{name[3:]}_" for name in ("libldpc", "libdvbt2", "libdvbs2")}
DIE = re.compile(r"^ *<(\d+)><([0-9a-f]+)>: Abbrev Number: \d+(?: \((DW_TAG_\w+)\))?")
ATTRIBUTE = re.compile(r"^ *<[0-9a-f]+> +(DW_AT_\w+) *: (.*)$")


def headers():
    return sorted((INCLUDE / "ldpc").glob("*.h"))


class Die:
    """An entry of the debug information with tag, attributes and child entries."""

    def __init__(self, tag):
        self.tag, self.attributes, self.children = tag, {}, []

    def name(self):
        return self.attributes.get("DW_AT_name", "").rsplit("): ", 1)[-1].strip()

    def number(self, attribute):
        return int(self.attributes.get(attribute, "0").split()[0], 0)


def debug_information(compiler, readelf):
    """Returns {address: entry} for a source that includes all headers."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "headers.c"
        source.write_text("".join(f'#include "ldpc/{h.name}"\n' for h in headers()) + "int anything;\n")
        subprocess.run([compiler, "-std=c11", "-g", "-gdwarf-4", "-O0", "-fno-eliminate-unused-debug-types",
                        f"-I{INCLUDE}", "-c", source, "-o", source.with_suffix(".o")], check=True)
        text = subprocess.run([readelf, "--debug-dump=info", source.with_suffix(".o")], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
    entries, path = {}, []
    for line in text.splitlines():
        if found := DIE.match(line):
            level, address, tag = int(found[1]), found[2], found[3]
            if tag:
                die = entries[address] = Die(tag)
                path = path[:level] + [die]
                if level:
                    path[level - 1].children.append(die)
        elif path and (found := ATTRIBUTE.match(line)):
            path[-1].attributes.setdefault(found[1], found[2].strip())
    return entries


class Layouts:
    def __init__(self, entries):
        self.entries = entries

    def type_of(self, die):
        address = re.match(r"<0x([0-9a-f]+)>", die.attributes.get("DW_AT_type", ""))
        return self.entries[address[1]] if address else None

    def type_name(self, die):
        """Returns the type of a member as it is written in C."""
        kind = self.type_of(die)
        if kind is None:
            return "void"
        if kind.tag == "DW_TAG_pointer_type":
            return self.type_name(kind) + " *"
        if kind.tag == "DW_TAG_const_type":
            return "const " + self.type_name(kind)
        if kind.tag == "DW_TAG_array_type":
            counts = [c.attributes.get("DW_AT_upper_bound", c.attributes.get("DW_AT_count")) for c in kind.children]
            offset = 1 if "DW_AT_upper_bound" in kind.children[0].attributes else 0
            return self.type_name(kind) + "".join(f"[{int(c, 0) + offset}]" for c in counts)
        if kind.tag == "DW_TAG_subroutine_type":
            return "function"
        return kind.name() or "struct"

    def members(self, struct, prefix="", base=0):
        for member in struct.children:
            if member.tag != "DW_TAG_member":
                continue
            at = base + member.number("DW_AT_data_member_location")
            yield f"{at:8} {self.type_name(member)} {prefix}{member.name()}"
            inner = self.type_of(member)
            while inner is not None and inner.tag == "DW_TAG_array_type":
                inner = self.type_of(inner)
            if inner is not None and inner.tag == "DW_TAG_structure_type" and not inner.name():
                yield from self.members(inner, f"{prefix}{member.name()}[0].", at)

    def lines(self, prefix):
        structs = {d.name(): d for d in self.entries.values()
                   if d.tag == "DW_TAG_structure_type" and "DW_AT_byte_size" in d.attributes}
        for name in sorted(n for n in structs if n.startswith(prefix)):
            yield f"struct {name}, {structs[name].number('DW_AT_byte_size')} bytes"
            yield from self.members(structs[name])
        numbers = {e.name(): e.number("DW_AT_const_value") for d in self.entries.values()
                   if d.tag == "DW_TAG_enumeration_type" for e in d.children}
        for name in sorted(n for n in numbers if n.startswith(prefix.upper())):
            yield f"enumerator {name} = {numbers[name]}"


def prototypes(prefix):
    text = "".join(h.read_text() for h in headers())
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    for declared in sorted(re.findall(r"LDPC_API ([^;]*\);)", text), key=lambda d: re.search(r"(\w+)\(", d)[1]):
        if re.search(r"(\w+)\(", declared)[1].startswith(prefix):
            yield " ".join(declared.split())


def symbols(nm, library):
    text = subprocess.run([nm, "-D", "--defined-only", library], check=True, text=True, stdout=subprocess.PIPE).stdout
    names = [line.split()[-1] for line in text.splitlines() if line.split()[-2] != "A"]
    yield from (f"symbol {name}" for name in sorted(names))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", choices=PREFIXES, required=True)
    parser.add_argument("--library", required=True, help="shared library to look at")
    parser.add_argument("--compiler", default="cc")
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--readelf", default="readelf")
    parser.add_argument("--update", action="store_true", help="store the current symbols and layouts")
    args = parser.parse_args()
    prefix, stored = PREFIXES[args.name], HERE / f"{args.name}.txt"
    found = [*symbols(args.nm, args.library), *prototypes(prefix),
             *Layouts(debug_information(args.compiler, args.readelf)).lines(prefix)]
    if args.update:
        stored.write_text("\n".join(found) + "\n")
        return 0
    differences = list(difflib.unified_diff(stored.read_text().splitlines(), found, str(stored), "this tree", lineterm="", n=2))
    print("\n".join(differences) or f"{args.name}: {len(found)} lines as stored")
    if differences:
        print(f"docs/abi.md lists permitted changes. If this change is permitted: {sys.argv[0]} --update")
    return bool(differences)


if __name__ == "__main__":
    sys.exit(main())
