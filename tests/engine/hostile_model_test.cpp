// Good models with one thing broken: each a status and a message that says what is wrong.
#include <catch2/catch.hpp>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "support/failure.h"
#include "support/model_copy.h"

using namespace vsr;
using base::Status;
using test::Failure;
using test::Json;
using test::ModelCopy;
using test::StoredTensors;

namespace {

Failure open_failure(const std::string& path) {
  return test::failure_of([&] { engine::Engine::open({.config_path = "", .models = {{.name = "m", .path = path}}}); });
}

struct Broken {
  const char* what;
  std::function<void(const ModelCopy&)> breakage;
  Status status;
  const char* culprit;  // part of the message
};

void check_all(const std::string& golden, const std::vector<Broken>& cases) {
  {
    const ModelCopy good(golden);
    REQUIRE(open_failure(good.path().string()) == Failure{});
  }
  for (const Broken& broken : cases) {
    const ModelCopy copy(golden);
    broken.breakage(copy);
    const Failure failure = open_failure(copy.path().string());
    INFO(broken.what << ": " << failure);
    CHECK(failure.status == broken.status);
    CHECK(failure.message.find(broken.culprit) != std::string::npos);
    CHECK(failure.message.find(copy.path().string()) != std::string::npos);
    CHECK(failure.message.find('\n') == std::string::npos);
  }
}

Broken config(const char* what, const char* key, const Json& value, const char* culprit,
              Status status = Status::kParse) {
  return {what, [=](const ModelCopy& m) { m.set("config.json", key, value); }, status, culprit};
}

Broken no_config_key(const char* key, const char* culprit) {
  return {key, [=](const ModelCopy& m) { m.edit("config.json", [&](Json& json) { json.erase(key); }); }, Status::kParse,
          culprit};
}

Broken tensors(const char* what, const std::function<void(StoredTensors&)>& change, const char* culprit,
               Status status = Status::kWeights) {
  return {what, [=](const ModelCopy& m) { m.edit_tensors(change); }, status, culprit};
}

Broken file(const char* what, const char* name, const std::string& content, const char* culprit, Status status) {
  return {what, [=](const ModelCopy& m) { m.write(name, content); }, status, culprit};
}

const char* const kWords = "bert.embeddings.word_embeddings.weight";
const char* const kLfs = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
constexpr int64_t kHuge = 1'000'000'000'000;

void as_folder(const ModelCopy& m, const char* name) {
  m.remove(name);
  std::filesystem::create_directory(m.path() / name);
}

}  // namespace

TEST_CASE("hostile models: a path that is no model's folder", "[engine][hostile]") {
  const test::TempFolder folder;
  CHECK(open_failure("") == Failure{Status::kNotFound, ": no such folder"});
  CHECK(open_failure(folder / "none") == Failure{Status::kNotFound, folder / "none: no such folder"});
  CHECK(open_failure(folder.write("file", "x")) == Failure{Status::kInvalidArgument, folder / "file: not a folder"});
  std::filesystem::create_symlink("loop", folder / "loop");
  CHECK(open_failure(folder / "loop") == Failure{Status::kIo, folder / "loop: Too many levels of symbolic links"});
  CHECK(open_failure(folder / std::string(5000, 'x')).status == Status::kIo);
  CHECK(open_failure(folder.path().string()) ==
        Failure{Status::kNotFound, folder / "config.json: No such file or directory"});
}

TEST_CASE("hostile models: types and devices that this build does not run", "[engine][hostile]") {
  const std::string path = test::source_path("tests/goldens/models/bert-embedding");
  const auto open = [&](const std::string& dtype, const std::string& device) {
    return test::failure_of([&] { engine::Engine::open({.config_path = "", .models = {{"m", path, dtype, device}}}); });
  };
  CHECK(open("float32", "cpu") == Failure{});
  CHECK(open("int4", "auto").status == Status::kUnsupported);
  CHECK(open("int4", "auto").message.find("dtype \"int4\"") == 0);
  CHECK(open("auto", "tpu").message.find("device \"tpu\"") == 0);
}

