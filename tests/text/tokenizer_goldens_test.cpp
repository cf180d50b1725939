// Real tokenizers against what Hugging Face made of the same texts (tests/goldens/make_tokenizer_goldens.py), and
// against the fixtures of llama.cpp.

#include <catch2/catch.hpp>
#include <cinttypes>
#include <cstdio>
#include <sstream>

#include "base/json.h"
#include "support/data.h"
#include "support/temp_folder.h"
#include "text/load_tokenizer.h"

using namespace vsr;

namespace {

class Digest {
 public:
  void add(uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) {
      value_ = (value_ ^ (value >> shift & 0xFF)) * 0x100000001B3;
    }
  }
  std::string text() const {
    char digits[17];
    std::snprintf(digits, sizeof(digits), "%016" PRIx64, value_);
    return digits;
  }

 private:
  uint64_t value_ = 0xCBF29CE484222325;
};

std::vector<std::string> naughty_strings(const std::string& path) {
  return base::parse_json(test::read_file(path), path).as<std::vector<std::string>>();
}

std::vector<std::string> declarations(const std::string& path) {
  std::istringstream lines(test::read_file(path));
  std::vector<std::string> texts;
  for (std::string line; std::getline(lines, line);) {
    texts.push_back(base::JsonObject(base::parse_json(line, path)).required<std::string>("text"));
  }
  return texts;
}

void check(const text::Tokenizer& tokenizer, const std::vector<std::string>& texts, const base::JsonObject& golden) {
  Digest digest;
  int64_t tokens = 0;
  for (const std::string& text : texts) {
    const text::TokenSequence sequence = tokenizer.tokenize(text);
    for (size_t i = 0; i < sequence.ids.size(); ++i) {
      digest.add(static_cast<uint32_t>(sequence.ids[i]));
      digest.add(static_cast<uint32_t>(sequence.offsets[i].begin));
      digest.add(static_cast<uint32_t>(sequence.offsets[i].end));
    }
    tokens += static_cast<int64_t>(sequence.ids.size());
  }
  CHECK(tokens == golden.required<int64_t>("tokens"));
  CHECK(digest.text() == golden.required<std::string>("digest"));
}

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t at = text.find(separator); at != std::string::npos; at = text.find(separator, begin)) {
    parts.push_back(text.substr(begin, at - begin));
    begin = at + separator.size();
  }
  parts.push_back(text.substr(begin));
  return parts;
}

void check_fixtures(const std::string& tokenizer_folder, const std::string& name) {
  const auto folder = test::shared_data("tokenizers/" + tokenizer_folder);
  const auto inputs = test::shared_data("tokenizers/llama.cpp/" + name + ".inp");
  const auto outputs = test::shared_data("tokenizers/llama.cpp/" + name + ".out");
  if (!folder || !inputs || !outputs) return;
  const auto tokenizer = text::load_tokenizer(*folder);
  std::vector<std::string> texts = split(test::read_file(*inputs), "\n__ggml_vocab_test__\n");
  texts.pop_back();  // a separator ends each text
  std::istringstream lines(test::read_file(*outputs));
  for (const std::string& text : texts) {
    std::string line;
    REQUIRE(std::getline(lines, line));
    std::istringstream numbers(line);
    std::vector<int32_t> expected;
    for (int32_t id = 0; numbers >> id;) expected.push_back(id);
    INFO(text);
    CHECK(tokenizer->tokenize(text).ids == expected);
  }
}

}  // namespace

TEST_CASE("tokenizer goldens: released tokenizers give Hugging Face's ids and offsets", "[text][goldens]") {
  const auto blns = test::shared_data("texts/blns.json");
  const auto udhr = test::shared_data("texts/udhr.jsonl");
  if (!blns || !udhr) return;
  const std::vector<std::string> naughty = naughty_strings(*blns), declared = declarations(*udhr);
  const base::JsonObject goldens = base::read_json_file(test::source_path("tests/goldens/tokenizers.json"));
  for (const std::string& name : goldens.keys()) {
    const auto folder = test::shared_data("tokenizers/" + name);
    if (!folder) continue;
    INFO(name);
    const auto tokenizer = text::load_tokenizer(*folder);
    const base::JsonObject golden = goldens.required<base::JsonObject>(name);
    check(*tokenizer, naughty, golden.required<base::JsonObject>("blns"));
    check(*tokenizer, declared, golden.required<base::JsonObject>("udhr"));
  }
}

TEST_CASE("tokenizer goldens: llama.cpp's fixtures for Qwen2 and BERT", "[text][goldens]") {
  check_fixtures("qwen3", "qwen2");
  check_fixtures("bert-base-uncased", "bert-bge");
}
