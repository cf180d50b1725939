"""PyTorch transformers with SDPA: forward pass and mean pooling.    torch_worker.py MODEL THREADS DTYPE"""

import sys

import protocol
import torch
import transformers

folder, threads, dtype = sys.argv[1], int(sys.argv[2]), getattr(torch, sys.argv[3])
transformers.logging.set_verbosity_error()
torch.set_num_threads(threads)
model = transformers.AutoModel.from_pretrained(folder, dtype=dtype, attn_implementation="sdpa").eval()


def forward(tokens, batch):
    ids = torch.tensor(protocol.ids_of(tokens, batch))

    def run():
        with torch.inference_mode():
            return model(input_ids=ids).last_hidden_state.mean(1)

    return run


protocol.serve(forward)
