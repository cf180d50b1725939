"""Writes the tiny LoRA adapters under adapters/ and what peft computes with them, adapters.json.

Run in an environment with the packages of requirements-goldens.txt, after the scripts that write models/. The outputs
are those of `peft` in float64 over the files as stored; inputs are token ids, so that no tokenizer takes part. Seeded: a
second run writes the same files. Names as arguments select adapters.
"""

import json
import pathlib
import shutil
import sys
import warnings
from importlib import metadata

import torch
from make_model_goldens import rounded, write_json
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModel, AutoModelForSequenceClassification, AutoModelForTokenClassification

HERE = pathlib.Path(__file__).parent
PACKAGES = ("peft", "torch", "transformers")
LENGTHS = [3, 9, 17, 30]
SEQ, TOKEN, EMBED = "SEQ_CLS", "TOKEN_CLS", "FEATURE_EXTRACTION"
AUTO = {SEQ: AutoModelForSequenceClassification, TOKEN: AutoModelForTokenClassification, EMBED: AutoModel}
BIO = ["O", "B-person", "I-person"]

# "labels" is their number or their names (written to id2label.json); "lora" goes to LoraConfig.
SPECS = [
    dict(name="bert-last-layer", base="bert-embedding", task=SEQ, labels=["banking", "travel", "other"],
         lora=dict(r=4, target_modules=["query", "value"], layers_to_transform=[2])),
    dict(name="bert-token", base="bert-embedding", task=TOKEN, labels=BIO,
         lora=dict(r=3, lora_alpha=2, use_rslora=True, target_modules=["query", "key", "value", "dense"],
                   layers_to_transform=[1, 2], layers_pattern="layer")),
    dict(name="bert-all-layers", base="bert-embedding", task=SEQ, labels=5,
         lora=dict(r=2, lora_alpha=3, target_modules=r".*\.layer\.\d+\.(attention\.self\.(query|key)|.*dense)")),
    dict(name="bert-dora", base="bert-embedding", task=SEQ, labels=["yes", "no"],
         lora=dict(r=4, use_dora=True, target_modules=["query", "output.dense"], layers_to_transform=[2])),
    dict(name="bert-bias-all", base="bert-embedding", task=SEQ, labels=2,
         lora=dict(r=2, bias="all", target_modules=["value"])),
    dict(name="bert-bias-lora", base="bert-embedding", task=SEQ, labels=2,
         lora=dict(r=2, bias="lora_only", target_modules=["value"], layers_to_transform=1)),
    dict(name="bert-lora-bias", base="bert-embedding", task=TOKEN, labels=4,
         lora=dict(r=2, lora_bias=True, target_modules=["value", "intermediate.dense"], layers_to_transform=[2])),
    dict(name="bert-patterns", base="bert-embedding", task=SEQ, labels=["one"], trained=["pooler"],
         lora=dict(r=4, lora_alpha=4, target_modules=["query", "key", "value"], exclude_modules=["layer.0.attention.self.key"],
                   rank_pattern={"layer.2.attention.self.query": 6, r"layer\.1\..*": 1},
                   alpha_pattern={"self.value": 12}, modules_to_save=["pooler"])),
    dict(name="bert-pooler-adapted", base="bert-embedding", task=SEQ, labels=3,
         lora=dict(r=2, target_modules=["dense"], layers_to_transform=None)),
    dict(name="bert-embedding", base="bert-embedding", task=EMBED, labels=0,
         lora=dict(r=4, target_modules=["query", "value"], layers_to_transform=[1, 2])),
    dict(name="bert-own-head", base="bert-sequence", task=SEQ, labels=["spam", "ham", "eggs", "toast"],
         lora=dict(r=4, target_modules=["query", "value"], layers_to_transform=[1])),
    dict(name="modernbert-fused", base="modernbert-old-keys", task=SEQ, labels=["a", "b", "c"],
         lora=dict(r=4, target_modules=["Wqkv", "Wi", "Wo"], layers_to_transform=[2, 3])),
    dict(name="modernbert-token", base="modernbert-old-keys", task=TOKEN, labels=BIO, trained=["head"],
         lora=dict(r=4, target_modules=["Wqkv", "mlp.Wo"], layers_to_transform=[3], modules_to_save=["head"])),
    dict(name="modernbert-dora", base="modernbert-sequence-mean", task=SEQ, labels=["a", "b"],
         lora=dict(r=2, use_dora=True, use_rslora=True, target_modules=["Wqkv", "attn.Wo"])),
    dict(name="qwen3-sequence", base="qwen3-embedding", task=SEQ, labels=["a", "b", "c", "d"],
         lora=dict(r=4, target_modules=["q_proj", "k_proj", "v_proj", "gate_proj"], layers_to_transform=[1, 2])),
    dict(name="qwen3-token", base="qwen3-causal-lm-sharded", task=TOKEN, labels=BIO,
         lora=dict(r=4, target_modules=["o_proj", "up_proj", "down_proj"], layers_to_transform=[2])),
    dict(name="qwen3-embedding", base="qwen3-embedding", task=EMBED, labels=0,
         lora=dict(r=4, target_modules=["q_proj", "v_proj"])),
    dict(name="gemma3-sequence", base="gemma3-bidirectional", task=SEQ, labels=["a", "b"],
         lora=dict(r=4, target_modules="all-linear", layers_to_transform=None)),
    dict(name="gemma3-last-layer", base="gemma3-bidirectional", task=SEQ, labels=["a", "b", "c"],
         lora=dict(r=3, target_modules=["q_proj", "down_proj"], layers_to_transform=[3])),
]  # fmt: skip


