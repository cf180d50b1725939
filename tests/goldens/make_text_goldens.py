"""Writes models of later families with a tokenizer, and what they make of texts: models/gemma3-embedding as
`sentence-transformers` saves it, with two dense modules, and models/modernbert-pairs, a sequence head.

Run in an environment with the packages of requirements-goldens.txt; outputs are in float64 over the weights as stored.
Seeded: a second run writes the same files.
"""

import shutil
from importlib import metadata

import torch
from golden_texts import LONG_TEXTS, PAIRS, SHORT_TEXTS, VOCABULARY
from golden_windows import merge_vectors, unit
from make_encoder_goldens import GEMMA3, MODERNBERT, randomize
from make_model_goldens import (
    HERE,
    MODELS,
    PACKAGES,
    PROMPTS,
    Reference,
    check_with_sentence_transformers,
    sequence_case,
    store_as,
    write_golden,
    write_tokenizer,
)
from safetensors.torch import load_file, save_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.models import Dense, Normalize, Pooling, Transformer
from transformers import Gemma3TextConfig, Gemma3TextModel, ModernBertConfig, ModernBertForSequenceClassification

SPEC = dict(name="gemma3-embedding", kind="embedding", normalize=True, max_seq_length=24)
SEED = 100
PAIRS_SPEC = dict(name="modernbert-pairs", kind="sequence", labels={0: "entails", 1: "contradicts", 2: "neither"})
PAIRS_SEED = 110


def write_model():
    folder = MODELS / SPEC["name"]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    model = Gemma3TextModel(Gemma3TextConfig(vocab_size=len(VOCABULARY), **dict(
        GEMMA3, use_bidirectional_attention=True, sliding_window=8, pad_token_id=0)))  # fmt: skip
    randomize(model, SEED)
    model.save_pretrained(folder)
    tokenizer = write_tokenizer(folder, SPEC)
    dense = [Dense(32, 48, bias=False, activation_function=torch.nn.Identity()),
             Dense(48, 24, bias=True, activation_function=torch.nn.Tanh())]  # fmt: skip
    for seed, module in enumerate(dense, start=SEED + 1):
        randomize_dense(module, seed)
    pooling = Pooling(32, pooling_mode="mean")
    built = SentenceTransformer(modules=[Transformer(str(folder), max_seq_length=SPEC["max_seq_length"]), pooling,
                                         *dense, Normalize()], prompts=PROMPTS, device="cpu")  # fmt: skip
    built.save(str(folder), create_model_card=False)
    store_as(folder, torch.bfloat16)
    for module in folder.glob("*_Dense"):
        tensors = {name: tensor.to(torch.float16) for name, tensor in load_file(module / "model.safetensors").items()}
        save_file(tensors, module / "model.safetensors", metadata={"format": "pt"})
    return SentenceTransformer(str(folder), device="cpu", model_kwargs={"dtype": torch.float64}).double(), tokenizer


def randomize_dense(module, seed):
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for _, parameter in sorted(module.named_parameters()):
            parameter.copy_(torch.randn(parameter.shape, generator=generator) / 4)


class PipelineReference(Reference):
    """The package's own modules, run on token windows."""

    def __init__(self, pipeline, tokenizer):
        super().__init__(SPEC, pipeline[0].auto_model, tokenizer)
        self.pipeline = pipeline

    def embed(self, window, layers):
        blocks = self.model.layers
        self.model.layers = torch.nn.ModuleList(blocks[:layers])
        ids = torch.tensor([window])
        features = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
        with torch.no_grad():
            for module in self.pipeline:
                features = module(features)
        self.model.layers = blocks
        return features["sentence_embedding"][0].numpy()

    def vector(self, text, dim=None, layers=None):
        vectors, weights = [], []
        for window, _, ranges in self.windows([text]):
            vectors.append(unit(self.embed(window, layers)))
            weights.append(ranges[0][1] - ranges[0][0])
        return unit(merge_vectors(vectors, weights, True)[:dim]).tolist(), len(vectors)


def case_of(reference, text):
    vector, windows = reference.vector(text)
    case = dict(text=text, windows=windows, **reference.encode([text]), embedding=vector, no_normalize=vector)
    case["dim_8"] = reference.vector(text, dim=8)[0]
    case["layer_1"] = reference.vector(text, layers=1)[0]
    case["prompt_query"] = reference.vector(PROMPTS["query"] + text)[0]
    return case


def write_pairs_model():
    folder = MODELS / PAIRS_SPEC["name"]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    labels = PAIRS_SPEC["labels"]
    model = ModernBertForSequenceClassification(ModernBertConfig(
        vocab_size=len(VOCABULARY), id2label=labels, label2id={label: i for i, label in labels.items()},
        **dict(MODERNBERT, max_position_embeddings=40, local_attention=10, pad_token_id=0)))  # fmt: skip
    randomize(model, PAIRS_SEED)
    model.save_pretrained(folder)
    tokenizer = write_tokenizer(folder, PAIRS_SPEC)
    store_as(folder, torch.bfloat16)
    reread = ModernBertForSequenceClassification.from_pretrained(folder, dtype=torch.float64,
                                                                 attn_implementation="eager")  # fmt: skip
    return reread.eval(), tokenizer


class PairsReference(Reference):
    """The architecture has no token types: those that the tokenizer gives a pair's second side mean nothing."""

    def run(self, window, types, **options):
        with torch.no_grad():
            return self.model(input_ids=torch.tensor([window]), **options)


def write_pairs():
    reference = PairsReference(PAIRS_SPEC, *write_pairs_model())
    cases = [sequence_case(reference, [text]) for text in SHORT_TEXTS + LONG_TEXTS]
    cases += [sequence_case(reference, pair) for pair in PAIRS]
    write(PAIRS_SPEC, PAIRS_SEED, reference, cases)


def write_embedding():
    reference = PipelineReference(*write_model())
    cases = [case_of(reference, text) for text in SHORT_TEXTS + LONG_TEXTS]
    check_with_sentence_transformers(SPEC, cases)
    write(SPEC, SEED, reference, cases)


def write(spec, seed, reference, cases):
    golden = dict(model="models/" + spec["name"], kind=spec["kind"], seed=seed,
                  versions={package: metadata.version(package) for package in PACKAGES}, max_tokens=reference.limit,
                  labels=reference.labels, tolerance=1e-5, cases=cases)  # fmt: skip
    write_golden(HERE / f"{spec['name']}.json", golden)
    print(spec["name"], sum(f.stat().st_size for f in (MODELS / spec["name"]).rglob("*")))


if __name__ == "__main__":
    write_embedding()
    write_pairs()
