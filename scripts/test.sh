#!/usr/bin/env bash
# From nothing to all tests passed: sets up, builds, and runs the tests of C++, C, Go, Python and the command line.
# Ends with "N passed, N failed, N skipped"; why something was skipped is printed above.
#
# Usage: scripts/test.sh
# VSR_SKIP_GO=1 leaves the Go tests out, for machines without Go.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

LEAST_GO=1.22 LEAST_GATEWAY_GO=1.24
[ $# = 0 ] || die "unknown argument $1" "usage: scripts/test.sh"

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

test_go() ( # a subshell: the folder is its own
  cd "$ROOT/bindings/go"
  go vet ./... && go test -count=1 -race -json ./... && CGO_ENABLED=0 go vet ./... && CGO_ENABLED=0 go test -count=1 -json ./...
)

test_gateway() (
  cd "$ROOT/examples/gateway"
  VSR_ENVOY="$("$VENV/bin/python3" -c 'import envoy, pathlib; print(pathlib.Path(envoy.__file__).parent / "_bin/envoy")' || true)"
  export VSR_ENVOY
  go vet ./... && go test -count=1 -json ./... && go build -o "$ROOT/build/bin/" . ./scripted
)

# The files with which the gateway is deployed. Neither a cluster nor Docker is asked.
test_deploy() (
  cd "$ROOT/tests/deploy"
  export CGO_ENABLED=0
  go vet ./... && go test -count=1 -json ./...
)

# The live page in a real browser; the gateway is the one that was built by then.
test_live() (
  cd "$ROOT/tests/live"
  export CGO_ENABLED=0
  go vet ./... && go test -count=1 -json ./...
)

# One run for each folder: both have a conftest.py.
test_python() {
  cd "$ROOT"
  PYTHONPATH="$ROOT/build/bindings/python" "$VENV/bin/python3" -m pytest -p no:cacheprovider -q -rs \
    --junitxml="$results/$1.xml" "$2"
}

[ "${VSR_SKIP_GO:-}" = 1 ] || check_go
"$ROOT/scripts/bootstrap.sh" --tests
build_preset release
begin_tests

suite ctest-release test_preset release
if [ "${VSR_SKIP_GO:-}" = 1 ]; then
  say "Go tests are left out (VSR_SKIP_GO=1)"
else
  suite go test_go
  if at_least "$(go env GOVERSION | sed 's/^go//')" $LEAST_GATEWAY_GO; then
    suite go-gateway test_gateway
    suite go-deploy test_deploy
    suite go-live test_live
    suite pytest-gateway test_python pytest-gateway tests/gateway
  else
    say "the gateway's tests are left out: they need Go $LEAST_GATEWAY_GO"
  fi
fi
suite pytest-module test_python pytest-module bindings/python/tests
suite pytest-cli test_python pytest-cli tests/cli
suite pytest-training test_python pytest-training examples/training/tests
end_tests
