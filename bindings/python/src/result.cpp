#include "result.h"

namespace vsr_python {
namespace {

// Writable although the ABI says const: a Result has no other reader than the one array that Python makes of it.
py::buffer_info matrix(Result& result) {
  static float empty = 0;
  const auto rows = static_cast<py::ssize_t>(vsr_result_row_count(result.get()));
  const auto cols = static_cast<py::ssize_t>(vsr_result_col_count(result.get()));
  const float* data = vsr_result_data(result.get());
  constexpr py::ssize_t item = sizeof(float);
  return py::buffer_info(rows * cols == 0 ? &empty : const_cast<float*>(data), item,
                         py::format_descriptor<float>::format(), 2, {rows, cols}, {cols * item, item});
}

py::tuple labels(const Result& result) {
  const size_t cols = vsr_result_col_count(result.get());
  if (cols == 0 || vsr_result_label(result.get(), 0).data == nullptr) return py::tuple();
  py::tuple names(cols);
  for (size_t i = 0; i < cols; ++i) names[i] = decoded(vsr_result_label(result.get(), i));
  return names;
}

py::list best(const Result& result) {
  py::list columns;
  for (size_t row = 0; row < vsr_result_row_count(result.get()); ++row)
    columns.append(vsr_result_best(result.get(), row));
  return columns;
}

py::list usage(const Result& result) {
  py::list texts;
  const vsr_result* r = result.get();
  for (size_t i = 0; i < vsr_result_text_count(r); ++i) {
    texts.append(py::make_tuple(vsr_result_token_count(r, i), vsr_result_window_count(r, i),
                                vsr_result_dropped_count(r, i), vsr_result_replaced_size(r, i)));
  }
  return texts;
}

}  // namespace

py::list entities_of(const vsr_result* result, const TextBatch& batch) {
  const size_t count = vsr_result_entity_count(result);
  py::list found;
  for (size_t text = 0, next = 0; text < batch.size(); ++text) {
    const OffsetMap map(batch[text]);
    py::list of_text;
    for (; next < count; ++next) {
      const vsr_entity& entity = *vsr_result_entity(result, next);
      if (entity.text != text) break;
      of_text.append(py::make_tuple(decoded(entity.label), map.start(entity.start), map.end(entity.end), entity.score));
    }
    found.append(
        py::make_tuple(of_text, vsr_result_window_count(result, text), vsr_result_replaced_size(result, text)));
  }
  return found;
}

void register_result(py::module_& m) {
  py::class_<Result>(m, "Result", py::buffer_protocol())
      .def_buffer(&matrix)
      .def_property_readonly("labels", &labels)
      .def_property_readonly("best", &best)
      .def_property_readonly("usage", &usage);
}

}  // namespace vsr_python
