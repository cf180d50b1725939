#include <catch2/catch.hpp>

#include "models/support/golden_encoder.h"
#include "support/encoder_pass.h"

using vsr::test::check_golden;
using vsr::test::load_error;
using Config = nlohmann::json;

TEST_CASE("modernbert: hidden states equal the reference's, with new keys and all biases", "[models][modernbert]") {
  check_golden("modernbert-new-keys");
}

TEST_CASE("modernbert: hidden states equal the reference's, with old keys and an odd window", "[models][modernbert]") {
  check_golden("modernbert-old-keys");
}

TEST_CASE("modernbert: YaRN of rope_scaling turns both kinds of layer", "[models][modernbert]") {
  check_golden("modernbert-yarn");
}

TEST_CASE("modernbert: the older key \"type\" of rope_scaling means the same", "[models][modernbert]") {
  const auto ids = vsr::test::pack_ids({{1, 2, 3, 4, 5, 6, 7, 8, 9}});
  const auto named = vsr::test::load_golden("modernbert-yarn");
  const auto older = vsr::test::load_golden("modernbert-yarn", [](Config& config) {
    config["rope_scaling"]["type"] = config["rope_scaling"]["rope_type"];
    config["rope_scaling"].erase("rope_type");
  });
  const auto plain = vsr::test::load_golden("modernbert-yarn", [](Config& config) { config.erase("rope_scaling"); });
  const at::Tensor expected = vsr::test::run_encoder(*named.parts.encoder, ids);
  CHECK(vsr::test::run_encoder(*older.parts.encoder, ids).equal(expected));
  CHECK_FALSE(vsr::test::run_encoder(*plain.parts.encoder, ids).equal(expected));
}

TEST_CASE("modernbert: sequence heads equal the reference's, over the first token and over the mean",
          "[models][modernbert]") {
  check_golden("modernbert-sequence");
  check_golden("modernbert-sequence-mean");
}

TEST_CASE("modernbert: the token head equals the reference's", "[models][modernbert]") {
  check_golden("modernbert-token");
}

TEST_CASE("modernbert: a config that does not fit is named", "[models][modernbert][errors]") {
  const auto error = [](const vsr::test::ConfigEdit& edit) { return load_error("modernbert-new-keys", edit); };
  CHECK(error([](Config&) {}).empty());
  CHECK(error([](Config& c) { c["intermediate_size"] = 41; }) ==
        "model.safetensors: \"layers.0.mlp.Wi.weight\" is [80, 32], config.json needs [82, 32]");
  CHECK(error([](Config& c) {
          c["num_hidden_layers"] = 5;
          c["layer_types"].push_back("full_attention");
        }) == "model.safetensors: \"layers.4.attn.Wqkv.weight\" is missing, expected [96, 32]");
  CHECK(error([](Config& c) { c["num_hidden_layers"] = 5; }) ==
        "config.json: \"layer_types\" has 4 entries, num_hidden_layers is 5");
  CHECK(
      error([](Config& c) { c["layer_types"][2] = "chunked_attention"; }) ==
      "config.json: \"layer_types[2]\" is \"chunked_attention\", expected \"full_attention\" or \"sliding_attention\"");
  CHECK(error([](Config& c) { c["num_attention_heads"] = 3; }) ==
        "config.json: hidden_size 32 is not a multiple of num_attention_heads 3");
  CHECK(error([](Config& c) { c["norm_bias"] = false; }).find("tensors that the architecture does not have") !=
        std::string::npos);
  CHECK(error([](Config& c) { c["rope_parameters"]["full_attention"]["rope_type"] = "dynamic"; }) ==
        "config.json: rope_type \"dynamic\" is not one that vsr runs (default, linear, llama3, yarn)");
  CHECK(error([](Config& c) {
          c["rope_parameters"] = {{"rope_theta", 100.0}};
        }) == "config.json: \"rope_parameters\" has neither \"full_attention\" nor \"sliding_attention\"");
  CHECK(error([](Config& c) { c["rope_parameters"]["full_attention"]["rope_theta"] = "big"; }) ==
        "config.json: \"rope_parameters.full_attention.rope_theta\" is a string, expected a number");
  CHECK(error([](Config& c) { c["local_attention"] = 0; }) ==
        "config.json: \"local_attention\" is 0, expected at least 1");
  CHECK(error([](Config& c) { c["classifier_pooling"] = "max"; }) ==
        "config.json: classifier_pooling \"max\" is neither \"cls\" nor \"mean\"");
  CHECK(error([](Config& c) { c["architectures"] = {"ModernBertForMultipleChoice"}; }) ==
        "config.json: architecture \"ModernBertForMultipleChoice\" is not a head of ModernBERT that vsr runs");
}
