#include "engine/describe.h"

#include <nlohmann/json.hpp>

#include "engine/selection.h"

namespace vsr::engine {
namespace {

using Json = nlohmann::ordered_json;

Json describe_attention(const core::EncoderInfo& info) {
  Json kinds = Json::array();
  for (const core::AttentionInfo& kind : info.attention) {
    Json entry{{"type", kind.type}, {"layers", kind.layers}, {"causal", kind.causal}};
    if (kind.window) entry["window"] = *kind.window;
    if (kind.rope) {
      entry["rope"] = {{"type", kind.rope->type}, {"theta", kind.rope->theta}, {"factor", kind.rope->factor}};
    }
    kinds.push_back(entry);
  }
  return kinds;
}

Json describe_embedding(const LoadedModel& model) {
  Json prompts = Json::object();
  for (const auto& [name, text] : model.prompts.by_name) prompts[name] = text;
  return {{"pooling", model.embedding->pooling_name()},
          {"normalize", model.embedding->normalizes(true)},
          {"dim", model.embedding->dim()},
          {"matryoshka_dims", model.traits.matryoshka_dims},
          {"modules", model.embedding->modules()},
          {"include_prompt", model.embedding->include_prompt()},
          {"default_prompt", model.prompts.default_name ? Json(*model.prompts.default_name) : Json()},
          {"prompts", prompts},
          {"quality", quality_of(model)},
          {"languages", model.traits.languages}};
}

Json describe_heads(const LoadedModel& model) {
  Json heads = Json::array();
  for (const Task& task : tasks_of(std::shared_ptr<const LoadedModel>(std::shared_ptr<void>(), &model))) {
    if (task.kind == TaskKind::kEmbedding || task.kind == TaskKind::kGeneration) continue;
    heads.push_back({{"task", task.name},
                     {"kind", task_kind_name(task.kind)},
                     {"labels", model.labels.names},
                     {"multi_label", model.labels.multi_label}});
  }
  return heads;
}

Json describe_model(const LoadedModel& model) {
  const core::EncoderInfo& info = model.encoder->info();
  return {{"name", model.name},
          {"path", model.path},
          {"architecture", model.architecture},
          {"layers", info.num_hidden_layers},
          {"hidden_size", info.hidden_size},
          {"attention_heads", info.num_attention_heads},
          {"key_value_heads", info.num_key_value_heads},
          {"head_dim", info.head_dim},
          {"attention", describe_attention(info)},
          {"intermediate_size", info.intermediate_size},
          {"vocab_size", info.vocab_size},
          {"max_tokens", model.max_tokens},
          {"max_tokens_source", model.max_tokens_source},
          {"dtype", model.dtype},
          {"device", model.device},
          {"parameters", model.parameters},
          {"bytes_in_memory", model.bytes_in_memory},
          {"tokenizer", model.tokenizer->kind()},
          {"embedding", describe_embedding(model)},
          {"heads", describe_heads(model)}};
}

Json describe_adapter(const LoadedAdapter& loaded) {
  const lora::Adapter& adapter = *loaded.adapter;
  return {{"name", adapter.name},
          {"path", adapter.path},
          {"model", loaded.model->name},
          {"kind", task_kind_name(task_of(loaded.model, loaded.adapter).kind)},
          {"labels", adapter.labels.names},
          {"multi_label", adapter.labels.multi_label},
          {"rank", adapter.rank},
          {"first_layer", adapter.first_block},
          {"parameters", adapter.parameters},
          {"head_parameters", adapter.head_parameters},
          {"bytes_in_memory", adapter.bytes_in_memory}};
}

Json describe_queue(const QueueState& queue) {
  return {{"calls", queue.calls},
          {"tokens", queue.tokens},
          {"max_calls", queue.limits.calls},
          {"max_tokens", queue.limits.tokens},
          {"accepted", queue.accepted},
          {"rejected", queue.rejected},
          {"cancelled", queue.cancelled},
          {"late", queue.late}};
}

// Of the process: all engines compute on the same threads.
Json describe_compute(const core::PoolState& pool) {
  return {{"threads", pool.threads},
          {"busy_threads", pool.busy_threads},
          {"waiting_calls", pool.waiting_works},
          {"waiting_tokens", pool.waiting_tokens},
          {"batches", pool.batches},
          {"batched_calls", pool.works},
          {"sequences", pool.items},
          {"tokens", pool.tokens}};
}

}  // namespace

std::string describe_json(const std::vector<std::shared_ptr<const LoadedModel>>& models, const TaskTable& table,
                          const QueueState& queue) {
  Json root{{"models", Json::array()}, {"adapters", Json::array()}, {"tasks", Json::array()}};
  for (const auto& model : models) root["models"].push_back(describe_model(*model));
  for (const LoadedAdapter& loaded : table.adapters) root["adapters"].push_back(describe_adapter(loaded));
  for (const Task& task : table.tasks) {
    Json entry{{"name", task.name}, {"kind", task_kind_name(task.kind)}, {"model", task.model->name}};
    entry["path"] = task_path_name(task.path());
    if (task.adapter) entry["adapter"] = task.adapter->name;
    root["tasks"].push_back(entry);
  }
  root["queue"] = describe_queue(queue);
  root["compute"] = describe_compute(models.front()->compute().state());
  // Names and paths come from outside and need not be UTF-8.
  return root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vsr::engine
