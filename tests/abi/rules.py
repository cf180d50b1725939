"""Checks that the public headers keep the rules of docs/c-api.md that a program can see.

Usage: rules.py <project folder>
"""

import sys

import public_abi
from pycparser import c_ast, c_generator

# What a function may return: numbers, the one struct that never grows, and pointers to what stays the library's.
RETURNED = {"void", "vsr_status", "int32_t", "uint32_t", "size_t", "float", "double", "vsr_str"}
# Structs that callers fill, or that hold nothing but what they always will.
NOT_OPTIONS = {"vsr_str", "vsr_error"}


def text_of(node):
    return c_generator.CGenerator().visit(node)


def returned(interface):
    """Nothing is returned by value that may have to grow; pointers that are returned are to const."""
    for name, function in interface.functions.items():
        if isinstance(function.type, c_ast.PtrDecl):
            if "const" not in function.type.type.quals:
                yield f"{name}: returns a pointer to what the caller could change"
        elif text_of(function.type.type) not in RETURNED:
            yield f"{name}: returns {text_of(function.type.type)} by value, which can never grow"


def sizes(interface):
    """Every struct but vsr_str says its size in its first field."""
    for struct in interface.structs:
        if struct.name != "vsr_str" and struct.fields[0].name != "struct_size":
            yield f"{struct.name}: does not begin with struct_size"


def counts(interface):
    """What is returned as size_t is a _count of elements, a _size in bytes, or the index of the best."""
    for name, function in interface.functions.items():
        if isinstance(function.type, c_ast.TypeDecl) and text_of(function.type.type) == "size_t":
            if not name.endswith(("_count", "_size", "_best")):
                yield f"{name}: returns size_t, and ends neither with _count nor with _size"


def frees(interface):
    """Each handle is freed by its own name with _free."""
    for name, function in interface.functions.items():
        if not name.endswith("_free"):
            continue
        (parameter,) = function.args.params
        if text_of(parameter.type.type.type) + "_free" != name:
            yield f"{name}: frees {text_of(parameter.type.type.type)}"


def ends(interface):
    """Options of calls that can be ended end with the deadline and the switch, up to what is appended later."""
    for struct in interface.structs:
        names = [field.name for field in struct.fields]
        if "cancel" in names and names[names.index("cancel") - 1] != "deadline_ms":
            yield f"{struct.name}: cancel does not follow deadline_ms"


def initialisers(interface):
    """Each struct that callers fill has a macro."""
    for struct in interface.structs:
        if struct.name.endswith("_options") and f"{struct.name.upper()}_INIT" not in interface.initialisers:
            yield f"{struct.name}: has no {struct.name.upper()}_INIT"


def parameters(interface):
    """Arrays are counted by ..._count, the error is the last parameter of whatever returns a status."""
    for name, function in interface.functions.items():
        names = [parameter.name for parameter in function.args.params if isinstance(parameter, c_ast.Decl)]
        for parameter in names:
            if parameter.startswith("n_"):
                yield f"{name}: parameter {parameter} counts, and does not end with _count"
        status = isinstance(function.type, c_ast.TypeDecl) and text_of(function.type.type) == "vsr_status"
        if status and names[-1] != "error":
            yield f"{name}: returns a status, and its last parameter is not error"


def main():
    interface = public_abi.read(sys.argv[1])
    checks = [returned, sizes, counts, frees, ends, initialisers, parameters]
    failed = 0
    for check in checks:
        breaches = list(check(interface))
        failed += bool(breaches)
        for breach in breaches:
            print(breach)
    print(f"cases: {len(checks) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


sys.exit(main())
