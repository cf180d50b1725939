"""Tokens per second of a causal LM, here and in transformers.

    python bench/make_encoder_checkpoint.py qwen3-embedding-0.6b build/models/qwen3-embedding-0.6b
    PYTHONPATH=build/bindings/python python bench/generation.py build/models/qwen3-embedding-0.6b
    python bench/generation.py build/models/qwen3-embedding-0.6b --peer     # with torch and transformers installed

"prompt" is the time to the first token, "step" that of each token after it; both float32, greedy, one text. The
shapes of Qwen3-Embedding-0.6B are those of Qwen3-0.6B.
"""

import argparse
import statistics
import time

from machine import machine


def words(count):
    return [f"w{(7 * i) % 1000}" for i in range(count)]


def vsr_generator(folder):
    import vsr

    model = vsr.load(folder)
    return lambda tokens, new: len(model.generate(" ".join(words(tokens)), new, stop_at_eos=False).ids)


def peer_generator(folder):
    import torch
    from transformers import AutoTokenizer, Qwen3Config, Qwen3ForCausalLM

    torch.set_grad_enabled(False)
    # Its tensors have no "model." in front, and how long a step takes does not depend on what they hold.
    model = Qwen3ForCausalLM(Qwen3Config.from_pretrained(folder)).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)

    def generate(tokens, new):
        ids = tokenizer(" ".join(words(tokens)), add_special_tokens=False, return_tensors="pt")["input_ids"]
        out = model.generate(ids, max_new_tokens=new, min_new_tokens=new, do_sample=False, pad_token_id=0)
        return out.shape[1] - ids.shape[1]

    return generate


def timed(generate, tokens, new):
    start = time.perf_counter()
    assert generate(tokens, new) == new
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--peer", action="store_true", help="measure transformers instead of vsr")
    parser.add_argument("--lengths", type=int, nargs="+", default=[16, 512])
    parser.add_argument("--new", type=int, default=32)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    print(machine())
    generate = (peer_generator if arguments.peer else vsr_generator)(arguments.folder)
    generate(16, 2)
    for tokens in arguments.lengths:
        prompt = statistics.median(timed(generate, tokens, 1) for _ in range(arguments.runs))
        whole = statistics.median(timed(generate, tokens, arguments.new + 1) for _ in range(arguments.runs))
        step = (whole - prompt) / arguments.new
        print(
            f"{tokens:6} tokens: prompt {1000 * prompt:8.1f} ms, step {1000 * step:7.1f} ms, {1 / step:6.1f} tokens/s"
        )


if __name__ == "__main__":
    main()
