/* From a routing decision to the guard of the answer: what the plugins hallucination and response_jailbreak ask for. */
#ifndef VSR_ANSWER_H
#define VSR_ANSWER_H

#include "guard.h"
#include "router.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a decision asks of the answer. Borrowed from the decision, strings and pointers too. An action is the word of the
 * config: "none", "header", "body" or "block"; no text: the decision does not have the plugin. */
typedef struct vsr_answer_policy {
  uint32_t struct_size;           /**< bytes that the library filled */
  int32_t include_details;        /**< 1: the config's include_hallucination_details */
  const vsr_guard_options *guard; /**< for vsr_guard_create(): policies by the actions ("none" observes, "header"
                                       annotates, "body" warns, "block" terminates), tasks, thresholds, the question */
  const vsr_facts_options *facts; /**< for vsr_router_facts() */
  const vsr_str *sources;         /**< the request's tool results: facts, where the gateway pins no others */
  size_t source_count;
  vsr_str hallucination_action;
  vsr_str unverified_action; /**< the gateway's, where there are no facts to hold the answer against */
  vsr_str jailbreak_action;
} vsr_answer_policy;

/** What the decision asks of the answer; NULL: nothing, or there is no answer of a model to come (it is the decision's own,
 * or from the cache, where what vsr_router_store() is given is what left the guard). Borrowed until `decision` is freed.
 * @since 0.2
 * Thread-safe. */
VSR_API const vsr_answer_policy *vsr_decision_answer_policy(const vsr_decision *decision);

/**
 * Reads facts, as vsr_facts_create() does, over the models that answer the router's signals.
 *
 * @param texts  Copied.
 * @param options  NULL for defaults.
 * @param out_facts  Caller frees with vsr_facts_free().
 * @return As vsr_facts_create().
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_router_facts(const vsr_router *router, const vsr_str *texts, size_t text_count,
                                    const vsr_facts_options *options, vsr_facts **out_facts, vsr_error *error);

/**
 * Begins to guard the answer to a routed request, as its decision asks for.
 *
 * @param decision  One with vsr_decision_answer_policy().
 * @param facts  What the answer is held against; NULL: the policy's `sources`. Where there are none either, claims are not
 *   held against anything, and `unverified_action` is the gateway's to do.
 * @param out_guard  Caller frees with vsr_guard_free().
 * @return As vsr_facts_create() and vsr_guard_create(); VSR_ERR_STATE: the decision asks for no guard.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_router_guard(const vsr_router *router, const vsr_decision *decision, const vsr_facts *facts,
                                    vsr_guard **out_guard, vsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
