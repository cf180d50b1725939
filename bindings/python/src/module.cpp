// The extension vsr._vsr: the C ABI with Python's types. The package around it is what users see.
#include "engine.h"
#include "limits.h"

PYBIND11_MODULE(_vsr, m) {
  using namespace vsr_python;
  if (vsr_abi_version() != VSR_ABI_VERSION) {
    throw py::import_error("vsr: libvsr has ABI version " + std::to_string(vsr_abi_version()) +
                           ", this module was built for " + std::to_string(VSR_ABI_VERSION));
  }
  m.attr("ABI_VERSION") = VSR_ABI_VERSION;
  m.attr("VERSION") = decoded(vsr_version());
  m.attr("TORCH_VERSION") = decoded(vsr_torch_version());
  register_errors(m);
  register_engine(m);
  register_cancel(m);
  register_result(m);
  register_infer(m);
  register_adapters(m);
  register_multi(m);
  register_tokenizer(m);
  register_intents(m);
  register_select(m);
  register_generate(m);
  register_guard(m);
  register_mask(m);
  register_router(m);
  register_columns(m);
  register_compress(m);
}
