#include "facts/pii_patterns.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "support/data.h"
#include "support/temp_folder.h"

using namespace vsr::facts;

namespace {

struct Found {
  std::string type, text;
  friend bool operator==(const Found&, const Found&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Found& f) { return out << f.type << " \"" << f.text << '"'; }
};

// What scores at least 0.9.
std::vector<Found> scan(std::string_view text) {
  std::vector<Found> found;
  for (const PiiEntity& entity : scan_pii_patterns(text)) {
    if (entity.score >= 0.9)
      found.push_back({entity.type, std::string(text.substr(entity.begin, entity.end - entity.begin))});
  }
  return found;
}

using List = std::vector<Found>;

}  // namespace

TEST_CASE("pii patterns: card numbers by prefix, length and check digit", "[facts]") {
  CHECK(scan("pay 4111111111111111 now") == List{{"CREDIT_CARD", "4111111111111111"}});
  CHECK(scan("4111 1111 1111 1111") == List{{"CREDIT_CARD", "4111 1111 1111 1111"}});
  for (const char* gap : {".", "/", "_", "\t", "\n", "  ", ",", ", "}) {
    CAPTURE(gap);
    const std::string card = std::string("4111") + gap + "1111" + gap + "1111" + gap + "1111";
    CHECK(scan("pay " + card + " now") == List{{"CREDIT_CARD", card}});
  }
  CHECK(scan("4111, 1111, 1111, 1112").empty());
  CHECK(scan("3782-822463-10005") == List{{"CREDIT_CARD", "3782-822463-10005"}});
  CHECK(scan("5555555555554444") == List{{"CREDIT_CARD", "5555555555554444"}});
  CHECK(scan("卡号4111111111111111。") == List{{"CREDIT_CARD", "4111111111111111"}});
  CHECK(scan("4111111111111112").empty());     // check digit
  CHECK(scan("9111111111111111").empty());     // no network
  CHECK(scan("x4111111111111111").empty());    // part of a word
  CHECK(scan("0.4111111111111111").empty());   // a fraction
  CHECK(scan("4111-1111 1111-1111").empty());  // mixed separators
  CHECK(scan("41111111111111114111111111111111").empty());
  CHECK(scan("order 4532-1234-5678-9012").empty());  // wrong check digit, and nobody calls it a card
  CHECK(scan("my card 4532-1234-5678-9012") == List{{"CREDIT_CARD", "4532-1234-5678-9012"}});
}

TEST_CASE("pii patterns: IBANs by country, length and checksum", "[facts]") {
  CHECK(scan("IBAN: DE89370400440532013000.") == List{{"IBAN_CODE", "DE89370400440532013000"}});
  CHECK(scan("gb82 west 1234 5698 7654 32") == List{{"IBAN_CODE", "gb82 west 1234 5698 7654 32"}});
  CHECK(scan("NO93 8601 1117 947 please") == List{{"IBAN_CODE", "NO93 8601 1117 947"}});
  CHECK(scan("MT84MALT011000012345MTLCAST001S") == List{{"IBAN_CODE", "MT84MALT011000012345MTLCAST001S"}});
  CHECK(scan("DE88370400440532013000").empty());
  CHECK(scan("DE893704004405320130001").empty());
  CHECK(scan("ZZ89370400440532013000").empty());
  CHECK(scan("DE89 3704").empty());
}

TEST_CASE("pii patterns: social security numbers", "[facts]") {
  CHECK(scan("My social security number is 123-45-6789") == List{{"US_SSN", "123-45-6789"}});
  CHECK(scan("SSN for verification: 456 78 9012") == List{{"US_SSN", "456 78 9012"}});
  CHECK(scan("ssn 456789012") == List{{"US_SSN", "456789012"}});
  CHECK(scan("456 78 9012").empty());
  CHECK(scan("000-45-6789, 666-45-6789, 900-45-6789, 123-00-6789, 123-45-0000").empty());
}

