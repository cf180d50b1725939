/* vsr::Engine and vsr::Model: loaded models and what they answer. Included by vsr/vsr.hpp. */
#ifndef VSR_HPP_ENGINE_HPP
#define VSR_HPP_ENGINE_HPP

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters.hpp"
#include "cancel.hpp"
#include "generate.hpp"
#include "multi.hpp"
#include "result.hpp"
#include "tokenizer.hpp"

namespace vsr {

/** See vsr_model_options; an empty string is the default. */
struct ModelOptions {
  std::string name;
  std::string path; /**< ignored by Model */
  std::string dtype;
  std::string device;
};

/** See vsr_engine_options. */
struct EngineOptions {
  std::vector<ModelOptions> models;
  std::string config_path; /**< empty: none */
  uint32_t threads = 0;    /**< 0: one per core */
  std::vector<AdapterOptions> adapters;
  size_t max_queued_calls = 0;  /**< 0: the default */
  size_t max_queued_tokens = 0; /**< 0: the default */
};

/** See vsr_embed_options. */
struct EmbedOptions {
  int32_t dim = 0;   /**< 0: all */
  int32_t layer = 0; /**< 0: all */
  bool normalize = true;
  std::string task;                       /**< empty: the only one */
  std::optional<std::string> prompt;      /**< a name from the checkpoint */
  std::optional<std::string> instruction; /**< free text instead of a prompt */
  size_t max_tokens = 0;                  /**< 0: no limit */
  Progress progress;
  int64_t deadline_ms = 0;        /**< from now; 0: never, below: at once */
  const Cancel* cancel = nullptr; /**< borrowed for the call */
};

/** See vsr_classify_options. */
struct ClassifyOptions {
  std::string task;      /**< empty: the only one of the kind */
  float threshold = 0;   /**< entities only; 0: 0.5 */
  size_t max_tokens = 0; /**< 0: no limit */
  Progress progress;
  int64_t deadline_ms = 0;        /**< from now; 0: never, below: at once */
  const Cancel* cancel = nullptr; /**< borrowed for the call */
};

/** A candidate of Engine::nearest(). */
struct Neighbour {
  size_t index;
  float score;
};

namespace detail {

/** The C form of options, valid while the C++ options are. */
class CModelOptions {
 public:
  explicit CModelOptions(const ModelOptions& options) {
    c_.name = c_string_or_null(options.name, "name");
    c_.path = c_string_or_null(options.path, "path");
    c_.dtype = c_string_or_null(options.dtype, "dtype");
    c_.device = c_string_or_null(options.device, "device");
  }
  const vsr_model_options* get() const { return &c_; }

 private:
  vsr_model_options c_ = VSR_MODEL_OPTIONS_INIT;
};

class CEngineOptions {
 public:
  explicit CEngineOptions(const EngineOptions& options) {
    models_.reserve(options.models.size());
    for (const ModelOptions& model : options.models) models_.emplace_back(model);
    for (const CModelOptions& model : models_) pointers_.push_back(model.get());
    adapters_.reserve(options.adapters.size());
    for (const AdapterOptions& adapter : options.adapters) adapters_.emplace_back(adapter);
    for (const CAdapterOptions& adapter : adapters_) adapter_pointers_.push_back(adapter.get());
    c_.thread_count = options.threads;
    c_.config_path = c_string_or_null(options.config_path, "config_path");
    c_.models = pointers_.data();
    c_.model_count = pointers_.size();
    c_.adapters = adapter_pointers_.data();
    c_.adapter_count = adapter_pointers_.size();
    c_.max_queued_calls = options.max_queued_calls;
    c_.max_queued_tokens = options.max_queued_tokens;
  }
  CEngineOptions(const CEngineOptions&) = delete;
  CEngineOptions& operator=(const CEngineOptions&) = delete;
  const vsr_engine_options* get() const { return &c_; }

