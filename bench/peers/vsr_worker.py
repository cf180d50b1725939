"""vsr, through its Python module: tokenizer, forward pass and pooling.    vsr_worker.py MODEL THREADS DTYPE"""

import contextlib
import io
import sys

import protocol

folder, threads, dtype = sys.argv[1], int(sys.argv[2]), sys.argv[3]
with contextlib.redirect_stdout(io.StringIO()):
    try:
        import vsr
    except ImportError as error:
        protocol.skip(f"import vsr: {error}")
try:
    engine = vsr.Engine(models=folder, dtype=dtype, threads=threads)
except vsr.UnsupportedError as error:
    protocol.skip(str(error))
words = ["w1", "w22", "w333"] if len(engine.tokenizer().encode("w1 w22").ids) == 4 else ["the", "of", "and"]


def text_of(tokens, start):
    count = tokens - len(engine.tokenizer().encode("").ids)
    text = " ".join(words[(start + i) % len(words)] for i in range(count))
    assert len(engine.tokenizer().encode(text).ids) == tokens
    return text


def forward(tokens, batch):
    texts = [text_of(tokens, i) for i in range(batch)]
    return lambda: engine.embed(texts)


protocol.serve(forward)
