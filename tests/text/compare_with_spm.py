#!/usr/bin/env python3
"""Compares vsr's reading of sentencepiece models with the library's own, token by token and offset by offset, and
decoding. Exits with 1 at any difference.

  compare_with_spm.py --dump PROGRAM [--data ../shared/data] [--train FOLDER] [--sweep] MODEL...

PROGRAM is tests/text/dump_tokens.cpp, built against the library. With --train, models of every type and with every
setting that matters are trained into FOLDER, unless they are there, and compared too. With --sweep every code point goes
through alone and between letters. Invalid UTF-8 is compared in the form in which vsr reads it, with one U+FFFD per
maximal ill-formed part: Python's own "replace" does the same, sentencepiece replaces byte by byte.
"""

import argparse
import pathlib
import random
import sys

import numpy as np
import sentencepiece
from compare_with_hf import Dump, block, data_texts, random_texts, report, sweep_texts
from sentencepiece import sentencepiece_model_pb2

SYMBOLS = ["<mask>", "New York", "▁foo", "  ", "abc", "abcd", "é", "<0x"]
SETTINGS = {
    "unigram": dict(model_type="unigram"),
    "unigram-bytes": dict(model_type="unigram", byte_fallback=True, unk_surface="?"),
    "unigram-identity": dict(
        model_type="unigram", normalization_rule_name="identity", add_dummy_prefix=False, remove_extra_whitespaces=False
    ),
    "unigram-symbols": dict(
        model_type="unigram",
        normalization_rule_name="nfkc_cf",
        user_defined_symbols=SYMBOLS,
        control_symbols=["<sep>", "the"],
    ),
    "unigram-suffix": dict(model_type="unigram", treat_whitespace_as_suffix=True),
    "unigram-crossing": dict(
        model_type="unigram",
        split_by_whitespace=False,
        allow_whitespace_only_pieces=True,
        remove_extra_whitespaces=False,
    ),
    "bpe": dict(model_type="bpe"),
    "bpe-bytes": dict(
        model_type="bpe",
        byte_fallback=True,
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        allow_whitespace_only_pieces=True,
        split_digits=True,
    ),
    "bpe-symbols": dict(
        model_type="bpe", user_defined_symbols=SYMBOLS, control_symbols=["<sep>", "the"], add_dummy_prefix=False
    ),
    "bpe-controls": dict(model_type="bpe", control_symbols=["q", "e", "▁the"], byte_fallback=True),
    "bpe-suffix": dict(model_type="bpe", treat_whitespace_as_suffix=True, byte_fallback=True),
    "bpe-crossing": dict(model_type="bpe", split_by_whitespace=False, vocab_size=1200),
    "word": dict(model_type="word", use_all_vocab=True),
    "word-bytes": dict(model_type="word", byte_fallback=True, user_defined_symbols=SYMBOLS),
    "word-suffix": dict(model_type="word", treat_whitespace_as_suffix=True, remove_extra_whitespaces=False),
    "char": dict(model_type="char", use_all_vocab=True),
    "char-symbols": dict(model_type="char", use_all_vocab=True, user_defined_symbols=SYMBOLS, control_symbols=["q"]),
}


