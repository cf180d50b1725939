#!/usr/bin/env bash
# The costly tests: attacks on a built vsr with real models, the suites under AddressSanitizer, and the fuzz targets. Ends
# with one line for each step; what a step printed is in build/hardening. Steps can be run one at
# a time: sanitizers and fuzz make builds of their own.
#
# Usage: scripts/hardening.sh [--fuzz-seconds S] [step...]
#   --fuzz-seconds  how long each fuzz target runs (default 60)
#   step            names of steps; none: all. "list" prints them.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage="usage: scripts/hardening.sh [--fuzz-seconds S] [step...]"
steps=(deadlines memory hidden_text hostile_checkpoints processes response_cache sanitizers fuzz)
fuzz_seconds=60 chosen=()
while [ $# -gt 0 ]; do
  case "$1" in
    --fuzz-seconds)
      case "${2:-}" in '' | *[!0-9]*) die "--fuzz-seconds takes a number, not \"${2:-}\"" "$usage" ;; esac
      fuzz_seconds="$2"
      shift
      ;;
    list) printf '%s\n' "${steps[@]}"; exit 0 ;;
    *)
      printf '%s\n' "${steps[@]}" | grep -qx -- "$1" || die "there is no step \"$1\"" "$usage"
      chosen+=("$1")
      ;;
  esac
  shift
done
[ ${#chosen[@]} -gt 0 ] || chosen=("${steps[@]}")

export VSR_MINILM="${VSR_MINILM:-$MINILM}"
export VSR_SHARED_DATA="${VSR_SHARED_DATA:-$ROOT/../shared/data}"
export PYTHONPATH="$ROOT/build/bindings/python"
attack() { "$VENV/bin/python3" "$ROOT/tests/hardening/$1.py"; }

run_step() {
  case "$1" in
    deadlines | memory | hidden_text | hostile_checkpoints) attack "$1" ;;
    processes | response_cache) "$ROOT/tests/hardening/$1.sh" ;;
    sanitizers) "$ROOT/scripts/sanitize.sh" asan ;;
    fuzz) "$ROOT/scripts/fuzz.sh" --runs 1000000000 --seconds "$fuzz_seconds" ;;
  esac
}

"$ROOT/scripts/bootstrap.sh"
build_preset release
logs="$ROOT/build/hardening"
rm -rf "$logs"
mkdir -p "$logs"
passed=0 failed=0
for step in "${chosen[@]}"; do
  say "$step"
  begin=$SECONDS verdict=passed
  (cd "$ROOT" && run_step "$step") >"$logs/$step.log" 2>&1 || verdict=FAILED
  if [ "$verdict" = passed ]; then passed=$((passed + 1)); else failed=$((failed + 1)); tail -n 20 "$logs/$step.log" >&2; fi
  printf '%-20s %-7s %5d s\n' "$step" "$verdict" $((SECONDS - begin))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
