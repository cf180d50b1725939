"""The enums of the C++ interface, which are those of the C headers: VSR_FINISH_LENGTH is vsr::Finish::kLength."""

import re

# Enums whose C++ name is another word than that in their constants, and constants that C++ says otherwise: the statuses
# by vsr::Error, a refusal by std::optional<bool>, a task without a kind not at all.
NAMES = {"FIELD": "AnswerField", "GUARD": "GuardKind", "LOG": "LogLevel", "STREAM": "StreamFormat", "TASK": "TaskKind"}
NOT_IN_CPP = ("VSR_OK", "VSR_ERR_", "VSR_REFUSAL_", "VSR_TASK_NONE")


def camel(words):
    return "".join(word.capitalize() for word in words)


def comments(root):
    """What the headers say after a constant on its own line."""
    said = {}
    for header in (root / "include" / "vsr").glob("*.h"):
        found = re.findall(r"^ *(VSR_\w+) = \d+,? */\*\*< (.*?) \*/$", header.read_text(encoding="utf-8"), re.MULTILINE)
        said.update(found)
    return said


def enum(group, constants, said):
    lines = [f"/** See VSR_{group}_... */", f"enum class {NAMES.get(group, camel([group]))} : int32_t {{"]
    for constant in constants:
        words = constant.removeprefix(f"VSR_{group}_").split("_")
        comment = f" /**< {said[constant]} */" if constant in said else ""
        lines.append(f"  k{camel(words)} = {constant},{comment}")
    return [*lines, "};", ""]


def header(interface, root, generated):
    groups = {}
    for name in interface.numbers:
        if not name.startswith(NOT_IN_CPP):
            groups.setdefault(name.split("_")[1], []).append(name)
    lines = [f"// {generated}"]
    lines += ["/* The enums of the C interface. Included by vsr/vsr.hpp. */"]
    lines += ["#ifndef VSR_HPP_ENUMS_HPP", "#define VSR_HPP_ENUMS_HPP", "", '#include "../vsr.h"', ""]
    lines += ["namespace vsr {", ""]
    said = comments(root)
    for group, constants in groups.items():
        lines += enum(group, constants, said)
    return "\n".join([*lines, "}  // namespace vsr", "", "#endif", ""])