 private:
  std::vector<CModelOptions> models_;
  std::vector<const vsr_model_options*> pointers_;
  std::vector<CAdapterOptions> adapters_;
  std::vector<const vsr_adapter_options*> adapter_pointers_;
  vsr_engine_options c_ = VSR_ENGINE_OPTIONS_INIT;
};

inline vsr_embed_options to_c(const EmbedOptions& options, ProgressCall& progress) {
  vsr_embed_options c = VSR_EMBED_OPTIONS_INIT;
  c.dim = options.dim;
  c.layer = options.layer;
  c.no_normalize = options.normalize ? 0 : 1;
  c.task = c_string_or_null(options.task, "task");
  c.prompt = options.prompt ? c_string(*options.prompt, "prompt") : nullptr;
  c.instruction = options.instruction ? c_string(*options.instruction, "instruction") : nullptr;
  c.max_tokens = options.max_tokens;
  c.progress = progress.callback();
  c.user_data = progress.user_data();
  c.deadline_ms = options.deadline_ms;
  c.cancel = options.cancel == nullptr ? nullptr : options.cancel->get();
  return c;
}

inline vsr_classify_options to_c(const ClassifyOptions& options, ProgressCall& progress) {
  vsr_classify_options c = VSR_CLASSIFY_OPTIONS_INIT;
  c.threshold = options.threshold;
  c.task = c_string_or_null(options.task, "task");
  c.max_tokens = options.max_tokens;
  c.progress = progress.callback();
  c.user_data = progress.user_data();
  c.deadline_ms = options.deadline_ms;
  c.cancel = options.cancel == nullptr ? nullptr : options.cancel->get();
  return c;
}

/** `body(&c_options, &error)` is a C call that takes options. */
template <class Options, class Body>
void call_with(const Options& options, Body&& body) {
  ProgressCall progress(options.progress);
  const auto c = to_c(options, progress);
  progress([&] { call([&](vsr_error* error) { return body(&c, error); }); });
}

inline void check_same_length(size_t a, size_t b, const char* message) {
  if (a != b) throw Error(VSR_ERR_INVALID_ARGUMENT, message);
}

}  // namespace detail

/** See vsr_engine. */
class Engine {
 public:
  explicit Engine(const EngineOptions& options)
      : handle_(detail::make<Owner>([c = detail::CEngineOptions(options)](vsr_engine** out, vsr_error* error) {
          return vsr_engine_open(c.get(), out, error);
        })) {}
  /** The default engine that init() opens, whichever it is when a call is made. */
  static Engine default_engine() { return Engine(nullptr, true); }

  Result embed(const Texts& texts, const EmbedOptions& options = {}) const {
    vsr_result* out = nullptr;
    detail::call_with(options, [&](const vsr_embed_options* c, vsr_error* error) {
      return vsr_embed(get(), texts.data(), texts.size(), c, &out, error);
    });
    return Result(out);
  }

  Result classify(const Texts& texts, const ClassifyOptions& options = {}) const {
    return classify(texts, nullptr, options);
  }
  /** Of texts[i] together with pairs[i]. */
  Result classify_pairs(const Texts& texts, const Texts& pairs, const ClassifyOptions& options = {}) const {
    detail::check_same_length(texts.size(), pairs.size(), "texts and pairs differ in length");
    return classify(texts, pairs.data(), options);
  }

  Result token_probs(std::string_view text, const ClassifyOptions& options = {}) const {
    vsr_result* out = nullptr;
    detail::call_with(options, [&](const vsr_classify_options* c, vsr_error* error) {
      return vsr_token_probs(get(), detail::to_c(text), c, &out, error);
    });
    return Result(out);
  }

  Result entities(const Texts& texts, const ClassifyOptions& options = {}) const {
    vsr_result* out = nullptr;
    detail::call_with(options, [&](const vsr_classify_options* c, vsr_error* error) {
      return vsr_entities(get(), texts.data(), texts.size(), c, &out, error);
    });
    return Result(out);
  }

  /** Of both texts of a pair. */
  Result token_probs_of_pair(std::string_view text, std::string_view pair, const ClassifyOptions& options = {}) const {
    vsr_result* out = nullptr;
    detail::call_with(options, [&](const vsr_classify_options* c, vsr_error* error) {
      return vsr_token_probs_of_pair(get(), detail::to_c(text), detail::to_c(pair), c, &out, error);
    });
    return Result(out);
  }

