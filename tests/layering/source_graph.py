"""The layers of src/, and which units of it include which. A unit is a header with the sources of its name."""

import pathlib
import re

LAYER_LINE = re.compile(r"^([a-z_]+):(.*)$")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SUFFIXES = {".h", ".hpp", ".inc", ".c", ".cpp", ".cu", ".go"}


class Layers:
    """src/layers.txt: the layers from bottom to top, what each may include, and which see LibTorch."""

    def __init__(self, path):
        self.names, self.torch, self._seen = [], set(), {}
        for line in path.read_text(encoding="utf-8").splitlines():
            if not (match := LAYER_LINE.match(line)):
                continue
            name, words = match[1], re.findall(r"[a-z_]+", match[2])
            if "torch" in words:
                self.torch.add(name)
            used = [word for word in words if word != "torch"]
            self._seen[name] = {name}.union(*(self._seen[layer] for layer in used))
            if any(layer in self.torch for layer in used):
                self.torch.add(name)
            self.names.append(name)
        self.torch -= {"c_api"}  # links with LibTorch, and must not include it

    def may_include(self, layer):
        """The layers whose headers a layer may include: itself, what it uses, and what those use."""
        return self._seen[layer]


def includes(path):
    """(line number, is quoted, header) of each include."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1] == '"', match[2]


def sources(folder):
    return [p for p in sorted(folder.rglob("*")) if p.suffix in SUFFIXES]


def unit_graph(src):
    """Of each unit ("core/encoder") the units it includes, with the place: {unit: {unit: "core/encoder.h:13"}}."""
    graph = {}
    for path in sources(src):
        edges = graph.setdefault(str(path.relative_to(src).with_suffix("")), {})
        for number, quoted, header in includes(path):
            if quoted:
                edges.setdefault(
                    str(pathlib.PurePosixPath(header).with_suffix("")), f"{path.relative_to(src)}:{number}"
                )
    return {unit: {to: at for to, at in edges.items() if to != unit and to in graph} for unit, edges in graph.items()}


def folder_graph(units):
    """The same between folders."""
    graph = {}
    for unit, edges in units.items():
        folder = graph.setdefault(str(pathlib.PurePosixPath(unit).parent), {})
        for to, at in edges.items():
            target = str(pathlib.PurePosixPath(to).parent)
            graph.setdefault(target, {})
            folder.setdefault(target, at)
    return {folder: {to: at for to, at in edges.items() if to != folder} for folder, edges in graph.items()}


def cycles(graph):
    """The strongly connected components of more than one node (Tarjan 1972), each sorted."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for to in graph[node]:
            if to not in index:
                visit(to)
                low[node] = min(low[node], low[to])
            elif to in stack:
                low[node] = min(low[node], index[to])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for node in graph:
        if node not in index:
            visit(node)
    return found
