#include <catch2/catch.hpp>

#include "models/support/golden_encoder.h"

using vsr::test::check_golden;
using vsr::test::load_error;
using Config = nlohmann::json;

TEST_CASE("qwen3: an embedding checkpoint without the prefix equals the reference's", "[models][qwen3]") {
  check_golden("qwen3-embedding");
  CHECK(vsr::test::load_golden("qwen3-embedding").parts.default_pooling == vsr::core::Pooling::kLastToken);
}

TEST_CASE("qwen3: a sharded causal LM with biases and YaRN equals the reference's", "[models][qwen3]") {
  check_golden("qwen3-causal-lm-sharded");
}

TEST_CASE("qwen3: causal sliding windows count the token itself, as in the reference", "[models][qwen3]") {
  check_golden("qwen3-sliding");
}

TEST_CASE("qwen3: the sequence head scores the last token that is no padding, as in the reference", "[models][qwen3]") {
  check_golden("qwen3-sequence");
}

TEST_CASE("qwen3: the token head and llama3 frequencies equal the reference's", "[models][qwen3]") {
  check_golden("qwen3-token");
}

TEST_CASE("qwen3: a config that does not fit is named", "[models][qwen3][errors]") {
  const auto error = [](const vsr::test::ConfigEdit& edit) { return load_error("qwen3-embedding", edit); };
  CHECK(error([](Config&) {}).empty());
  CHECK(error([](Config& c) { c["head_dim"] = 16; }) ==
        "model.safetensors: \"layers.0.self_attn.q_proj.weight\" is [48, 32], config.json needs [64, 32]");
  CHECK(error([](Config& c) { c["head_dim"] = 13; }) ==
        "config.json: head_dim 13 is odd, rotary embeddings turn pairs");
  CHECK(error([](Config& c) { c["num_key_value_heads"] = 3; }) ==
        "config.json: num_attention_heads 4 is not a multiple of num_key_value_heads 3");
  CHECK(error([](Config& c) { c["num_hidden_layers"] = 4; }) ==
        "model.safetensors: \"layers.3.input_layernorm.weight\" is missing, expected [32]");
  CHECK(error([](Config& c) { c["num_hidden_layers"] = 2; }).find("11 tensors that the architecture does not have") !=
        std::string::npos);
  CHECK(error([](Config& c) {
          c["layer_types"] = {"full_attention", "sliding_attention", "full_attention"};
        }) == "config.json: \"layer_types\" has \"sliding_attention\", but use_sliding_window is not true");
  CHECK(error([](Config& c) {
          c["rope_scaling"] = {{"rope_type", "longrope"}};
        }) == "config.json: rope_type \"longrope\" is not one that vsr runs (default, linear, llama3, yarn)");
  CHECK(error([](Config& c) {
          c["rope_scaling"] = {{"type", "linear"}};
        }) == "config.json: \"rope_scaling\" has no \"factor\", which rope_type \"linear\" needs");
  CHECK(error([](Config& c) {
          c["rope_scaling"] = {{"type", "yarn"}, {"factor", -2}};
        }) == "config.json: \"rope_scaling.factor\" is -2, expected more than 0");
  CHECK(error([](Config& c) {
          c["rope_scaling"] = {{"type", "linear"}, {"factor", 2}, {"partial_rotary_factor", 0.5}};
        }) == "config.json: \"rope_scaling.partial_rotary_factor\" is not 1, which vsr does not run");
  CHECK(error([](Config& c) { c["hidden_act"] = "mish"; }) ==
        "config.json: \"hidden_act\": activation \"mish\" is not one of vsr's");
  CHECK(error([](Config& c) { c["architectures"] = {"Qwen3ForQuestionAnswering"}; }) ==
        "config.json: architecture \"Qwen3ForQuestionAnswering\" is not a head of Qwen3 that vsr runs");
  CHECK(load_error("qwen3-sequence", [](Config& c) { c["id2label"].erase("2"); }) ==
        "model.safetensors: \"score.weight\" is [3, 32], config.json needs [2, 32]");
}
