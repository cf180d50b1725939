"""Writes what follows from the public headers alone, or checks that it is up to date: the list of exports, the test of
layouts and numbers, the statuses of the C interface, and the numbers that the Go package holds against the header's.

Usage: generate.py [--check] <project folder>
"""

import pathlib
import sys

import public_abi

GENERATED = "Written by tests/abi/generate.py from include/vsr; do not edit."


def exports(interface):
    return "".join(f"{name}\n" for name in sorted(interface.functions))


def layout_test(interface):
    lines = [
        f"/* {GENERATED}",
        " * Holds the layout of every public struct and the number of every public constant, as compiled programs rely on",
        " * them, against the compiler. After a release a field may only be appended; any other change of a line breaks",
        " * programs and raises VSR_ABI_VERSION. */",
        "#include <stdio.h>",
        "#include <vsr/vsr.h>",
        "",
        '#define AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field " has moved")',
        '#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type " has changed its size")',
        '#define IS(name, number) _Static_assert((name) == (number), #name " has changed its number")',
        "",
        "/* clang-format off */",
        "#if UINTPTR_MAX == UINT64_MAX",
    ]
    for struct in interface.structs:
        lines.append(f"SIZE({struct.name}, {struct.size});")
        lines += [f"AT({struct.name}, {field.name}, {field.offset});" for field in struct.fields]
        lines.append("")
    lines += ["#endif", ""]
    lines += [f"IS({name}, {number});" for name, number in interface.numbers.items()]
    lines += ["", "static int passed = 0, failed = 0;", ""]
    lines += ["static void check(int ok, const char* what) {", '  if (!ok) printf("failed: %s\\n", what);']
    lines += ["  ok ? ++passed : ++failed;", "}", ""]
    lines += [
        "/* What assertions cannot see: the macros that callers compile in, and the library that they then meet. */"
    ]
    lines += ["int main(void) {"]
    for macro in interface.initialisers:
        name = macro.removesuffix("_INIT").lower()
        lines.append(f"  const {name} a_{name} = {macro};")
        lines.append(f'  check(a_{name}.struct_size == sizeof a_{name}, "{macro}");')
    lines += ['  check(vsr_abi_version() == VSR_ABI_VERSION, "vsr_abi_version() is the header\'s");']
    lines += [
        '  printf("cases: %d passed, %d failed, 0 skipped\\n", passed, failed);',
        "  return failed != 0;",
        "}",
        "",
    ]
    return "\n".join(lines)


def camel(name, initialisms=()):
    return "".join(word if word in initialisms else word.capitalize() for word in name.split("_"))


def statuses(interface):
    lines = [f"// {GENERATED}", "// VSR_STATUS(number in the header, name in base::Status)"]
    for name in interface.numbers:
        if name.startswith("VSR_ERR_"):
            lines.append(f"VSR_STATUS({name}, k{camel(name.removeprefix('VSR_ERR_'))})")
    return "\n".join(lines) + "\n"


def go_name(constant):
    return camel(constant.removeprefix("VSR_"), initialisms={"IO", "EOS", "PII", "SSE", "JSON"})


def go_status_names(interface):
    names = [name for name in interface.numbers if name.startswith("VSR_ERR_")]
    width = max(len(go_name(name)) for name in names) + 1
    lines = [f"// {GENERATED.replace('Written', 'Code generated').replace('; do not edit.', '. DO NOT EDIT.')}", ""]
    lines += ["package vsr", "", "var statusNames = map[Status]string{"]
    lines += [f'\t{go_name(name) + ":":{width}} "{name}",' for name in names]
    return "\n".join([*lines, "}", ""])


# Constants of the header that Go says otherwise, or not at all.
NOT_IN_GO = ("VSR_OK", "VSR_REFUSAL_", "VSR_TASK_NONE")


def go_numbers(interface):
    lines = [
        f"// {GENERATED.replace('Written', 'Code generated').replace('; do not edit.', '. DO NOT EDIT.')}",
        "",
        "//go:build cgo",
        "",
        "package vsr",
        "",
        "// #include <vsr/vsr.h>",
        'import "C"',
        "",
        "// The numbers of this package and the header's are the same, or this does not compile: an index is out of range.",
        "var _ = [...][1]struct{}{",
    ]
    for name in interface.numbers:
        if not name.startswith(NOT_IN_GO):
            lines.append(f"\t{{int({go_name(name)}) - C.{name}: {{}}}},")
    return "\n".join([*lines, "}", ""])


OUTPUTS = {
    "tests/abi/exports.txt": exports,
    "tests/abi/layout_test.c": layout_test,
    "src/c_api/statuses.inc": statuses,
    "bindings/go/status_names.go": go_status_names,
    "bindings/go/native_numbers.go": go_numbers,
}


def main():
    check = sys.argv[1] == "--check"
    root = pathlib.Path(sys.argv[-1])
    interface = public_abi.read(root)
    stale = 0
    for name, make in OUTPUTS.items():
        path, text = root / name, make(interface)
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"{name} is not what the headers give (hint: build/venv/bin/python3 tests/abi/generate.py .)")
            stale += 1
    print(f"cases: {len(OUTPUTS) - stale} passed, {stale} failed, 0 skipped")
    return 1 if stale else 0


sys.exit(main())
