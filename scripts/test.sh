#!/usr/bin/env bash
# From nothing to all tests passed: sets up, builds, and runs the tests of C++, C, Go, Python and the command line.
# Ends with "N passed, N failed, N skipped"; why something was skipped stands above.
#
# Usage: scripts/test.sh [--sanitize asan|tsan]
#   --sanitize  builds with sanitizers in build-asan or build-tsan and runs the tests of C and C++ only.
# VSR_SKIP_GO=1 leaves the Go tests out, for machines without Go.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

LEAST_GO=1.22
preset=release
case "${1:-}" in
  "") ;;
  --sanitize)
    case "${2:-}" in
      asan | tsan) preset="$2" ;;
      *) die "--sanitize takes asan or tsan, not \"${2:-}\"" ;;
    esac
    ;;
  *) die "unknown argument $1" "usage: scripts/test.sh [--sanitize asan|tsan]" ;;
esac

check_go() {
  local version
  # Where go.dev says to unpack it, which is not on every PATH.
  command -v go >/dev/null || PATH="$PATH:/usr/local/go/bin"
  version="$(go env GOVERSION 2>/dev/null | sed -n 's/^go\([0-9.]*\).*/\1/p' || true)"
  local cure=("Debian 12's own is too old: unpack one of https://go.dev/dl into /usr/local and put /usr/local/go/bin on PATH"
    "or leave the Go tests out: VSR_SKIP_GO=1 scripts/test.sh")
  [ -n "$version" ] || die "the Go tests need Go $LEAST_GO or newer, and go is not on PATH" "${cure[@]}"
  at_least "$version" $LEAST_GO || die "the Go tests need Go $LEAST_GO or newer, and go is $version" "${cure[@]}"
}

# Runs a suite and keeps what it prints; its verdict comes from results.py, which reads that.
suite() {
  local name="$1" status=0
  shift
  say "running the tests: $name"
  "$@" >"$results/$name.log" 2>&1 || status=$?
  echo "$status" >"$results/$name.status"
}

test_cpp() {
  local without_aslr=()
  # ThreadSanitizer of GCC 12 dies at start where the kernel spreads addresses widely.
  if [ "$preset" = tsan ] && setarch -R true 2>/dev/null; then without_aslr=(setarch -R); fi
  "${without_aslr[@]}" ctest --preset "$preset" --output-junit "$results/ctest.xml" --test-output-size-passed 1000000
}

test_go() ( # a subshell: the folder is its own
  cd "$ROOT/bindings/go"
  go vet ./... && go test -count=1 -race -json ./... && CGO_ENABLED=0 go vet ./... && CGO_ENABLED=0 go test -count=1 -json ./...
)

# One run for each folder: both have a conftest.py.
test_python() {
  cd "$ROOT"
  PYTHONPATH="$ROOT/build/bindings/python" "$VENV/bin/python3" -m pytest -p no:cacheprovider -q -rs \
    --junitxml="$results/$1.xml" "$2"
}

[ "$preset" != release ] || [ "${VSR_SKIP_GO:-}" = 1 ] || check_go
"$ROOT/scripts/bootstrap.sh"
build_preset "$preset"
cd "$ROOT"
results="$ROOT/build/test-results"
rm -rf "$results"
mkdir -p "$results"
export VSR_MINILM="${VSR_MINILM:-$MINILM}"
export VSR_SHARED_DATA="${VSR_SHARED_DATA:-$ROOT/../shared/data}"
export PKG_CONFIG_PATH="$ROOT/build/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"

suite ctest test_cpp
if [ "$preset" = release ]; then
  if [ "${VSR_SKIP_GO:-}" = 1 ]; then
    say "Go tests are left out (VSR_SKIP_GO=1)"
  elif [ -d bindings/go ]; then
    suite go test_go
  fi
  suite pytest-module test_python pytest-module bindings/python/tests
  suite pytest-cli test_python pytest-cli tests/cli
  suite pytest-training test_python pytest-training examples/training/tests
fi
exec "$VENV/bin/python3" scripts/results.py "$results"
