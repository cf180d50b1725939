"""Checks what files may include: layers look down only, few of them see LibTorch, programs see include/vsr only; no units
include each other in a circle, no folder is a hall, and the docs list the layers that there are.

Usage: layering.py <project folder>. Prints every breach as file:line, and a line of counts.
"""

import pathlib
import re
import sys

from source_graph import Layers, cycles, folder_graph, includes, sources, unit_graph

# How many files the walks of docs/design.md may pass, by name.
WALKS = {"classify": 15, "route": 20, "adapter": 15}
FOLDER_LIMIT = 42  # files that a folder of src/ holds directly
TORCH_HEADER = re.compile(r"(ATen|c10|torch|caffe2)/")
# The public headers, which every layer could see: only the layer that implements them should.
PUBLIC_HEADER = re.compile(r"vsr/")
OUTSIDE = ["cli", "bindings", "examples"]
# What reads or writes by the locale that the host has set. base/text_stream.h and base/c_locale.h say what to use.
BY_LOCALE = re.compile(
    r"(?<![\w.>:])(?:std::|::)?(?:is(?:alnum|alpha|digit|lower|upper|space|punct|xdigit|print|cntrl)|to(?:lower|upper)"
    r"|strto(?:d|f|ld)|ato[fil]|sto(?:d|f|ld)|setlocale|strftime|put_time)\s*\("
    r"|std::[io]?stringstream"
    r"|printf\(.*%[-+ #0-9.*]*[aefgAEFG]"
)
MAY_USE_LOCALE = {"src/base/text_stream.h", "src/base/yaml.cpp"}


def check_layers(root, layers):
    """Breaches inside src/: includes of layers that are not among the used ones, LibTorch where it must not be."""
    for path in sources(root / "src"):
        where = path.relative_to(root)
        layer = where.parts[1]
        if layer not in layers.names:
            yield f"{where}: folder {layer} is no layer (hint: src/layers.txt lists them)"
            continue
        for number, quoted, header in includes(path):
            top = header.split("/")[0]
            if quoted and "/" not in header:
                yield f"{where}:{number}: include {header} by its path from src/"
            if quoted and top in layers.names and top not in layers.may_include(layer):
                yield f"{where}:{number}: {layer} includes {header}, and src/layers.txt does not say that it uses {top}"
            if TORCH_HEADER.match(header) and layer not in layers.torch:
                yield f"{where}:{number}: {layer} includes {header} of LibTorch"
            if PUBLIC_HEADER.match(header) and layer != "c_api":
                yield f"{where}:{number}: {layer} includes the public {header}, which only c_api implements"


def check_layer_list(root, layers):
    """Breaches of "one list": layers without a folder, and docs that do not name each of them."""
    for layer in layers.names:
        if not sources(root / "src" / layer):
            yield f"src/layers.txt: {layer} has no sources"
        if f"\nsrc/{layer}/" not in (root / "docs/design.md").read_text(encoding="utf-8"):
            yield f"docs/design.md: the layer src/{layer}/ is not listed"


def check_folders(root, layers):
    """Breaches of "no halls": folders of too many files."""
    for folder in sorted({path.parent for path in sources(root / "src")}):
        count = sum(1 for path in folder.iterdir() if path.is_file())
        if count > FOLDER_LIMIT:
            yield f"{folder.relative_to(root)}: {count} files (limit: {FOLDER_LIMIT})"


def check_cycles(root, layers):
    """Breaches of "no circles": units, and folders, that include each other, however indirectly."""
    units = unit_graph(root / "src")
    for graph in (units, folder_graph(units)):
        for cycle in cycles(graph):
            yield f"src: these include each other: {', '.join(cycle)}"
            for name in cycle:
                for to in sorted(graph[name].keys() & set(cycle)):
                    yield f"  src/{graph[name][to]} includes {to}"


