"""_vsr.pyi, which is written by hand, names what the extension has: functions, methods and their parameters."""

import ast
import pathlib
import re

from vsr import _vsr

PACKAGE = pathlib.Path(_vsr.__file__).parent


def functions(body, prefix=""):
    """Names of functions and what parameters they have, those of classes with the class before them."""
    found = {}
    for node in body:
        if isinstance(node, ast.ClassDef):
            found.update(functions(node.body, f"{node.name}."))
        elif isinstance(node, ast.FunctionDef):
            is_property = any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)
            parameters = [argument.arg for argument in node.args.args if argument.arg != "self"]
            found[prefix + node.name] = None if is_property else parameters
    return found


def parameters_of(function):
    """What pybind11 writes into the first line: name(self: X, text: object, add: bool) -> Y. None: Python wrote it."""
    line = re.match(r"\w+\((.*)\) -> ", function.__doc__ or "")
    if line is None:
        return None
    inside = line.group(1)
    return [name for name in re.findall(r"(?:^|, )(\w+): ", inside) if name != "self"]


def extension():
    found = {}
    for name, thing in vars(_vsr).items():
        if isinstance(thing, type):
            for member, value in vars(thing).items():
                if isinstance(value, property):
                    found[f"{name}.{member}"] = None
                elif callable(value) and parameters_of(value) is not None:
                    found[f"{name}.{member}"] = parameters_of(value)
        elif callable(thing):
            found[name] = parameters_of(thing)
    return found


def test_stubs_are_those_of_the_extension():
    told = functions(ast.parse((PACKAGE / "_vsr.pyi").read_text(encoding="utf-8")).body)
    made = extension()
    assert made == told
