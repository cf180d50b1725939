"""Texts of a given number of tokens, and their ids, so that vsr gets words and its peers get numbers for the same work."""

import json
import pathlib
import random


def vocabulary(folder):
    file = pathlib.Path(folder) / "vocab.txt"
    if not file.exists():
        raise SystemExit(f"compare.py: {file} is missing: texts of known ids are made from a WordPiece vocabulary")
    return {piece: index for index, piece in enumerate(file.read_text(encoding="utf-8").splitlines())}


def inputs_of(folder, tokens, batch):
    """What protocol.py calls inputs: `batch` texts of vocabulary words between [CLS] and [SEP], other ones in each."""
    ids = vocabulary(folder)
    # A whole word of small letters and digits that the vocabulary has is one token.
    words = [piece for piece in ids if piece.isascii() and piece.isalnum() and piece.islower() and len(piece) > 1]
    choice = random.Random(7)
    texts = [[choice.choice(words) for _ in range(tokens - 2)] for _ in range(batch)]
    return {"ids": [[ids["[CLS]"], *(ids[word] for word in text), ids["[SEP]"]] for text in texts],
            "texts": [" ".join(text) for text in texts], "pooling": pooling_of(folder)}  # fmt: skip


def pooling_of(folder):
    """vsr's own choice where a checkpoint says nothing."""
    return "last" if config_of(folder)["model_type"] == "qwen3" else "mean"


def limit_of(folder):
    """The most tokens of a text that vsr reads in one window."""
    file = pathlib.Path(folder) / "sentence_bert_config.json"
    limits = json.loads(file.read_text()) if file.exists() else {}
    return limits.get("max_seq_length") or config_of(folder)["max_position_embeddings"]


def config_of(folder):
    return json.loads((pathlib.Path(folder) / "config.json").read_text())
