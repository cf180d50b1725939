// Written by tests/abi/generate.py from include/vsr; do not edit.
/* The enums of the C interface. Included by vsr/vsr.hpp. */
#ifndef VSR_HPP_ENUMS_HPP
#define VSR_HPP_ENUMS_HPP

#include "../vsr.h"

namespace vsr {

/** See VSR_FINISH_... */
enum class Finish : int32_t {
  kLength = VSR_FINISH_LENGTH, /**< max_new_tokens */
  kEos = VSR_FINISH_EOS, /**< an end-of-text token, the last of the ids */
};

/** See VSR_RULE_... */
enum class Rule : int32_t {
  kDefault = VSR_RULE_DEFAULT,
  kVote = VSR_RULE_VOTE, /**< the top_k nearest examples vote, near ones with much more weight */
  kBest = VSR_RULE_BEST, /**< the intent of the nearest example wins */
  kBlend = VSR_RULE_BLEND, /**< nearness to an intent's nearest example and to the mean of its examples count alike */
};

/** See VSR_SEVERITY_... */
enum class Severity : int32_t {
  kUnparsed = VSR_SEVERITY_UNPARSED, /**< the answer is no verdict: treat the text as unsafe */
  kSafe = VSR_SEVERITY_SAFE,
  kControversial = VSR_SEVERITY_CONTROVERSIAL,
  kUnsafe = VSR_SEVERITY_UNSAFE,
};

/** See VSR_PATH_... */
enum class Path : int32_t {
  kAuto = VSR_PATH_AUTO, /**< of a task that has both: see vsr_classify_all() */
  kStandard = VSR_PATH_STANDARD,
  kLora = VSR_PATH_LORA,
};

/** See VSR_TASK_... */
enum class TaskKind : int32_t {
  kEmbedding = VSR_TASK_EMBEDDING, /**< vectors, as vsr_embed() without options */
  kSequenceClassification = VSR_TASK_SEQUENCE_CLASSIFICATION, /**< scores, as vsr_classify() */
  kTokenClassification = VSR_TASK_TOKEN_CLASSIFICATION, /**< entities, as vsr_entities() */
};

/** See VSR_LOG_... */
enum class LogLevel : int32_t {
  kInfo = VSR_LOG_INFO,
  kWarning = VSR_LOG_WARNING,
  kError = VSR_LOG_ERROR,
};

/** See VSR_OUTCOME_... */
enum class Outcome : int32_t {
  kNone = VSR_OUTCOME_NONE,
  kForward = VSR_OUTCOME_FORWARD, /**< send vsr_decision_request() to vsr_decision_model() */
  kRespond = VSR_OUTCOME_RESPOND, /**< answer with vsr_decision_response(): the decision has an answer of its own */
  kCached = VSR_OUTCOME_CACHED, /**< answer with vsr_decision_response(): from the response cache */
  kPassthrough = VSR_OUTCOME_PASSTHROUGH, /**< the request names its model: send it as it is */
};

}  // namespace vsr

#endif
