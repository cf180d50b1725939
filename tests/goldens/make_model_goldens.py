"""Writes the tiny BERT models under models/ and their reference outputs beside them.

Run in an environment with the packages of requirements-goldens.txt; the outputs are those of `transformers` in
float64 over the weights as stored, so that a float32 implementation is compared with the true value. Seeded: a
second run writes the same files. Names as arguments select models.
"""

import json
import pathlib
import shutil
import sys
from importlib import metadata

import numpy as np
import torch
from golden_texts import LONG_TEXTS, PAIRS, SHORT_TEXTS, VOCABULARY
from golden_windows import merge_token_rows, merge_vectors, spans_of_window, unit, unite, windows_of
from safetensors.torch import load_file, save_file
from sentence_transformers import SentenceTransformer
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    BertForTokenClassification,
    BertModel,
    BertTokenizerFast,
)

HERE = pathlib.Path(__file__).parent
MODELS = HERE / "models"
PACKAGES = ("numpy", "safetensors", "sentence-transformers", "tokenizers", "torch", "transformers")
THRESHOLDS = (0.5, 0.75)
SPECIALS = {1: 2, 2: 3}  # tokens that BERT's template adds to a text and to a pair

PROMPTS = {"query": "please help me: ", "document": ""}
BIO = ["O", "B-person", "I-person", "B-city", "I-city"]
SEQUENCE = {0: "banking", 1: "travel", 2: "chit_chat"}

# What differs between the models; "normalize" is None where there is no modules.json.
SPECS = [
    dict(name="bert-embedding", kind="embedding", pooling="mean", normalize=True, max_seq_length=24, layers=3),
    dict(name="bert-embedding-cls-no-normalize", kind="embedding", pooling="cls", normalize=False, act="gelu_new",
         dtype="float16"),
    dict(name="bert-no-pooler", kind="embedding", pooling="mean", normalize=None, act="relu", dtype="bfloat16",
         tokenizer="vocab.txt"),
    dict(name="bert-sequence", kind="sequence", labels=SEQUENCE),
    dict(name="bert-sequence-sharded", kind="sequence", labels={0: "unsafe", 1: "safe"}, act="gelu_new", sharded=True),
    dict(name="bert-sequence-multilabel", kind="sequence", act="relu", model_max_length=30,
         labels={0: "toxic", 1: "spam", 2: "off_topic", 3: "S2: other crimes"},
         problem_type="multi_label_classification"),
    dict(name="bert-sequence-one-label", kind="sequence", labels={0: "relevant"}),
    dict(name="bert-token", kind="token", labels=dict(enumerate(BIO)), dtype="bfloat16"),
    dict(name="bert-token-bioes", kind="token", layers=3,
         labels=dict(enumerate(["S-name", "B-name", "I-name", "E-name", "O", "B-date", "E-date", "S-date"]))),
    dict(name="bert-token-plain", kind="token", labels={0: "email", 1: "O", 2: "phone"}),
    dict(name="bert-embedding-prompt-left-out", kind="embedding", normalize=True, max_seq_length=24, dtype="float16",
         pooling=["cls", "max", "mean", "mean_sqrt_len_tokens", "lasttoken"], include_prompt=False,
         prompts={"query": "please help me: ", "document": "", "long": "how can i pay with my lost card " * 4}),
    dict(name="bert-odd-head-dim", kind="embedding", pooling="mean", normalize=None, hidden=35, heads=5,
         dtype="bfloat16"),
]  # fmt: skip

CLASSES = {
    "embedding": BertModel,
    "sequence": BertForSequenceClassification,
    "token": BertForTokenClassification,
}