def train(folder, data):
    """Trains what is missing, and writes variants that no trainer writes."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [line for text in data_texts(data)[:1200] for line in text.split("\n") if 0 < len(line) < 2000]
    random.Random(1).shuffle(lines)
    for name, settings in SETTINGS.items():
        if not (folder / f"{name}.model").exists():
            settings = (
                dict(
                    vocab_size=2000,
                    character_coverage=0.995,
                    hard_vocab_limit=False,
                    num_threads=1,
                    minloglevel=2,
                    max_sentencepiece_length=12,
                )
                | settings
            )
            sentencepiece.SentencePieceTrainer.Train(
                sentence_iterator=iter(lines[:6000]), model_prefix=str(folder / name), **settings
            )
    for name in ("unigram", "bpe", "bpe-crossing", "unigram-symbols"):
        rewrite(folder / f"{name}.model", folder / f"{name}-unused.model", make_unused)
    for name in ("unigram", "bpe"):
        rewrite(folder / f"{name}.model", folder / f"{name}-ties.model", make_ties)
    rewrite(folder / "unigram.model", folder / "unigram-spaces.model", make_plain_spaces)
    rewrite(folder / "bpe.model", folder / "bpe-denormalized.model", make_denormalized)


def rewrite(source, target, change):
    model = sentencepiece_model_pb2.ModelProto.FromString(source.read_bytes())
    change(model)
    target.write_bytes(model.SerializeToString())


def make_unused(model):
    rng = random.Random(3)
    for piece in model.pieces:
        if piece.type == piece.NORMAL and rng.random() < 0.3:
            piece.type = piece.UNUSED


def make_ties(model):
    for piece in model.pieces:
        piece.score = float(round(piece.score / 4) * 4) if piece.type == piece.NORMAL else piece.score


def make_plain_spaces(model):
    model.normalizer_spec.escape_whitespaces = False
    for piece in model.pieces:
        piece.piece = piece.piece.replace("▁", " ")


def make_denormalized(model):
    model.denormalizer_spec.CopyFrom(model.normalizer_spec)
    model.denormalizer_spec.escape_whitespaces = False


def expected_rows(proto):
    return np.array([(p.id, 0, 0, p.begin, p.end) for p in proto.pieces], dtype=np.int64).reshape(-1, 5)


def compare_encoding(name, dump, processor, texts):
    differences = tokens = 0
    theirs = processor.encode(texts, return_type="proto", num_threads=1)
    for text, got, proto in zip(texts, dump.encode(b"t0" + block(t.encode()) for t in texts), theirs, strict=True):
        want = expected_rows(proto)
        tokens += len(want)
        if got.shape != want.shape or (got != want).any():
            differences += 1
            if differences <= 5:
                report(name, text, got, want)
    return differences, tokens


def compare_decoding(name, dump, processor, texts):
    rng = random.Random(5)
    size = processor.get_piece_size()
    ids = processor.encode(texts) + [[rng.randrange(size) for _ in range(rng.randint(1, 20))] for _ in range(3000)]
    ids += [[rng.randrange(min(size, 270)) for _ in range(rng.randint(1, 20))] for _ in range(3000)]
    differences = 0
    for x, got in zip(ids, dump.decode(b"d0" + block(np.array(x, dtype="<i4").tobytes()) for x in ids), strict=True):
        want = processor.decode(x)
        if got != want:
            differences += 1
            if differences <= 5:
                print(f"{name}: decode {x[:12]}\n   ours   {got[:200]!r}\n   theirs {want[:200]!r}")
    return differences


def compare(path, arguments):
    processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
    dump = Dump(arguments.dump, str(path))
    texts = data_texts(arguments.data) + random_texts(arguments.random, 1)
    pieces = [processor.id_to_piece(i) for i in range(processor.get_piece_size())]
    rng = random.Random(2)
    texts += ["".join(rng.choice(pieces).replace("▁", rng.choice(["▁", " "])) for _ in range(8)) for _ in range(3000)]
    texts += ["".join(rng.choice(SYMBOLS + ["a", "b", "c", "d", " ", "▁"]) for _ in range(8)) for _ in range(3000)]
    total, tokens = compare_encoding(path.name, dump, processor, texts)
    decoding = compare_decoding(path.name, dump, processor, texts[:3000])
    print(
        f"{path.name}: {len(texts)} texts, {tokens} tokens, {total} differences; decoding: {decoding} differences",
        flush=True,
    )
    total += decoding
    if arguments.sweep:
        for number, inputs in enumerate(sweep_texts()):
            found = sum(
                compare_encoding(path.name, dump, processor, inputs[i : i + 100000])[0]
                for i in range(0, len(inputs), 100000)
            )
            print(f"{path.name}: sweep {number}: {found} differences", flush=True)
            total += found
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dump", required=True)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--random", type=int, default=8000)
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--train", type=pathlib.Path)
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    models = arguments.models
    if arguments.train:
        train(arguments.train, arguments.data)
        models = models + sorted(arguments.train.glob("*.model"))
    print(f"sentencepiece {sentencepiece.__version__}, {len(models)} models")
    total = sum(compare(path, arguments) for path in models)
    print("no differences" if total == 0 else f"{total} differences")
    sys.exit(total != 0)


if __name__ == "__main__":
    main()
