// lora::parse_adapter_config: whatever an adapter_config.json says, names of modules can be asked about.
#include "fuzz_target.h"
#include "lora/adapter_config.h"
#include "lora/target_modules.h"

using namespace vsr;

std::vector<std::string> fuzz::seeds() {
  return {
      R"json({"peft_type": "LORA", "task_type": "SEQ_CLS", "r": 4, "lora_alpha": 8, "target_modules": ["query", "value"],
              "layers_to_transform": [1, 2], "layers_pattern": "layer", "bias": "none"})json",
      R"json({"peft_type": "LORA", "target_modules": ".*\\.layer\\.\\d+\\.(query|key)", "use_rslora": true,
              "rank_pattern": {"query": 6, "layer\\.1\\..*": 1}, "alpha_pattern": {"self.value": 12}})json",
      R"json({"peft_type": "LORA", "target_modules": ["dense"], "exclude_modules": ["layer.0"], "use_dora": true,
              "modules_to_save": ["pooler", "classifier"], "init_lora_weights": "gaussian", "lora_bias": false})json"};
}

int fuzz::runs() { return 8000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::accept_errors([&] {
    const base::JsonObject json(base::parse_json(fuzz::text_of(data, size), "adapter_config.json"));
    const lora::AdapterConfig config = lora::parse_adapter_config(json);
    fuzz::demand(config.rank > 0, "a rank is positive");
    const lora::TargetModules targets(config);
    for (const char* name : {"encoder.layer.1.attention.self.query", "bert.pooler.dense", "", ".", "classifier"}) {
      fuzz::accept_errors([&] {
        if (targets.selects(name)) fuzz::demand(!targets.is_saved_whole(name), "what is saved whole is no target");
        fuzz::demand(targets.rank(name) > 0, "the rank of a module is positive");
      });
    }
  });
  return 0;
}
