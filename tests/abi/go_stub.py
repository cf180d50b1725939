"""The Go package without cgo: every native function of the cgo files, with its own signature, fails."""

import re

HEAD = """//go:build !cgo

// Without cgo there is no engine: every call fails, so that a gateway cannot take "not looked at" for "harmless".

package vsr
"""

FUNCTION = re.compile(r"^func (native\w+)(\([^()]*\)) ?(\([^()]*\)|[^({]*?) ?\{", re.MULTILINE)
ZEROS = {"error": "ErrNoCgo", "string": '""', "bool": "false", "int": "0"}


def zero(kind):
    kind = kind.split()[-1]  # a named result
    if kind.startswith(("*", "[]", "map[")):
        return "nil"
    return ZEROS[kind]


def body(results):
    kinds = [kind for kind in results.strip("()").split(", ") if kind]
    return "\treturn " + ", ".join(map(zero, kinds)) + "\n" if kinds else ""


def stub(root):
    functions = []
    for path in sorted((root / "bindings/go").glob("native_*.go")):
        text = path.read_text(encoding="utf-8")
        if "//go:build cgo" in text:
            functions += FUNCTION.findall(text)
    signatures = "".join(parameters + results for _, parameters, results in functions)
    head = HEAD + ('\nimport "context"\n' if "context." in signatures else "")
    for name, parameters, results in sorted(functions):
        parameters = " ".join(parameters.split())
        head += f"\nfunc {name}{parameters}{' ' if results else ''}{results} {{\n{body(results)}}}\n"
    return head
