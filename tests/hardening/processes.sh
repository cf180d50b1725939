#!/usr/bin/env bash
# Every form of ending and forking, at forty moments each, and the same of Python: about ten minutes. Needs the release
# build. Usage: tests/hardening/processes.sh [rounds]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

rounds="${1:-40}"
"$VENV/bin/python3" "$ROOT/tests/process/process.py" "$ROOT" "$ROOT/build/bin/process_forms" \
  "$ROOT/build/bin/process_unload" "$ROOT/build/lib/libvsr.so" "$rounds"
for ((i = 0; i < (rounds + 9) / 10; ++i)); do
  PYTHONPATH="$ROOT/build/bindings/python" "$VENV/bin/python3" -m pytest -p no:cacheprovider -q \
    "$ROOT/bindings/python/tests/test_process.py"
done
