#!/usr/bin/env bash
# The tests of C and C++ under sanitizers, in builds of their own: AddressSanitizer with UndefinedBehaviorSanitizer (asan, in
# build-asan), ThreadSanitizer (tsan, in build-tsan). Ends with "N passed, N failed, N skipped".
#
# Usage: scripts/sanitize.sh [asan|tsan]...
#   none: both.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

presets=("$@")
[ $# -gt 0 ] || presets=(asan tsan)
for preset in "${presets[@]}"; do
  [ "$preset" = asan ] || [ "$preset" = tsan ] ||
    die "there is no sanitizer \"$preset\"" "usage: scripts/sanitize.sh [asan|tsan]..."
done

"$ROOT/scripts/bootstrap.sh"
begin_tests
for preset in "${presets[@]}"; do
  build_preset "$preset"
  suite "ctest-$preset" test_preset "$preset"
done
end_tests
