#!/usr/bin/env bash
# From nothing to real questions routed by a real model: sets up, builds, and routes examples/intents/questions.txt, or
# the sentences given as arguments, to the intents of examples/intents/intents.yaml.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

"$ROOT/scripts/bootstrap.sh"
build_preset release vsr_cli
cd "$ROOT"
questions=(--file examples/intents/questions.txt)
[ $# -eq 0 ] || questions=(-- "$@")
exec build/bin/vsr intents --model build/models/all-MiniLM-L6-v2 --intents examples/intents/intents.yaml "${questions[@]}"
