"""What every worker of bench/compare.py speaks: a JSON line with a question, a JSON line with the answer.

The first line that a worker writes is {"ready": true}, or {"skip": why}. Then come two questions.

- {"prepare": {"ids": [[...], ...], "texts": [...], "pooling": "mean" or "last"}} makes ready for passes over these texts
  of equally many tokens and runs a first one, which chooses kernels and takes memory: {"ms": its time, "vectors": [[...],
  ...]}, a pooled vector of each text, or null from a worker that has none. `ids` are those of `texts`, special ones included.
- {"run": true} runs one pass more: {"ms": its time}.

{"skip": why} answers what this worker cannot do. Workers compute only while they are asked.
"""

import json
import sys
import time


def serve(forward):
    """`forward(ids, texts, pooling)` gets a pass ready and returns a function that runs it and returns [texts, hidden]."""
    answer({"ready": True})
    run = None
    for line in sys.stdin:
        question = json.loads(line)
        inputs = question.get("prepare")
        try:
            if inputs:
                run = None  # lets go of the memory of what came before
                run = forward(**inputs)
            start = time.perf_counter()
            vectors = run()
            reply = {"ms": (time.perf_counter() - start) * 1e3}
            if inputs:
                reply["vectors"] = None if vectors is None else vectors.tolist()
        except Exception as error:  # a type or size that the peer does not take is a result too
            reply = {"skip": f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:200]}"}
        answer(reply)


def pooled(states, pooling):
    """One vector per text of hidden states [texts, tokens, hidden]."""
    return states[:, -1] if pooling == "last" else states.mean(1)


def skip(why):
    answer({"skip": why})
    sys.exit()


def answer(message):
    sys.__stdout__.write(json.dumps(message) + "\n")
    sys.__stdout__.flush()
