#!/usr/bin/env bash
# What can be said of the sources without compiling them: formats (clang-format, ruff, gofmt), Python's linter, the layers and
# their circles, files that follow from the public headers. Prints each breach and ends with status 1 if there is any. Its
# tools are those of scripts/requirements.txt.
#
# Usage: scripts/check.sh [--fix | --tidy]
#   --fix   formats what is not formatted, instead of only saying so
#   --tidy  runs clang-tidy on everything that build/ compiles instead (an hour; Debian: apt-get install clang-tidy)
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage="usage: scripts/check.sh [--fix | --tidy]"
[ $# -le 1 ] || die "one argument at most" "$usage"
mode="${1:-}"
case "$mode" in "" | --fix | --tidy) ;; *) die "unknown argument $mode" "$usage" ;; esac

"$ROOT/scripts/bootstrap.sh"
cd "$ROOT"
if [ "$mode" = --tidy ]; then
  command -v run-clang-tidy >/dev/null || die "run-clang-tidy is not on PATH" "apt-get install clang-tidy"
  build_preset release
  exec run-clang-tidy -p build -quiet "$ROOT/(src|cli|tests)/.*"
fi

tools="$VENV/bin"
# Files of the project, whether or not they are committed.
files() { git ls-files -z --cached --others --exclude-standard -- "$@"; }
# C++ by people: the C interface is laid out by hand, and what a program wrote is the program's.
cpp_files() {
  files '*.hpp' '*.cpp' 'src/*.h' 'tests/*.h' 'bindings/*.h' 'cli/*.h' 'bench/*.h' |
    xargs -0 grep -LZ -E '^// (Made|Generated|Written) by (scripts|tests)/'
}
if [ "$mode" = --fix ]; then
  cpp_files | xargs -0 "$tools/clang-format" -i
  "$tools/ruff" format --quiet
  files '*.go' | xargs -0 gofmt -w
fi

failed=()
check() {
  local name="$1"
  shift
  say "checking: $name"
  "$@" || failed+=("$name")
}
check_clang_format() { cpp_files | xargs -0 "$tools/clang-format" --dry-run -Werror; }
check_gofmt() {
  local unformatted
  unformatted="$(files '*.go' | xargs -0 gofmt -l)"
  [ -z "$unformatted" ] || { printf '%s: not as gofmt writes it\n' $unformatted; return 1; }
}
check clang-format check_clang_format
check "ruff format" "$tools/ruff" format --check --quiet
check ruff "$tools/ruff" check --quiet
if command -v gofmt >/dev/null; then check gofmt check_gofmt; else say "gofmt is not on PATH: Go's format is not checked"; fi
check layering "$tools/python3" tests/layering/layering.py .
check "generated files" "$tools/python3" tests/abi/generate.py --check .
[ ${#failed[@]} = 0 ] || die "failed: ${failed[*]}" "scripts/check.sh --fix mends formats"
