"""Writes the tiny ModernBERT, Qwen3 and Gemma 3 models under models/ and their reference outputs under encoders/.

Run in an environment with the packages of requirements-goldens.txt. The outputs are those of `transformers` in float64
over the checkpoint as it lies in the folder, older config keys included; inputs are token ids, so that no tokenizer
takes part. Seeded: a second run writes the same files. Names as arguments select models.
"""

import json
import pathlib
import shutil
import sys
from importlib import metadata

import numpy as np
import torch
from make_model_goldens import rounded, write_json
from safetensors.torch import load_file, save_file
from transformers import (
    Gemma3ForCausalLM,
    Gemma3TextConfig,
    Gemma3TextForSequenceClassification,
    Gemma3TextModel,
    ModernBertConfig,
    ModernBertForMaskedLM,
    ModernBertForSequenceClassification,
    ModernBertForTokenClassification,
    ModernBertModel,
    Qwen3Config,
    Qwen3ForCausalLM,
    Qwen3ForSequenceClassification,
    Qwen3ForTokenClassification,
    Qwen3Model,
)

HERE = pathlib.Path(__file__).parent
PACKAGES = ("numpy", "safetensors", "torch", "transformers")
VOCAB_SIZE = 96
PAD = 5  # an id like any other here: the reference's heads on the last token look before it
LABELS = {0: "alpha", 1: "beta", 2: "gamma"}
# Below, on and above the edges of the windows and of the blocks of 64 queries that windowed attention computes.
LENGTHS = [1, 2, 5, 6, 7, 16, 17, 18, 64, 65, 128, 144, 145, 200, 215]

MODERNBERT = dict(hidden_size=32, num_hidden_layers=4, num_attention_heads=2, intermediate_size=40, local_attention=16,
                  max_position_embeddings=512, pad_token_id=PAD, cls_token_id=1, sep_token_id=2, bos_token_id=1,
                  eos_token_id=2)  # fmt: skip
QWEN3 = dict(hidden_size=32, num_hidden_layers=3, num_attention_heads=4, num_key_value_heads=2, head_dim=12,
             intermediate_size=40, max_position_embeddings=512)  # fmt: skip
GEMMA3 = dict(hidden_size=32, num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=1, head_dim=20,
              intermediate_size=40, max_position_embeddings=512, sliding_window=16, query_pre_attn_scalar=24,
              pad_token_id=PAD)  # fmt: skip
YARN = {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 64}
SLIDING, FULL = "sliding_attention", "full_attention"

