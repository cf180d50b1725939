#include "routing/intents/intents_source.h"

#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"
#include "support/temp_folder.h"

using namespace vsr::routing;
using Catch::Matchers::Equals;
using vsr::base::Error;

namespace {

IntentsSource yaml(const std::string& bytes) { return parse_intents_yaml(bytes, "i.yaml"); }
IntentsSource csv(const std::string& bytes) { return parse_intents_csv(bytes, "i.csv"); }

void rejects(IntentsSource (*parse)(const std::string&), const std::string& bytes, const std::string& message) {
  INFO(bytes);
  CHECK_THROWS_WITH(parse(bytes), Equals(message));
}

}  // namespace

TEST_CASE("intents yaml: a map of labels, with examples as a list or beside a threshold", "[routing][intents]") {
  const IntentsSource file = yaml(
      "threshold: 0.4\ntop_k: 3\nrule: best\n"
      "intents:\n  greeting: [hello, good morning]\n  weather:\n    threshold: -0.5\n    examples:\n      - rain?\n");
  CHECK(*file.threshold == 0.4f);
  CHECK(*file.top_k == 3);
  CHECK(file.rule == NeighbourRule::kBest);
  REQUIRE(file.intents.size() == 2);
  CHECK(file.intents[0].label == "greeting");
  CHECK(file.intents[0].examples == std::vector<std::string>{"hello", "good morning"});
  CHECK(!file.intents[0].threshold);
  CHECK(file.intents[1].label == "weather");
  CHECK(*file.intents[1].threshold == -0.5f);
  CHECK(file.intents[1].examples == std::vector<std::string>{"rain?"});
}

TEST_CASE("intents yaml: a list of maps with labels says the same", "[routing][intents]") {
  const IntentsSource file =
      yaml("intents:\n  - label: a\n    examples: [x]\n  - {label: b, threshold: 1, examples: [y]}\n");
  CHECK(!file.threshold);
  REQUIRE(file.intents.size() == 2);
  CHECK(file.intents[0].label == "a");
  CHECK(*file.intents[1].threshold == 1.0f);
}

TEST_CASE("intents yaml: words that YAML reads as values stay text", "[routing][intents]") {
  const IntentsSource file = yaml("intents:\n  no: [yes, 12, 1.5, true]\n");
  CHECK(file.intents[0].label == "no");
  CHECK(file.intents[0].examples == std::vector<std::string>{"yes", "12", "1.5", "true"});
}

TEST_CASE("intents yaml: every mistake is named with its line and column", "[routing][intents]") {
  rejects(yaml, "intents:\n  a: [x]\n  a: [y]\n", "i.yaml:3:3: \"a\" is given twice");
  rejects(yaml, "intents:\n  - {label: a, examples: [x]}\n  - {label: a, examples: [y]}\n",
          "i.yaml:3:13: intent \"a\" is defined twice");
  rejects(yaml, "intents:\n  a: [x, x]\n", "i.yaml:2:10: example 2 of \"a\" is already an example of \"a\": \"x\"");
  rejects(yaml, "intents:\n  a: [x]\n  b: [x]\n",
          "i.yaml:3:7: example 1 of \"b\" is already an example of \"a\": \"x\"");
  rejects(yaml, "intents: {a: [x]}\ntop-k: 3\n",
          "i.yaml:2:1: \"top-k\" is not a key of the document (did you mean \"top_k\"?)");
  rejects(yaml, "intents:\n  a:\n    label: b\n    examples: [x]\n", "i.yaml:3:5: \"label\" is not a key of \"a\"");
  rejects(yaml, "rule: vote\nrule: best\nintents: {a: [x]}\n", "i.yaml:2:1: \"rule\" is given twice");
  rejects(yaml, "rule: most\nintents: {a: [x]}\n", "i.yaml:1:7: \"rule\" is \"most\", expected vote, best or blend");
  rejects(yaml, "threshold: .nan\nintents: {a: [x]}\n", "i.yaml:1:12: \"threshold\" is \".nan\", expected a number");
  rejects(yaml, "threshold: 2\nintents: {a: [x]}\n", "i.yaml:1:12: \"threshold\" is \"2\", expected -1 to 1");
  rejects(yaml, "top_k: 0\nintents: {a: [x]}\n", "i.yaml:1:8: \"top_k\" is 0, expected 1 to 1024");
  rejects(yaml, "intents:\n  a: [x, {b: c}]\n",
          "i.yaml:2:10: example 2 of \"a\" is no text (hint: quote a text that holds \": \")");
  rejects(yaml, "intents:\n  a: [x, \"\"]\n", "i.yaml:2:10: example 2 of \"a\" is empty");
  rejects(yaml, "intents:\n  \"a\\0b\": [x]\n", "i.yaml:2:11: an intent's label holds a NUL character");
  rejects(yaml, "intents:\n  a: []\n", "i.yaml:2:6: intent \"a\" has no examples");
  rejects(yaml, "intents:\n  a: {threshold: 0.1}\n", "i.yaml:2:6: intent \"a\" has no examples");
  rejects(yaml, "intents:\n  a: hello\n", "i.yaml:2:6: intent \"a\" has no list of examples");
  rejects(yaml, "intents:\n  - examples: [x]\n", "i.yaml:2:5: \"intents[0]\" has no \"label\"");
  rejects(yaml, "intents: hello\n", "i.yaml:1:10: \"intents\" is neither a map nor a list");
  rejects(yaml, "intents: []\n", "i.yaml:1:1: no intents");
  rejects(yaml, "threshold: 0.5\n", "i.yaml:1:1: the document has no \"intents\"");
  rejects(yaml, "- a\n", "i.yaml:1:1: the file holds no map, expected one with \"intents\"");
  rejects(yaml, "", "i.yaml:1:1: the file holds no map, expected one with \"intents\"");
  rejects(yaml, "intents: {a: [x]}\n---\nintents: {b: [y]}\n", "i.yaml:2:1: a second document");
}

