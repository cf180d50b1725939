// Engines, and models, which are engines of one model.
#pragma once

#include <memory>

#include "call.h"

namespace vsr_python {

class Engine {
 public:
  // The process-wide default engine, whichever is open at the time of a call.
  static Engine default_engine() { return Engine(nullptr, true); }
  static Engine adopt(vsr_engine* engine) { return Engine(engine, false); }

  // What a call passes on: NULL for the default engine. The caller's copy keeps the engine alive while close() may run
  // on another thread.
  std::shared_ptr<vsr_engine> hold() const {
    if (!handle_ && !is_default_) throw StatusError(VSR_ERR_STATE, "engine: used after close()");
    return handle_;
  }
  void close() { handle_.reset(); }
  bool closed() const { return !handle_ && !is_default_; }

 private:
  Engine(vsr_engine* engine, bool is_default) : is_default_(is_default) {
    if (engine != nullptr) handle_ = owned(engine, &vsr_engine_free);
  }
  std::shared_ptr<vsr_engine> handle_;
  bool is_default_;
};

void register_engine(py::module_& m);
void register_result(py::module_& m);
void register_infer(py::module_& m);
void register_adapters(py::module_& m);
void register_multi(py::module_& m);
void register_tokenizer(py::module_& m);
void register_intents(py::module_& m);
void register_select(py::module_& m);
void register_router(py::module_& m);
void register_columns(py::module_& m);
void register_compress(py::module_& m);
void register_generate(py::module_& m);
void register_guard(py::module_& m);
void register_mask(py::module_& m);

// The text of a vsr_string, which it frees.
py::str take_string(vsr_string* string);

}  // namespace vsr_python
