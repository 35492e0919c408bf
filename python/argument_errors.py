# SPDX-License-Identifier: BSD-3-Clause
"""Error messages for invalid arguments, instead of pybind11's list of signatures."""
import difflib
import functools
import inspect
import numbers
import re

PARAMETER = re.compile(r"[(,] ?(\w+): ((?:[^=,\[\]()]|\[[^\]]*\])*)(=)?")
SUPPORTED = re.compile(r"typing\.Supports(Int|Float)(?: \| typing\.SupportsIndex)?")  # pybind11 3 for int and float
LIST_OF_NAMES = re.compile(r"\[str\]$")  # List[str], collections.abc.Sequence[str]
KINDS = {"int": numbers.Integral, "float": numbers.Real, "str": str}


class Signature:
    """Parameters of a function, from the first line of its docstring: decoder(code: object, max_iterations: int = 50, ...)."""

    def __init__(self, function, name):
        line = (function.__doc__ or "").partition("\n")[0].partition(") -> ")[0]
        found = [] if "*args" in line else PARAMETER.findall(line)
        self.method = bool(found) and found[0][0] == "self"
        found = found[self.method:]
        self.name = name
        self.kinds = {parameter: SUPPORTED.sub(lambda kind: kind[1].lower(), kind.strip()) for parameter, kind, _ in found}
        self.names = list(self.kinds)
        self.required = [parameter for parameter, _, default in found if not default]
        self.known = "(" in line and "*args" not in line

    def unknown(self, name):
        """Returns the message for an unknown parameter."""
        near = [known for known in self.names if len(name) > 2 and name in known] or difflib.get_close_matches(name, self.names, 1)
        hint = f", did you mean {near[0]}?" if near else "."
        listed = f"Its parameters are {', '.join(self.names)}" if self.names else "It has none"
        return f"{self.name}() has no parameter {name}{hint} {listed}"

    def trouble(self, arguments, named):
        """Returns an error message if the arguments are wrong, otherwise None."""
        given = self.names[:len(arguments)]
        missing = [name for name in self.required if name not in given and name not in named]
        for name in named:
            if name not in self.names:
                return self.unknown(name)
            if name in given:
                return f"{self.name}() got {name} twice, by position and by name"
        if len(arguments) > len(self.names):
            most = ", ".join(self.names) or "no arguments"
            return f"{self.name}() takes {most}; {len(arguments)} arguments were given"
        if missing:
            return f"{self.name}() needs {' and '.join(missing)}"
        for name, value in [*zip(given, arguments), *named.items()]:
            if LIST_OF_NAMES.search(self.kinds[name]) and not is_list_of_names(value):
                return f"{name}: expected a list of names, not {value!r}"
            if self.kinds[name] == "bool" and value is not None and not hasattr(value, "__bool__"):  # as pybind11's conversion
                return f"{name}: expected bool, not {value!r}"
            if self.kinds[name] in KINDS and not isinstance(value, KINDS[self.kinds[name]]):
                return f"{name}: expected {self.kinds[name]}, not {value!r}"
        return None

    def negative(self, arguments, named):
        """Returns the error message for the first negative integer."""
        for name, value in [*zip(self.names, arguments), *named.items()]:
            if self.kinds[name] == "int" and value < 0:
                return f"{name} {value}: expected 0 or more"
        return None


def is_list_of_names(value):
    return isinstance(value, (list, tuple)) and all(isinstance(name, str) for name in value)


def explained(function, name):
    """Wraps a function. The wrapper raises an error of this module if an argument has a wrong type."""
    signature = Signature(function, name)
    if not signature.known:
        return function

    @functools.wraps(function)
    def call(*arguments, **named):
        try:
            return function(*arguments, **named)
        except TypeError as error:
            if "incompatible" not in str(error):
                raise
            arguments = arguments[signature.method:]
            trouble = signature.trouble(arguments, named)
            negative = not trouble and signature.negative(arguments, named)
            if not trouble and not negative:
                raise
        raise TypeError(trouble) if trouble else ValueError(negative)

    return call


def explain(module, methods=True):
    """Replaces all functions, classes and methods of an extension module by wrappers that raise the errors of this module."""
    for name, member in list(vars(module).items()):
        if inspect.isbuiltin(member):
            setattr(module, name, explained(member, name))
        elif inspect.isclass(member):
            if "__init__" in vars(member):
                member.__init__ = explained(member.__init__, name)
            for method, function in list(vars(member).items()) if methods else ():
                if isinstance(function, staticmethod):
                    setattr(member, method, staticmethod(explained(function.__func__, method)))
                elif not method.startswith("_") and type(function).__name__ == "instancemethod":
                    setattr(member, method, explained(function, method))