TEST_CASE("hostile models: weights that are missing, cut, or not weights", "[engine][hostile]") {
  const auto cut = [](size_t bytes) {
    return [bytes](const ModelCopy& m) {
      const std::string whole = test::read_file(m.path() / "model.safetensors");
      m.write("model.safetensors", std::string_view(whole).substr(0, bytes));
    };
  };
  const auto extended = [](const ModelCopy& m) {
    m.write("model.safetensors", test::read_file(m.path() / "model.safetensors") + "xy");
  };
  check_all(
      "bert-sequence",
      {{"no file", [](const ModelCopy& m) { m.remove("model.safetensors"); }, Status::kNotFound,
        "model.safetensors: No such file"},
       {"a folder", [](const ModelCopy& m) { as_folder(m, "model.safetensors"); }, Status::kIo,
        "model.safetensors: not a regular file"},
       {"a link to itself", [](const ModelCopy& m) { m.link("model.safetensors", "model.safetensors"); }, Status::kIo,
        "model.safetensors: Too many levels"},
       file("empty", "model.safetensors", "", "model.safetensors: 0 bytes", Status::kWeights),
       file("a Git LFS pointer", "model.safetensors", kLfs, "Git LFS pointer?", Status::kWeights),
       file("text", "model.safetensors", std::string(1000, 'x'), "model.safetensors: header of", Status::kWeights),
       {"cut in the length", cut(5), Status::kWeights, "model.safetensors: 5 bytes"},
       {"cut in the header", cut(1000), Status::kWeights, "is it truncated"},
       {"cut in the data", cut(50000), Status::kWeights, "is the file truncated?"},
       {"two bytes more", extended, Status::kWeights, "2 bytes at the end"}});
}

TEST_CASE("hostile models: tensors that do not fit the config", "[engine][hostile]") {
  const auto put = [](const char* name, auto value) {
    return [=](StoredTensors& t) { std::memcpy(t.bytes(name) + 8, &value, sizeof value); };
  };
  const auto entry = [](const char* name, const char* key, const Json& value) {
    return [=](StoredTensors& t) { t.header[name][key] = value; };
  };
  check_all(
      "bert-sequence",
      {tensors(
           "one missing", [](StoredTensors& t) { t.remove("classifier.bias"); },
           "\"classifier.bias\" is missing, expected [3]"),
       tensors(
           "no pooler", [](StoredTensors& t) { t.remove("bert.pooler.dense.weight"); },
           "\"bert.pooler.dense.weight\" is missing, expected [32, 32]"),
       tensors(
           "one too many", [](StoredTensors& t) { t.add("extra", "F32", {1}, "abcd"); }, "not have: \"extra\""),
       tensors(
           "of integers",
           [](StoredTensors& t) {
             t.remove("classifier.bias");
             t.add("classifier.bias", "I32", {3}, std::string(12, '\0'));
           },
           "\"classifier.bias\" holds integers"),
       tensors("NaN", put(kWords, std::numeric_limits<float>::quiet_NaN()), "word_embeddings.weight\" holds values"),
       tensors("infinity", put("classifier.weight", -std::numeric_limits<float>::infinity()),
               "\"classifier.weight\" holds values that are not finite"),
       tensors("transposed", entry("classifier.weight", "shape", {32, 3}), "is [32, 3], config.json needs [3, 32]"),
       tensors("flattened", entry("classifier.weight", "shape", {96}), "is [96], config.json needs [3, 32]"),
       tensors("unknown dtype", entry("classifier.weight", "dtype", "F4"), "dtype \"F4\"", Status::kUnsupported),
       tensors("half the bytes", entry("classifier.weight", "dtype", "F16"),
               "\"classifier.weight\": data_offsets span"),
       tensors("negative extent", entry("classifier.weight", "shape", {-3, -32}), "the negative extent -3"),
       tensors("overflowing extents", entry("classifier.weight", "shape", {kHuge, kHuge, kHuge}), "memory can address"),
       tensors(
           "overlapping",
           [](StoredTensors& t) {
             t.header["classifier.bias"]["data_offsets"] = {0, 12};
           },
           "overlaps the tensor before it"),
       tensors("offsets past the end", entry("classifier.bias", "data_offsets", {kHuge, kHuge + 12}),
               "\"classifier.bias\": data_offsets"),
       tensors("offsets that are text", entry("classifier.bias", "data_offsets", "0-12"), "classifier.bias.data_off")});
}

