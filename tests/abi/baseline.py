"""Holds the public interface against the released one with libabigail: functions may come, fields may be appended to
structs that say their size, and nothing else may change.

Usage: baseline.py <project folder> <C compiler>. With --update in front, writes baseline.abi: for a release that raises
VSR_ABI_VERSION, or one that adds to the interface.

What is compared is not libvsr, whose release build carries no description of types, but a library of empty functions
with the headers' declarations; that libvsr exports these is what exports.py checks.
"""

import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

import public_abi


def stub(interface):
    """C with a definition of every public function."""
    functions = []
    for name in interface.functions:
        is_void = interface.declaration(name).startswith("void ")
        is_text = interface.declaration(name).startswith("vsr_str ")
        body = "" if is_void else "return (vsr_str){0, 0};" if is_text else "return 0;"
        functions.append(f"{interface.declaration(name)} {{ {body} }}\n")
    return "#include <vsr/vsr.h>\n" + "".join(functions)


def description(root, compiler, folder):
    """The interface as abidw writes it."""
    source, library, xml = folder / "vsr.c", folder / "libvsr.so", folder / "vsr.abi"
    source.write_text(stub(public_abi.read(root)), encoding="utf-8")
    command = [compiler, "-std=c11", "-g", "-O0", "-shared", "-fPIC", "-fdebug-prefix-map=" + str(folder) + "=."]
    subprocess.run([*command, f"-I{root / 'include'}", "-o", library, source], check=True)
    command = ["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-write-default-sizes"]
    subprocess.run([*command, "--out-file", xml, library], check=True)
    return xml


def structs(tree):
    """The public structs of a description by name."""
    return {node.get("name"): node for node in tree.iter("class-decl") if node.get("name", "").startswith("vsr_")}


def places(struct):
    return [(member.get("layout-offset-in-bits"), member.find("var-decl").get("name")) for member in struct]


def cut_appended(old, new):
    """Takes from `new` what the rules allow to append: fields at the end of structs that say their size. libabigail's own
    suppression of insertions at the end hides other changes of the same struct."""
    before, tree = structs(ElementTree.parse(old)), ElementTree.parse(new)
    for name, struct in structs(tree).items():
        if name not in before or name == "vsr_str":
            continue
        kept = len(before[name])
        if len(struct) > kept > 0 and places(struct)[:kept] == places(before[name]):
            for member in list(struct)[kept:]:
                struct.remove(member)
            struct.set("size-in-bits", before[name].get("size-in-bits"))
    tree.write(new)


def differences(old, new):
    cut_appended(old, new)
    command = ["abidiff", "--harmless", "--no-added-syms", "--no-show-locs", old, new]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return run.stdout + run.stderr if run.returncode != 0 else ""


def skipped():
    if shutil.which("abidw") is None or shutil.which("abidiff") is None:
        return "abidw and abidiff are not here (hint: apt-get install abigail-tools)"
    if platform.machine() != "x86_64":
        return f"the baseline is of x86_64, this is {platform.machine()}"
    return ""


def main():
    update = sys.argv[1] == "--update"
    root, compiler = pathlib.Path(sys.argv[2 if update else 1]).resolve(), sys.argv[-1]
    baseline = root / "tests" / "abi" / "baseline.abi"
    if reason := skipped():
        print(f"skipped: {reason}\ncases: 0 passed, 0 failed, 1 skipped")
        return 2 if update else 0
    with tempfile.TemporaryDirectory() as name:
        new = description(root, compiler, pathlib.Path(name))
        if update:
            shutil.copyfile(new, baseline)
            return 0
        changes = differences(baseline, new)
    if changes:
        print(changes)
        print("hint: a released layout has changed, which raises VSR_ABI_VERSION and the SONAME")
    print(f"cases: {int(not changes)} passed, {int(bool(changes))} failed, 0 skipped")
    return 1 if changes else 0


sys.exit(main())
