// vsr/result.h: what a result tells. An index out of range and a NULL result give 0 or NULL.
#include "vsr/result.h"

#include <algorithm>
#include <cmath>

#include "c_api/guard.h"
#include "c_api/handles.h"

namespace {

using vsr::engine::TextUsage;

size_t usage_of(const vsr_result* result, size_t text, size_t TextUsage::*count) {
  if (result == nullptr || text >= result->result.usage.size()) return 0;
  return result->result.usage[text].*count;
}

}  // namespace

size_t vsr_result_rows(const vsr_result* result) { return result == nullptr ? 0 : result->result.rows; }

size_t vsr_result_cols(const vsr_result* result) { return result == nullptr ? 0 : result->result.cols; }

const float* vsr_result_data(const vsr_result* result) {
  return result == nullptr || result->result.values.empty() ? nullptr : result->result.values.data();
}

const char* vsr_result_label(const vsr_result* result, size_t col) {
  if (result == nullptr || col >= result->result.labels.size()) return nullptr;
  return result->result.labels[col].c_str();
}

size_t vsr_result_best(const vsr_result* result, size_t row) {
  if (result == nullptr || row >= result->result.rows) return 0;
  const size_t cols = result->result.cols;
  const float* first = result->result.values.data() + row * cols;
  // A row is not read as a whole, or not at all.
  if (cols > 0 && std::isnan(*first)) return cols;
  return static_cast<size_t>(std::max_element(first, first + cols) - first);
}

size_t vsr_result_texts(const vsr_result* result) { return result == nullptr ? 0 : result->result.usage.size(); }

size_t vsr_result_tokens(const vsr_result* result, size_t text) { return usage_of(result, text, &TextUsage::tokens); }

size_t vsr_result_windows(const vsr_result* result, size_t text) { return usage_of(result, text, &TextUsage::windows); }

size_t vsr_result_dropped(const vsr_result* result, size_t text) { return usage_of(result, text, &TextUsage::dropped); }

size_t vsr_result_replaced(const vsr_result* result, size_t text) {
  return usage_of(result, text, &TextUsage::replaced_bytes);
}

size_t vsr_result_entity_count(const vsr_result* result) {
  return result == nullptr ? 0 : result->result.entities.size();
}

vsr_entity vsr_result_entity(const vsr_result* result, size_t index) {
  if (result == nullptr || index >= result->result.entities.size()) return {};
  const vsr::engine::Entity& entity = result->result.entities[index];
  return {entity.text, entity.start, entity.end, entity.score, vsr_result_label(result, entity.label)};
}

void vsr_result_free(vsr_result* result) { vsr::c_api::free_handle(result); }