TEST_CASE("hostile models: sharded weights", "[engine][hostile]") {
  const char* index = "model.safetensors.index.json";
  const char* shard = "model-00002-of-00003.safetensors";
  const auto first_shard = [=](const std::string& to) {
    return [=](const ModelCopy& m) { m.edit(index, [&](Json& json) { json["weight_map"].begin().value() = to; }); };
  };
  check_all("bert-sequence-sharded",
            {{"a shard is missing", [=](const ModelCopy& m) { m.remove(shard); }, Status::kNotFound, shard},
             {"a shard is empty", [=](const ModelCopy& m) { m.write(shard, ""); }, Status::kWeights, shard},
             {"a shard is a folder", [=](const ModelCopy& m) { as_folder(m, shard); }, Status::kIo, shard},
             {"a path", first_shard("../x.safetensors"), Status::kParse, "expected a file of this folder"},
             {"an absolute path", first_shard("/etc/passwd"), Status::kParse, "expected a file of this folder"},
             {"the folder above", first_shard(".."), Status::kParse, "expected a file of this folder"},
             {"a shard of another name", first_shard("gone.safetensors"), Status::kNotFound, "gone.safetensors"},
             {"the wrong shard", first_shard("model-00003-of-00003.safetensors"), Status::kWeights,
              "is not in model-00003-of-00003.safetensors"},
             {"no map", [=](const ModelCopy& m) { m.write(index, "{}"); }, Status::kParse, "\"weight_map\" is missing"},
             {"the index is a Git LFS pointer", [=](const ModelCopy& m) { m.write(index, kLfs); }, Status::kParse,
              "index.json: not valid JSON at byte 0"},
             {"no index", [=](const ModelCopy& m) { m.remove(index); }, Status::kNotFound, "model.safetensors"}});
}

TEST_CASE("hostile models: a config.json that cannot be read", "[engine][hostile]") {
  check_all(
      "bert-sequence",
      {{"missing", [](const ModelCopy& m) { m.remove("config.json"); }, Status::kNotFound, "config.json: No such"},
       {"a folder", [](const ModelCopy& m) { as_folder(m, "config.json"); }, Status::kIo, "config.json: not a reg"},
       {"a link to itself", [](const ModelCopy& m) { m.link("config.json", "config.json"); }, Status::kIo,
        "config.json: Too many levels"},
       file("empty", "config.json", "", "config.json: empty, expected JSON", Status::kParse),
       file("a Git LFS pointer", "config.json", kLfs, "config.json: not valid JSON at byte 0", Status::kParse),
       file("a list", "config.json", "[]", "config.json: the document is an array", Status::kParse),
       file("nested too deep", "config.json", "{\"a\":" + std::string(100000, '['), "nested deeper", Status::kParse),
       file("a key twice", "config.json", R"({"model_type": "bert", "model_type": "bert"})",
            "\"model_type\" is given twice", Status::kParse),
       file("not UTF-8", "config.json", "{\"a\": \"\xFF\"}", "config.json: not valid JSON", Status::kParse)});
}

