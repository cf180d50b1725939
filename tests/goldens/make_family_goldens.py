"""Writes embedding models of two families with the tokenizers that go with them, and what they make of texts:
models/mmbert-embedding (ModernBERT's encoder as mmBERT has it: a vocabulary in Gemma's style, "sans_pos", YaRN),
models/mmbert-sequence (its classification head), and models/qwen3-text (byte-level BPE, an end-of-text token, the last
token pooled, a prompt with an instruction).

Run in an environment with the packages of requirements-goldens.txt; outputs are in float64 over the weights as stored.
Seeded: a second run writes the same files. Names as arguments select models.
"""

import json
import shutil
import sys
from importlib import metadata

import numpy as np
import torch
from golden_texts import LONG_TEXTS, PAIRS, SHORT_TEXTS
from golden_windows import merge_vectors, unit, windows_of
from make_encoder_goldens import MODERNBERT, QWEN3, randomize
from make_model_goldens import HERE, MODELS, PACKAGES, store_as, write_golden, write_json
from sentence_transformers import SentenceTransformer
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    ModernBertConfig,
    ModernBertForSequenceClassification,
    ModernBertModel,
    Qwen3Config,
    Qwen3Model,
)

LIMIT = 96  # above the window of attention and the context that YaRN starts from, below the longest texts
VOCABULARY = 420
TEXTS = SHORT_TEXTS + LONG_TEXTS + ["where is my card and how can i pay " * 14]
INSTRUCTION = "Instruct: Given a question, find what answers it\nQuery:"
LABELS = {0: "entails", 1: "contradicts", 2: "neither"}

SPECS = [
    dict(name="mmbert-embedding", kind="embedding", tokenizer="gemma", cls=ModernBertModel, config=ModernBertConfig,
         pooling="mean", prompts={"query": "search_query: ", "document": ""}, layers=(1, 3),
         edit=dict(layer_types=None, rope_parameters=None, global_attn_every_n_layers=3, global_rope_theta=160000.0,
                   local_rope_theta=160000.0, position_embedding_type="sans_pos",
                   rope_scaling={"rope_type": "yarn", "factor": 3.0, "original_max_position_embeddings": 32})),
    dict(name="mmbert-sequence", kind="sequence", tokenizer="gemma", cls=ModernBertForSequenceClassification,
         config=ModernBertConfig, dtype="float16",
         edit=dict(layer_types=None, rope_parameters=None, global_attn_every_n_layers=3, global_rope_theta=160000.0,
                   local_rope_theta=160000.0, position_embedding_type="sans_pos")),
    dict(name="qwen3-text", kind="embedding", tokenizer="qwen", cls=Qwen3Model, config=Qwen3Config,
         pooling="lasttoken", prompts={"query": INSTRUCTION, "document": ""}, layers=(1, 2),
         edit=dict(rope_parameters=None, rope_theta=1000000, rope_scaling=None)),
]  # fmt: skip

QWEN_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def gemma_tokenizer():
    """Pieces with byte fallback, spaces as U+2581, <bos> in front and <eos> after."""
    specials = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>"]
    bytes_ = [f"<0x{i:02X}>" for i in range(256)]
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    tokenizer.normalizer = normalizers.Replace(" ", "\u2581")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    letters = sorted({c for c in "".join(TEXTS) if c.isascii() and c.isprintable()} - {" "}) + ["\u2581"]
    trainer = trainers.BpeTrainer(vocab_size=VOCABULARY, special_tokens=specials + bytes_, show_progress=False,
                                  initial_alphabet=letters, limit_alphabet=len(letters))  # fmt: skip
    tokenizer.train_from_iterator(TEXTS * 4, trainer)
    data = json.loads(tokenizer.to_str())
    # Training makes the bytes special tokens; they are plain entries of the vocabulary.
    data["added_tokens"] = [token for token in data["added_tokens"] if token["content"] in specials]
    data["decoder"] = {"type": "Sequence", "decoders": [
        {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "}, {"type": "ByteFallback"},
        {"type": "Fuse"}]}  # fmt: skip
    tokenizer = Tokenizer.from_str(json.dumps(data))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<bos> $A <eos>", pair="<bos> $A <eos> $B:1 <eos>:1", special_tokens=[("<bos>", 2), ("<eos>", 1)]
    )
    return tokenizer, dict(tokenizer_class="PreTrainedTokenizerFast", bos_token="<bos>", eos_token="<eos>",
                           cls_token="<bos>", sep_token="<eos>", unk_token="<unk>", pad_token="<pad>",
                           mask_token="<mask>")  # fmt: skip


