"""ONNX Runtime: forward pass, exported here once per model.    ort_worker.py MODEL THREADS float32|int8"""

import pathlib
import sys

import protocol

folder, threads, dtype = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
try:
    import numpy as np
    import onnxruntime
    import onnxruntime.quantization
    import torch
    import transformers
except ImportError as error:
    protocol.skip(str(error))


class States(torch.nn.Module):
    def __init__(self):
        super().__init__()
        # Eager attention: the exporter knows its operators in every version.
        self.model = transformers.AutoModel.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")

    def forward(self, input_ids, attention_mask):
        return self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state


def export(path):
    ids = torch.randint(1000, 1900, (2, 16))
    sizes = {0: torch.export.Dim("batch", min=1, max=64), 1: torch.export.Dim("tokens", min=2, max=8192)}
    torch.onnx.export(States().eval(), (ids, torch.ones_like(ids)), path, input_names=["input_ids", "attention_mask"],
                      dynamic_shapes=(sizes, sizes), dynamo=True, verbose=False)  # fmt: skip


plain = folder / "bench.onnx"
quantized = folder / "bench.int8.onnx"
try:
    if not plain.exists():
        export(plain)
    if dtype == "int8" and not quantized.exists():
        onnxruntime.quantization.quantize_dynamic(plain, quantized, weight_type=onnxruntime.quantization.QuantType.QInt8)
except Exception as error:  # whatever the exporter cannot do with a model
    protocol.skip(f"export: {type(error).__name__}: {str(error).splitlines()[0]}")
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = threads
options.add_session_config_entry("session.intra_op.allow_spinning", "0" if threads == 1 else "1")
session = onnxruntime.InferenceSession(quantized if dtype == "int8" else plain, options,
                                       providers=["CPUExecutionProvider"])  # fmt: skip


def forward(tokens, batch):
    ids = np.array(protocol.ids_of(tokens, batch), np.int64)
    given = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    return lambda: session.run(None, given)[0].mean(1)


protocol.serve(forward)
