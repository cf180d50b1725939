#include "routing/router_checks.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "routing/answer_guards.h"
#include "routing/signals/request_reading.h"
#include "routing/tool_plan.h"

namespace vsr::routing {
namespace {

using base::fail;
using base::Status;

// A short request, to see what signals need and say.
class Probe {
 public:
  explicit Probe(const RouterParts& parts)
      : parts_(parts),
        request_(ChatRequest::of_text("What is the capital of France?")),
        context_(sender_, parts.reads),
        reading_(request_, context_, parts.config.compression, *parts.options.inference, parts.signals.bank(),
                 limits_) {
    for (uint32_t id = 0; id < parts.engine.signals().size(); ++id) ids_.push_back(id);
    if (!scores_choose()) return;
    for (size_t i = 0; i < parts.scored.size(); ++i) ids_.push_back(static_cast<uint32_t>(ids_.size()));
  }

  // Ids as the signal set numbers them.
  const std::vector<uint32_t>& ids() const { return ids_; }
  const SignalRef& ref(uint32_t id) const {
    const auto& leaves = parts_.engine.signals();
    return id < leaves.size() ? leaves[id].ref : parts_.scored[id - leaves.size()];
  }
  const std::string& place(uint32_t id) const { return parts_.config.places.at(ref(id).key()); }
  // How messages begin.
  std::string subject(uint32_t id) const { return place(id) + ": signal \"" + ref(id).key() + "\""; }
  std::vector<std::pair<std::string, inference::TaskUse>> tasks_of(uint32_t id) {
    const ModelNeeds needs = needs_of(id);
    std::vector<std::pair<std::string, inference::TaskUse>> tasks;
    if (!needs.embeddings.empty()) tasks.emplace_back(parts_.config.embedding_task(), inference::TaskUse::kEmbed);
    for (const auto& [task, texts] : needs.answers) tasks.emplace_back(task, parts_.signals.task_use(id));
    return tasks;
  }
  SignalValue evaluate(uint32_t id) {
    reading_.compute(needs_of(id));
    return parts_.signals.evaluate(id, reading_);
  }

 private:
  // Whether a domain's scores can come to choose between models.
  bool scores_choose() const {
    const auto& decisions = parts_.config.decisions;
    return std::any_of(decisions.begin(), decisions.end(), [](const Decision& decision) {
      return decision.models.size() != 1 && !decision.plugins.fast_response;
    });
  }
  ModelNeeds needs_of(uint32_t id) {
    ModelNeeds needs;
    parts_.signals.add_needs(id, reading_, needs);
    return needs;
  }

  const RouterParts& parts_;
  const ChatRequest request_;
  const RequestContext sender_ = {};
  const ContextView context_;
  const base::CallLimits limits_ = {};
  RequestReading reading_;
  std::vector<uint32_t> ids_;
};

class TaskCheck {
 public:
  explicit TaskCheck(const RouterParts& parts)
      : parts_(parts), inference_(*parts.options.inference), lenient_(parts.options.lenient), probe_(parts) {}

  std::vector<std::string> run() {
    try {
      if (inference_.has_models()) inference_.missing({}, inference::TaskUse::kEmbed);  // reads the models' folders
    } catch (const base::Error& error) {
      if (!lenient_) throw;
      return {error.what()};
    }
    for (const uint32_t id : probe_.ids()) {
      for (const auto& [task, use] : probe_.tasks_of(id)) check(id, task, use);
    }
    check_completion();
    for (const Decision& decision : parts_.config.decisions) {
      const std::string subject = decision.where + ": decision \"" + decision.name + "\": plugin ";
      check_mask(decision);
      if (compares_tools(decision))
        check_embedding(subject + (decision.plugins.tool_selection ? "tool_selection" : "tools"));
      check_answers(subject + "hallucination", nli_task(parts_.config, decision.plugins));
      check_answers(subject + "response_jailbreak", response_jailbreak_task(parts_.config, decision.plugins));
    }
    if (parts_.cache && !parts_.cache->why_exact().empty()) {
      lines_.push_back(parts_.config.path +
                       ": the response cache finds the same text alone: " + parts_.cache->why_exact());
    }
    return std::move(lines_);
  }