def qwen_tokenizer():
    """Byte-level BPE after NFC, with <|endoftext|> after."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(QWEN_PATTERN), "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])  # fmt: skip
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=VOCABULARY - 1, show_progress=False,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())  # fmt: skip
    tokenizer.train_from_iterator(TEXTS * 4, trainer)
    tokenizer.add_special_tokens([AddedToken("<|endoftext|>", special=True, normalized=False)])
    end = tokenizer.token_to_id("<|endoftext|>")
    tokenizer.post_processor = processors.Sequence([
        processors.ByteLevel(trim_offsets=False),
        processors.TemplateProcessing(single="$A <|endoftext|>", pair="$A <|endoftext|> $B:1 <|endoftext|>:1",
                                      special_tokens=[("<|endoftext|>", end)])])  # fmt: skip
    return tokenizer, dict(tokenizer_class="PreTrainedTokenizerFast", eos_token="<|endoftext|>",
                           pad_token="<|endoftext|>")  # fmt: skip


TOKENIZERS = {"gemma": gemma_tokenizer, "qwen": qwen_tokenizer}


def make_config(spec, vocab_size):
    if spec["config"] is Qwen3Config:
        return Qwen3Config(vocab_size=vocab_size, **dict(QWEN3, head_dim=10, max_position_embeddings=LIMIT))
    options = dict(MODERNBERT, hidden_size=30, num_attention_heads=5, local_attention=12, pad_token_id=0,
                   bos_token_id=2, cls_token_id=1, eos_token_id=1, sep_token_id=1, mask_token_id=4,
                   max_position_embeddings=LIMIT)  # fmt: skip
    if spec["kind"] == "sequence":
        options |= dict(classifier_pooling="mean", id2label=LABELS, label2id={v: k for k, v in LABELS.items()})
    return ModernBertConfig(vocab_size=vocab_size, **options)


def edit_config(folder, spec):
    config = json.loads((folder / "config.json").read_text())
    config |= spec["edit"]
    dropped = {key for key, value in spec["edit"].items() if value is None}
    write_json(folder / "config.json", {key: value for key, value in config.items() if key not in dropped})


def write_modules(folder, spec, hidden_size):
    names = [("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize")]
    write_json(folder / "modules.json", [
        {"idx": i, "name": str(i), "path": path, "type": "sentence_transformers.models." + name}
        for i, (path, name) in enumerate(names)])  # fmt: skip
    (folder / "1_Pooling").mkdir()
    write_json(folder / "1_Pooling" / "config.json",
               {"word_embedding_dimension": hidden_size, "pooling_mode_" + spec["pooling"] + ("_tokens" if
                spec["pooling"] == "mean" else ""): True, "include_prompt": True})  # fmt: skip
    write_json(folder / "config_sentence_transformers.json", {"prompts": spec["prompts"], "default_prompt_name": None})


def write_model(spec, seed):
    folder = MODELS / spec["name"]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    tokenizer, settings = TOKENIZERS[spec["tokenizer"]]()
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    write_json(folder / "tokenizer_config.json", settings | {"model_max_length": 2048})
    model = spec["cls"](make_config(spec, tokenizer.get_vocab_size()))
    randomize(model, seed)
    model.save_pretrained(folder)
    edit_config(folder, spec)
    if "dtype" in spec:
        store_as(folder, getattr(torch, spec["dtype"]))
    if spec["kind"] == "embedding":
        write_modules(folder, spec, model.config.hidden_size)
    reread = spec["cls"].from_pretrained(folder, dtype=torch.float64, attn_implementation="eager")
    return reread.eval(), tokenizer


class Reference:
    """One model, run on token windows in the tokenizer's own template."""

    def __init__(self, spec, model, tokenizer):
        self.spec, self.model, self.tokenizer = spec, model, tokenizer

    def encode(self, texts):
        encoding = self.tokenizer.encode(*texts)
        sides = [-1 if side is None else side for side in encoding.sequence_ids]
        offsets = []
        for side, (start, end) in zip(sides, encoding.offsets):
            text = texts[max(side, 0)]
            offsets.append([len(text[:start].encode()), len(text[:end].encode())] if side >= 0 else [0, 0])
        return dict(ids=encoding.ids, type_ids=encoding.type_ids, sides=sides, offsets=offsets, tokens=encoding.tokens)

    def windows(self, texts):
        """Each window's ids and its ranges of the sides: the whole encoding without the tokens outside of them."""
        whole = self.tokenizer.encode(*texts)
        ids = [[i for i, side in zip(whole.ids, whole.sequence_ids) if side == s] for s in range(len(texts))]
        specials = len(whole.ids) - sum(map(len, ids))
        for ranges in windows_of(ids, LIMIT, specials):
            window, seen = [], [0] * len(texts)
            for token, side in zip(whole.ids, whole.sequence_ids):
                if side is None or ranges[side][0] <= seen[side] < ranges[side][1]:
                    window.append(token)
                if side is not None:
                    seen[side] += 1
            assert len(window) <= LIMIT
            yield window, ranges

    def hidden(self, window, layers):
        blocks = self.model.layers
        self.model.layers = torch.nn.ModuleList(blocks[:layers])
        with torch.no_grad():
            states = self.model(input_ids=torch.tensor([window])).last_hidden_state[0].numpy()
        self.model.layers = blocks
        return states

    def vector(self, text, dim=None, layers=None):
        vectors, weights = [], []
        for window, [(start, end)] in self.windows([text]):
            states = self.hidden(window, layers)
            vectors.append(unit(states.mean(axis=0) if self.spec["pooling"] == "mean" else states[-1]))
            weights.append(end - start)
        return unit(merge_vectors(vectors, weights, True)[:dim]).tolist(), len(vectors)

    def probabilities(self, texts):
        rows = []
        for window, _ in self.windows(texts):
            with torch.no_grad():
                rows.append(torch.softmax(self.model(input_ids=torch.tensor([window])).logits[0], -1).numpy())
        return np.mean(rows, axis=0).tolist(), len(rows)


