"""What every worker of bench/compare.py speaks: a JSON line with a question, a JSON line with the answer.

A question is {"tokens": n, "batch": b}; the answer {"ms": time of one forward pass over b texts of n tokens}. The first
line that a worker writes is {"ready": true}, or {"skip": why}. Workers compute only while they are asked.
"""

import json
import random
import sys
import time


def serve(forward):
    """`forward(tokens, batch)` prepares what a pass needs and returns a function without arguments that runs it."""
    answer({"ready": True})
    prepared = {}
    for line in sys.stdin:
        question = json.loads(line)
        shape = question["tokens"], question["batch"]
        if shape not in prepared:
            prepared[shape] = forward(*shape)
            prepared[shape]()  # first runs choose kernels and take memory
        start = time.perf_counter()
        prepared[shape]()
        answer({"ms": (time.perf_counter() - start) * 1e3})


def skip(why):
    answer({"skip": why})
    sys.exit()


def answer(message):
    sys.__stdout__.write(json.dumps(message) + "\n")
    sys.__stdout__.flush()


def ids_of(tokens, batch):
    """Token ids that every vocabulary here has."""
    random_ids = random.Random(7)
    return [[random_ids.randrange(1000, 1900) for _ in range(tokens)] for _ in range(batch)]
