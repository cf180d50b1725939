#!/usr/bin/env bash
# From nothing to real questions routed by a real model: sets up, builds, and says of each line of
# examples/intents/questions.txt, or of the sentences given as arguments, which intent of examples/intents/intents.yaml
# it has, which domain it belongs to, whether it is an attack and what personal data it holds: one pass of the model for
# all four. Then routes requests, those of examples/router/requests.txt or the same sentences, and says where each goes.
# Last, where there is Go, it starts the gateway of examples/gateway with a scripted model server behind it, sends it
# requests by the clients of OpenAI and Anthropic, prints what became of them, and where its live page is to be seen.
#
# Usage: scripts/demo.sh [--once] [SENTENCE...]
#   --once  ends afterwards; else the gateway goes on until Ctrl-C where there is a terminal
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

"$ROOT/scripts/bootstrap.sh"
build_preset release vsr_cli
cd "$ROOT"
once=()
if [ "${1:-}" = --once ] || [ ! -t 1 ]; then once=(--once); fi
if [ "${1:-}" = --once ]; then shift; fi
questions=(--file examples/intents/questions.txt)
requests=(--file examples/router/requests.txt)
if [ $# -gt 0 ]; then
  questions=(-- "$@")
  requests=(-- "$@")
fi
tasks=(domain jailbreak pii)
build/bin/vsr intents --model build/models/all-MiniLM-L6-v2 --intents examples/intents/intents.yaml \
  "${tasks[@]/#/--adapter=models/adapters/}" --also "$(IFS=,; echo "${tasks[*]}")" "${questions[@]}"
echo
build/bin/vsr route --config examples/router/router.yaml "${requests[@]}"

command -v go >/dev/null || PATH="$PATH:/usr/local/go/bin"
version="$(go env GOVERSION 2>/dev/null | sed 's/^go//' || true)"
if [ -z "$version" ] || ! at_least "$version" 1.24; then
  say "the gateway is left out: it needs Go 1.24"
  exit
fi
export PKG_CONFIG_PATH="$ROOT/build/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
say "building the gateway"
(cd examples/gateway && go build -o "$ROOT/build/bin/" . ./scripted)
exec "$VENV/bin/python3" examples/gateway/demo.py "${once[@]}"