def embedding_case(reference, text):
    vector, windows = reference.vector(text)
    case = dict(text=text, windows=windows, **reference.encode([text]), embedding=vector, no_normalize=vector)
    case["dim_8"] = reference.vector(text, dim=8)[0]
    for layers in reference.spec["layers"]:
        case[f"layer_{layers}"] = reference.vector(text, layers=layers)[0]
        case[f"layer_{layers}_dim_12"] = reference.vector(text, dim=12, layers=layers)[0]
    case["prompt_query"] = reference.vector(reference.spec["prompts"]["query"] + text)[0]
    return case


def sequence_case(reference, texts):
    probs, windows = reference.probabilities(texts)
    case = dict(text=texts[0], windows=windows, **reference.encode(texts))
    return case | (dict(pair=texts[1]) if len(texts) == 2 else {}) | dict(probs=probs)


def check_with_sentence_transformers(spec, cases):
    """Texts of one window, with and without the prompt, must be what the package makes of the folder."""
    model = SentenceTransformer(str(MODELS / spec["name"]), device="cpu", model_kwargs={"dtype": torch.float64})
    short = [case for case in cases if case["windows"] == 1]
    made = model.encode([case["text"] for case in short], batch_size=1)
    np.testing.assert_allclose(made, [case["embedding"] for case in short], atol=1e-6)
    some = cases[:4]
    made = model.encode([case["text"] for case in some], batch_size=1, prompt_name="query")
    np.testing.assert_allclose(made, [case["prompt_query"] for case in some], atol=1e-6)


def main():
    for seed, spec in enumerate(SPECS, start=120):
        if sys.argv[1:] and spec["name"] not in sys.argv[1:]:
            continue
        reference = Reference(spec, *write_model(spec, seed))
        if spec["kind"] == "embedding":
            cases = [embedding_case(reference, text) for text in TEXTS]
            check_with_sentence_transformers(spec, cases)
        else:
            cases = [sequence_case(reference, [text]) for text in TEXTS]
            cases += [sequence_case(reference, pair) for pair in PAIRS]
        labels = list(LABELS.values()) if spec["kind"] == "sequence" else None
        golden = dict(model="models/" + spec["name"], kind=spec["kind"], seed=seed,
                      versions={package: metadata.version(package) for package in PACKAGES}, max_tokens=LIMIT,
                      labels=labels, tolerance=1e-5, cases=cases)  # fmt: skip
        write_golden(HERE / f"{spec['name']}.json", golden)
        print(spec["name"], [case["windows"] for case in cases],
              sum(f.stat().st_size for f in (MODELS / spec["name"]).rglob("*")))  # fmt: skip


if __name__ == "__main__":
    main()
