"""PyTorch transformers with SDPA: forward pass and pooling.    torch_worker.py MODEL THREADS DTYPE"""

import sys

import protocol
import torch
import transformers

folder, threads, dtype = sys.argv[1], int(sys.argv[2]), getattr(torch, sys.argv[3])
transformers.logging.set_verbosity_error()
torch.set_num_threads(threads)
model = transformers.AutoModel.from_pretrained(folder, dtype=dtype, attn_implementation="sdpa").eval()
# A cache of keys and values is for texts that go on: here it would be work that others do not do.
options = {"use_cache": False} if hasattr(model.config, "use_cache") else {}


def forward(ids, texts, pooling):
    ids = torch.tensor(ids)

    def run():
        with torch.inference_mode():
            return protocol.pooled(model(input_ids=ids, **options).last_hidden_state, pooling)

    return run


protocol.serve(forward)