 private:
  void check(uint32_t id, const std::string& task, inference::TaskUse use) {
    if (!inference_.has_models()) {
      if (seen_.emplace(task, use).second) lines_.push_back(probe_.subject(id) + " needs a model, and " + kNoModels);
      return;
    }
    const std::string why = inference_.missing(task, use);
    if (why.empty()) return;
    const char* hint =
        use == inference::TaskUse::kFindEntities ? " (hint: signal_tasks: {pii: none} takes patterns alone)" : "";
    if (parts_.signals.answers_errors(id)) {
      lines_.push_back(probe_.subject(id) + ": " + why + "; its on_error answers every time");
    } else if (lenient_) {
      lines_.push_back(probe_.subject(id) + ": " + why + "; requests that need it fail");
    } else {
      fail(Status::kNotFound, probe_.subject(id), ": ", why, hint);
    }
  }
  void check_answers(const std::string& subject, const std::string& task) {
    if (task.empty()) return;
    check_task(subject, task, inference::TaskUse::kClassify, "; answers that need it cannot be guarded");
  }
  // Of rules that need one: a file may list others.
  void check_completion() {
    if (parts_.options.complete) return;
    for (const uint32_t id : probe_.ids()) {
      const SignalRef& ref = probe_.ref(id);
      if (ref.type != "classifier") continue;
      for (const ClassifierRule& rule : parts_.config.signals.classifiers) {
        const auto asks = [&](const auto& question) { return question.name == ref.name; };
        if (!rule.by_llm || std::none_of(rule.questions.begin(), rule.questions.end(), asks)) continue;
        const std::string what = probe_.subject(id) + " asks a language model, and the option \"complete\" is missing";
        if (!lenient_) fail(Status::kUnsupported, what);
        lines_.push_back(what + "; requests that need it fail unless its on_error answers");
      }
    }
  }
  void check_mask(const Decision& decision) {
    if (!decision.plugins.pii_mask) return;
    const std::string subject = decision.where + ": decision \"" + decision.name + "\": plugin pii_mask";
    if (!parts_.options.make_mask) fail(Status::kUnsupported, subject, " is not run: nothing masks for this router");
    const std::string task = parts_.config.task_of("pii", "pii");
    if (task == "none") return;
    check_task(subject, task, inference::TaskUse::kFindEntities, "; requests of this decision fail");
  }
  void check_task(const std::string& subject, const std::string& task, inference::TaskUse use, const char* otherwise) {
    if (!inference_.has_models()) {
      if (seen_.emplace(task, use).second) lines_.push_back(subject + " needs a model, and " + kNoModels);
      return;
    }
    const std::string why = inference_.missing(task, use);
    if (why.empty()) return;
    if (!lenient_) fail(Status::kNotFound, subject, ": ", why);
    lines_.push_back(subject + ": " + why + otherwise);
  }
  void check_embedding(const std::string& subject) {
    check_task(subject, parts_.config.embedding_task(), inference::TaskUse::kEmbed, "; requests that need it fail");
  }

  static constexpr const char* kNoModels = "\"vsr.models\" names none: an engine must be given";
  const RouterParts& parts_;
  const inference::Inference& inference_;
  const bool lenient_;
  Probe probe_;
  std::set<std::pair<std::string, inference::TaskUse>> seen_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> check_tasks(const RouterParts& parts) { return TaskCheck(parts).run(); }

std::vector<std::string> validate_models(const RouterParts& parts) {
  std::vector<std::string> lines;
  parts.options.inference->load();
  Probe probe(parts);
  for (const uint32_t id : probe.ids()) {
    try {
      const SignalValue value = probe.evaluate(id);
      if (value.failed) lines.push_back(probe.subject(id) + " cannot answer (" + value.detail + "); its on_error does");
    } catch (const base::Error& error) {
      fail(error.status(), probe.subject(id), ": ", error.what());
    }
  }
  if (parts.cache) parts.cache->prepare();
  return lines;
}

}  // namespace vsr::routing