def write_json(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def make_config(spec):
    options = dict(
        vocab_size=len(VOCABULARY),
        hidden_size=spec.get("hidden", 32),
        num_hidden_layers=spec.get("layers", 2),
        num_attention_heads=spec.get("heads", 4),
        intermediate_size=64,
        max_position_embeddings=40,
        hidden_act=spec.get("act", "gelu"),
        attn_implementation="eager",
    )
    if "labels" in spec:
        options["id2label"] = spec["labels"]
        options["label2id"] = {label: i for i, label in spec["labels"].items()}
    if "problem_type" in spec:
        options["problem_type"] = spec["problem_type"]
    return BertConfig(**options)


def randomize(model, seed):
    """Weights large enough that outputs depend on the input; biases and norms away from 0 and 1."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in sorted(model.named_parameters()):
            noise = torch.randn(parameter.shape, generator=generator)
            if "LayerNorm.weight" in name:
                parameter.copy_(1 + 0.2 * noise)
            elif "embeddings" in name and parameter.dim() == 2:
                parameter.copy_((1.5 if "word" in name else 0.5) * noise)
            elif parameter.dim() == 2:
                parameter.copy_((2.0 if "classifier" in name else 1.3) * noise / parameter.shape[1] ** 0.5)
            else:
                parameter.copy_(0.1 * noise)


def write_tokenizer(folder, spec):
    vocab = {token: i for i, token in enumerate(VOCABULARY)}
    tokenizer = BertTokenizerFast(vocab=vocab, do_lower_case=True, model_max_length=spec.get("model_max_length", 512))
    tokenizer.save_pretrained(folder)
    if spec.get("tokenizer") == "vocab.txt":
        (folder / "tokenizer.json").unlink()
        (folder / "vocab.txt").write_text("".join(token + "\n" for token in VOCABULARY), encoding="utf-8")
    return tokenizer


def shuffle_id2label(folder):
    """The JSON's own order must not matter: ids are keys."""
    config = json.loads((folder / "config.json").read_text())
    items = list(config["id2label"].items())
    config["id2label"] = dict(items[1:] + items[:1])
    write_json(folder / "config.json", config)


def write_sentence_transformers_files(folder, spec):
    modules = [("", "Transformer"), ("1_Pooling", "Pooling")] + ([("2_Normalize", "Normalize")] * spec["normalize"])
    write_json(folder / "modules.json", [
        {"idx": i, "name": str(i), "path": path, "type": "sentence_transformers.models." + name}
        for i, (path, name) in enumerate(modules)
    ])  # fmt: skip
    (folder / "1_Pooling").mkdir()
    if isinstance(spec["pooling"], list):  # as since version 5.5 of the package
        pooling = {"embedding_dimension": 32, "pooling_mode": spec["pooling"], "include_prompt": spec["include_prompt"]}
    else:
        modes = {"cls": "cls_token", "mean": "mean_tokens", "max": "max_tokens", "sqrt": "mean_sqrt_len_tokens"}
        pooling = {"pooling_mode_" + mode: key == spec["pooling"] for key, mode in modes.items()}
        pooling = {"word_embedding_dimension": 32, **pooling}
    write_json(folder / "1_Pooling" / "config.json", pooling)
    prompts = {"prompts": spec.get("prompts", PROMPTS), "default_prompt_name": None}
    write_json(folder / "config_sentence_transformers.json", prompts)
    if "max_seq_length" in spec:
        limits = {"max_seq_length": spec["max_seq_length"], "do_lower_case": False}
        write_json(folder / "sentence_bert_config.json", limits)


def store_as(folder, dtype):
    """Rewrites the checkpoint in another type, as a published half-precision one is."""
    tensors = load_file(folder / "model.safetensors")
    stored = {name: tensor.to(dtype).contiguous() for name, tensor in tensors.items()}
    save_file(stored, folder / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((folder / "config.json").read_text())
    config["dtype"] = str(dtype).removeprefix("torch.")
    write_json(folder / "config.json", config)


def write_model(spec, seed):
    folder = MODELS / spec["name"]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    options = {"add_pooling_layer": False} if spec["name"] == "bert-no-pooler" else {}
    model = CLASSES[spec["kind"]](make_config(spec), **options)
    randomize(model, seed)
    model.save_pretrained(folder, max_shard_size="48KB" if spec.get("sharded") else "1GB")
    tokenizer = write_tokenizer(folder, spec)
    if spec.get("dtype", "float32") != "float32":
        store_as(folder, getattr(torch, spec["dtype"]))
    if "labels" in spec:
        shuffle_id2label(folder)
    if spec.get("normalize") is not None:
        write_sentence_transformers_files(folder, spec)
    # Read back in float64: what is stored is what counts.
    reread = CLASSES[spec["kind"]].from_pretrained(folder, dtype=torch.float64, attn_implementation="eager", **options)
    return reread.eval(), tokenizer


class Reference:
    """One model, run on token windows."""

    def __init__(self, spec, model, tokenizer):
        self.spec, self.model, self.tokenizer = spec, model, tokenizer
        self.limit = spec.get("max_seq_length") or min(tokenizer.model_max_length, model.config.max_position_embeddings)
        self.labels = [spec["labels"][i] for i in range(len(spec["labels"]))] if "labels" in spec else None

    def encode(self, texts):
        encoding = self.tokenizer._tokenizer.encode(*texts, add_special_tokens=True)
        raw = [t.encode() for t in texts]
        sides = [-1 if s is None else s for s in encoding.sequence_ids]
        offsets = []
        for side, (start, end) in zip(sides, encoding.offsets):
            text = texts[max(side, 0)]
            offsets.append([len(text[:start].encode()), len(text[:end].encode())] if side >= 0 else [0, 0])
        assert all(o[1] <= len(raw[max(s, 0)]) for s, o in zip(sides, offsets))
        return dict(ids=encoding.ids, type_ids=encoding.type_ids, sides=sides, offsets=offsets, tokens=encoding.tokens)

    def windows(self, texts):
        """The model's inputs for each window, and its per-side ranges."""
        ids = [self.tokenizer._tokenizer.encode(t, add_special_tokens=False).ids for t in texts]
        cls, sep = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        for ranges in windows_of(ids, self.limit, SPECIALS[len(texts)]):
            window, types = [cls], [0]
            for side, (start, end) in enumerate(ranges):
                window += ids[side][start:end] + [sep]
                types += [side] * (end - start + 1)
            assert len(window) <= self.limit
            yield window, types, ranges

    def run(self, window, types, **options):
        with torch.no_grad():
            return self.model(input_ids=torch.tensor([window]), token_type_ids=torch.tensor([types]), **options)

    def probabilities(self, logits):
        one_sigmoid_each = self.spec.get("problem_type") == "multi_label_classification" or len(self.labels) == 1
        return (torch.sigmoid(logits) if one_sigmoid_each else torch.softmax(logits, -1)).numpy()


POOL = {
    "cls": lambda rows: rows[0],
    "max": lambda rows: rows.max(axis=0),
    "mean": lambda rows: rows.mean(axis=0),
    "mean_sqrt_len_tokens": lambda rows: rows.sum(axis=0) / len(rows) ** 0.5,
    "lasttoken": lambda rows: rows[-1],
}


def pooled(spec, rows):
    names = [spec["pooling"]] if isinstance(spec["pooling"], str) else spec["pooling"]
    return np.concatenate([POOL[name](rows) for name in names])


def vector_of(reference, text, wanted, dim=None, layer=None, prompt=""):
    """`wanted`: whether the caller asks for unit vectors. Modules decide about those of windows; without any, `wanted`."""
    modules_normalize = reference.spec["normalize"]
    normalize = wanted if modules_normalize is None else modules_normalize
    # What the pooling leaves out: [CLS] and the prompt; of a later window what it repeats of them.
    left_out = 0 if reference.spec.get("include_prompt", True) else len(reference.encode([prompt])["ids"]) - 1
    left_out = left_out if prompt else 0
    vectors, weights = [], []
    for window, types, [(start, end)] in reference.windows([prompt + text]):
        hidden = reference.run(window, types, output_hidden_states=True).hidden_states[-1 if layer is None else layer]
        first = max(left_out - start, 0)
        weights.append(end - min(max(left_out - 1, start), end) if left_out else end - start)
        vector = pooled(reference.spec, hidden[0].numpy()[first if first < len(window) else 0 :])
        vectors.append(unit(vector) if normalize else vector)
    if not any(weights):  # nothing but the prompt: what closes the last window
        weights[-1] = 1
    merged = merge_vectors(vectors, weights, normalize)[:dim]
    return (unit(merged) if wanted else merged).tolist(), len(vectors)


def embedding_case(reference, text):
    vector, windows = vector_of(reference, text, True)
    case = dict(text=text, windows=windows, **reference.encode([text]), embedding=vector)
    case["no_normalize"] = vector_of(reference, text, False)[0]
    case["dim_8"] = vector_of(reference, text, True, dim=8)[0]
    case["layer_1"] = vector_of(reference, text, True, layer=1)[0]
    if reference.spec["normalize"] is not None:
        for name, prompt in reference.spec.get("prompts", PROMPTS).items():
            if name != "document":
                case["prompt_" + name] = vector_of(reference, text, True, prompt=prompt)[0]
    if windows == 1:
        window, types, _ = next(reference.windows([text]))
        case["last_hidden_state_row_0"] = reference.run(window, types).last_hidden_state[0, 0].tolist()
    return case


def sequence_case(reference, texts):
    rows = [reference.probabilities(reference.run(w, t).logits[0]) for w, t, _ in reference.windows(texts)]
    case = dict(text=texts[0], windows=len(rows), **reference.encode(texts))
    if len(texts) == 2:
        case["pair"] = texts[1]
    case["probs"] = np.mean(rows, axis=0).tolist()
    return case


def token_case(reference, text):
    rows, ranges, spans = [], [], []
    case = reference.encode([text])
    content_offsets = case["offsets"][1:-1]
    for window, types, [(start, end)] in reference.windows([text]):
        probs = reference.probabilities(reference.run(window, types).logits[0])
        rows.append(probs)
        ranges.append((start, end))
        spans += spans_of_window(probs[1:-1], reference.labels, [0] * (end - start), content_offsets[start:end])
    probs = merge_token_rows(rows, ranges, leading=1, trailing=1)
    assert len(probs) == len(case["ids"])
    case = dict(text=text, windows=len(rows), **case, token_probs=probs.tolist())
    spans = spans if len(rows) == 1 else unite(spans, reference.labels)
    for threshold in THRESHOLDS:
        # Rounding must decide nothing: neither which label is best nor what is an entity.
        assert all(abs(span["score"] - threshold) > 1e-4 for span in spans)
        case[f"entities_{threshold}"] = [span for span in spans if span["score"] >= threshold]
    best = np.sort(np.concatenate(rows), axis=1)
    assert (best[:, -1] - best[:, -2]).min() > 1e-5
    return case


def cases_of(reference):
    texts = SHORT_TEXTS + LONG_TEXTS
    if reference.spec["kind"] == "embedding":
        return [embedding_case(reference, text) for text in texts]
    if reference.spec["kind"] == "token":
        return [token_case(reference, text) for text in texts]
    return [sequence_case(reference, [text]) for text in texts] + [sequence_case(reference, pair) for pair in PAIRS]


def check_with_sentence_transformers(spec, cases):
    """The texts of one window must be what the package itself makes of the folder."""
    model = SentenceTransformer(str(MODELS / spec["name"]), device="cpu", model_kwargs={"dtype": torch.float64})
    short = [case for case in cases if case["windows"] == 1]
    for key, options in {"embedding": {"normalize_embeddings": True}, "no_normalize": {}}.items():
        made = model.encode([case["text"] for case in short], batch_size=1, **options)
        np.testing.assert_allclose(made, [case[key] for case in short], atol=1e-6, err_msg=key)
    prompted = model.encode([case["text"] for case in cases[:4]], prompt_name="query", normalize_embeddings=True)
    np.testing.assert_allclose(prompted, [case["prompt_query"] for case in cases[:4]], atol=1e-6)


def rounded(value):
    """Floats to nine decimals: far below the tolerance, and smaller files."""
    if isinstance(value, float):
        return round(value, 9)
    if isinstance(value, list):
        return [rounded(v) for v in value]
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return value


def write_golden(path, golden):
    """One case per line: readable differences without a line per number."""
    cases = golden.pop("cases")
    lines = [json.dumps(rounded(case), ensure_ascii=False) for case in cases]
    head = json.dumps(golden, ensure_ascii=False, indent=1)[:-2]
    path.write_text(head + ',\n "cases": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")


def main():
    versions = {package: metadata.version(package) for package in PACKAGES}
    for seed, spec in enumerate(SPECS, start=1):
        if sys.argv[1:] and spec["name"] not in sys.argv[1:]:
            continue
        model, tokenizer = write_model(spec, seed)
        reference = Reference(spec, model, tokenizer)
        golden = dict(model="models/" + spec["name"], kind=spec["kind"], seed=seed, versions=versions,
                      max_tokens=reference.limit, labels=reference.labels, tolerance=1e-5)  # fmt: skip
        golden["cases"] = cases_of(reference)
        if spec.get("normalize") is not None:
            check_with_sentence_transformers(spec, golden["cases"])
        write_golden(HERE / f"{spec['name']}.json", golden)
        print(spec["name"], reference.limit, sum(f.stat().st_size for f in (MODELS / spec["name"]).rglob("*")))


if __name__ == "__main__":
    main()
