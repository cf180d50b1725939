// vsr/result.h: what a result tells. An index out of range and a NULL result give 0 or NULL.
#include "vsr/result.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "c_api/boundary.h"
#include "c_api/handles.h"
#include "c_api/views.h"

namespace {

using vsr::engine::TextUsage;

size_t usage_of(const vsr_result* result, size_t text, size_t TextUsage::*count) {
  if (result == nullptr || text >= result->result.usage.size()) return 0;
  return result->result.usage[text].*count;
}

}  // namespace

vsr_result::vsr_result(vsr::engine::Result found) : result(std::move(found)) {
  entities.reserve(result.entities.size());
  for (const vsr::engine::Entity& from : result.entities) {
    vsr_entity& to = entities.emplace_back(vsr::c_api::sized<vsr_entity>());
    to.score = from.score;
    to.text = from.text;
    to.start = from.begin;
    to.end = from.end;
    to.label = vsr_result_label(this, from.label);
  }
}

size_t vsr_result_row_count(const vsr_result* result) { return result == nullptr ? 0 : result->result.rows; }

size_t vsr_result_col_count(const vsr_result* result) { return result == nullptr ? 0 : result->result.cols; }

const float* vsr_result_data(const vsr_result* result) {
  return result == nullptr || result->result.values.empty() ? nullptr : result->result.values.data();
}

vsr_str vsr_result_label(const vsr_result* result, size_t col) {
  if (result == nullptr || col >= result->result.labels.size()) return {};
  return vsr::c_api::view(result->result.labels[col]);
}

size_t vsr_result_best(const vsr_result* result, size_t row) {
  if (result == nullptr || row >= result->result.rows) return 0;
  const size_t cols = result->result.cols;
  const float* first = result->result.values.data() + row * cols;
  // A row is not read as a whole, or not at all.
  if (cols > 0 && std::isnan(*first)) return cols;
  return static_cast<size_t>(std::max_element(first, first + cols) - first);
}

size_t vsr_result_text_count(const vsr_result* result) { return result == nullptr ? 0 : result->result.usage.size(); }

size_t vsr_result_token_count(const vsr_result* result, size_t text) {
  return usage_of(result, text, &TextUsage::tokens);
}

size_t vsr_result_window_count(const vsr_result* result, size_t text) {
  return usage_of(result, text, &TextUsage::windows);
}

size_t vsr_result_dropped_count(const vsr_result* result, size_t text) {
  return usage_of(result, text, &TextUsage::dropped);
}

size_t vsr_result_replaced_size(const vsr_result* result, size_t text) {
  return usage_of(result, text, &TextUsage::replaced_bytes);
}

size_t vsr_result_entity_count(const vsr_result* result) { return result == nullptr ? 0 : result->entities.size(); }

const vsr_entity* vsr_result_entity(const vsr_result* result, size_t index) {
  return result == nullptr ? nullptr : vsr::c_api::element(result->entities, index);
}

void vsr_result_free(vsr_result* result) { vsr::c_api::free_handle(result); }
