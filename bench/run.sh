#!/bin/sh
# Builds vsr and measures it side by side with its peers; the tables land in bench/results.
#
#   bench/run.sh [--quick] [--peer-python PYTHON] [--name MACHINE]
#
# PYTHON has what bench/requirements.txt lists; the exporter's two packages may be missing and are then put into
# build/peers/packages. --quick measures one small model, to try the harness. Where there is no cargo, candle is skipped.
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
if command -v cargo >/dev/null; then
  # candle's own kernels use what the compiler may: its documentation asks for the machine's own instructions.
  RUSTFLAGS='-C target-cpu=native' CARGO_TARGET_DIR=build/candle cargo build --release --locked \
    --manifest-path bench/peers/candle/Cargo.toml || echo 'bench/run.sh: candle is skipped, it could not be built' >&2
fi
packages=build/peers/packages
if ! PYTHONPATH=$packages "$peer" -c 'import onnxscript' 2>/dev/null; then
  "$peer" -m pip install --quiet --no-deps --require-hashes --target $packages -r bench/requirements-exporter.txt ||
    echo 'bench/run.sh: ONNX Runtime is skipped, its exporter needs onnxscript' >&2
fi

minilm=all-MiniLM-L6-v2=build/models/all-MiniLM-L6-v2
bert=bert-base=build/models/bert-base
modernbert=modernbert-base=build/models/modernbert-base
compare() {
  python3 bench/compare.py --peer-python "$peer" --output bench/results "$@"
}
if [ -n "$quick" ]; then
  compare --name "$name-quick" --model $minilm --lengths 32 128
  exit
fi

for model in bert-base modernbert-base qwen3-embedding-0.6b embeddinggemma-300m; do
  [ -f build/models/$model/tokenizer_config.json ] && continue
  build/venv/bin/python3 bench/make_encoder_checkpoint.py $model build/models/$model
done
compare --name "$name-short" --model $minilm --model $bert --lengths 32 128 256
compare --name "$name" --lengths 32 128 512 2048 --model $modernbert \
  --model qwen3-0.6b=build/models/qwen3-embedding-0.6b --model embeddinggemma-300m=build/models/embeddinggemma-300m
# Without ONNX Runtime: its plain attention keeps the scores of all pairs of tokens, several times over.
compare --name "$name-long" --model $modernbert --lengths 8192 --only vsr --only PyTorch --only GEMMs
compare --name "$name-batch" --model $modernbert --lengths 128 --batch 32
python3 bench/callers.py --model build/models/modernbert-base
