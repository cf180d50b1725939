"""Go's package without cgo: of each native function of bindings/go one with the same signature, which fails."""

import re

# How a value of a type is written that says nothing. What begins with one of these is nil.
ZERO = {"error": "ErrNoCgo", "string": '""', "int": "0", "bool": "false"}
NIL = ("*", "[]", "map[")


def signatures(source):
    """The heads of the functions of a Go file whose names begin with native, each as one line."""
    found = re.findall(r"^func (native\w*\([^{]*?)\s*\{", source, re.MULTILINE)
    return [re.sub(r"\s+", " ", head).replace("( ", "(").replace(", )", ")") for head in found]


def result_types(head):
    """Of "nativeX(a int) (found *Y, err error)": ["*Y", "error"]."""
    depth, end = 0, 0
    for at, letter in enumerate(head):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0 and letter == ")":
            end = at + 1
            break
    results = head[end:].strip()
    if not results.startswith("("):
        return [results] if results else []
    return [result.split()[-1] for result in results[1:-1].split(",")]


def zero(go_type, head):
    if go_type.startswith(NIL):
        return "nil"
    if go_type not in ZERO:
        raise SystemExit(
            f"bindings/go: {head}: no zero value is known for {go_type} (hint: ZERO in tests/abi/go_stub.py)"
        )
    return ZERO[go_type]


def function(head):
    results = ", ".join(zero(result, head) for result in result_types(head))
    return f"func {head} {{\n\treturn {results}\n}}" if results else f"func {head} {{}}"


def stub(root, generated):
    sources = sorted((root / "bindings" / "go").glob("native_*.go"))
    heads = [
        head
        for source in sources
        if source.name != "native_stub.go"
        for head in signatures(source.read_text(encoding="utf-8"))
    ]
    lines = [f"// {generated}", "", "//go:build !cgo", "", "package vsr"]
    if any("context." in head for head in heads):
        lines += ["", 'import "context"']
    lines += [
        "",
        '// Without cgo there is no engine: every call fails, so that a gateway cannot take "not looked at" for "harmless".',
    ]
    for head in heads:
        lines += ["", function(head)]
    return "\n".join(lines) + "\n"
