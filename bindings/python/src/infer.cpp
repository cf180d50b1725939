// Inference calls: arguments into option structs, results into Result or plain tuples.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "numbers.h"
#include "options.h"
#include "result.h"
#include "text.h"

namespace vsr_python {
namespace {

Result embed(const Engine& engine, py::object texts, const py::dict& given) {
  const auto handle = engine.hold();
  const TextBatch batch(texts, "texts");
  EmbedOptions options(given);
  vsr_result* result = nullptr;
  options.progress.call([&](vsr_error* error) {
    return vsr_embed(handle.get(), batch.data(), batch.size(), options.get(), &result, error);
  });
  return Result(result);
}

Result classify(const Engine& engine, py::object texts, const py::dict& given) {
  const auto handle = engine.hold();
  const PairBatch batch(texts);
  ClassifyOptions options(given);
  vsr_result* result = nullptr;
  options.progress.call([&](vsr_error* error) {
    return vsr_classify(handle.get(), batch.texts(), batch.pairs(), batch.size(), options.get(), &result, error);
  });
  return Result(result);
}

// Of one text, or with `pair` of two that are read together.
Result token_probs(const Engine& engine, py::object text, py::object pair, const py::dict& given) {
  const auto handle = engine.hold();
  const Text held(text, "text");
  std::optional<Text> second;
  if (!pair.is_none()) second.emplace(pair, "pair");
  ClassifyOptions options(given);
  vsr_result* result = nullptr;
  options.progress.call([&](vsr_error* error) {
    return second ? vsr_token_probs_of_pair(handle.get(), held.view(), second->view(), options.get(), &result, error)
                  : vsr_token_probs(handle.get(), held.view(), options.get(), &result, error);
  });
  return Result(result);
}

py::list entities(const Engine& engine, py::object texts, const py::dict& given) {
  const auto handle = engine.hold();
  const PairBatch batch(texts);
  ClassifyOptions options(given);
  vsr_result* made = nullptr;
  options.progress.call([&](vsr_error* error) {
    return batch.pairs() == nullptr
               ? vsr_entities(handle.get(), batch.texts(), batch.size(), options.get(), &made, error)
               : vsr_entities_of_pairs(handle.get(), batch.texts(), batch.pairs(), batch.size(), options.get(), &made,
                                       error);
  });
  return entities_of(Result(made).get(), batch.last());
}

// Writable memory of C-contiguous float32, such as a numpy array.
float* floats(const py::buffer_info& info, size_t expected) {
  if (info.readonly || info.format != py::format_descriptor<float>::format() ||
      static_cast<size_t>(info.size) != expected) {
    throw StatusError(VSR_ERR_INTERNAL, "python: the array for scores has another type or size");
  }
  return static_cast<float*>(info.ptr);
}

void similarity(const Engine& engine, const TextBatch& a, const TextBatch& b, const py::dict& given, py::buffer out) {
  const auto handle = engine.hold();
  if (a.size() != b.size()) {
    throw StatusError(VSR_ERR_INVALID_ARGUMENT,
                      "a has " + std::to_string(a.size()) + " texts, b has " + std::to_string(b.size()));
  }
  EmbedOptions options(given);
  const py::buffer_info info = out.request(true);
  float* scores = floats(info, a.size());
  options.progress.call([&](vsr_error* error) {
    return vsr_similarity(handle.get(), a.data(), b.data(), a.size(), options.get(), scores, error);
  });
}

void similarity_matrix(const Engine& engine, const TextBatch& a, const TextBatch& b, const py::dict& given,
                       py::buffer out) {
  const auto handle = engine.hold();
  EmbedOptions options(given);
  const py::buffer_info info = out.request(true);
  float* scores = floats(info, a.size() * b.size());
  options.progress.call([&](vsr_error* error) {
    return vsr_similarity_matrix(handle.get(), a.data(), a.size(), b.data(), b.size(), options.get(), scores, error);
  });
}

// The best candidates as (index, score).
py::list nearest(const Engine& engine, py::object query, const TextBatch& candidates, py::object k,
                 const py::dict& given) {
  const auto handle = engine.hold();
  const Text held(query, "query");
  EmbedOptions options(given);
  const size_t wanted = std::min(static_cast<size_t>(small_number(k, "k")), candidates.size());
  std::vector<size_t> indices(wanted);
  std::vector<float> scores(wanted);
  size_t count = 0;
  options.progress.call([&](vsr_error* error) {
    return vsr_nearest(handle.get(), held.view(), candidates.data(), candidates.size(), wanted, options.get(),
                       indices.data(), scores.data(), &count, error);
  });
  py::list found;
  for (size_t i = 0; i < count; ++i) found.append(py::make_tuple(indices[i], scores[i]));
  return found;
}

}  // namespace

void register_infer(py::module_& m) {
  py::class_<TextBatch>(m, "TextBatch")
      .def(py::init<py::handle, const char*>(), py::arg("texts"), py::arg("name"))
      .def("__len__", &TextBatch::size);
  m.def("embed", &embed, py::arg("engine"), py::arg("texts"), py::arg("options"));
  m.def("classify", &classify, py::arg("engine"), py::arg("texts"), py::arg("options"));
  m.def("token_probs", &token_probs, py::arg("engine"), py::arg("text"), py::arg("pair"), py::arg("options"));
  m.def("entities", &entities, py::arg("engine"), py::arg("texts"), py::arg("options"));
  m.def("similarity", &similarity, py::arg("engine"), py::arg("a"), py::arg("b"), py::arg("options"), py::arg("out"));
  m.def("similarity_matrix", &similarity_matrix, py::arg("engine"), py::arg("a"), py::arg("b"), py::arg("options"),
        py::arg("out"));
  m.def("nearest", &nearest, py::arg("engine"), py::arg("query"), py::arg("candidates"), py::arg("k"),
        py::arg("options"));
}

}  // namespace vsr_python
