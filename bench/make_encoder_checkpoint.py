"""Writes a full-size checkpoint with random weights, for measuring what its architecture costs.

    python bench/make_encoder_checkpoint.py embeddinggemma-300m build/models/embeddinggemma-300m

Shapes, names and types are those of the published checkpoints; weights are seeded noise, scaled so that activations
stay of one size. The tokenizer knows the words w0 to w999, one token each. Needs numpy.
"""

import argparse
import json
import pathlib
import struct

import numpy as np

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = [f"w{i}" for i in range(1000)]


def modernbert(hidden, intermediate, layers, heads, vocab, local_theta):
    config = dict(
        model_type="modernbert", architectures=["ModernBertForMaskedLM"], vocab_size=vocab, hidden_size=hidden,
        intermediate_size=intermediate, num_hidden_layers=layers, num_attention_heads=heads,
        max_position_embeddings=8192, local_attention=128, global_attn_every_n_layers=3, global_rope_theta=160000.0,
        local_rope_theta=local_theta, norm_eps=1e-5, hidden_activation="gelu", pad_token_id=0, cls_token_id=2,
        sep_token_id=3, bos_token_id=2, eos_token_id=3,
    )  # fmt: skip
    shapes = {"model.embeddings.tok_embeddings.weight": (vocab, hidden), "model.embeddings.norm.weight": (hidden,)}
    for i in range(layers):
        block = f"model.layers.{i}."
        if i > 0:
            shapes[block + "attn_norm.weight"] = (hidden,)
        shapes[block + "attn.Wqkv.weight"] = (3 * hidden, hidden)
        shapes[block + "attn.Wo.weight"] = (hidden, hidden)
        shapes[block + "mlp_norm.weight"] = (hidden,)
        shapes[block + "mlp.Wi.weight"] = (2 * intermediate, hidden)
        shapes[block + "mlp.Wo.weight"] = (hidden, intermediate)
    return config, shapes | {"model.final_norm.weight": (hidden,)}


def bert(hidden, intermediate, layers, heads, vocab):
    config = dict(
        model_type="bert", architectures=["BertModel"], vocab_size=vocab, hidden_size=hidden,
        intermediate_size=intermediate, num_hidden_layers=layers, num_attention_heads=heads,
        max_position_embeddings=512, type_vocab_size=2, layer_norm_eps=1e-12, hidden_act="gelu", pad_token_id=0,
    )  # fmt: skip
    linears = {
        "attention.self.query": (hidden, hidden), "attention.self.key": (hidden, hidden),
        "attention.self.value": (hidden, hidden), "attention.output.dense": (hidden, hidden),
        "intermediate.dense": (intermediate, hidden), "output.dense": (hidden, intermediate),
    }  # fmt: skip
    shapes = {f"embeddings.{name}_embeddings.weight": (rows, hidden)
              for name, rows in dict(word=vocab, position=512, token_type=2).items()}  # fmt: skip

    def norm(name):
        return {f"{name}.weight": (hidden,), f"{name}.bias": (hidden,)}

    shapes |= norm("embeddings.LayerNorm")
    for i in range(layers):
        block = f"encoder.layer.{i}."
        for name, shape in linears.items():
            shapes |= {f"{block}{name}.weight": shape, f"{block}{name}.bias": shape[:1]}
        shapes |= norm(block + "attention.output.LayerNorm") | norm(block + "output.LayerNorm")
    return config, shapes


def decoder(config, norms):
    """The names that Qwen3 and Gemma 3 share; `norms` are those of a block over its hidden states."""
    hidden, inner, dim = config["hidden_size"], config["intermediate_size"], config["head_dim"]
    queries, keys = config["num_attention_heads"] * dim, config["num_key_value_heads"] * dim
    shapes = {"embed_tokens.weight": (config["vocab_size"], hidden), "norm.weight": (hidden,)}
    block = {
        "self_attn.q_proj": (queries, hidden), "self_attn.k_proj": (keys, hidden), "self_attn.v_proj": (keys, hidden),
        "self_attn.o_proj": (hidden, queries), "self_attn.q_norm": (dim,), "self_attn.k_norm": (dim,),
        "mlp.gate_proj": (inner, hidden), "mlp.up_proj": (inner, hidden), "mlp.down_proj": (hidden, inner),
    } | {name: (hidden,) for name in norms}  # fmt: skip
    for i in range(config["num_hidden_layers"]):
        shapes |= {f"layers.{i}.{name}.weight": shape for name, shape in block.items()}
    return config, shapes