TEST_CASE("hostile models: config keys that are missing, of a wrong type or absurd", "[engine][hostile]") {
  const auto no_labels = [](const ModelCopy& m) {
    m.edit("config.json", [](Json& json) {
      json.erase("id2label");
      json["num_labels"] = kHuge;
    });
  };
  check_all(
      "bert-sequence",
      {no_config_key("model_type", "\"model_type\" is missing"),
       no_config_key("hidden_size", "\"hidden_size\" is missing"),
       no_config_key("num_hidden_layers", "\"num_hidden_layers\" is missing"),
       no_config_key("max_position_embeddings", "\"max_position_embeddings\" is missing"),
       config("another model_type", "model_type", "bart", "model_type \"bart\"", Status::kUnsupported),
       config("a number as model_type", "model_type", 7, "\"model_type\" is an integer, expected a string"),
       config("another head", "architectures", {"BertForQuestionAnswering"}, "\"BertForQuestionAnswering\"",
              Status::kUnsupported),
       config("architectures is text", "architectures", "Bert", "\"architectures\" is a string, expected an array"),
       config("hidden_size is text", "hidden_size", "32", "\"hidden_size\" is a string, expected an integer"),
       config("hidden_size is null", "hidden_size", nullptr, "\"hidden_size\" is null, expected an integer"),
       config("hidden_size 0", "hidden_size", 0, "\"hidden_size\" is 0, expected at least 1"),
       config("hidden_size -32", "hidden_size", -32, "\"hidden_size\" is -32"),
       config("hidden_size 32.5", "hidden_size", 32.5, "\"hidden_size\" is a fractional number"),
       config("hidden_size 1e30", "hidden_size", 1e30, "\"hidden_size\" is a fractional number"),
       config("hidden_size 2^64-1", "hidden_size", UINT64_MAX, "\"hidden_size\" is 18446744073709551615, the longest"),
       config("hidden_size 10^12", "hidden_size", kHuge,
              "\"hidden_size\" is 1000000000000, the longest side of any tensor is 166"),
       config("hidden_size 33", "hidden_size", 33, "hidden_size 33 is not a multiple of num_attention_heads 4"),
       config("5 heads", "num_attention_heads", 5, "hidden_size 32 is not a multiple of num_attention_heads 5"),
       config("10^12 heads", "num_attention_heads", kHuge, "\"num_attention_heads\" is 1000000000000, the longest"),
       config("no heads", "num_attention_heads", 0, "\"num_attention_heads\" is 0"),
       config("no layers", "num_hidden_layers", 0, "\"num_hidden_layers\" is 0"),
       config("a layer less", "num_hidden_layers", 1, "\"bert.encoder.layer.1.", Status::kWeights),
       config("a layer more", "num_hidden_layers", 3, "\"bert.encoder.layer.2.", Status::kWeights),
       config("10^12 layers", "num_hidden_layers", kHuge, "\"num_hidden_layers\" is 1000000000000, the weights have"),
       config("10^12 words", "vocab_size", kHuge, "\"vocab_size\" is 1000000000000, the longest side"),
       config("a word less", "vocab_size", 165, "config.json needs [165, 32]", Status::kWeights),
       config("10^12 positions", "max_position_embeddings", kHuge, "\"max_position_embeddings\" is 1000000000000"),
       config("10^6 positions", "max_position_embeddings", 1'000'000, "position_embeddings", Status::kWeights),
       config("10^12 inner", "intermediate_size", kHuge, "\"intermediate_size\" is 1000000000000, the longest side"),
       config("an inner more", "intermediate_size", 65, "intermediate.dense.weight", Status::kWeights),
       config("no types", "type_vocab_size", 0, "\"type_vocab_size\" is 0"),
       config("one type", "type_vocab_size", 1, "token_type_embeddings", Status::kWeights),
       config("negative eps", "layer_norm_eps", -1e-5, "\"layer_norm_eps\" is negative"),
       config("eps is text", "layer_norm_eps", "1e-12", "\"layer_norm_eps\" is a string, expected a number"),
       config("unknown activation", "hidden_act", "mish", "activation \"mish\"", Status::kUnsupported),
       config("relative positions", "position_embedding_type", "relative_key", "relative_key", Status::kUnsupported),
       config("a decoder", "is_decoder", true, "is_decoder is true", Status::kUnsupported),
       config("is_decoder is text", "is_decoder", "no", "\"is_decoder\" is a string, expected true or false"),
       config("a gap in id2label", "id2label", {{"0", "a"}, {"2", "b"}, {"3", "c"}}, "none for id 1"),
       config("ids from 1", "id2label", {{"1", "a"}, {"2", "b"}, {"3", "c"}}, "none for id 0"),
       config("an id that is no number", "id2label", {{"0", "a"}, {"x", "b"}}, "none for id 1"),
       config("no label", "id2label", Json::object(), "\"id2label\" is empty"),
       config("a label too many", "id2label", {{"0", "a"}, {"1", "b"}, {"2", "c"}, {"3", "d"}},
              "\"classifier.weight\" is [3, 32], config.json needs [4, 32]", Status::kWeights),
       config("labels that are numbers", "id2label", {{"0", 1}}, "\"id2label.0\" is an integer, expected a string"),
       config("labels in a list", "id2label", {"a", "b", "c"}, "\"id2label\" is an array, expected an object"),
       config("problem_type 3", "problem_type", 3, "\"problem_type\" is an integer, expected a string"),
       {"10^12 labels", no_labels, Status::kParse, "\"num_labels\" is 1000000000000, the longest side"}});
}