# "config" makes the model; "edit" changes config.json afterwards, with None for a key that goes; "strip" leaves the
# prefix "model." out of the tensors' names.
SPECS = [
    dict(name="modernbert-new-keys", cls=ModernBertModel, config=dict(
        MODERNBERT, norm_bias=True, attention_bias=True, mlp_bias=True, layer_types=[SLIDING, FULL, SLIDING, SLIDING],
        rope_parameters={FULL: {"rope_type": "default", "rope_theta": 5000.0},
                         SLIDING: {"rope_type": "default", "rope_theta": 100.0}})),
    dict(name="modernbert-old-keys", cls=ModernBertForMaskedLM, config=dict(MODERNBERT, local_attention=13),
         edit=dict(layer_types=None, rope_parameters=None, global_attn_every_n_layers=2, global_rope_theta=3000.0,
                   local_rope_theta=50.0, position_embedding_type="sans_pos")),
    dict(name="modernbert-yarn", cls=ModernBertModel, dtype="float16", config=MODERNBERT,
         edit=dict(layer_types=None, rope_parameters=None, global_attn_every_n_layers=3, global_rope_theta=3000.0,
                   local_rope_theta=50.0, rope_scaling=YARN)),
    dict(name="modernbert-sequence", cls=ModernBertForSequenceClassification, dtype="bfloat16",
         config=dict(MODERNBERT, classifier_bias=True, norm_bias=True)),
    dict(name="modernbert-sequence-mean", cls=ModernBertForSequenceClassification, sharded=True,
         config=dict(MODERNBERT, classifier_pooling="mean", hidden_activation="gelu_pytorch_tanh")),
    dict(name="modernbert-token", cls=ModernBertForTokenClassification, dtype="float16", config=MODERNBERT),
    dict(name="qwen3-embedding", cls=Qwen3ForCausalLM, strip=True, config=dict(QWEN3, tie_word_embeddings=True),
         edit=dict(rope_parameters=None, rope_theta=40000.0, layer_types=None, sliding_window=None, rope_scaling=None)),
    dict(name="qwen3-causal-lm-sharded", cls=Qwen3ForCausalLM, sharded=True, config=dict(
        QWEN3, attention_bias=True, tie_word_embeddings=False, rope_parameters=dict(YARN, rope_theta=900.0))),
    dict(name="qwen3-sliding", cls=Qwen3Model, dtype="bfloat16", config=dict(
        QWEN3, num_hidden_layers=4, use_sliding_window=True, sliding_window=7, max_window_layers=1, hidden_act="gelu")),
    dict(name="qwen3-sequence", cls=Qwen3ForSequenceClassification, dtype="float16",
         config=dict(QWEN3, pad_token_id=PAD, num_key_value_heads=4),
         edit=dict(rope_parameters=None, rope_theta=800.0, rope_scaling={
             "type": "yarn", "factor": 4.0, "attention_factor": 0.9, "beta_fast": 16, "beta_slow": 2,
             "truncate": False})),
    dict(name="qwen3-token", cls=Qwen3ForTokenClassification, dtype="float16", config=dict(
        QWEN3, num_key_value_heads=1, rope_parameters={
            "rope_type": "llama3", "rope_theta": 700.0, "factor": 6.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
            "original_max_position_embeddings": 128})),
    dict(name="gemma3-bidirectional", cls=Gemma3TextModel, config=dict(
        GEMMA3, use_bidirectional_attention=True, layer_types=[SLIDING, FULL, SLIDING, SLIDING],
        rope_parameters={FULL: {"rope_type": "default", "rope_theta": 5000.0},
                         SLIDING: {"rope_type": "default", "rope_theta": 100.0}})),
    dict(name="gemma3-causal-sharded", cls=Gemma3ForCausalLM, sharded=True, config=dict(
        GEMMA3, num_hidden_layers=3, num_key_value_heads=2, attention_bias=True, sliding_window=9),
         edit=dict(layer_types=None, sliding_window_pattern=2, rope_parameters=None, rope_theta=6000.0,
                   rope_local_base_freq=60.0, rope_scaling={"rope_type": "linear", "factor": 3.0})),
    dict(name="gemma3-sequence", cls=Gemma3TextForSequenceClassification, dtype="bfloat16",
         config=dict(GEMMA3, use_bidirectional_attention=True, sliding_window=13)),
]  # fmt: skip

CONFIGS = {"ModernBert": ModernBertConfig, "Qwen3": Qwen3Config, "Gemma3": Gemma3TextConfig}


def kind_of(spec):
    name = spec["cls"].__name__
    return "sequence" if "Sequence" in name else "token" if "Token" in name else "hidden"


def make_config(spec):
    family = next(config for prefix, config in CONFIGS.items() if spec["cls"].__name__.startswith(prefix))
    labels = {} if kind_of(spec) == "hidden" else dict(id2label=LABELS, label2id={n: i for i, n in LABELS.items()})
    return family(vocab_size=VOCAB_SIZE, **spec["config"], **labels)


def randomize(model, seed):
    """Weights large enough that every token and every distance counts; biases and norms away from 0 and 1."""
    generator = torch.Generator().manual_seed(seed)
    centre = 0.0 if model.config.model_type == "gemma3_text" else 1.0
    with torch.no_grad():
        for name, parameter in sorted(model.named_parameters()):
            noise = torch.randn(parameter.shape, generator=generator)
            if "norm" in name and name.endswith("weight"):
                parameter.copy_(centre + 0.2 * noise)
            elif "embed" in name and parameter.dim() == 2:
                parameter.copy_(noise)
            elif parameter.dim() == 2:
                parameter.copy_(1.3 * noise / parameter.shape[1] ** 0.5)
            else:
                parameter.copy_(0.1 * noise)


