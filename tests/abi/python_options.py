"""Readers of options for the Python extension: of each struct below a class that fills it from a dict.

A field's name is the dict's key, and its C type says how it is read. What no type tells is in the tables here. Read by hand are
options that are lists of other options (engines, models, adapters), and the guard's, where the package turns words into numbers.
"""

import re

STRUCTS = [
    "vsr_embed_options",
    "vsr_classify_options",
    "vsr_multi_options",
    "vsr_intents_options",
    "vsr_intents_add_options",
    "vsr_intents_read_file_options",
    "vsr_intents_route_options",
    "vsr_compress_options",
    "vsr_generate_options",
    "vsr_moderate_options",
    "vsr_router_options",
    "vsr_route_options",
]
# Booleans, which are int32_t as numbers are, and those that Python asks the other way round.
BOOLEANS = {"explain", "evaluate_all", "lenient", "own_models", "validate_models"}
NEGATED = {"no_normalize": "normalize", "no_eos": "stop_at_eos"}
# Words in Python, of the constants with this prefix; None is 0.
WORDS = {"path": "VSR_PATH_", "rule": "VSR_RULE_"}
NOT_READ = {"struct_size", "reserved"}
# Of least scores of entities, 0 is the default in C and a number in Python.
ENTITY_THRESHOLDS = {"vsr_classify_options", "vsr_multi_options"}
# Numbers of which 0 means in Python what it means in C, and those that C takes 0 of, but Python does not.
ZERO_IS_ALL = {("vsr_generate_options", "top_k")}
NOT_ZERO = {"top_p": "above 0 and at most 1"}
NUMBERS = {
    "int32_t": "small_number(given[{0}], {0})",
    "size_t": "static_cast<size_t>(small_number(given[{0}], {0}))",
    "uint64_t": "unsigned_number(given[{0}], {0})",
    "float": "static_cast<float>(real_number(given[{0}], {0}))",
}
# What holds a thing that C only points to, and gives the pointer.
HOLDERS = {"const char *": "CString", "const float *": "OptionalFloat"}
OBJECTS = {"const vsr_engine *": "Engine", "const vsr_tokenizer *": "Tokenizer"}
# Members that callers use, too.
CALLBACKS = {"progress": "Progress", "on_token": "TokenCall", "log": "Log"}


class Reader:
    """The parts of one class: members, which hold what the struct points to, and statements, which fill it."""

    def __init__(self, struct):
        self.struct = struct
        self.members, self.made, self.statements = [], [], []
        self.shared, self.shared_made = [], []  # public ones, which are made last
        for field in struct.fields:
            if field.name not in NOT_READ and not self.is_part_of_another(field):
                self.read(field)

    def is_part_of_another(self, field):
        """Counts and values of arrays, what goes with a callback, and the cancel that goes with the deadline."""
        return field.name in ("user_data", "cancel") or re.search("_(count|values)$", field.name)

    def hold(self, kind, name, key=None):
        key = key or name
        self.members.append(f"{kind} {name}_;")
        self.made.append(f'{name}_(given["{key}"], "{key}")')

    def share(self, kind, name, arguments):
        self.shared.append(f"{kind} {name};")
        self.shared_made.append(f"{name}({arguments})")

    def fill(self, name, value):
        self.statements.append(f"options_.{name} = {value};")

    def read(self, field):
        name, key = field.name, f'"{field.name}"'
        if name in CALLBACKS:
            self.share(CALLBACKS[name], name, f"given[{key}]")
            self.fill(name, f"{name}.callback()")
            self.fill("user_data", f"{name}.user_data()")
        elif name == "deadline_ms":
            self.statements.append("read_limits(given, options_);")
        elif name in NEGATED:
            key = f'"{NEGATED[name]}"'
            self.fill(name, f"flag(given[{key}], {key}) ? 0 : 1")
        elif name in BOOLEANS:
            self.fill(name, f"flag(given[{key}], {key}) ? 1 : 0")
        elif name in WORDS:
            self.fill(name, f"number_of_word(given[{key}], {key}, k{name.capitalize()}Words)")
        elif name == "wanted":
            self.share("Mask", name, f"given[{key}]")
            self.fill(name, f"{name}.data()")
        elif field.type in HOLDERS:
            self.hold(HOLDERS[field.type], name)
            self.fill(name, f"{name}_.get()")
        elif field.type in OBJECTS:
            self.members.append(f"std::shared_ptr<{field.type.removeprefix('const ').removesuffix(' *')}> {name}_;")
            self.made.append(f"{name}_(held<{OBJECTS[field.type]}>(given[{key}]))")
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
        else:
            self.fill(name, self.number(field, key))

    def number(self, field, key):
        if field.name == "threshold" and self.struct.name in ENTITY_THRESHOLDS:
            return f"threshold_of(given[{key}])"
        if (self.struct.name, field.name) in ZERO_IS_ALL:
            return f"int32_number(given[{key}], {key})"
        if field.name in NOT_ZERO:
            return f'not_zero(given[{key}], {key}, "{NOT_ZERO[field.name]}")'
        if field.type in NUMBERS:
            return NUMBERS[field.type].format(key)
        raise SystemExit(
            f"{self.struct.name}.{field.name}: no reader is known for {field.type} (hint: tests/abi/python_options.py)"
        )

    def lines(self):
        name = "".join(word.capitalize() for word in self.struct.name.split("_")[1:])
        made = self.made + self.shared_made  # in the order of their declaration
        yield f"class {name} {{"
        yield " public:"
        yield f"  explicit {name}(const py::dict& given)" + ("" if made else " {")
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
        if self.shared:
            yield ""
            yield " public:"
            yield from (f"  {member}" for member in self.shared)
        yield "};"
        yield ""


def words(interface):
    """A table for each kind of words: what Python says for the constants of a prefix."""
    for name, prefix in WORDS.items():
        yield f"inline constexpr Word k{name.capitalize()}Words[] = {{"
        for constant in interface.numbers:
            if constant.startswith(prefix) and not constant.endswith("_DEFAULT"):
                yield f'    {{"{constant.removeprefix(prefix).lower()}", {constant}}},'
        yield "};"
    yield ""


def header(interface, generated):
    structs = {struct.name: struct for struct in interface.structs}
    lines = [f"// {generated}"]
    lines += [
        "// Options of calls and what they point to. `given` is a dict with exactly the names that are read here."
    ]
    lines += ["#pragma once", "", "#include <memory>", "", '#include "callbacks.h"', '#include "engine.h"']
    lines += ['#include "limits.h"', '#include "names.h"', '#include "numbers.h"', '#include "text.h"']
    lines += ['#include "tokenizer.h"', "", "namespace vsr_python {", ""]
    lines += words(interface)
    for name in STRUCTS:
        lines += Reader(structs[name]).lines()
    return "\n".join([*lines, "}  // namespace vsr_python", ""])
