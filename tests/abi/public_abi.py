"""The public C interface, read from include/vsr by a C parser: what the generated files and the baseline are made from.

Sizes are those of 64-bit Linux, the machines that the layout is promised for.
"""

import dataclasses
import functools
import pathlib
import re
import subprocess
import tempfile

from pycparser import c_ast, c_generator, c_parser

# In place of the system's headers, which are full of what only compilers read.
SYSTEM_HEADERS = {
    "stddef.h": "typedef unsigned long size_t;\n#define NULL ((void*)0)\n",
    "stdint.h": "typedef unsigned char uint8_t;\ntypedef int int32_t;\ntypedef unsigned int uint32_t;\n"
    "typedef long int64_t;\ntypedef unsigned long uint64_t;\n",
}
SIZES = {
    "char": 1,
    "int": 4,
    "unsigned int": 4,
    "long": 8,
    "unsigned long": 8,
    "float": 4,
    "double": 8,
    "unsigned char": 1,
}


@dataclasses.dataclass
class Field:
    name: str
    offset: int
    type: str  # as C, such as "const char *"


@dataclasses.dataclass
class Struct:
    name: str
    size: int
    fields: list[Field]


@dataclasses.dataclass
class Interface:
    functions: dict[str, c_ast.FuncDecl] = dataclasses.field(default_factory=dict)  # in the headers' order
    structs: list[Struct] = dataclasses.field(default_factory=list)
    numbers: dict[str, int] = dataclasses.field(default_factory=dict)
    initialisers: list[str] = dataclasses.field(default_factory=list)  # the macros ..._INIT

    def declaration(self, name):
        """The function's declaration as C."""
        return c_generator.CGenerator().visit(c_ast.Decl(name, [], [], [], [], self.functions[name], None, None))


def preprocessed(include, compiler):
    """What a C file of nothing but vsr.h becomes."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in SYSTEM_HEADERS.items():
            (pathlib.Path(folder) / name).write_text(text, encoding="utf-8")
        command = [compiler, "-E", "-P", "-x", "c", "-std=c11", "-nostdinc", "-D__attribute__(x)=", f"-I{folder}"]
        command += [f"-I{include}", str(include / "vsr" / "vsr.h")]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Layout:
    """Sizes and places of fields, as the System V ABI of 64-bit machines puts them."""

    def __init__(self):
        self.types = {}  # name of a typedef or "struct name" -> (size, alignment)

    def of(self, node):
        if isinstance(node, c_ast.PtrDecl):
            return 8, 8
        if isinstance(node, c_ast.ArrayDecl):
            size, alignment = self.of(node.type)
            return size * int(node.dim.value), alignment
        if isinstance(node, c_ast.TypeDecl):
            return self.of(node.type)
        if isinstance(node, c_ast.Struct):
            return self.types[f"struct {node.name}"]
        name = " ".join(node.names)
        if name in self.types:
            return self.types[name]
        return SIZES[name], SIZES[name]

    def struct(self, node):
        end, widest, fields = 0, 1, []
        for member in node.decls:
            size, alignment = self.of(member.type)
            offset = -(-end // alignment) * alignment
            declaration = c_generator.CGenerator().visit(member)
            fields.append(Field(member.name, offset, declaration.removesuffix(member.name).strip()))
            end, widest = offset + size, max(widest, alignment)
        size = -(-end // widest) * widest
        self.types[f"struct {node.name}"] = size, widest
        return Struct(node.name, size, fields)


def _numbers_of(enum):
    """The constants of an enum; the headers give each its number, as the rules demand."""
    for constant in enum.values.enumerators:
        if constant.value is None:
            raise SystemExit(f"{constant.name} has no number of its own")
        yield constant.name, int(constant.value.value)


@functools.cache
def read(root, compiler="g++"):
    include = pathlib.Path(root) / "include"
    found, layout = Interface(), Layout()
    for node in c_parser.CParser().parse(preprocessed(include, compiler)).ext:
        kind = (
            node.type.type if isinstance(node, c_ast.Typedef) and isinstance(node.type, c_ast.TypeDecl) else node.type
        )
        if isinstance(kind, c_ast.Enum) and kind.values is not None:
            found.numbers.update(_numbers_of(kind))
        if isinstance(kind, c_ast.Struct) and kind.decls is not None:
            found.structs.append(layout.struct(kind))
        if isinstance(node, c_ast.Typedef) and not (isinstance(kind, c_ast.Struct) and kind.decls is None):
            try:
                layout.types[node.name] = layout.of(node.type)
            except (KeyError, AttributeError):
                pass  # of a function, which no struct holds but by pointer
        if isinstance(node.type, c_ast.FuncDecl) and isinstance(node, c_ast.Decl):
            found.functions[node.name] = node.type
    for header in sorted((include / "vsr").glob("*.h")):
        found.initialisers += re.findall(r"^#define (VSR_\w+_INIT)\b", header.read_text(encoding="utf-8"), re.MULTILINE)
    return found
