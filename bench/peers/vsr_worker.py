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


def forward(ids, texts, pooling):
    """`pooling` is what the model's own files say, so it need not be asked for; compare.py compares the vectors."""
    for expected, text in zip(ids, texts):
        if list(engine.tokenizer().encode(text).ids) != expected:
            raise ValueError("vsr's tokenizer gives other ids than the peers get")
    return lambda: engine.embed(texts)


protocol.serve(forward)