TEST_CASE("intents yaml: what is not YAML is an error with a place, however deep", "[routing][intents]") {
  CHECK_THROWS_AS(yaml("intents:\n  a: [x\n"), Error);
  CHECK_THROWS_AS(yaml(std::string(200000, '[')), Error);
  CHECK_THROWS_AS(yaml("]"), Error);
  CHECK_THROWS_AS(yaml("intents: {a: [x]}\n}\n"), Error);
  CHECK_THROWS_AS(yaml("intents: &a [*a]\n"), Error);
  CHECK_THROWS_AS(yaml(std::string("\xff\xfe\x00\x01intents", 11)), Error);
}

TEST_CASE("intents csv: the header names the columns, records may be quoted", "[routing][intents]") {
  const IntentsSource file =
      csv("\xEF\xBB\xBFid,label,text\r\n1,a,\"one, two\"\r\n\r\n2,b,\"a \"\"quoted\"\"\nline\"\r\n3,a,three");
  REQUIRE(file.intents.size() == 2);
  CHECK(file.intents[0].label == "a");
  CHECK(file.intents[0].examples == std::vector<std::string>{"one, two", "three"});
  CHECK(file.intents[1].examples == std::vector<std::string>{"a \"quoted\"\nline"});
}

TEST_CASE("intents csv: BANKING77's header is understood too", "[routing][intents]") {
  CHECK(csv("text,category\nx,a\n").intents[0].label == "a");
}

TEST_CASE("intents csv: every mistake is named with its line", "[routing][intents]") {
  rejects(csv, "", "i.csv: empty, expected a header with the columns text and label");
  rejects(csv, "text,label\n", "i.csv: no examples after the header");
  rejects(csv, "words,label\nx,a\n", "i.csv:1: the header names no column text");
  rejects(csv, "text,name\nx,a\n", "i.csv:1: the header names no column label, intent or category");
  rejects(csv, "text,label\nx,a,b\n", "i.csv:2: 3 columns, the header has 2 (hint: quote a text with a comma)");
  rejects(csv, "text,label\n\"x\ny\",a\nz\n", "i.csv:4: 1 column, the header has 2 (hint: quote a text with a comma)");
  rejects(csv, "text,label\n\"x,a\n", "i.csv:2: a quote is opened and never closed");
  rejects(csv, "text,label\n\"x\"y,a\n", "i.csv:2: text after a closing quote");
  rejects(csv, "text,label\n,a\n", "i.csv:2: the text is empty");
  rejects(csv, "text,label\nx, \n", "i.csv:2: the label is empty");
  rejects(csv, "text,label\nx,a\nx,b\n", "i.csv:3: the same text as in line 2");
}

TEST_CASE("intents file: the end of its name says what it is", "[routing][intents]") {
  const vsr::test::TempFolder folder;
  folder.write("i.yml", "intents: {a: [x]}\n");
  folder.write("i.csv", "text,label\nx,a\n");
  for (const char* name : {"i.yml", "i.csv"}) CHECK(read_intents_source(folder / name).intents[0].label == "a");
  CHECK_THROWS_WITH(read_intents_source("i.txt"),
                    Equals("i.txt: the name of an intents file ends in .yaml, .yml or .csv"));
  CHECK_THROWS_WITH(read_intents_source(folder / "none.yaml"), Catch::Contains("none.yaml"));
}
