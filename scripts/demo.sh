#!/usr/bin/env bash
# From nothing to real questions routed by a real model: sets up, builds, and says of each line of
# examples/intents/questions.txt, or of the sentences given as arguments, which intent of examples/intents/intents.yaml
# it has, which domain it belongs to, whether it is an attack and what personal data it holds: one pass of the model for
# all four. Then routes requests, those of examples/router/requests.txt or the same sentences, and says where each goes.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

"$ROOT/scripts/bootstrap.sh"
build_preset release vsr_cli
cd "$ROOT"
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
exec build/bin/vsr route --config examples/router/router.yaml "${requests[@]}"
