#include "facts/quantities/quantities.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

using namespace vsr::facts;

namespace {

std::vector<Quantity> read(std::string_view text, NumberStyle style = NumberStyle::kPoint) {
  const auto pieces = cut_pieces(text);
  return find_quantities(text, pieces, style);
}
Quantity only(std::string_view text, NumberStyle style = NumberStyle::kPoint) {
  INFO(text);
  const auto found = read(text, style);
  REQUIRE(found.size() == 1);
  return found[0];
}
double value(std::string_view text, NumberStyle style = NumberStyle::kPoint) { return only(text, style).value; }
constexpr NumberStyle kComma = NumberStyle::kComma;

}  // namespace

TEST_CASE("quantities: one number in many notations", "[facts]") {
  for (const char* text : {"1,200 boxes", "1200 boxes", "1.2 thousand boxes", "twelve hundred boxes", "1 200 boxes",
                           "one thousand two hundred boxes", "1.2k boxes"}) {
    INFO(text);
    CHECK(value(text) == Approx(1200));
  }
  CHECK(value("1.200 Kisten", kComma) == 1200);
  CHECK(value("tausendzweihundert Kisten", kComma) == 1200);
  CHECK(value("2,84 Millionen Kisten", kComma) == Approx(2.84e6));
  CHECK(value("quatre-vingt-dix-sept caisses", kComma) == 97);
  CHECK(value("einundzwanzig Kisten", kComma) == 21);
  CHECK(value("3.1415926 things") == Approx(3.1415926));
  CHECK(value("940 000 t") == 940000);
  CHECK(only("1.200 boxes").other == 1200);
}

TEST_CASE("quantities: units convert exactly, amounts keep their currency", "[facts]") {
  CHECK(only("64 square metres").base() == Approx(64));
  CHECK(only("5 km").unit.dimension == Dimension::kLength);
  CHECK(only("90 km/h").base() == Approx(25));
  CHECK(only("100 °C").base() == Approx(373.15));
  CHECK(only("428 °F").base() == Approx(493.15));
  CHECK(only("1 hour 25 minutes").base() == Approx(5100));
  CHECK(only("huit heures et demie", kComma).base() == Approx(30600));
  CHECK(only("three and a half years").base() == Approx(42));
  CHECK(only("half an hour").base() == Approx(1800));
  CHECK(only("£1,350 a month").per.dimension == Dimension::kMonths);
  CHECK(only("GBP 1,350").unit.currency == only("£1,350").unit.currency);
  CHECK(only("12,6 millions d'euros", kComma).unit.currency == only("EUR 5").unit.currency);
  CHECK(only("$5").unit.currency != only("€5").unit.currency);
  CHECK(only("seventy-six per cent").unit.dimension == Dimension::kPercent);
}

TEST_CASE("quantities: dates and times in their notations", "[facts]") {
  const Date date{2024, 12, 29};
  for (const char* text : {"2024-12-29", "29 December 2024", "December 29, 2024", "29.12.2024", "12/29/2024",
                           "29. Dezember 2024", "29 décembre 2024", "29th of December 2024"}) {
    INFO(text);
    CHECK(only(text).date == date);
  }
  CHECK(only("03/04/2025").other_date == Date{2025, 4, 3});
  CHECK(only("Q3 2024").kind == QuantityKind::kQuarter);
  CHECK(only("02:47").value == 167);
  CHECK(only("9 h 30", kComma).value == 570);
  CHECK(only("8:48 pm").value == 1248);
  CHECK(read("from 11 to 18 July 2025")[0].date == Date{2025, 7, 11});
  CHECK(only("in 1951").year);
}

TEST_CASE("quantities: identifiers are no numbers", "[facts]") {
  for (const char* text : {"CVE-2025-10342", "#4817", "5.2.0", "DPS-7741903", "lb-eu-03", "legacy_mode", "0800 123 456",
                           "privacy@norvik.example"}) {
    INFO(text);
    CHECK(only(text).kind == QuantityKind::kIdentifier);
  }
  CHECK(only("24-month lease").unit.dimension == Dimension::kMonths);
  CHECK(only("85kg").unit.dimension == Dimension::kMass);
}

TEST_CASE("quantities: places are those of the text", "[facts]") {
  const std::string text = "Élan vital: près de 1,3 million de visiteurs en 2023";
  const auto found = read(text, kComma);
  REQUIRE(found.size() == 2);
  CHECK(text.substr(found[0].begin, found[0].end - found[0].begin) == "1,3 million");
  CHECK(found[0].hedge == Hedge::kNearly);
  CHECK(text.substr(found[1].begin, found[1].end - found[1].begin) == "2023");
}