TEST_CASE("hostile models: tokenizers that do not fit the model, or are none", "[engine][hostile]") {
  const auto limit = [](const Json& value) {
    return [=](const ModelCopy& m) { m.set("tokenizer_config.json", "model_max_length", value); };
  };
  const auto vocab = [](const char* token, const Json& id) {
    return
        [=](const ModelCopy& m) { m.edit("tokenizer.json", [&](Json& json) { json["model"]["vocab"][token] = id; }); };
  };
  const auto added = [](const Json& id) {
    return [=](const ModelCopy& m) {
      m.edit("tokenizer.json", [&](Json& json) {
        json["added_tokens"].push_back({{"id", id},
                                        {"content", "<new>"},
                                        {"special", true},
                                        {"single_word", false},
                                        {"lstrip", false},
                                        {"rstrip", false},
                                        {"normalized", false}});
      });
    };
  };
  check_all("bert-sequence",
            {{"none", [](const ModelCopy& m) { m.remove("tokenizer.json"); }, Status::kNotFound,
              "no tokenizer.json, vocab.txt or sentencepiece model"},
             {"a link to itself", [](const ModelCopy& m) { m.link("tokenizer.json", "tokenizer.json"); }, Status::kIo,
              "tokenizer.json: Too many levels"},
             {"a link to nothing", [](const ModelCopy& m) { m.link("tokenizer.json", "gone"); }, Status::kNotFound,
              "tokenizer.json: No such file"},
             file("empty", "tokenizer.json", "", "tokenizer.json: empty", Status::kParse),
             file("a Git LFS pointer", "tokenizer.json", kLfs, "tokenizer.json: not valid JSON", Status::kParse),
             file("without a model", "tokenizer.json", "{}", "\"model\" is missing", Status::kParse),
             {"a word beyond the embedding", vocab("new", 166), Status::kParse,
              "the tokenizer has 167 ids, config.json's vocab_size is 166"},
             {"a huge id", vocab("new", INT32_MAX), Status::kParse, "tokenizer"},
             {"an id beyond 32 bits", vocab("new", kHuge), Status::kParse, "tokenizer.json"},
             {"a negative id", vocab("new", -1), Status::kParse, "tokenizer.json"},
             {"an id that is text", vocab("new", "5"), Status::kParse, "tokenizer.json"},
             {"an added token beyond the embedding", added(166), Status::kParse, "the tokenizer has 167 ids"},
             {"an added token with a huge id", added(INT32_MAX), Status::kParse, "tokenizer"},
             {"an added token with a negative id", added(-5), Status::kParse, "tokenizer.json"},
             {"no room for text", limit(2), Status::kParse, "a limit of 2 tokens has no room"},
             {"a limit of 0", limit(0), Status::kParse, "\"model_max_length\" is below 1"},
             {"a negative limit", limit(-1), Status::kParse, "\"model_max_length\" is below 1"},
             {"a limit that is text", limit("512"), Status::kParse, "\"model_max_length\" is a string"},
             file("a broken tokenizer_config", "tokenizer_config.json", "{", "tokenizer_config.json: not valid JSON",
                  Status::kParse)});
}