def check_torch_free_headers(root, layers):
    """Breaches by way of headers: what routing and c_api include, however deep, must not bring in LibTorch."""
    seen = {}

    def brings_torch(header):
        if header in seen:
            return seen[header]
        seen[header] = None  # a cycle ends here
        path = root / "src" / header
        if not path.exists():
            return None
        for _, quoted, inner in includes(path):
            via = header if TORCH_HEADER.match(inner) else brings_torch(inner) if quoted else None
            if via:
                seen[header] = via
                return via
        return None

    for layer in set(layers.names) - layers.torch:
        for path in sources(root / "src" / layer):
            for number, quoted, header in includes(path):
                if quoted and (via := brings_torch(header)):
                    yield f"{path.relative_to(root)}:{number}: include {header} brings in LibTorch through {via}"


def check_core_knows_no_model(root, layers):
    """Breaches of "core names no model": an architecture's name in a core or lora source."""
    shared = {
        "attention_info",
        "config_fields",
        "head_form",
        "labels",
        "output_words",
        "registry",
    }  # what architectures have in common
    names = [p.stem for p in sources(root / "src" / "models") if p.suffix == ".cpp" and p.stem not in shared]
    if not names:
        return
    word = re.compile(r"(?i)\b(" + "|".join(names) + r")\b")
    for folder in ("core", "lora"):
        for path in sources(root / "src" / folder):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                code = line.split("//")[0]  # comments may cite where a rule comes from
                if match := word.search(code):
                    yield f"{path.relative_to(root)}:{number}: {folder} names the model {match[0]}"


def check_outside(root, layers):
    """Breaches of programs and bindings: of vsr they see include/vsr only, and no LibTorch."""
    layer_header = re.compile(r"(" + "|".join(layers.names) + r")/")
    for folder in OUTSIDE:
        for path in sources(root / folder):
            for number, quoted, header in includes(path):
                local = quoted and (path.parent / header).exists()
                if not local and layer_header.match(header) or TORCH_HEADER.match(header) or "src/" in header:
                    yield f"{path.relative_to(root)}:{number}: {folder} includes {header}, and may see vsr/ only"


def check_locale(root, layers):
    """Breaches of "what vsr reads and writes does not depend on the host's locale"."""
    for path in sources(root / "src"):
        where = path.relative_to(root)
        if str(where) in MAY_USE_LOCALE:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if match := BY_LOCALE.search(line.split("//")[0]):
                yield f"{where}:{number}: {match[0].strip(' (')} depends on the locale (hint: base/text_stream.h, base/ascii.h)"


def check_walks(root, layers):
    """Breaches of the walks in the docs: files that are not there, numbers that are not theirs, and ways that are too long."""
    design = (root / "docs/design.md").read_text(encoding="utf-8")
    walks = re.findall(r"^- \*\*(\w+)\*\*, (\d+) files, (.*?)(?=^- |\n\n)", design, re.MULTILINE | re.DOTALL)
    if {name for name, _, _ in walks} != set(WALKS):
        yield f"docs/design.md: the walks are {[name for name, _, _ in walks]}, expected {list(WALKS)}"
    for name, count, text in walks:
        files = re.findall(r"`([\w/]+\.(?:cpp|h))`", text)
        for file in files:
            if not (root / "src" / file).exists():
                yield f"docs/design.md: {name} passes src/{file}, which does not exist"
        if len(set(files)) != int(count):
            yield f"docs/design.md: {name} is said to pass {count} files, and {len(set(files))} are named"
        if len(set(files)) > WALKS.get(name, 0):
            yield f"docs/design.md: {name} passes {len(set(files))} files, at most {WALKS.get(name, 0)} are allowed"


CHECKS = [
    check_layers,
    check_layer_list,
    check_folders,
    check_cycles,
    check_torch_free_headers,
    check_core_knows_no_model,
    check_outside,
    check_locale,
    check_walks,
]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    layers = Layers(root / "src" / "layers.txt")
    failed = 0
    for check in CHECKS:
        breaches = list(check(root, layers))
        for breach in breaches:
            print(breach)
        failed += bool(breaches)
    print(f"cases: {len(CHECKS) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


sys.exit(main())
