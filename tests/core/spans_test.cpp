#include "core/nn/spans.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/byte_tokenizer.h"

using namespace vsr::core;
using Part = SpanLabels::Part;
using Labels = std::vector<std::string>;

namespace {

// Tokens are bytes; `best` names each token's label in order ([CLS] and [SEP] included) with the score 0.9.
std::vector<LabelledSpan> spans_of(const Labels& labels, const std::vector<size_t>& best) {
  const vsr::test::ByteTokenizer tokenizer;
  const auto sequence = tokenizer.tokenize(std::string(best.size() - 2, 'x'));
  const auto encoding = tokenizer.apply_template({&sequence, 0, sequence.ids.size()}, nullptr, true);
  std::vector<float> probs(best.size() * labels.size(), 0.01F);
  for (size_t i = 0; i < best.size(); ++i) probs[i * labels.size() + best[i]] = 0.9F;
  return find_spans(SpanLabels(labels), encoding, probs);
}

std::string text_of(const SpanLabels& labels, const std::vector<LabelledSpan>& spans) {
  std::string text;
  for (const LabelledSpan& span : spans) {
    text += (text.empty() ? "" : " ") + labels.names()[span.label] + "[" + std::to_string(span.begin) + "," +
            std::to_string(span.end) + ")";
  }
  return text;
}

std::string found(const Labels& labels, const std::vector<size_t>& best) {
  return text_of(SpanLabels(labels), spans_of(labels, best));
}

}  // namespace

TEST_CASE("spans: prefixes are read from the labels' text", "[core][spans]") {
  const SpanLabels labels({"O", "B-PER", "I-PER", "E-PER", "S-PER", "U-ORG", "L-ORG", "B-ORG", "MISC"});
  CHECK(labels.names() == Labels{"PER", "ORG", "MISC"});
  const std::vector<Part> parts{Part::kOutside, Part::kBegin, Part::kInside, Part::kEnd,  Part::kSingle,
                                Part::kSingle,  Part::kEnd,   Part::kBegin,  Part::kPlain};
  for (size_t i = 0; i < parts.size(); ++i) CHECK(labels.meaning(i).part == parts[i]);
  CHECK(labels.meaning(6).name == 1);
}

TEST_CASE("spans: a name that only looks prefixed is a name", "[core][spans]") {
  const SpanLabels labels({"E-MAIL", "S-BAHN", "B-", "X-RAY", "o"});
  CHECK(labels.names() == Labels{"E-MAIL", "S-BAHN", "B-", "X-RAY", "o"});
  for (size_t i = 0; i < labels.size(); ++i) CHECK(labels.meaning(i).part == Part::kPlain);
}

TEST_CASE("spans: of a pair the tokens of the asked side alone count", "[core][spans]") {
  const vsr::test::ByteTokenizer tokenizer;
  const auto first = tokenizer.tokenize("ab"), second = tokenizer.tokenize("cde");
  const vsr::text::SequenceView pair{&second, 0, 3};
  const auto encoding = tokenizer.apply_template({&first, 0, 2}, &pair, true);
  const SpanLabels labels({"X", "O"});
  std::vector<float> probs;  // X everywhere
  for (size_t i = 0; i < encoding.size(); ++i) probs.insert(probs.end(), {0.75F, 0.25F});
  CHECK(text_of(labels, find_spans(labels, encoding, probs, 0)) == "X[0,2)");
  CHECK(text_of(labels, find_spans(labels, encoding, probs, 1)) == "X[0,3)");
}

TEST_CASE("spans: BIO tags join a beginning with what follows inside", "[core][spans]") {
  const Labels bio{"O", "B-P", "I-P", "B-C", "I-C"};
  CHECK(found(bio, {0, 1, 2, 2, 0, 3, 0}) == "P[0,3) C[4,5)");
  CHECK(found(bio, {0, 1, 1, 2, 0}) == "P[0,1) P[1,3)");         // a beginning ends the span before it
  CHECK(found(bio, {0, 1, 4, 2, 0}) == "P[0,1) C[1,2) P[2,3)");  // a change of label does too
  CHECK(found(bio, {0, 2, 2, 0, 0}) == "P[0,2)");                // an inside without a beginning begins
  CHECK(found(bio, {0, 0, 0}).empty());
  CHECK(found(bio, {0, 0}).empty());
}

TEST_CASE("spans: BIOES and BILOU tags end where they say", "[core][spans]") {
  const Labels bioes{"O", "B-P", "I-P", "E-P", "S-P"};
  CHECK(found(bioes, {0, 1, 2, 3, 2, 0}) == "P[0,3) P[3,4)");
  CHECK(found(bioes, {0, 4, 4, 1, 0}) == "P[0,1) P[1,2) P[2,3)");
  CHECK(found(bioes, {0, 3, 3, 0}) == "P[0,1) P[1,2)");
  const Labels bilou{"O", "B-P", "I-P", "L-P", "U-P"};
  CHECK(found(bilou, {0, 1, 2, 3, 4, 0}) == "P[0,3) P[3,4)");
}

TEST_CASE("spans: plain labels join neighbours of one label", "[core][spans]") {
  CHECK(found({"email", "O", "phone"}, {1, 0, 0, 2, 2, 1, 0, 1}) == "email[0,2) phone[2,4) email[5,6)");
}

TEST_CASE("spans: what the template added is never part of one, and ends it", "[core][spans]") {
  CHECK(found({"email", "O"}, {0, 0, 0, 0}) == "email[0,2)");
  const vsr::test::ByteTokenizer tokenizer;
  const auto a = tokenizer.tokenize("a");
  const auto b = tokenizer.tokenize("b");
  const vsr::text::SequenceView pair{&b, 0, 1};
  const auto encoding = tokenizer.apply_template({&a, 0, 1}, &pair, true);
  const std::vector<float> probs{1, 0, 1, 0, 1, 0, 1, 0, 1, 0};
  for (const int32_t side : {0, 1}) {
    const auto spans = find_spans(SpanLabels({"email", "O"}), encoding, probs, side);
    REQUIRE(spans.size() == 1);  // of that side alone
    CHECK(spans[0].begin == 0);
    CHECK(spans[0].end == 1);
  }
}

TEST_CASE("spans: a span's score is the mean of its tokens' best", "[core][spans]") {
  const vsr::test::ByteTokenizer tokenizer;
  const auto sequence = tokenizer.tokenize("ab");
  const auto encoding = tokenizer.apply_template({&sequence, 0, 2}, nullptr, true);
  const std::vector<float> probs{0, 1, 0.9F, 0.1F, 0.6F, 0.4F, 0, 1};
  const auto spans = find_spans(SpanLabels({"email", "O"}), encoding, probs);
  REQUIRE(spans.size() == 1);
  CHECK(spans[0].score == Approx(0.75));
}

TEST_CASE("spans: overlapping spans of one label unite with the higher score", "[core][spans]") {
  const SpanLabels labels({"A", "B"});
  const auto united = unite_spans({{10, 14, 0.6F, 0},
                                   {0, 4, 0.7F, 0},
                                   {12, 20, 0.9F, 0},
                                   {3, 8, 0.5F, 1},
                                   {20, 22, 0.8F, 0},
                                   {0, 4, 0.8F, 0},
                                   {11, 13, 0.1F, 0}});
  CHECK(text_of(labels, united) == "A[0,4) B[3,8) A[10,20) A[20,22)");
  CHECK(united[0].score == 0.8F);
  CHECK(united[2].score == 0.9F);
  CHECK(unite_spans({}).empty());
}
