#include <catch2/catch.hpp>

#include "models/support/golden_encoder.h"

using vsr::test::check_golden;
using vsr::test::load_error;
using Config = nlohmann::json;

TEST_CASE("gemma3: attention in both directions equals the reference's, sliding layers too", "[models][gemma3]") {
  check_golden("gemma3-bidirectional");
}

TEST_CASE("gemma3: a sharded causal LM with old keys equals the reference's", "[models][gemma3]") {
  check_golden("gemma3-causal-sharded");
}

TEST_CASE("gemma3: the sequence head equals the reference's, with an odd window", "[models][gemma3]") {
  check_golden("gemma3-sequence");
}

TEST_CASE("gemma3: a config that does not fit is named", "[models][gemma3][errors]") {
  const auto error = [](const vsr::test::ConfigEdit& edit) { return load_error("gemma3-bidirectional", edit); };
  CHECK(error([](Config&) {}).empty());
  CHECK(error([](Config& c) { c["num_key_value_heads"] = 2; }) ==
        "model.safetensors: \"layers.0.self_attn.k_proj.weight\" is [20, 32], config.json needs [40, 32]");
  CHECK(error([](Config& c) { c["attn_logit_softcapping"] = 50.0; }) ==
        "config.json: \"attn_logit_softcapping\" is set, which vsr does not run");
  CHECK(error([](Config& c) { c["query_pre_attn_scalar"] = 0; }) ==
        "config.json: \"query_pre_attn_scalar\" is 0, expected more than 0");
  CHECK(error([](Config& c) { c["rope_parameters"]["sliding_attention"]["rope_type"] = "proportional"; }) ==
        "config.json: rope_type \"proportional\" is not one that vsr runs (default, linear, llama3, yarn)");
  CHECK(error([](Config& c) { c["architectures"] = {"Gemma3ForConditionalGeneration"}; }) ==
        "config.json: architecture \"Gemma3ForConditionalGeneration\" is not a head of Gemma 3 that vsr runs");
}
