#!/usr/bin/env bash
# Installs the release build into a temporary folder and prints what a user installs, by part and in all.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
prefix="$(mktemp -d)"
trap 'rm -rf "$prefix"' EXIT
cmake --install "$ROOT/build" --prefix "$prefix" >/dev/null || die "nothing to install" "build first: scripts/demo.sh"

size() { du -ckL --apparent-size "$@" 2>/dev/null | awk 'END { printf "%9.1f MB", $1 / 1024 }'; }
row() { printf '%s  %s\n' "$(size "${@:2}")" "$1"; }
row "libvsr" "$prefix"/lib/libvsr.so
[ ! -e "$prefix/bin/vsr" ] || row "program vsr" "$prefix/bin/vsr"
row "headers, CMake package, pkg-config file, licence" "$prefix/include" "$prefix/lib/cmake" "$prefix/lib/pkgconfig" "$prefix/share"
for library in "$prefix"/lib/vsr/*; do
  [ -L "$library" ] || row "runtime: $(basename "$library")" "$library"
done
printf '%9.1f MB  all\n' "$(du -sk --apparent-size "$prefix" | awk '{ print $1 / 1024 }')"
echo "from the system: $(ldd "$prefix/lib/libvsr.so" | awk -v p="$prefix" 'index($0, p) == 0 { print $1 }' | xargs -n 1 basename | paste -sd' ')"
