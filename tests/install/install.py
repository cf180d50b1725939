"""Installs a build, moves the installed tree elsewhere, and uses it as users do: through find_package and through
pkg-config, without LD_LIBRARY_PATH and without LibTorch's headers.

Usage: install.py <project folder> <build folder> <C compiler> <C++ compiler>
"""

import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

import runpaths

SOURCE, BUILD = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
COMPILERS = {".c": [sys.argv[3], "-std=c11"], ".cpp": [sys.argv[4], "-std=c++17"]}
MODEL = SOURCE / "tests" / "goldens" / "models" / "bert-embedding"
# Consumers and whether their programs take a model's folder as first argument.
PROJECTS = [("tests/install/consumer", False), ("examples/c", True), ("examples/cpp", True)]
UNSET = {"LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CMAKE_PREFIX_PATH"}
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in UNSET}


def run(*command, **environment):
    """Runs a command; prints it all and raises if it fails."""
    line = [str(word) for word in command]
    done = subprocess.run(line, env=ENVIRONMENT | environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"$ {shlex.join(line)}\n{done.stdout}{done.stderr}")
        raise subprocess.CalledProcessError(done.returncode, line[0])
    return done.stdout


def check_find_package(prefix, project, needs_model, scratch):
    """Builds a project as its CMakeLists.txt says, and runs every program of it."""
    run("cmake", "-S", project, "-B", scratch, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", scratch)
    programs = [p for p in scratch.iterdir() if p.is_file() and os.access(p, os.X_OK)]
    assert programs, f"{project} builds no program"
    for program in programs:
        run(program, *([MODEL] if needs_model else []))


def check_pkg_config(prefix, project, needs_model, scratch):
    """Builds each source file of a project with the flags of vsr.pc alone."""
    for source in sorted(p for p in project.iterdir() if p.suffix in COMPILERS):
        flags = run("pkg-config", "--cflags", "--libs", "vsr", PKG_CONFIG_PATH=str(prefix / "lib" / "pkgconfig"))
        program = scratch / f"{source.stem}-{source.suffix[1:]}"
        run(*COMPILERS[source.suffix], source, *shlex.split(flags), "-o", program)
        run(program, *([MODEL] if needs_model else []))


def check_program(prefix):
    shown = run(prefix / "bin" / "vsr", "embed", "--model", MODEL, "--json", "hello")
    assert "{" in shown, f"vsr embed printed {shown!r}"


def check_contents(prefix):
    """Nothing of LibTorch's headers, and no path of the build in what was installed."""
    assert not list(prefix.rglob("ATen")), "LibTorch's headers are installed"
    for text in [*prefix.rglob("*.cmake"), *prefix.rglob("*.pc"), *prefix.rglob("*.h")]:
        assert str(BUILD) not in text.read_text(encoding="utf-8"), f"{text} names the build folder"
    dynamic = run("readelf", "-d", prefix / "lib" / "libvsr.so")
    unsafe, files = runpaths.unsafe(prefix)
    assert files and not unsafe, "\n".join(unsafe)
    assert "RUNPATH" in dynamic and "[$ORIGIN/vsr]" in dynamic, f"libvsr's RUNPATH is not $ORIGIN/vsr: {dynamic}"


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="vsr-install-", dir=BUILD) as folder:
        scratch = pathlib.Path(folder)
        # The libdir is fixed at configure time; the test asks for plain lib/, as the default prefix gives.
        run("cmake", "--install", BUILD, "--prefix", scratch / "first")
        prefix = scratch / "moved to" / "vsr"
        prefix.parent.mkdir()
        shutil.move(scratch / "first", prefix)

        checks = [("contents", check_contents, [])]
        if (BUILD / "bin" / "vsr").exists():
            checks.append(("program", check_program, []))
        for project, needs_model in PROJECTS:
            if not (SOURCE / project / "CMakeLists.txt").exists():
                continue
            for check in (check_find_package, check_pkg_config):
                name = f"{check.__name__[6:]} {project}"
                target = scratch / name.replace("/", "_").replace(" ", "_")
                target.mkdir()
                checks.append((name, check, [SOURCE / project, needs_model, target]))

        for name, check, arguments in checks:
            try:
                check(prefix, *arguments)
                passed += 1
            except (subprocess.CalledProcessError, AssertionError) as failure:
                print(f"failed: {name}: {failure}")
                failed += 1
    print(f"cases: {passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


sys.exit(main())