  /** Those in pairs[i], which is read together with texts[i]; see vsr_entities_of_pairs(). */
  Result entities_of_pairs(const Texts& texts, const Texts& pairs, const ClassifyOptions& options = {}) const {
    detail::check_same_length(texts.size(), pairs.size(), "texts and pairs differ in length");
    vsr_result* out = nullptr;
    detail::call_with(options, [&](const vsr_classify_options* c, vsr_error* error) {
      return vsr_entities_of_pairs(get(), texts.data(), pairs.data(), texts.size(), c, &out, error);
    });
    return Result(out);
  }

  /** Every classification task on the same texts; see vsr_classify_all(). */
  MultiResult classify_all(const Texts& texts, const MultiOptions& options = {}) const {
    return classify_all(texts, nullptr, nullptr, options);
  }
  MultiResult classify_all(const Texts& texts, const std::vector<std::string>& tasks,
                           const MultiOptions& options = {}) const {
    return classify_all(texts, nullptr, &tasks, options);
  }
  /** Of texts[i] together with pairs[i]. */
  MultiResult classify_all_pairs(const Texts& texts, const Texts& pairs, const std::vector<std::string>& tasks,
                                 const MultiOptions& options = {}) const {
    detail::check_same_length(texts.size(), pairs.size(), "texts and pairs differ in length");
    return classify_all(texts, pairs.data(), &tasks, options);
  }

  /** While the engine serves; see vsr_engine_load_adapter(). */
  void load_adapter(const AdapterOptions& options, bool replace = false) {
    detail::call([&](vsr_error* error) {
      return vsr_engine_load_adapter(handle(), detail::CAdapterOptions(options).get(), replace ? 1 : 0, error);
    });
  }
  /** Writes adapter and base as one checkpoint; see vsr_engine_merge_adapter(). */
  void merge_adapter(const AdapterOptions& options, const std::string& output_path) const {
    detail::call([&](vsr_error* error) {
      return vsr_engine_merge_adapter(handle(), detail::CAdapterOptions(options).get(),
                                      detail::c_string(output_path, "output_path"), error);
    });
  }

  /** See vsr_engine_unload_adapter(). */
  void unload_adapter(const std::string& name) {
    detail::call(
        [&](vsr_error* error) { return vsr_engine_unload_adapter(handle(), detail::c_string(name, "name"), error); });
  }

  /** Of a[i] and b[i]. */
  std::vector<float> similarity(const Texts& a, const Texts& b, const EmbedOptions& options = {}) const {
    detail::check_same_length(a.size(), b.size(), "a and b differ in length");
    std::vector<float> scores(a.size());
    detail::call_with(options, [&](const vsr_embed_options* c, vsr_error* error) {
      return vsr_similarity(get(), a.data(), b.data(), a.size(), c, scores.data(), error);
    });
    return scores;
  }

  /** Of every a[i] with every b[j], row-major. */
  std::vector<float> similarity_matrix(const Texts& a, const Texts& b, const EmbedOptions& options = {}) const {
    std::vector<float> scores(a.size() * b.size());
    detail::call_with(options, [&](const vsr_embed_options* c, vsr_error* error) {
      return vsr_similarity_matrix(get(), a.data(), a.size(), b.data(), b.size(), c, scores.data(), error);
    });
    return scores;
  }

  /** The `k` candidates most similar to `query`, best first. */
  std::vector<Neighbour> nearest(std::string_view query, const Texts& candidates, size_t k,
                                 const EmbedOptions& options = {}) const {
    const size_t room = k < candidates.size() ? k : candidates.size();
    std::vector<size_t> indices(room);
    std::vector<float> scores(room);
    size_t count = 0;
    detail::call_with(options, [&](const vsr_embed_options* c, vsr_error* error) {
      return vsr_nearest(get(), detail::to_c(query), candidates.data(), candidates.size(), room, c, indices.data(),
                         scores.data(), &count, error);
    });
    std::vector<Neighbour> neighbours;
    for (size_t i = 0; i < count; ++i) neighbours.push_back({indices[i], scores[i]});
    return neighbours;
  }

