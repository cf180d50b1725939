#!/usr/bin/env bash
# What can be said of the sources without compiling them: formats (clang-format, ruff, gofmt), Python's linter, the layers and
# their circles, files that follow from the public headers. Prints each breach and ends with status 1 if there is any. Its
# tools are those of scripts/requirements.txt. Where clang-tidy is there (Debian: apt-get install clang-tidy) and build/ is
# configured, it reads what changed since main and sees no LibTorch, whose headers take minutes.
#
# Usage: scripts/check.sh [--fix | --tidy]
#   --fix   formats what is not formatted, instead of only saying so
#   --tidy  runs clang-tidy on all such files, and nothing else
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage="usage: scripts/check.sh [--fix | --tidy]"
[ $# -le 1 ] || die "one argument at most" "$usage"
mode="${1:-}"
case "$mode" in "" | --fix | --tidy) ;; *) die "unknown argument $mode" "$usage" ;; esac

"$ROOT/scripts/bootstrap.sh"
cd "$ROOT"

tools="$VENV/bin"
# Files of the project, whether or not they are committed.
files() { git ls-files -z --cached --others --exclude-standard -- "$@"; }
# C++ by people: the C interface is laid out by hand, and what a program wrote is the program's.
cpp_files() {
  files '*.hpp' '*.cpp' 'src/*.h' 'tests/*.h' 'bindings/*.h' 'cli/*.h' 'bench/*.h' |
    xargs -0 grep -LZ -E '^// (Made|Generated|Written) by (scripts|tests)/'
}
# Sources of the layers that see no LibTorch, and of the programs.
torch_free() { files src cli | tr '\0' '\n' | grep -E '^(src/(base|inference|text|facts|chat|routing|guard|c_api)|cli)/.*\.cpp$'; }
# Those of them that are not as on main, or on main itself as before the last commit.
changed() {
  local base
  base="$(git merge-base HEAD main 2>/dev/null || git merge-base HEAD origin/main 2>/dev/null || git rev-parse HEAD)"
  if [ "$base" = "$(git rev-parse HEAD)" ]; then base="$(git rev-parse --quiet --verify HEAD~1 || echo HEAD)"; fi
  { git diff --name-only --diff-filter=d "$base"; git ls-files --others --exclude-standard; } | sort -u
}
MOST_TIDY=8 # files of a check without --tidy: some ten seconds each on one core
tidy() {
  local clang_tidy count
  clang_tidy="$(command -v clang-tidy || command -v clang-tidy-14)" ||
    { say "clang-tidy is not on PATH: nothing is checked by it"; return 0; }
  [ -e build/compile_commands.json ] || { say "build/ is not configured: nothing is checked by clang-tidy"; return 0; }
  mapfile -t sources
  count=${#sources[@]}
  if [ "$mode" != --tidy ] && [ "$count" -gt "$MOST_TIDY" ]; then
    say "$count sources changed, of which clang-tidy reads $MOST_TIDY: scripts/check.sh --tidy reads all"
    sources=("${sources[@]:0:$MOST_TIDY}")
  fi
  [ "$count" = 0 ] || printf '%s\0' "${sources[@]}" | xargs -0 -P "$(nproc)" -n 1 "$clang_tidy" -p build --quiet 2>/dev/null
}
if [ "$mode" = --tidy ]; then
  torch_free | tidy || die "clang-tidy finds what is printed above"
  exit 0
fi
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
check_tidy() { comm -12 <(torch_free | sort) <(changed) | tidy; }
check clang-tidy check_tidy
check "generated files" "$tools/python3" tests/abi/generate.py --check .
[ ${#failed[@]} = 0 ] || die "failed: ${failed[*]}" "scripts/check.sh --fix mends formats"