def qwen3():
    config = dict(
        model_type="qwen3", architectures=["Qwen3ForCausalLM"], vocab_size=151669, hidden_size=1024,
        intermediate_size=3072, num_hidden_layers=28, num_attention_heads=16, num_key_value_heads=8, head_dim=128,
        max_position_embeddings=32768, rope_theta=1000000, rms_norm_eps=1e-6, hidden_act="silu",
        use_sliding_window=False, tie_word_embeddings=True, attention_bias=False, dtype="bfloat16",
    )  # fmt: skip
    return decoder(config, ["input_layernorm", "post_attention_layernorm"])


def gemma3():
    config = dict(
        model_type="gemma3_text", architectures=["Gemma3TextModel"], vocab_size=262144, hidden_size=768,
        intermediate_size=1152, num_hidden_layers=24, num_attention_heads=3, num_key_value_heads=1, head_dim=256,
        max_position_embeddings=2048, sliding_window=512, use_bidirectional_attention=True, query_pre_attn_scalar=256,
        rope_theta=1000000.0, rope_local_base_freq=10000.0, rms_norm_eps=1e-6, hidden_activation="gelu_pytorch_tanh",
        sliding_window_pattern=6, pad_token_id=0,
    )  # fmt: skip
    norms = ["input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"]
    return decoder(config, norms)


MODELS = {
    "tiny": lambda: modernbert(64, 96, 4, 4, 2000, 10000.0),  # to try the scripts with
    "bert-base": lambda: bert(768, 3072, 12, 12, 30522),
    "modernbert-base": lambda: modernbert(768, 1152, 22, 12, 50368, 10000.0),
    "modernbert-large": lambda: modernbert(1024, 2624, 28, 16, 50368, 10000.0),
    "mmbert-base": lambda: modernbert(768, 1152, 22, 12, 256000, 160000.0),
    "qwen3-embedding-0.6b": qwen3,
    "embeddinggemma-300m": gemma3,
}


def values_of(name, shape, centre, rng):
    noise = rng.standard_normal(shape, dtype=np.float32)
    if len(shape) == 1:
        return centre + 0.1 * noise
    return noise if "embed" in name else noise / np.float32(shape[1] ** 0.5)


def stored(values, dtype):
    if dtype == "F32":
        return values.tobytes()
    bits = values.view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16).tobytes()  # nearest bfloat16, ties to even


def write_safetensors(path, shapes, dtype, centre, seed):
    size = {"F32": 4, "BF16": 2}[dtype]
    header, offset = {}, 0
    for name, shape in shapes.items():
        end = offset + size * int(np.prod(shape))
        header[name] = dict(dtype=dtype, shape=shape, data_offsets=[offset, end])
        offset = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    rng = np.random.default_rng(seed)
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for name, shape in shapes.items():
            file.write(stored(values_of(name, shape, centre, rng), dtype))
    return offset


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    config, shapes = MODELS[arguments.model]()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    dtype = "BF16" if config.get("dtype") == "bfloat16" else "F32"
    centre = np.float32(0 if config["model_type"] == "gemma3_text" else 1)
    size = write_safetensors(arguments.folder / "model.safetensors", shapes, dtype, centre, arguments.seed)
    (arguments.folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    (arguments.folder / "vocab.txt").write_text("\n".join(SPECIALS + WORDS) + "\n")
    limits = dict(tokenizer_class="BertTokenizer", do_lower_case=True,
                  model_max_length=config["max_position_embeddings"])  # fmt: skip
    (arguments.folder / "tokenizer_config.json").write_text(json.dumps(limits, indent=1) + "\n")
    print(f"{arguments.folder}: {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