  /** See vsr_generate(). */
  Generation generate(std::string_view prompt, const GenerateOptions& options = {}) const {
    return detail::generate(get(), prompt, options);
  }

  /** See vsr_moderate(); without a response the prompt is judged. */
  Verdict moderate(std::string_view prompt, std::optional<std::string_view> response = std::nullopt,
                   const ModerateOptions& options = {}) const {
    return detail::moderate(get(), prompt, response, options);
  }

  /** Of the model of that name; empty: of the only model. */
  Tokenizer tokenizer(const std::string& model = {}) const {
    vsr_tokenizer* out = nullptr;
    detail::call([&](vsr_error* error) {
      return vsr_engine_tokenizer(get(), detail::c_string_or_null(model, "model"), &out, error);
    });
    return Tokenizer(out);
  }

  /** The JSON of vsr_engine_describe(). */
  std::string describe() const {
    vsr_string* out = nullptr;
    detail::call([&](vsr_error* error) { return vsr_engine_describe(get(), &out, error); });
    return detail::take_string(out);
  }

  /** The handle for the C interface; NULL for the default engine. */
  const vsr_engine* get() const { return handle(); }

 protected:
  explicit Engine(vsr_engine* handle, bool is_default = false) : handle_(handle), is_default_(is_default) {}

 private:
  using Owner = detail::Handle<vsr_engine, vsr_engine_free>;

  Result classify(const Texts& texts, const vsr_str* pairs, const ClassifyOptions& options) const {
    vsr_result* out = nullptr;
    detail::call_with(options, [&](const vsr_classify_options* c, vsr_error* error) {
      return vsr_classify(get(), texts.data(), pairs, texts.size(), c, &out, error);
    });
    return Result(out);
  }

  MultiResult classify_all(const Texts& texts, const vsr_str* pairs, const std::vector<std::string>* tasks,
                           const MultiOptions& options) const {
    static const char* const kNone = "";
    std::vector<const char*> names;
    if (tasks != nullptr) {
      for (const std::string& task : *tasks) names.push_back(detail::c_string(task, "task"));
      if (!options.wanted.empty()) {
        detail::check_same_length(options.wanted.size(), texts.size() * names.size(),
                                  "wanted has not one entry for each text and task");
      }
    }
    // An empty list is no task, NULL every one.
    const char* const* c_tasks = tasks == nullptr ? nullptr : names.empty() ? &kNone : names.data();
    vsr_multi_result* out = nullptr;
    detail::call_with(options, [&](const vsr_multi_options* c, vsr_error* error) {
      return vsr_classify_all(get(), texts.data(), pairs, texts.size(), c_tasks, names.size(), c, &out, error);
    });
    return MultiResult(out);
  }

  vsr_engine* handle() const {
    // NULL means the default engine to the C interface, which a moved-from object must not become.
    if (!handle_ && !is_default_) throw Error(VSR_ERR_INVALID_ARGUMENT, "engine has been moved from");
    return handle_.get();
  }

  Owner handle_;
  bool is_default_ = false;
};

/** An engine of one model, see vsr_engine_open_model(). */
class Model : public Engine {
 public:
  explicit Model(const std::string& path, const ModelOptions& options = {}) : Engine(load(path, options)) {}

 private:
  static vsr_engine* load(const std::string& path, const ModelOptions& options) {
    vsr_engine* out = nullptr;
    detail::call([&](vsr_error* error) {
      return vsr_engine_open_model(detail::c_string(path, "path"), detail::CModelOptions(options).get(), &out, error);
    });
    return out;
  }
};

/** See vsr_init(). */
inline void init(const EngineOptions& options) {
  const detail::CEngineOptions c(options);
  detail::call([&](vsr_error* error) { return vsr_init(c.get(), error); });
}

/** See vsr_reload(). */
inline void reload(const EngineOptions& options) {
  const detail::CEngineOptions c(options);
  detail::call([&](vsr_error* error) { return vsr_reload(c.get(), error); });
}

/** See vsr_shutdown(). */
inline void shutdown() { vsr_shutdown(); }

}  // namespace vsr

#endif