TEST_CASE("pii patterns: telephone numbers", "[facts]") {
  CHECK(scan("Call me at 555-123-4567 for more") == List{{"PHONE_NUMBER", "555-123-4567"}});
  CHECK(scan("(555) 123-4567") == List{{"PHONE_NUMBER", "(555) 123-4567"}});
  CHECK(scan("555.123.4567x89") == List{{"PHONE_NUMBER", "555.123.4567x89"}});
  CHECK(scan("1-800-555-0199") == List{{"PHONE_NUMBER", "1-800-555-0199"}});
  CHECK(scan("+49 30 1234567") == List{{"PHONE_NUMBER", "+49 30 1234567"}});
  CHECK(scan("+14155550123.") == List{{"PHONE_NUMBER", "+14155550123"}});
  CHECK(scan("0041 44 668 18 00") == List{{"PHONE_NUMBER", "0041 44 668 18 00"}});
  CHECK(scan("phone: 020 7946 0958") == List{{"PHONE_NUMBER", "020 7946 0958"}});
  CHECK(scan("电话：13812345678") == List{{"PHONE_NUMBER", "13812345678"}});
  CHECK(scan("555-123-4567 555-987-6543").size() == 2);
  CHECK(scan("13812345678").empty());
  CHECK(scan("call me on 2024-01-15 or 15/01/2024").empty());
  CHECK(scan("What is 5 + 7? Or 1234 + 5678?").empty());
  CHECK(scan("1 2 3 4 5 6 7 8 9 10").empty());
}

TEST_CASE("pii patterns: e-mail addresses", "[facts]") {
  CHECK(scan("mail john.doe+x@mail.example.co.uk.") == List{{"EMAIL_ADDRESS", "john.doe+x@mail.example.co.uk"}});
  CHECK(scan("<a@b.io>") == List{{"EMAIL_ADDRESS", "a@b.io"}});
  CHECK(scan("邮箱是john@example.com谢谢") == List{{"EMAIL_ADDRESS", "john@example.com"}});
  CHECK(scan("a@b.io,c@d.org").size() == 2);
  CHECK(scan("user@localhost @decorator a@ @b.com a@b..com x@1.2").empty());
}

TEST_CASE("pii patterns: IP addresses of both versions", "[facts]") {
  CHECK(scan("The server IP is 192.168.1.100, please") == List{{"IP_ADDRESS", "192.168.1.100"}});
  CHECK(scan("ip:10.0.0.1:8080") == List{{"IP_ADDRESS", "10.0.0.1"}});
  CHECK(scan("2001:0db8:85a3:0000:0000:8a2e:0370:7334") ==
        List{{"IP_ADDRESS", "2001:0db8:85a3:0000:0000:8a2e:0370:7334"}});
  CHECK(scan("at fe80::1%eth0 and ::1") == List{{"IP_ADDRESS", "fe80::1"}, {"IP_ADDRESS", "::1"}});
  CHECK(scan("::ffff:10.1.2.3") == List{{"IP_ADDRESS", "::ffff:10.1.2.3"}});
  CHECK(scan("256.1.1.1 1.2.3 1.2.3.4.5 v1.2.3.4 version 1.2.3.4").empty());
  CHECK(scan("std::vector a::b 12:30:45 ::").empty());
}

TEST_CASE("pii patterns: URLs", "[facts]") {
  CHECK(scan("see https://example.com/a?b=c.") == List{{"URL", "https://example.com/a?b=c"}});
  CHECK(scan("(www.example.com)") == List{{"URL", "www.example.com"}});
  CHECK(scan("http://www.example.com/") == List{{"URL", "http://www.example.com/"}});
  CHECK(scan("http:// and www. alone").empty());
}

TEST_CASE("pii patterns: the entities of vLLM Semantic Router's own cases, as far as they have a form", "[facts]") {
  const auto path = vsr::test::shared_data("router-configs/e2e/testcases/testdata/plugin_chain_cases.json");
  if (!path) return;
  const auto cases = nlohmann::json::parse(vsr::test::read_file(*path));
  REQUIRE(cases.size() >= 20);
  const std::set<std::string> formless{"PERSON", "STREET_ADDRESS"};  // for the model
  for (const auto& entry : cases) {
    const std::string query = entry.at("query");
    INFO(query);
    std::set<std::string> expected, found;
    for (const std::string type : entry.at("pii_types")) {
      if (!formless.contains(type)) expected.insert(type);
    }
    for (const Found& entity : scan(query)) found.insert(entity.type);
    CHECK(found == expected);
  }
}

