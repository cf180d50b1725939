"""Readers of options for the Python extension: of each struct below a class that fills it from a dict.

A field's name is the dict's key, and its C type says how it is read. What no type tells is in the tables here. Structs some of
whose fields mean something else in Python are read by hand: words for numbers (vsr_multi_options, vsr_intents_options), objects
(vsr_router_options, vsr_compress_options), 0 as out of range instead of the default (vsr_generate_options, vsr_moderate_options).
"""

import re

STRUCTS = ["vsr_embed_options", "vsr_classify_options", "vsr_route_options"]
# Booleans, which are int32_t as numbers are, and those that Python asks the other way round.
BOOLEANS = {"explain", "evaluate_all"}
NEGATED = {"no_normalize": "normalize"}
NOT_READ = {"struct_size", "reserved"}
NUMBERS = {
    "int32_t": "small_number(given[{0}], {0})",
    "size_t": "static_cast<size_t>(small_number(given[{0}], {0}))",
}


class Reader:
    """The parts of one class: members, which hold what the struct points to, and statements, which fill it."""

    def __init__(self, struct):
        self.struct = struct
        self.members, self.made, self.statements = [], [], []
        self.has_progress = False
        for field in struct.fields:
            if field.name not in NOT_READ and not self.is_part_of_another(field):
                self.read(field)

    def is_part_of_another(self, field):
        """Counts and values of arrays, what goes with `progress`, and the cancel that goes with the deadline."""
        return field.name in ("user_data", "cancel") or re.search("_(count|values)$", field.name)

    def hold(self, kind, name, key=None):
        key = key or name
        self.members.append(f"{kind} {name}_;")
        self.made.append(f'{name}_(given["{key}"], "{key}")')

    def fill(self, name, value):
        self.statements.append(f"options_.{name} = {value};")

    def read(self, field):
        name, key = field.name, f'"{field.name}"'
        if name == "progress":
            self.has_progress = True
            self.made.append(f"progress(given[{key}])")
            self.fill("progress", "progress.callback()")
            self.fill("user_data", "&progress")
        elif name == "deadline_ms":
            self.statements.append("read_limits(given, options_);")
        elif name in NEGATED:
            key = f'"{NEGATED[name]}"'
            self.fill(name, f"flag(given[{key}], {key}) ? 0 : 1")
        elif name in BOOLEANS:
            self.fill(name, f"flag(given[{key}], {key}) ? 1 : 0")
        elif name == "threshold":
            self.fill(name, f"threshold_of(given[{key}])")
        elif field.type == "const char *":
            self.hold("CString", name)
            self.fill(name, f"{name}_.get()")
        elif name.endswith("_names"):
            base = name.removesuffix("_names")
            key = base if base == "metadata" else base + "s"
            self.hold("NamedTexts", key)
            self.fill(name, f"{key}_.names()")
            self.fill(f"{base}_values", f"{key}_.values()")
            self.fill(f"{base}_count", f"{key}_.size()")
        elif field.type == "const char * const *":
            self.hold("Names", name)
            self.fill(name, f"{name}_.data()")
            self.fill(f"{name.removesuffix('s')}_count", f"{name}_.size()")
        elif field.type in NUMBERS:
            self.fill(name, NUMBERS[field.type].format(key))
        else:
            raise SystemExit(
                f"{self.struct.name}.{name}: no reader is known for {field.type} (hint: tests/abi/python_options.py)"
            )

    def lines(self):
        name = "".join(word.capitalize() for word in self.struct.name.split("_")[1:])
        # Members are made in the order of their declaration, and `progress`, which is public, is the last.
        made = sorted(self.made, key=lambda member: member.startswith("progress("))
        yield f"class {name} {{"
        yield " public:"
        yield f"  explicit {name}(const py::dict& given)"
        for i, member in enumerate(made):
            yield ("      : " if i == 0 else "        ") + member + (" {" if i == len(made) - 1 else ",")
        yield from (f"    {statement}" for statement in self.statements)
        yield "  }"
        yield f"  {name}(const {name}&) = delete;"
        yield f"  {name}& operator=(const {name}&) = delete;"
        yield f"  const {self.struct.name}* get() const {{ return &options_; }}"
        yield ""
        yield " private:"
        yield from (f"  {member}" for member in self.members)
        yield f"  {self.struct.name} options_ = {self.struct.name.upper()}_INIT;"
        if self.has_progress:
            yield ""
            yield " public:"
            yield "  Progress progress;"
        yield "};"
        yield ""


def header(interface, generated):
    structs = {struct.name: struct for struct in interface.structs}
    lines = [f"// {generated}"]
    lines += [
        "// Options of calls and what they point to. `given` is a dict with exactly the names that are read here."
    ]
    lines += ["#pragma once", "", '#include "limits.h"', '#include "names.h"', '#include "numbers.h"']
    lines += ['#include "progress.h"', '#include "text.h"', "", "namespace vsr_python {", ""]
    for name in STRUCTS:
        lines += Reader(structs[name]).lines()
    return "\n".join([*lines, "}  // namespace vsr_python", ""])