TEST_CASE("hostile models: sentence-transformers' files", "[engine][hostile]") {
  const auto module = [](size_t index, const char* key, const Json& value) {
    return [=](const ModelCopy& m) { m.edit("modules.json", [&](Json& json) { json[index][key] = value; }); };
  };
  const auto pooling = [](const char* key, const Json& value) {
    return [=](const ModelCopy& m) { m.set("1_Pooling/config.json", key, value); };
  };
  const auto sentence = [](const char* key, const Json& value) {
    return [=](const ModelCopy& m) { m.set("sentence_bert_config.json", key, value); };
  };
  const auto prompts = [](const char* key, const Json& value) {
    return [=](const ModelCopy& m) { m.set("config_sentence_transformers.json", key, value); };
  };
  check_all(
      "bert-embedding",
      {file("no list", "modules.json", "{}", "modules.json: the document is an object", Status::kParse),
       file("an empty list", "modules.json", "[]", "modules.json: lists no module", Status::kParse),
       {"a link to nothing", [](const ModelCopy& m) { m.link("modules.json", "gone"); }, Status::kNotFound,
        "modules.json: No such file"},
       {"a path upwards", module(1, "path", "../1_Pooling"), Status::kParse, "\"[1].path\" leads out of"},
       {"an absolute path", module(1, "path", "/etc"), Status::kParse, "\"[1].path\" leads out of"},
       {"a path up in the middle", module(1, "path", "1_Pooling/../../x"), Status::kParse, "\"[1].path\" leads out of"},
       {"no type", module(1, "type", nullptr), Status::kParse, "\"[1].type\" is null"},
       {"an unknown module", module(1, "type", "sentence_transformers.models.LSTM"), Status::kUnsupported,
        "models.LSTM\", a module that vsr does not run"},
       {"two transformers", module(1, "type", "sentence_transformers.models.Transformer"), Status::kUnsupported,
        "\"[1].type\" is \"Transformer\", expected one Transformer, and it first"},
       {"no transformer", module(0, "type", "sentence_transformers.models.Pooling"), Status::kUnsupported,
        "expected one Transformer"},
       {"no pooling", module(1, "type", "sentence_transformers.models.Normalize"), Status::kUnsupported, "Normalize"},
       {"pooling last", module(2, "type", "sentence_transformers.models.Pooling"), Status::kNotFound, "2_Normalize"},
       {"no pooling config", [](const ModelCopy& m) { m.remove("1_Pooling"); }, Status::kNotFound, "1_Pooling/config"},
       {"another width", pooling("word_embedding_dimension", 384), Status::kParse,
        "\"word_embedding_dimension\" is not the encoder's hidden_size 32"},
       {"no mode", pooling("pooling_mode_mean_tokens", false), Status::kParse, "no pooling_mode is chosen"},
       {"an unknown mode", pooling("pooling_mode", "first"), Status::kUnsupported, "pooling \"first\""},
       {"a weighted mode", pooling("pooling_mode_weightedmean_tokens", true), Status::kUnsupported, "weightedmean"},
       {"a mode that is a number", pooling("pooling_mode_cls_token", 1), Status::kParse, "expected true or false"},
       {"max_seq_length 0", sentence("max_seq_length", 0), Status::kParse, "\"max_seq_length\" is 0"},
       {"max_seq_length 10^12", sentence("max_seq_length", kHuge), Status::kParse,
        "\"max_seq_length\" is 1000000000000"},
       {"max_seq_length is text", sentence("max_seq_length", "24"), Status::kParse, "\"max_seq_length\" is a string"},
       {"max_seq_length 2", sentence("max_seq_length", 2), Status::kParse, "a limit of 2 tokens has no room"},
       {"lower-casing beside the tokenizer", sentence("do_lower_case", true), Status::kUnsupported, "do_lower_case"},
       {"an unknown default prompt", prompts("default_prompt_name", "none"), Status::kParse, "default_prompt_name"},
       {"a prompt that is a number", prompts("prompts", {{"query", 3}}), Status::kParse, "\"prompts.query\" is an int"},
       {"prompts in a list", prompts("prompts", {"query"}), Status::kParse, "\"prompts\" is an array"}});
}

