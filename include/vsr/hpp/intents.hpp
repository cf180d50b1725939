/* vsr::Intents: private intents by examples. Included by vsr/vsr.hpp. */
#ifndef VSR_HPP_INTENTS_HPP
#define VSR_HPP_INTENTS_HPP

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine.hpp"
#include "enums.hpp"

namespace vsr {

/** See vsr_intents_options. */
struct IntentsOptions {
  Rule rule = Rule::kDefault;
  int32_t top_k = 0;   /**< 0: 5 */
  float threshold = 0; /**< least score of a match */
  std::string task;    /**< empty: the only embedding task */
};

/** See vsr_intents_route_options. */
struct IntentsCallOptions {
  int64_t deadline_ms = 0;        /**< from now; 0: never, below: at once */
  const Cancel* cancel = nullptr; /**< borrowed for the call */
};

/** See vsr_intents_read_file_options: what is given counts in place of what the file says. */
struct IntentsFileOptions {
  Rule rule = Rule::kDefault;
  int32_t top_k = 0;              /**< 0: the file's */
  std::optional<float> threshold; /**< of all intents */
  std::string task;               /**< empty: the only embedding task */
  int64_t deadline_ms = 0;        /**< from now; 0: never, below: at once */
  const Cancel* cancel = nullptr; /**< borrowed for the call */
};

/** A text's match, borrowed from its Matches. */
struct Match {
  std::optional<std::string_view> label; /**< none: none of these */
  std::optional<std::string_view> nearest;
  std::optional<std::string_view> runner_up;
  float score;
  float runner_up_score;
};

/** See vsr_matches. Immutable; one match per text. */
class Matches {
 public:
  explicit Matches(vsr_matches* handle) : handle_(handle) {
    matches_.reserve(vsr_matches_match_count(handle));
    for (size_t i = 0; i < vsr_matches_match_count(handle); ++i) {
      const vsr_match& match = *vsr_matches_match(handle, i);
      matches_.push_back({detail::view_or_none(match.label), detail::view_or_none(match.nearest),
                          detail::view_or_none(match.runner_up), match.score, match.runner_up_score});
    }
  }

  size_t size() const { return matches_.size(); }
  const Match& operator[](size_t i) const { return matches_.at(i); }
  std::vector<Match>::const_iterator begin() const { return matches_.begin(); }
  std::vector<Match>::const_iterator end() const { return matches_.end(); }

 private:
  detail::Handle<vsr_matches, vsr_matches_free> handle_;
  std::vector<Match> matches_;
};

/** See vsr_intents. All functions are thread-safe. */
class Intents {
 public:
  explicit Intents(const Engine& engine, const IntentsOptions& options = {})
      : handle_(detail::make<Owner>([&](vsr_intents** out, vsr_error* error) {
          vsr_intents_options c = VSR_INTENTS_OPTIONS_INIT;
          c.rule = static_cast<int32_t>(options.rule);
          c.top_k = options.top_k;
          c.threshold = options.threshold;
          c.task = detail::c_string_or_null(options.task, "task");
          return vsr_intents_create(engine.get(), &c, out, error);
        })) {}

  /** Reads what save() wrote. */
  static Intents load(const Engine& engine, const std::string& path, const std::string& task = {}) {
    return Intents(detail::make<Owner>([&](vsr_intents** out, vsr_error* error) {
      return vsr_intents_load(engine.get(), detail::c_string(path, "path"), detail::c_string_or_null(task, "task"), out,
                              error);
    }));
  }

  /** Makes a set of a YAML or CSV file that people write; see vsr_intents_read_file(). */
  static Intents read_file(const Engine& engine, const std::string& path, const IntentsFileOptions& options = {}) {
    return Intents(detail::make<Owner>([&](vsr_intents** out, vsr_error* error) {
      vsr_intents_read_file_options c = VSR_INTENTS_READ_FILE_OPTIONS_INIT;
      c.rule = static_cast<int32_t>(options.rule);
      c.top_k = options.top_k;
      c.threshold = options.threshold ? &*options.threshold : nullptr;
      c.task = detail::c_string_or_null(options.task, "task");
      c.deadline_ms = options.deadline_ms;
      c.cancel = options.cancel == nullptr ? nullptr : options.cancel->get();
      return vsr_intents_read_file(engine.get(), detail::c_string(path, "path"), &c, out, error);
    }));
  }

  void add(const std::string& label, const Texts& examples, std::optional<float> threshold = std::nullopt,
           const IntentsCallOptions& options = {}) {
    vsr_intents_add_options c = VSR_INTENTS_ADD_OPTIONS_INIT;
    c.threshold = threshold ? &*threshold : nullptr;
    c.deadline_ms = options.deadline_ms;
    c.cancel = options.cancel == nullptr ? nullptr : options.cancel->get();
    detail::call([&](vsr_error* error) {
      return vsr_intents_add(handle_.get(), detail::c_string(label, "label"), examples.data(), examples.size(), &c,
                             error);
    });
  }

  void remove(const std::string& label) {
    detail::call(
        [&](vsr_error* error) { return vsr_intents_remove(handle_.get(), detail::c_string(label, "label"), error); });
  }

  Matches route(const Texts& texts, const IntentsCallOptions& options = {}) const {
    const vsr_intents_route_options c = to_c(options);
    vsr_matches* out = nullptr;
    detail::call([&](vsr_error* error) {
      return vsr_intents_route(handle_.get(), texts.data(), texts.size(), &c, &out, error);
    });
    return Matches(out);
  }

  /** `vectors` are of the set's embedding task, see vsr_intents_route_vectors(). */
  Matches route_vectors(const Result& vectors, const IntentsCallOptions& options = {}) const {
    const vsr_intents_route_options c = to_c(options);
    vsr_matches* out = nullptr;
    detail::call([&](vsr_error* error) {
      return vsr_intents_route_vectors(handle_.get(), vectors.data(), vectors.rows(), vectors.cols(), &c, &out, error);
    });
    return Matches(out);
  }

  void save(const std::string& path) const {
    detail::call(
        [&](vsr_error* error) { return vsr_intents_save(handle_.get(), detail::c_string(path, "path"), error); });
  }

  /** The JSON of vsr_intents_describe(). */
  std::string describe() const {
    vsr_string* out = nullptr;
    detail::call([&](vsr_error* error) { return vsr_intents_describe(handle_.get(), &out, error); });
    return detail::take_string(out);
  }

 private:
  using Owner = detail::Handle<vsr_intents, vsr_intents_free>;
  explicit Intents(Owner handle) : handle_(std::move(handle)) {}
  static vsr_intents_route_options to_c(const IntentsCallOptions& options) {
    vsr_intents_route_options c = VSR_INTENTS_ROUTE_OPTIONS_INIT;
    c.deadline_ms = options.deadline_ms;
    c.cancel = options.cancel == nullptr ? nullptr : options.cancel->get();
    return c;
  }
  Owner handle_;
};

}  // namespace vsr

#endif
