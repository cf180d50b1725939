# Sourced by the other scripts: where the project is, how they speak, and the build.
exec </dev/null  # nothing here asks, also where standard input is closed
ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
VENV="$ROOT/build/venv"
MINILM="$ROOT/build/models/all-MiniLM-L6-v2"

say() { printf '== %s\n' "$*" >&2; }

# One sentence about what is wrong, then lines about what to do.
die() {
  printf 'vsr: %s\n' "$1" >&2
  shift
  for line in "$@"; do printf '  %s\n' "$line" >&2; done
  exit 1
}

# Whether version $1 is at least version $2.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# Configures a preset and builds it, or only the targets that are named.
build_preset() {
  local preset="$1" targets=()
  shift
  for target in "$@"; do targets+=(--target "$target"); done
  say "configuring (preset $preset)"
  (cd "$ROOT" && cmake --preset "$preset" --log-level=WARNING) >&2 ||
    die "cmake could not configure the preset $preset" "the reason is printed above; remove the build folder's CMakeCache.txt after a change of compiler or LibTorch"
  say "building (preset $preset, $(nproc) jobs)"
  (cd "$ROOT" && cmake --build --preset "$preset" -j "$(nproc)" "${targets[@]}") >&2 ||
    die "the build of preset $preset stopped" "the compiler's message is printed above; a killed compiler means too little memory: about 2 GB a job"
}

# Where suites leave what they print, and what tests are told by the environment.
begin_tests() {
  cd "$ROOT"
  results="$ROOT/build/test-results"
  rm -rf "$results"
  mkdir -p "$results"
  export VSR_MINILM="${VSR_MINILM:-$MINILM}"
  export VSR_SHARED_DATA="${VSR_SHARED_DATA:-$ROOT/../shared/data}"
  export PKG_CONFIG_PATH="$ROOT/build/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
}

# Runs a suite and keeps what it prints; its verdict comes from results.py, which reads that.
suite() {
  local name="$1" status=0
  shift
  say "running the tests: $name"
  "$@" >"$results/$name.log" 2>&1 || status=$?
  echo "$status" >"$results/$name.status"
}

# The tests of C and C++ as a preset built them: for the suite ctest-<preset>.
test_preset() {
  local preset="$1" without_aslr=()
  # ThreadSanitizer of GCC 12 dies at start where the kernel spreads addresses widely.
  if [ "$preset" = tsan ] && setarch -R true 2>/dev/null; then without_aslr=(setarch -R); fi
  "${without_aslr[@]}" ctest --preset "$preset" --output-junit "$results/ctest-$preset.xml" \
    --test-output-size-passed 1000000
}

# Prints what failed and the counts of all suites, and ends with their verdict.
end_tests() { exec "$VENV/bin/python3" "$ROOT/scripts/results.py" "$results"; }