TEST_CASE("hostile models: nothing is sized by a count that the weights do not bear out", "[engine][hostile]") {
  // Each took time or memory in proportion before a tensor was asked for.
  for (const char* golden : {"bert-sequence", "modernbert-sequence", "gemma3-generate", "qwen3-generate"}) {
    for (const char* key :
         {"num_hidden_layers", "num_attention_heads", "num_key_value_heads", "hidden_size", "head_dim", "vocab_size",
          "intermediate_size", "max_position_embeddings", "sliding_window", "local_attention", "num_labels"}) {
      for (const int64_t count : {int64_t{9'000'000'000'000'000'000}, int64_t{2'200'000'000}}) {
        const ModelCopy copy(golden);
        copy.set("config.json", key, count);
        const Failure failure = open_failure(copy.path().string());
        INFO(golden << ": " << failure);
        CHECK(failure.status == Status::kParse);
        CHECK(failure.message.starts_with((copy / "config.json") + ": \"" + key + "\" is " + std::to_string(count)));
      }
    }
  }
  // A tensor that holds nothing may have any sides; labels are counted by them.
  check_all("bert-sequence", {tensors(
                                 "an empty tensor with a huge side",
                                 [](StoredTensors& t) {
                                   t.add("x", "F32", {2'200'000'000, 0}, "");
                                 },
                                 "shape has the side 2200000000")});
}

TEST_CASE("hostile models: a tokenizer's types are the model's", "[engine][hostile]") {
  const auto type_id = [](int64_t value) {
    return [=](const ModelCopy& m) {
      m.edit("tokenizer.json", [&](Json& json) { json["post_processor"]["single"][1]["Sequence"]["type_id"] = value; });
    };
  };
  check_all(
      "bert-sequence",
      {{"a negative type", type_id(-1), Status::kParse, "type_id\" is -1, expected 0 or more"},
       {"a type too many", type_id(2), Status::kParse, "gives the token type id 2, config.json's type_vocab_size is 2"},
       {"the largest type", type_id(INT32_MAX), Status::kParse, "gives the token type id 2147483647"}});
}

TEST_CASE("hostile models: modules that say the same again and again", "[engine][hostile]") {
  const auto many = [](const ModelCopy& m) {
    m.edit("modules.json", [](Json& json) {
      for (int i = 0; i < 200; ++i) json.push_back(json[1]);
    });
  };
  check_all("bert-embedding", {{"200 modules", many, Status::kParse, "lists more than 100 modules"},
                               {"a pooling twice",
                                [](const ModelCopy& m) {
                                  m.set("1_Pooling/config.json", "pooling_mode", {"mean", "cls", "mean"});
                                },
                                Status::kParse, "pooling_mode \"mean\" is given twice"}});
}

TEST_CASE("hostile models: weights so large that the forward pass overflows are an error, not a score",
          "[engine][hostile]") {
  const ModelCopy copy("bert-sequence");
  copy.edit_tensors([](StoredTensors& t) {
    std::vector<float> huge(32 * 32, 3e38F);
    std::memcpy(t.bytes("bert.pooler.dense.weight"), huge.data(), huge.size() * 4);
    huge.resize(3 * 32);
    std::memcpy(t.bytes("classifier.weight"), huge.data(), huge.size() * 4);
  });
  const auto engine = engine::Engine::open({.config_path = "", .models = {{.name = "m", .path = copy.path()}}});
  const engine::TextPair text{"hello", std::nullopt};
  const Failure failure = test::failure_of([&] { engine->classify({&text, 1}, {}); });
  CHECK(failure.status == Status::kWeights);
  CHECK(failure.message.find(copy.path().string() + ": the forward pass gives values that are not finite") == 0);
}
