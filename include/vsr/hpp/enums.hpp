// Written by tests/abi/generate.py from include/vsr; do not edit.
/* The enums of the C interface. Included by vsr/vsr.hpp. */
#ifndef VSR_HPP_ENUMS_HPP
#define VSR_HPP_ENUMS_HPP

#include "../vsr.h"

namespace vsr {

/** See VSR_POLICY_... */
enum class Policy : int32_t {
  kObserve = VSR_POLICY_OBSERVE, /**< nothing: events alone */
  kAnnotate = VSR_POLICY_ANNOTATE, /**< an extra event `vsr.guard`, and a summary before the end, where the format allows it */
  kWarn = VSR_POLICY_WARN, /**< a marker after the claim */
  kReplace = VSR_POLICY_REPLACE, /**< another text in its place; claims are held */
  kTerminate = VSR_POLICY_TERMINATE, /**< the answer ends, as if the server's own filter had stopped it */
};

/** See VSR_STREAM_... */
enum class StreamFormat : int32_t {
  kAuto = VSR_STREAM_AUTO, /**< by the first bytes */
  kSse = VSR_STREAM_SSE, /**< server-sent events: OpenAI's chat, completions, Responses; Anthropic's messages */
  kText = VSR_STREAM_TEXT, /**< plain text */
  kJson = VSR_STREAM_JSON, /**< one JSON object, an answer that is no stream; checked when it is whole */
};

/** See VSR_GUARD_... */
enum class GuardKind : int32_t {
  kNumber = VSR_GUARD_NUMBER,
  kDate = VSR_GUARD_DATE,
  kAmount = VSR_GUARD_AMOUNT,
  kUnit = VSR_GUARD_UNIT,
  kPercent = VSR_GUARD_PERCENT,
  kName = VSR_GUARD_NAME,
  kIdentifier = VSR_GUARD_IDENTIFIER,
  kNegation = VSR_GUARD_NEGATION,
  kContradiction = VSR_GUARD_CONTRADICTION,
  kUnsupported = VSR_GUARD_UNSUPPORTED,
  kPii = VSR_GUARD_PII,
  kJailbreak = VSR_GUARD_JAILBREAK,
};

/** See VSR_FIELD_... */
enum class AnswerField : int32_t {
  kText = VSR_FIELD_TEXT, /**< what is said; claims of it are held against the facts */
  kRefusal = VSR_FIELD_REFUSAL, /**< checked for personal data and jailbreaks alone, as are the next two */
  kReasoning = VSR_FIELD_REASONING,
  kTool = VSR_FIELD_TOOL, /**< arguments of a tool call, as their JSON is written */
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

}  // namespace vsr

#endif
