#include "routing/config/reader/router_schema.h"

#include <nlohmann/json.hpp>

#include "routing/config/reader/config_algorithm.h"
#include "routing/config/reader/config_decisions.h"
#include "routing/config/reader/config_models.h"
#include "routing/config/reader/config_plugins.h"
#include "routing/config/reader/config_projections.h"
#include "routing/config/reader/config_rules.h"
#include "routing/config/reader/config_signals.h"
#include "routing/config/reader/config_vsr.h"
#include "routing/config/signal_kind.h"

namespace vsr::routing {
namespace {

using Json = nlohmann::ordered_json;

Json of_type(const char* type) { return {{"type", type}}; }
Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }
Json reference(std::string_view name) { return {{"$ref", "#/$defs/" + std::string(name)}}; }

Json bounded(const char* type, ValueRange range) {
  Json schema = of_type(type);
  const bool integer = schema["type"] == "integer";
  const auto bound = [&](const char* key, double value) {
    if (value != value || value - value != 0) return;  // none
    integer ? schema[key] = static_cast<int64_t>(value) : schema[key] = value;
  };
  bound("minimum", range.min);
  bound("maximum", range.max);
  return schema;
}

// Writes what a description names.
class SchemaFields : public Fields {
 public:
  static Json of(const Describe& describe) {
    SchemaFields fields;
    describe(fields);
    Json schema = {{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(fields.properties_)}};
    if (!fields.required_.empty()) schema["required"] = std::move(fields.required_);
    return schema;
  }

  void text(std::string_view key, std::string&, Presence presence) override { put(key, reference("scalar"), presence); }
  void flag(std::string_view key, bool&) override { put(key, of_type("boolean")); }
  void number(std::string_view key, double&, ValueRange range, Presence presence) override {
    put(key, bounded("number", range), presence);
  }
  void integer(std::string_view key, int64_t&, ValueRange range) override { put(key, bounded("integer", range)); }
  void tokens(std::string_view key, int64_t&) override {
    put(key, {{"type", {"integer", "string"}}, {"minimum", 0}, {"pattern", "^[0-9]+[KkMm]?$"}});
  }
  void texts(std::string_view key, std::vector<std::string>&, Presence presence) override {
    put(key, list_of(reference("scalar")), presence);
  }
  void object(std::string_view key, const Describe& describe, Presence presence) override {
    put(key, of(describe), presence);
  }
  void for_people(std::string_view key) override { put(key, true); }
  void for_gateway(std::string_view key) override { put(key, {{"description", "for the gateway"}}); }
  void replaced(std::string_view key, std::string_view instead) override {
    put(key, {{"description", "has no effect: " + std::string(instead)}});
  }
  void not_run(std::string_view key, std::string_view) override {
    put(key, {{"description", "known to the form, not run by vsr"}});
  }
  void custom(std::string_view key, std::string_view schema, const std::function<void(const base::YamlNode&)>&,
              Presence presence) override {
    put(key, schema.empty() ? Json(true) : reference(schema), presence);
  }

 protected:
  void choose(std::string_view key, const std::vector<std::string_view>& names, Presence presence,
              const std::function<void(size_t)>&) override {
    put(key, {{"enum", names}}, presence);
  }
  void list(std::string_view key, Presence presence, const std::function<void()>& add,
            const Describe& describe) override {
    add();
    put(key, list_of(of(describe)), presence);
  }

 private:
  void put(std::string_view key, Json schema, Presence presence = Presence::kOptional) {
    properties_[std::string(key)] = std::move(schema);
    if (presence == Presence::kRequired) required_.push_back(std::string(key));
  }

