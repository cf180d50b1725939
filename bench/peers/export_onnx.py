"""Writes a model for ONNX Runtime: float32, and int8 by dynamic quantisation.    export_onnx.py MODEL

Files land in build/onnx and are written again once the checkpoint is newer. In a process of its own, because exporting
takes several times the model's memory. Prints why, and exits with 1, when a model cannot be exported.
"""

import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LARGEST_FILE = 1.5e9  # bytes; a file of the format holds at most 2 GB, larger weights go beside it


def path_of(folder, dtype):
    return ROOT / "build/onnx" / pathlib.Path(folder).absolute().name / dtype / "model.onnx"


def is_current(folder, dtype):
    weights = pathlib.Path(folder) / "model.safetensors"
    file = path_of(folder, dtype)
    return file.exists() and file.stat().st_mtime >= weights.stat().st_mtime


def export(folder, file):
    import torch
    import transformers

    class States(torch.nn.Module):
        def __init__(self):
            super().__init__()
            # Eager attention: the exporter knows its operators in every version.
            self.model = transformers.AutoModel.from_pretrained(
                folder, dtype=torch.float32, attn_implementation="eager"
            )
            self.options = {"use_cache": False} if hasattr(self.model.config, "use_cache") else {}

        def forward(self, input_ids, attention_mask):
            return self.model(input_ids=input_ids, attention_mask=attention_mask, **self.options).last_hidden_state

    ids = torch.randint(5, 900, (2, 16))
    sizes = {0: torch.export.Dim("batch", min=1, max=64), 1: torch.export.Dim("tokens", min=2, max=8192)}
    torch.onnx.export(States().eval(), (ids, torch.ones_like(ids)), file, input_names=["input_ids", "attention_mask"],
                      dynamic_shapes=(sizes, sizes), dynamo=True, external_data=True, verbose=False)  # fmt: skip


def quantize(folder, file):
    from onnxruntime import quantization

    plain = path_of(folder, "float32")
    size = sum(part.stat().st_size for part in plain.parent.iterdir())
    # Without VNNI sums of two products of 8 bits overflow 16, so ONNX Runtime advises weights of 7.
    units = pathlib.Path("/proc/cpuinfo").read_text()
    short = "avx512_vnni" not in units and "avx_vnni" not in units
    quantization.quantize_dynamic(plain, file, per_channel=True, reduce_range=short,
                                  weight_type=quantization.QuantType.QInt8,
                                  use_external_data_format=size > LARGEST_FILE)  # fmt: skip


def main(folder):
    for dtype, write in [("float32", export), ("int8", quantize)]:
        if is_current(folder, dtype):
            continue
        final = path_of(folder, dtype).parent
        partial = final.with_name(final.name + ".partial")  # what is interrupted never looks finished
        for old in (final, partial):
            shutil.rmtree(old, ignore_errors=True)
        partial.mkdir(parents=True)
        try:
            write(folder, partial / "model.onnx")
        except Exception as error:  # whatever the exporter cannot do with a model
            shutil.rmtree(partial)
            sys.exit(f"{dtype}: {type(error).__name__}: {(str(error).splitlines() or [''])[0][:200]}")
        partial.rename(final)


if __name__ == "__main__":
    main(sys.argv[1])
