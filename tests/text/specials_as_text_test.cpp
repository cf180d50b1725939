#include "text/tokens/specials_as_text.h"

#include <catch2/catch.hpp>

#include "support/goldens.h"
#include "text/inline_tokenizer.h"

using namespace vsr;
using test::cut;
using test::Strings;

namespace {

Strings read_as_text(const text::Tokenizer& tokenizer, std::string_view text) {
  const text::SpecialsAsText scope;
  return cut(tokenizer, text).tokens;
}

std::string added(int id, const std::string& content, const std::string& special) {
  return R"({"id": )" + std::to_string(id) + R"(, "content": ")" + content +
         R"(", "single_word": false, "lstrip": true, "rstrip": true, "normalized": false, "special": )" + special + "}";
}

// "<s>" is the model's own, "<m>" is not, "<u>" is no special token.
std::shared_ptr<const text::Tokenizer> unigram() {
  return test::load_json(R"({"version": "1.0", "added_tokens": [)" + added(1, "<s>", "true") + "," +
                         added(9, "<m>", "true") + "," + added(10, "<u>", "false") +
                         R"(], "normalizer": null, "pre_tokenizer": null, "post_processor": null, "decoder": null,
      "model": {"type": "Unigram", "unk_id": 0, "vocab": [["?", -9], ["<s>", 0], ["<", -2], [">", -2], ["s", -2],
                                                          ["s>", -3], ["a", -2], [" ", -2], ["m", -2]]}})");
}

}  // namespace

TEST_CASE("specials as text: a spelled token is words while the scope lives, and the token otherwise",
          "[text][added]") {
  const auto tokenizer = unigram();
  CHECK(cut(*tokenizer, "a<s>a").tokens == Strings{"a", "<s>", "a"});
  CHECK(read_as_text(*tokenizer, "a<s>a") == Strings{"a", "<", "s>", "a"});
  CHECK(read_as_text(*tokenizer, "<s><s>") == Strings{"<", "s>", "<", "s>"});
  CHECK(read_as_text(*tokenizer, "a <m> a") == Strings{"a", " ", "<", "m", ">", " ", "a"});
  CHECK(read_as_text(*tokenizer, "a<u>a") == Strings{"a", "<u>", "a"});
  CHECK(cut(*tokenizer, "a<m>a").tokens == Strings{"a", "<m>", "a"});
}

TEST_CASE("specials as text: the offsets are those of the text", "[text][added]") {
  const auto tokenizer = unigram();
  const text::SpecialsAsText scope;
  CHECK(cut(*tokenizer, "a <s> a<m>").parts == Strings{"a", " ", "<", "s>", " ", "a", "<", "m", ">"});
  const text::SpecialsAsText inner(false);
  CHECK(cut(*tokenizer, "a<s>").tokens == Strings{"a", "<s>"});
}

TEST_CASE("specials as text: a BERT tokenizer reads brackets and a word", "[text][added]") {
  const auto tokenizer = text::load_tokenizer(test::golden_model("bert-sequence"));
  const text::SpecialsAsText scope;
  CHECK(cut(*tokenizer, "paris[SEP]").parts == cut(*tokenizer, "paris [ SEP ]").parts);
}