  Json properties_ = Json::object();
  Json required_ = Json::array();
};

Json map_of(Json values) { return {{"type", "object"}, {"additionalProperties", std::move(values)}}; }

Json closed(Json properties) {
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
}

template <class T>
Json described(void (*describe)(Fields&, T&)) {
  T scratch;
  return SchemaFields::of([&](Fields& fields) { describe(fields, scratch); });
}

Json signals() {
  Json kinds = Json::object();
  for (const SignalKind& kind : kSignalKinds) {
    if (kind.section.empty()) continue;
    const SignalReader* reader = find_signal_reader(kind.type);
    kinds[std::string(kind.section)] = list_of(SchemaFields::of([&](Fields& fields) { reader->describe(fields); }));
  }
  return closed(std::move(kinds));
}

Json plugin(const PluginKind& kind) {
  Json names = {kind.type};
  for (std::string_view rest = kind.names; !rest.empty();) {
    const size_t end = rest.find(' ');
    names.push_back(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  Json configuration = {{"description", "known to the form, not run by vsr"}};
  if (kind.describe != nullptr) {
    Plugins scratch;
    configuration = SchemaFields::of([&](Fields& fields) { kind.describe(fields, scratch); });
  }
  Json schema = closed({{"type", {{"enum", std::move(names)}}}, {"configuration", std::move(configuration)}});
  schema["required"] = {"type"};
  return schema;
}

Json plugins() {
  Json kinds = Json::array();
  for (const PluginKind& kind : plugin_kinds()) kinds.push_back(plugin(kind));
  return list_of({{"anyOf", std::move(kinds)}});
}

Json rule() {
  Json leaf = SchemaFields::of(describe_leaf);
  leaf["properties"]["type"] = {{"enum", signal_types()}};
  return {{"anyOf", {std::move(leaf), SchemaFields::of(describe_group)}}};
}

Json definitions() {
  Json named = closed({{"name", reference("scalar")}, {"description", true}});
  return {{"scalar", {{"type", {"string", "number", "boolean"}}}},
          {"boolean", of_type("boolean")},
          {"sequences", list_of(list_of(reference("scalar")))},
          {"loras", list_of(std::move(named))},
          {"rule", rule()},
          {"rules", list_of(reference("rule"))},
          {"modelRefs", list_of(described(describe_model_ref))},
          {"algorithm",
           {{"type", "object"}, {"required", {"type"}}, {"properties", {{"type", {{"enum", algorithm_types()}}}}}}},
          {"plugins", plugins()},
          {"reasoning_families", map_of(described(describe_reasoning_family))}};
}

Json routing() {
  const Json decision = SchemaFields::of([](Fields& fields) {
    Decision scratch;
    describe_decision(fields, scratch, nullptr);
  });
  return closed({{"strategy", {{"enum", {"priority", "confidence"}}}},
                 {"modelCards", list_of(described(describe_card))},
                 {"signals", signals()},
                 {"projections", closed({{"partitions", list_of(described(describe_partition))},
                                         {"scores", list_of(described(describe_score))},
                                         {"mappings", list_of(described(describe_mapping))}})},
                 {"decisions", list_of(decision)}});
}

Json providers() {
  ModelCatalog scratch;
  Json defaults = SchemaFields::of([&](Fields& fields) {
    fields.text("default_model", scratch.default_model);
    describe_effort(fields, "default_reasoning_effort", scratch.default_reasoning_effort);
    fields.custom("reasoning_families", "reasoning_families", {});
  });
  return closed({{"defaults", std::move(defaults)}, {"models", list_of(described(describe_provider_model))}});
}

Json own() {
  Json properties = Json::object();
  for (const std::string_view key : vsr_keys()) properties[std::string(key)] = of_type("object");
  Json tasks = Json::object();
  for (const std::string_view kind : task_kinds()) tasks[std::string(kind)] = reference("scalar");
  properties["signal_tasks"] = closed(std::move(tasks));
  properties["cache"] = described(describe_cache);
  properties["passthrough"] = {{"enum", passthrough_names()}};
  properties["compression"] = described(describe_compression);
  properties["limits"] = described(describe_limits);
  return closed(std::move(properties));
}

}  // namespace

std::string router_schema() {
  Json schema = closed({{"version", {{"const", "v0.3"}}},
                        {"listeners", true},
                        {"providers", providers()},
                        {"routing", routing()},
                        {"global", of_type("object")},
                        {"entrypoints", of_type("array")},
                        {"recipes", of_type("array")},
                        {"vsr", own()}});
  Json whole = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Router configuration of vsr"}};
  whole.update(schema);
  whole["$defs"] = definitions();
  return whole.dump(2) + "\n";
}

}  // namespace vsr::routing
