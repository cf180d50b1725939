"""ONNX Runtime: forward pass of what export_onnx.py wrote, and pooling.    ort_worker.py MODEL THREADS float32|int8"""

import sys

import export_onnx
import protocol

try:
    import numpy as np
    import onnxruntime
except ImportError as error:
    protocol.skip(str(error))

folder, threads, dtype = sys.argv[1], int(sys.argv[2]), sys.argv[3]
file = export_onnx.path_of(folder, dtype)
if not file.exists():
    protocol.skip(f"{file.relative_to(export_onnx.ROOT)} is missing: export_onnx.py could not write it")
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = threads
options.add_session_config_entry("session.intra_op.allow_spinning", "0" if threads == 1 else "1")
session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])


def forward(ids, texts, pooling):
    ids = np.array(ids, np.int64)
    given = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    return lambda: protocol.pooled(session.run(None, given)[0], pooling)


protocol.serve(forward)