def rewrite(folder, spec):
    path = folder / "model.safetensors"
    if path.exists():
        dtype = getattr(torch, spec.get("dtype", "float32"))
        tensors = {name: tensor.to(dtype).contiguous() for name, tensor in load_file(path).items()}
        if spec.get("strip"):
            tensors = {name.removeprefix("model."): tensor for name, tensor in tensors.items()}
        save_file(tensors, path, metadata={"format": "pt"})
    config = json.loads((folder / "config.json").read_text())
    config["dtype"] = spec.get("dtype", "float32")
    config.update(spec.get("edit", {}))
    write_json(folder / "config.json", {key: value for key, value in config.items()
                                        if not (key in spec.get("edit", {}) and value is None)})  # fmt: skip


def write_model(spec, seed):
    folder = HERE / "models" / spec["name"]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    model = spec["cls"](make_config(spec))
    randomize(model, seed)
    model.save_pretrained(folder, max_shard_size="48KB" if spec.get("sharded") else "1GB")
    (folder / "generation_config.json").unlink(missing_ok=True)
    rewrite(folder, spec)
    # Read back in float64: what is stored is what counts.
    reread, report = spec["cls"].from_pretrained(folder, dtype=torch.float64, attn_implementation="eager",
                                                 output_loading_info=True)  # fmt: skip
    assert not report["missing_keys"] and not report["unexpected_keys"], report
    return reread.eval()


def base_of(model):
    return getattr(model, "model", model)


def hidden_states(model, ids, layers):
    """After the first `layers` blocks and the final norm."""
    base = base_of(model)
    blocks = base.layers
    base.layers = torch.nn.ModuleList(blocks[:layers])
    with torch.no_grad():
        hidden = base(input_ids=torch.tensor([ids])).last_hidden_state[0].numpy()
    base.layers = blocks
    return hidden


def summary(rows, picked):
    """Some rows as they are and the mean of all: every number counts, and files stay small."""
    return dict(rows=rows[picked].tolist(), mean=rows.mean(axis=0).tolist())


def case_of(model, kind, ids):
    picked = sorted({0, len(ids) // 3, len(ids) // 2, max(len(ids) - 64, 0), len(ids) - 1})
    case = dict(ids=ids, picked=picked)
    depth = model.config.num_hidden_layers
    case["hidden"] = summary(hidden_states(model, ids, depth), picked)
    if kind == "hidden":
        case["layers"] = {str(n): summary(hidden_states(model, ids, n), picked[-1:]) for n in (1, depth - 1)}
    else:
        with torch.no_grad():
            logits = model(input_ids=torch.tensor([ids])).logits[0].numpy()
        case["logits"] = summary(logits, picked) if kind == "token" else logits.tolist()
    return case


def check_early_exit(model, case):
    """Cutting the list of blocks must be what the reference calls the hidden state after them, with the norm."""
    base = base_of(model)
    norm = base.final_norm if hasattr(base, "final_norm") else base.norm
    with torch.no_grad():
        states = base(input_ids=torch.tensor([case["ids"]]), output_hidden_states=True).hidden_states
        expected = norm(states[1])[0].mean(0).numpy()
    np.testing.assert_allclose(case["layers"]["1"]["mean"], expected, atol=1e-6)


def main():
    versions = {package: metadata.version(package) for package in PACKAGES}
    (HERE / "encoders").mkdir(exist_ok=True)
    for seed, spec in enumerate(SPECS, start=1):
        if sys.argv[1:] and spec["name"] not in sys.argv[1:]:
            continue
        model = write_model(spec, seed)
        rng = np.random.default_rng(seed)
        inputs = [rng.integers(0, VOCAB_SIZE, length).tolist() for length in LENGTHS]
        inputs.append(rng.integers(6, VOCAB_SIZE, 20).tolist() + [PAD, PAD])
        inputs.append([PAD] * 3)
        cases = [case_of(model, kind_of(spec), ids) for ids in inputs]
        if kind_of(spec) == "hidden":
            check_early_exit(model, cases[-3])
        head = json.dumps(
            dict(model="models/" + spec["name"], kind=kind_of(spec), seed=seed, versions=versions), indent=1
        )
        lines = ",\n".join(json.dumps(rounded(case)) for case in cases)
        text = head[:-2] + ',\n "cases": [\n' + lines + "\n]}\n"
        (HERE / "encoders" / f"{spec['name']}.json").write_text(text, encoding="utf-8")
        size = sum(f.stat().st_size for f in (HERE / "models" / spec["name"]).rglob("*"))
        print(spec["name"], size, len(text))


if __name__ == "__main__":
    main()
