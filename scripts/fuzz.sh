#!/usr/bin/env bash
# Builds the fuzz targets with sanitizers and runs each of them, two at a time. Ends with one table: target, runs, time,
# findings. Inputs that were found are in build-fuzz/findings (build-asan/findings without Clang).
#
# Usage: scripts/fuzz.sh [--runs N] [--seconds S] [--jobs J] [target...]
#   --runs     how many inputs each target is given (default 100000)
#   --seconds  ends a target after that many seconds; 0: never (default)
#   --jobs     how many processes run at a time, 1 or 2 (default 2)
#   target     "jinja", "regex", ...; none: all of them. "list" prints their names.
# With Clang 14 or newer (Debian: apt-get install clang libclang-rt-14-dev) the targets are libFuzzer programs, which
# follow the coverage of the code; without it they are mutations of good inputs (tests/fuzz/mini_run.cpp).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

runs=100000 seconds=0 jobs=2 targets=()
usage="usage: scripts/fuzz.sh [--runs N] [--seconds S] [--jobs J] [target...]"
number() { case "$2" in '' | *[!0-9]*) die "$1 takes a number, not \"$2\"" "$usage" ;; esac; }
while [ $# -gt 0 ]; do
  case "$1" in
    --runs) number "$1" "${2:-}"; runs="$2"; shift ;;
    --seconds) number "$1" "${2:-}"; seconds="$2"; shift ;;
    --jobs) number "$1" "${2:-}"; jobs="$2"; shift ;;
    -*) die "unknown argument $1" "$usage" ;;
    *) targets+=("$1") ;;
  esac
  shift
done
[ "$jobs" = 1 ] || [ "$jobs" = 2 ] || die "--jobs takes 1 or 2, not \"$jobs\"" "$usage"
mapfile -t known < <(sed -n 's/^vsr_fuzz(\([a-z0-9_]*\) .*/\1/p' "$ROOT/tests/fuzz/CMakeLists.txt")
[ "${targets[*]:-}" != list ] || { printf '%s\n' "${known[@]}"; exit 0; }
[ ${#targets[@]} -gt 0 ] || targets=("${known[@]}")
for target in "${targets[@]}"; do
  printf '%s\n' "${known[@]}" | grep -qx -- "$target" || die "there is no target \"$target\"" "scripts/fuzz.sh list prints them"
done

# The newest Clang that can link a libFuzzer program with sanitizers.
find_clang() {
  local probe candidate
  probe="$(mktemp -d)"
  trap 'rm -rf "$probe"' RETURN
  echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' >"$probe/a.cpp"
  for candidate in clang++ $(compgen -c clang++- | sort -Vr -u); do
    "$candidate" -fsanitize=fuzzer,address,undefined "$probe/a.cpp" -o "$probe/a" 2>/dev/null || continue
    echo "$candidate"
    return
  done
}

clang="$(find_clang)"
if [ -n "$clang" ]; then
  preset=fuzz prefix=libfuzzer
  export CXX="$clang" CC="${clang/clang++/clang}"
else
  preset=asan prefix=fuzz
  say "no Clang with libFuzzer: mutations without coverage instead (Debian: apt-get install clang libclang-rt-14-dev)"
fi
programs=()
for target in "${targets[@]}"; do programs+=("${prefix}_$target"); done
build_preset "$preset" "${programs[@]}"

build="$ROOT/build-$preset"
findings="$build/findings"
mkdir -p "$findings" "$build/corpus" "$build/fuzz-logs"
export ASAN_OPTIONS="detect_leaks=1:allocator_may_return_null=1:malloc_limit_mb=4096"
export LSAN_OPTIONS="suppressions=$ROOT/tests/support/lsan.supp:print_suppressions=0"
export UBSAN_OPTIONS="print_stacktrace=1"

# Starts in corpora that stay, so that a later run goes on where this one ends.
run_libfuzzer() {
  local target="$1" corpus="$build/corpus/$1" limits=(-runs="$runs")
  mkdir -p "$corpus"
  [ "$seconds" = 0 ] || limits+=(-max_total_time="$seconds")
  VSR_FUZZ_SEEDS="$corpus" "$build/bin/libfuzzer_$target" "${limits[@]}" -max_len=4096 -timeout=60 -rss_limit_mb=4096 \
    -print_final_stats=1 -artifact_prefix="$findings/$target-" "$corpus"
}
run_mutations() {
  local target="$1" limit=()
  [ "$seconds" = 0 ] || limit=(timeout --signal=INT --preserve-status "$seconds")
  TMPDIR="$findings" "${limit[@]}" "$build/bin/fuzz_$target" --runs "$runs"
}

# One line of the table: target, runs, seconds, findings.
fuzz() {
  local target="$1" log="$build/fuzz-logs/$1.log" begin status=0 done_runs
  begin=$(date +%s)
  find "$findings" -name "$target-*" -delete
  rm -f "$findings/fuzz_$target.crash"
  if [ -n "$clang" ]; then run_libfuzzer "$target"; else run_mutations "$target"; fi >"$log" 2>&1 || status=$?
  if [ -n "$clang" ]; then
    done_runs="$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
  else
    done_runs="$(sed -n 's/.* seeds and \([0-9]*\) mutations$/\1/p' "$log")"
  fi
  local found
  found="$(find "$findings" \( -name "$target-*" -o -name "fuzz_$target.crash" \) | wc -l)"
  [ "$status" = 0 ] || [ "$found" != 0 ] || found="exit $status"
  printf '| %s | %s | %s s | %s |\n' "$target" "${done_runs:-?}" "$(($(date +%s) - begin))" "$found" \
    >"$build/fuzz-logs/$target.row"
  say "$target: ${done_runs:-?} runs, $found findings"
}

rm -f "$build"/fuzz-logs/*.row
say "running ${#targets[@]} targets, $runs inputs each, $jobs at a time"
running=0
for target in "${targets[@]}"; do
  fuzz "$target" &
  running=$((running + 1))
  [ "$running" -lt "$jobs" ] || { wait -n; running=$((running - 1)); }
done
wait
printf '| target | runs | time | findings |\n| --- | ---: | ---: | ---: |\n'
failed=0
for target in "${targets[@]}"; do
  cat "$build/fuzz-logs/$target.row"
  grep -q '| 0 |$' "$build/fuzz-logs/$target.row" || failed=1
done
exit "$failed"