def base_model(spec, dtype):
    kwargs = {} if spec["task"] == EMBED else dict(num_labels=label_count(spec))
    return AUTO[spec["task"]].from_pretrained(
        HERE / "models" / spec["base"], dtype=dtype, attn_implementation="eager", ignore_mismatched_sizes=True, **kwargs
    )


def label_count(spec):
    return spec["labels"] if isinstance(spec["labels"], int) else len(spec["labels"])


def randomize(model, spec, seed):
    """What was trained is large enough to be seen in the outputs."""
    generator = torch.Generator().manual_seed(seed)
    heads = ("classifier", "score", *spec.get("trained", []))
    with torch.no_grad():
        for name, parameter in sorted(model.named_parameters()):
            noise = torch.randn(parameter.shape, generator=generator)
            if "lora_A" in name or "lora_B" in name and parameter.dim() == 2:
                parameter.copy_(0.7 * noise / parameter.shape[1] ** 0.5)
            elif "lora_B" in name:
                parameter.copy_(0.3 * noise)
            elif "magnitude" in name:
                parameter.mul_(1 + 0.2 * noise)
            elif "modules_to_save" in name and any(head in name for head in heads):
                parameter.copy_(
                    1.5 * noise / parameter.shape[-1] ** 0.5 if parameter.dim() == 2 else parameter + 0.1 * noise
                )
            elif parameter.requires_grad and name.endswith("bias"):
                parameter.add_(0.2 * noise)


def write_adapter(spec, seed):
    folder = HERE / "adapters" / spec["name"]
    shutil.rmtree(folder, ignore_errors=True)
    torch.manual_seed(seed)
    model = get_peft_model(base_model(spec, torch.float32), LoraConfig(task_type=spec["task"], **spec["lora"]))
    randomize(model, spec, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.save_pretrained(folder)
    (folder / "README.md").unlink(missing_ok=True)
    config = json.loads((folder / "adapter_config.json").read_text())
    config["base_model_name_or_path"] = spec["base"]
    write_json(folder / "adapter_config.json", {key: sorted(value) if key == "target_modules" and isinstance(value, list) else value
                                                for key, value in sorted(config.items())})  # fmt: skip
    if isinstance(spec["labels"], list):
        write_json(folder / "id2label.json", {str(i): label for i, label in enumerate(spec["labels"])})
    return PeftModel.from_pretrained(base_model(spec, torch.float64), folder).to(torch.float64).eval()


def outputs(model, spec, ids):
    with torch.no_grad():
        out = model(input_ids=torch.tensor([ids]))
    if spec["task"] == EMBED:
        return rounded(out.last_hidden_state[0].mean(0).tolist())
    return rounded(out.logits[0].tolist())


def main():
    wanted = set(sys.argv[1:])
    path = HERE / "adapters.json"
    golden = json.loads(path.read_text()) if wanted else dict(adapters={})
    golden["packages"] = {package: metadata.version(package) for package in PACKAGES}
    for seed, spec in enumerate(SPECS):
        if wanted and spec["name"] not in wanted:
            continue
        model = write_adapter(spec, 4000 + seed)
        generator = torch.Generator().manual_seed(seed)
        vocab = model.config.vocab_size
        cases = []
        for length in LENGTHS:
            ids = torch.randint(6, vocab, (length,), generator=generator).tolist()
            cases.append(dict(ids=ids, outputs=outputs(model, spec, ids)))
        golden["adapters"][spec["name"]] = dict(base=spec["base"], task=spec["task"], cases=cases)
        print(spec["name"])
    write_json(path, golden)


if __name__ == "__main__":
    main()
