/* vsr::Result and what is read from it. Included by vsr/vsr.hpp. */
#ifndef VSR_HPP_RESULT_HPP
#define VSR_HPP_RESULT_HPP

#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "error.hpp"
#include "texts.hpp"

namespace vsr {

/** How one text was read. */
struct Usage {
  size_t tokens;   /**< of the full encoding, special tokens counted once */
  size_t windows;  /**< 1 when the text fits the model */
  size_t dropped;  /**< tokens that no window read */
  size_t replaced; /**< bytes that were not UTF-8 and were read as U+FFFD */
};

/** One row of vsr_classify(), borrowed from its Result. */
struct Classification {
  std::string_view label; /**< the one with the highest score */
  size_t label_id;        /**< its column */
  float score;
  Span<float> probs; /**< one per label */
  Usage usage;
};

/** Part of a text with a label, borrowed from its Result. */
struct Entity {
  size_t text;  /**< index of the text */
  size_t start; /**< first byte */
  size_t end;   /**< byte after the last */
  float score;
  std::string_view label;
};

/** See vsr_result. Immutable. */
class Result {
 public:
  explicit Result(vsr_result* handle) : handle_(handle, vsr_result_free) {}
  /** One that belongs to a MultiResult. */
  explicit Result(std::shared_ptr<const vsr_result> handle) : handle_(std::move(handle)) {}
  Result(Result&&) = default;
  Result& operator=(Result&&) = default;

  size_t rows() const { return vsr_result_row_count(get()); }
  size_t cols() const { return vsr_result_col_count(get()); }
  /** Row-major [rows, cols]. */
  const float* data() const { return vsr_result_data(get()); }
  /** Empty out of range. */
  Span<float> row(size_t i) const {
    if (i >= rows() || cols() == 0) return {};
    return {data() + i * cols(), cols()};
  }
  /** Empty out of range, and for embeddings. */
  std::string_view label(size_t col) const { return detail::view(vsr_result_label(get(), col)); }
  size_t best(size_t i) const { return vsr_result_best(get(), i); }

  size_t texts() const { return vsr_result_text_count(get()); }
  Usage usage(size_t text) const {
    return {vsr_result_token_count(get(), text), vsr_result_window_count(get(), text),
            vsr_result_dropped_count(get(), text), vsr_result_replaced_size(get(), text)};
  }

  /** Row `i` of Engine::classify(); throws std::out_of_range, also for a text that was not read. */
  Classification classification(size_t i) const {
    const Span<float> probs = row(i);
    const size_t id = best(i);
    if (id >= probs.size()) throw std::out_of_range("vsr::Result::classification: no such row, or it was not read");
    return {label(id), id, probs[id], probs, usage(i)};
  }

  /** Of Engine::entities(), ordered by text and then start. */
  std::vector<Entity> entities() const {
    std::vector<Entity> found;
    const size_t count = vsr_result_entity_count(get());
    found.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      const vsr_entity& entity = *vsr_result_entity(get(), i);
      found.push_back({entity.text, entity.start, entity.end, entity.score, detail::view(entity.label)});
    }
    return found;
  }

  const vsr_result* get() const { return handle_.get(); }

 private:
  std::shared_ptr<const vsr_result> handle_;
};

}  // namespace vsr

#endif