TEST_CASE("pii patterns: recall and precision on Presidio's generated sentences", "[facts]") {
  const auto path = vsr::test::shared_data("pii/presidio_generated.json");
  if (!path) return;
  struct Counts {
    size_t expected = 0, hit = 0, found = 0, right = 0;
  };
  std::map<std::string, Counts> counts{{"CREDIT_CARD", {}}, {"IBAN_CODE", {}}, {"EMAIL_ADDRESS", {}},
                                       {"IP_ADDRESS", {}},  {"US_SSN", {}},    {"PHONE_NUMBER", {}},
                                       {"URL", {}}};
  for (const auto& sentence : nlohmann::json::parse(vsr::test::read_file(*path))) {
    const std::string text = sentence.at("full_text");
    std::set<std::pair<std::string, std::string>> expected, found;
    for (const auto& span : sentence.at("spans")) {
      expected.insert({canonical_pii_type(span.at("entity_type").get<std::string>()), span.at("entity_value")});
    }
    for (const Found& entity : scan(text)) found.insert({entity.type, entity.text});
    for (const auto& entity : expected) {
      const auto type = counts.find(entity.first);
      if (type != counts.end()) ++type->second.expected, type->second.hit += found.count(entity);
    }
    for (const auto& entity : found) ++counts[entity.first].found, counts[entity.first].right += expected.count(entity);
  }
  for (const auto& [type, count] : counts) {
    const auto share = [](size_t part, size_t all) {
      return all == 0 ? 1 : static_cast<double>(part) / static_cast<double>(all);
    };
    const double recall = share(count.hit, count.expected), precision = share(count.right, count.found);
    std::printf("pii patterns: %-13s recall %.3f of %zu, precision %.3f of %zu\n", type.c_str(), recall, count.expected,
                precision, count.found);
    // Telephone numbers have no certain form.
    CHECK(recall >= (type == "PHONE_NUMBER" ? 0.6 : 0.95));
    CHECK(precision >= (type == "PHONE_NUMBER" ? 0.8 : 0.95));
  }
}

TEST_CASE("pii entities: spans of one type unite, a validated one explains what lies inside", "[facts]") {
  const auto merged = merge_entities({{"PERSON", 0, 4, 0.9, false},
                                      {"EMAIL", 0, 12, 1, true},
                                      {"B-PHONE_NUMBER", 20, 28, 0.6, false},
                                      {"PHONE_NUMBER", 24, 32, 0.9, false},
                                      {"LOCATION", 30, 40, 0.8, false}});
  REQUIRE(merged.size() == 3);
  CHECK(merged[0].type == "EMAIL_ADDRESS");
  CHECK(merged[1].type == "PHONE_NUMBER");
  CHECK(merged[1].begin == 20);
  CHECK(merged[1].end == 32);
  CHECK(merged[1].score == 0.9);
  CHECK(merged[2].type == "LOCATION");
  // What reaches beyond the validated one stays: its type may be the one that is not allowed.
  CHECK(merge_entities({{"PERSON", 0, 20, 0.9, false}, {"EMAIL_ADDRESS", 5, 15, 1, true}}).size() == 2);
}

TEST_CASE("pii patterns: numbers among thousands of groups of digits, and kinds beside one that the text is full of",
          "[facts]") {
  // Every place of a number in what is read at once.
  for (size_t groups = 1010; groups < 1040; ++groups) {
    std::string text;
    for (size_t i = 0; i < groups; ++i) text += "7; ";
    CHECK(scan(text + "4111 1111 1111 1111") == List{{"CREDIT_CARD", "4111 1111 1111 1111"}});
  }
  std::string text;
  for (size_t i = 0; i < 2 * PiiFindings::kMostOfType; ++i) text += "a" + std::to_string(i) + "@b.cc ";
  const List found = scan(text + "4111 1111 1111 1111");
  CHECK(found.size() == PiiFindings::kMostOfType + 1);
  CHECK(found.back() == Found{"CREDIT_CARD", "4111 1111 1111 1111"});
}

TEST_CASE("pii patterns: a hostile megabyte takes linear time", "[facts]") {
  const auto repeated = [](std::string_view part) {
    std::string text;
    while (text.size() < (size_t{1} << 20)) text += part;
    return text;
  };
  for (const std::string_view part :
       {"a", "1", "1 ", "11-", "a@", "@", "DE89 ", "DE89", "::", "1.", "www.", "http://", "(((", "call 1 ", "4111 "}) {
    scan_pii_patterns(repeated(part));
  }
  SUCCEED("came to an end");
}
