#!/usr/bin/env python3
"""Writes tests/goldens/sentencepiece: tiny models of every type, trained here, and what the library makes of some texts:
ids, byte offsets, and the text that decoding the ids gives. Training is seeded and runs in one thread.

  pip install sentencepiece==0.2.3 protobuf && python tests/goldens/make_spm_goldens.py
"""

import json
import pathlib
import random
import tempfile

import sentencepiece
from sentencepiece import sentencepiece_model_pb2

FOLDER = pathlib.Path(__file__).resolve().parent / "sentencepiece"
WORDS = (
    "the card where is my refund account balance transfer money please cancel order 1000 2026 don't won't "
    "café naïve über straße Москва привет мир 東京 都 銀行 カード です 한국 은행"
).split()
RULES = [
    ("À", "A"),
    ("é", "e"),
    ("Ａ", "A"),
    ("ﬁ", "fi"),
    ("\u3000", " "),
    ("\t", " "),
    ("a\u0301", "á"),
    ("…", "..."),
    ("\u200b", ""),
]
TEXTS = [
    "",
    " ",
    "Where is my card?",
    "  two  spaces  at   ends ",
    "café Ａｂ ﬁne… a\u0301\u3000x\ty\u200bz",
    "東京都の銀行カードです。",
    "привет, мир! 😀👍🏽",
    "<s>the</s> <unk> <mask> New York ▁foo",
    "abcabcd 000 0000 00000",
    "a\u0000b",
    "한국은행 refund",
    "tel: 1000 2026 10002026",
    "\u2581\u2581the\u2581",
    "\n\nthe\r\ncard\n",
    "the" * 40,
]
SYMBOLS = ["<mask>", "New York", "▁foo", "abc", "abcd"]
SETTINGS = {
    "unigram": dict(model_type="unigram"),
    "unigram-symbols": dict(
        model_type="unigram",
        byte_fallback=True,
        user_defined_symbols=SYMBOLS,
        unk_surface="?",
        vocab_size=480,
        pad_id=3,
    ),
    "unigram-suffix": dict(model_type="unigram", treat_whitespace_as_suffix=True, remove_extra_whitespaces=False),
    "bpe": dict(model_type="bpe"),
    "bpe-symbols": dict(
        model_type="bpe",
        byte_fallback=True,
        user_defined_symbols=SYMBOLS,
        add_dummy_prefix=False,
        remove_extra_whitespaces=False,
        vocab_size=480,
    ),
    "word": dict(model_type="word", vocab_size=60),
    "char": dict(model_type="char", vocab_size=60, control_symbols=["e"]),
}


def train(name, settings, rules):
    rng = random.Random(7)
    lines = [" ".join(rng.choice(WORDS) for _ in range(8)) for _ in range(400)]
    settings = (
        dict(
            vocab_size=200,
            hard_vocab_limit=False,
            num_threads=1,
            minloglevel=2,
            max_sentencepiece_length=10,
            character_coverage=0.99,
            normalization_rule_tsv=str(rules),
        )
        | settings
    )
    sentencepiece.SentencePieceTrainer.Train(sentence_iterator=iter(lines), model_prefix=str(FOLDER / name), **settings)
    (FOLDER / f"{name}.vocab").unlink()


def forget_files(path):
    """Leaves out where the rules were, and gives one model unused pieces and rules for decoded texts."""
    model = sentencepiece_model_pb2.ModelProto.FromString(path.read_bytes())
    model.trainer_spec.model_prefix = path.stem
    model.normalizer_spec.normalization_rule_tsv = ""
    model.denormalizer_spec.normalization_rule_tsv = ""
    if path.stem == "bpe":
        for i, piece in enumerate(model.pieces):
            piece.type = piece.UNUSED if piece.type == piece.NORMAL and i % 3 == 0 else piece.type
    if path.stem == "unigram":
        model.denormalizer_spec.CopyFrom(model.normalizer_spec)
        model.denormalizer_spec.escape_whitespaces = False
    path.write_bytes(model.SerializeToString(deterministic=True))


def expected(path):
    processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
    rows = []
    for text in TEXTS:
        pieces = processor.encode(text, return_type="proto").pieces
        ids = [piece.id for piece in pieces]
        rows.append(
            {
                "text": text,
                "ids": ids,
                "offsets": [x for piece in pieces for x in (piece.begin, piece.end)],
                "decoded": processor.decode(ids),
            }
        )
    return rows


def main():
    FOLDER.mkdir(exist_ok=True)
    goldens = {}
    with tempfile.TemporaryDirectory() as folder:
        rules = pathlib.Path(folder) / "rules.tsv"
        rules.write_text(
            "".join(
                " ".join(f"{ord(c):X}" for c in source) + "\t" + " ".join(f"{ord(c):X}" for c in target) + "\n"
                for source, target in RULES
            )
        )
        for name, settings in SETTINGS.items():
            train(name, settings, rules)
            forget_files(FOLDER / f"{name}.model")
            goldens[name] = expected(FOLDER / f"{name}.model")
    lines = [
        f"{json.dumps(name)}: [\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "]"
        for name, rows in goldens.items()
    ]
    (FOLDER / "expected.json").write_text("{" + ",\n".join(lines) + "}\n")


if __name__ == "__main__":
    main()
