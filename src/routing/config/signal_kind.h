// The kinds of signals, one row for each. Whoever treats kinds differently asks this table, so that a new kind cannot
// be forgotten in one place and count there as free, or as one that guards nothing. What only some layers know of a
// kind they keep in tables of their own, which are held against this one when they are compiled:
// config/reader/config_signals reads its rules, signals/kinds/signal_kinds makes its signals.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "routing/config/signal_ref.h"
#include "routing/config/signal_rules.h"

namespace vsr::routing {

struct RouterConfig;

// What the dearest rules of a kind cost. kFree signals read the request itself, kEmbedding ones compare its vector,
// kClassifier ones run a model's head.
enum class SignalCost : uint8_t { kFree, kEmbedding, kClassifier };

// To take a signal that guards for "no match" because it is not run would be unsafe.
enum class SignalPurpose : uint8_t { kTopic, kSafety };

// What leaves name.
enum class LeafForm : uint8_t {
  kName,    // a signal
  kAnswer,  // one of several answers, of which one matches at most
  kLevel,   // "<name>:<level>", of which one matches at most
  kLabel,   // "<name>:<label>"
};

struct SignalKind {
  // Cost, purpose and form are said of every kind: nothing here has a default.
  constexpr SignalKind(std::string_view its_type, std::string_view its_section, SignalCost its_cost,
                       SignalPurpose its_purpose, LeafForm its_leaves, std::string_view its_task)
      : type(its_type),
        section(its_section),
        cost(its_cost),
        purpose(its_purpose),
        leaves(its_leaves),
        task(its_task) {}
  // Follows from other signals (decision/decision_program.h), and is never evaluated itself.
  static constexpr SignalKind derived_kind(std::string_view its_type) {
    SignalKind kind(its_type, "", SignalCost::kFree, SignalPurpose::kTopic, LeafForm::kName, "");
    kind.derived = true;
    return kind;
  }

  std::string_view type;     // of leaves
  std::string_view section;  // of routing.signals; empty: its rules are elsewhere
  bool derived = false;
  SignalCost cost;
  SignalPurpose purpose;
  LeafForm leaves;
  std::string_view task = {};  // its key in vsr.signal_tasks; empty: it asks no model, or its rules name the task
};

// In the order in which a file's sections are read.
inline constexpr auto kSignalKinds = [] {
  using Cost = SignalCost;
  using Purpose = SignalPurpose;
  using Form = LeafForm;
  return std::to_array<SignalKind>({
      {"keyword", "keywords", Cost::kFree, Purpose::kTopic, Form::kName, ""},
      {"embedding", "embeddings", Cost::kEmbedding, Purpose::kTopic, Form::kName, "embedding"},
      {"intent", "intents", Cost::kEmbedding, Purpose::kTopic, Form::kName, "embedding"},
      {"domain", "domains", Cost::kClassifier, Purpose::kTopic, Form::kName, "domain"},
      {"fact_check", "fact_check", Cost::kClassifier, Purpose::kTopic, Form::kAnswer, "fact_check"},
      {"user_feedback", "user_feedbacks", Cost::kClassifier, Purpose::kTopic, Form::kName, "user_feedback"},
      {"language", "language", Cost::kFree, Purpose::kTopic, Form::kName, ""},
      {"context", "context", Cost::kFree, Purpose::kTopic, Form::kName, ""},
      {"structure", "structure", Cost::kFree, Purpose::kTopic, Form::kName, ""},
      {"complexity", "complexity", Cost::kEmbedding, Purpose::kTopic, Form::kLevel, "embedding"},
      {"authz", "role_bindings", Cost::kFree, Purpose::kSafety, Form::kName, ""},
      {"jailbreak", "jailbreak", Cost::kClassifier, Purpose::kSafety, Form::kName, "jailbreak"},
      {"pii", "pii", Cost::kClassifier, Purpose::kSafety, Form::kName, "pii"},
      {"conversation", "conversation", Cost::kFree, Purpose::kTopic, Form::kName, ""},
      {"metadata", "metadata", Cost::kFree, Purpose::kTopic, Form::kName, ""},
      {"classifier", "classifiers", Cost::kClassifier, Purpose::kSafety, Form::kLabel, ""},
      {"reask", "reasks", Cost::kEmbedding, Purpose::kTopic, Form::kName, "embedding"},
      {"preference", "preferences", Cost::kEmbedding, Purpose::kTopic, Form::kName, "embedding"},
      {"modality", "modality", Cost::kClassifier, Purpose::kTopic, Form::kAnswer, "modality"},
      {"kb", "kb", Cost::kEmbedding, Purpose::kTopic, Form::kName, "embedding"},
      {"kb_metric", "", Cost::kEmbedding, Purpose::kTopic, Form::kName, "embedding"},  // of scores alone
      {"event", "events", Cost::kFree, Purpose::kTopic, Form::kName, ""},
      SignalKind::derived_kind("projection"),
  });
}();

// Null for a type that leaves do not have.
constexpr const SignalKind* find_signal_kind(std::string_view type) {
  for (const SignalKind& kind : kSignalKinds) {
    if (kind.type == type) return &kind;
  }
  return nullptr;
}

// Which kinds a table has rows for.
constexpr bool has_section(const SignalKind& kind) { return !kind.section.empty(); }
constexpr bool is_evaluated(const SignalKind& kind) { return !kind.derived; }

// Whether a table, whose rows have a `type`, has one row of each kind of which `wanted` holds, and no other.
template <class Rows>
constexpr bool covers_signal_kinds(const Rows& rows, bool (*wanted)(const SignalKind&)) {
  const auto count = [&](std::string_view type) {
    return std::count_if(std::begin(rows), std::end(rows), [&](const auto& row) { return row.type == type; });
  };
  const auto fits = [&](const SignalKind& kind) { return count(kind.type) == (wanted(kind) ? 1 : 0); };
  return std::all_of(kSignalKinds.begin(), kSignalKinds.end(), fits) &&
         std::all_of(std::begin(rows), std::end(rows),
                     [](const auto& row) { return find_signal_kind(row.type) != nullptr; });
}

// What the signal costs that a leaf names. Throws kInternal for a type that there is not.
SignalCost signal_cost(const SignalRef& leaf, const RouterConfig& config);

}  // namespace vsr::routing
