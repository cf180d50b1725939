#!/bin/sh
# Builds vsr and measures it side by side with its peers; the tables land in bench/results.
#
#   bench/run.sh [--quick] [--peer-python PYTHON] [--name MACHINE]
#
# PYTHON has what bench/requirements.txt lists. --quick measures few lengths, to try the harness.
set -eu
cd "$(dirname "$0")/.."

peer=python3 name=$(hostname) quick=
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=1 ;;
    --peer-python) peer=$2; shift ;;
    --name) name=$2; shift ;;
    *) echo "bench/run.sh: unknown argument $1" >&2; exit 2 ;;
  esac
  shift
done

cmake --build --preset release -j2 --target vsr_cli vsr_python
for model in bert-base modernbert-base qwen3-embedding-0.6b embeddinggemma-300m; do
  [ -f build/models/$model/model.safetensors ] && continue
  build/venv/bin/python3 bench/make_encoder_checkpoint.py $model build/models/$model
done

# Each length costs every competitor a few seconds; those of 2,048 tokens and more only where the model takes them.
compare() {
  python3 bench/compare.py --peer-python "$peer" --output bench/results "$@"
}
minilm=all-MiniLM-L6-v2=build/models/all-MiniLM-L6-v2
if [ -n "$quick" ]; then
  compare --name "$name-quick" --model $minilm --lengths 32 128
  exit
fi
compare --name "$name-short" --model $minilm --model bert-base=build/models/bert-base --lengths 32 128 256
compare --name "$name" --lengths 32 128 512 2048 --model modernbert-base=build/models/modernbert-base \
  --model qwen3-0.6b=build/models/qwen3-embedding-0.6b --model embeddinggemma-300m=build/models/embeddinggemma-300m
compare --name "$name-batch" --model modernbert-base=build/models/modernbert-base --lengths 128 --batch 32
python3 bench/callers.py --model build/models/modernbert-base
