#include "facts/quantities/number_words.h"

#include <string>
#include <unordered_map>

namespace vsr::facts {
namespace {

using Kind = NumberWord::Kind;

struct Row {
  Kind kind;
  double value;
  std::string_view words;
};

constexpr Row kRows[] = {
    {Kind::kUnit, 0, "zero null zéro"},
    {Kind::kUnit, 1, "one eins"},
    {Kind::kOne, 1, "ein eine einem einen einer eines un une"},
    {Kind::kArticle, 1, "a an"},
    {Kind::kUnit, 2, "two zwei zwo deux zweier"},
    {Kind::kUnit, 3, "three drei trois dreier"},
    {Kind::kUnit, 4, "four vier quatre"},
    {Kind::kUnit, 5, "five fünf cinq"},
    {Kind::kUnit, 6, "six sechs"},
    {Kind::kUnit, 7, "seven sieben sept"},
    {Kind::kUnit, 8, "eight acht huit"},
    {Kind::kUnit, 9, "nine neun neuf"},
    {Kind::kUnit, 10, "ten zehn dix"},
    {Kind::kUnit, 11, "eleven elf onze"},
    {Kind::kUnit, 12, "twelve zwölf douze"},
    {Kind::kUnit, 13, "thirteen treize"},
    {Kind::kUnit, 14, "fourteen quatorze"},
    {Kind::kUnit, 15, "fifteen quinze"},
    {Kind::kUnit, 16, "sixteen seize"},
    {Kind::kUnit, 17, "seventeen"},
    {Kind::kUnit, 18, "eighteen"},
    {Kind::kUnit, 19, "nineteen"},
    {Kind::kTens, 20, "twenty vingt vingts"},
    {Kind::kTens, 30, "thirty trente"},
    {Kind::kTens, 40, "forty fourty quarante"},
    {Kind::kTens, 50, "fifty cinquante"},
    {Kind::kTens, 60, "sixty soixante"},
    {Kind::kTens, 70, "seventy septante"},
    {Kind::kTens, 80, "eighty huitante octante"},
    {Kind::kTens, 90, "ninety nonante"},
    {Kind::kHundred, 100, "hundred hundreds cent cents"},
    {Kind::kScale, 12, "dozen dozens dutzend douzaine douzaines"},
    {Kind::kScale, 20, "vingtaine"},
    {Kind::kScale, 10, "dizaine"},
    {Kind::kScale, 15, "quinzaine"},
    {Kind::kScale, 1e3, "thousand thousands tausend mille tsd millier milliers"},
    {Kind::kScale, 1e6, "million millions mio millionen mn mln"},
    {Kind::kScale, 1e9, "billion billions bn mrd milliarde milliarden milliard milliards"},
    {Kind::kScale, 1e12, "trillion trillions tn billionen"},
    {Kind::kHalf, 0.5, "half halb halbe halben halber halbes demi demie moitié hälfte halves"},
    {Kind::kFraction, 1.0 / 3, "third thirds drittel tiers"},
    {Kind::kFraction, 0.25, "quarter quarters viertel quart quarts"},
    {Kind::kFraction, 0.2, "fifth fifths fünftel cinquième"},
    {Kind::kFraction, 0.125, "eighth eighths achtel"},
    {Kind::kFraction, 0.1, "tenth tenths zehntel dixième"},
    {Kind::kFraction, 1.0 / 6, "sixth sixths sechstel"},
    {Kind::kOrdinal, 1, "first erste ersten erster erstes erstem premier première premiers premières 1er"},
    {Kind::kOrdinal, 2, "second zweite zweiten zweiter zweites zweitem deuxième deuxièmes seconde"},
    {Kind::kOrdinal, 3, "dritte dritten dritter drittes drittem troisième"},
    {Kind::kOrdinal, 4, "fourth vierte vierten vierter viertes quatrième"},
    {Kind::kOrdinal, 5, "fünfte fünften fünfter"},
    {Kind::kOrdinal, 6, "sechste sechsten sixième"},
    {Kind::kOrdinal, 7, "seventh siebte siebten septième"},
    {Kind::kOrdinal, 8, "achte achten huitième"},
    {Kind::kOrdinal, 9, "ninth neunte neunten neuvième"},
    {Kind::kOrdinal, 10, "zehnte zehnten"},
    {Kind::kOrdinal, 11, "eleventh elfte elften onzième"},
    {Kind::kOrdinal, 12, "twelfth zwölfte zwölften douzième"},
    {Kind::kFactor, 2,
     "twice double doubled doubles doubling doppelt doppelte doppelten verdoppelt verdoppelte verdoppelten zweimal "
     "zweifache zweifachen doublé doublée doubler twofold"},
    {Kind::kFactor, 3,
     "thrice triple tripled tripling dreifach dreifache dreifachen verdreifacht dreimal triplé tripler threefold"},
    {Kind::kFactor, 4, "quadruple quadrupled vierfach vierfache vierfachen vervierfacht viermal quadruplé fourfold"},
    {Kind::kFactor, 5, "quintupled fünffach fünffache fünffachen fünfmal quintuplé fivefold"},
    {Kind::kFactor, 6, "sechsmal sechsfache sechsfach"},
    {Kind::kFactor, 8, "achtmal achtfache achtfach"},
    {Kind::kFactor, 10, "zehnmal zehnfache zehnfach tenfold"},
    {Kind::kFactor, 0.5, "halved halving halbiert halbierte"},
    {Kind::kTimes, 1, "times fois mal fold fache fachen"},
    {Kind::kAnd, 0, "and und et"},
};

constexpr Row kMonths[] = {
    {Kind::kUnit, 1, "january jan januar jänner janvier janv"},
    {Kind::kUnit, 2, "february feb februar février févr fév"},
    {Kind::kUnit, 3, "march mar märz mrz mars"},
    {Kind::kUnit, 4, "april apr avril avr"},
    {Kind::kUnit, 5, "may mai"},
    {Kind::kUnit, 6, "june jun juni juin"},
    {Kind::kUnit, 7, "july jul juli juillet juil"},
    {Kind::kUnit, 8, "august aug août"},
    {Kind::kUnit, 9, "september sep sept septembre"},
    {Kind::kUnit, 10, "october oct oktober okt octobre"},
    {Kind::kUnit, 11, "november nov novembre"},
    {Kind::kUnit, 12, "december dec dezember dez décembre déc"},
};

constexpr Row kWeekdays[] = {
    {Kind::kUnit, 1, "monday mondays montag montags lundi lundis"},
    {Kind::kUnit, 2, "tuesday tuesdays dienstag dienstags mardi mardis"},
    {Kind::kUnit, 3, "wednesday wednesdays mittwoch mittwochs mercredi mercredis"},
    {Kind::kUnit, 4, "thursday thursdays donnerstag donnerstags jeudi jeudis"},
    {Kind::kUnit, 5, "friday fridays freitag freitags vendredi vendredis"},
    {Kind::kUnit, 6, "saturday saturdays samstag samstags sonnabend samedi samedis"},
    {Kind::kUnit, 7, "sunday sundays sonntag sonntags dimanche dimanches"},
};

using Table = std::unordered_map<std::string_view, NumberWord>;

template <size_t N>
Table table_of(const Row (&rows)[N]) {
  Table table;
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.words.size();) {
      const size_t end = std::min(row.words.find(' ', i), row.words.size());
      table.emplace(row.words.substr(i, end - i), NumberWord{row.kind, row.value});
      i = end + 1;
    }
  }
  return table;
}

// The parts of German numbers, longest first where one begins another.
struct GermanPart {
  std::string_view word;
  double value;
};
constexpr GermanPart kGermanUnits[] = {
    {"dreizehn", 13}, {"vierzehn", 14}, {"fünfzehn", 15}, {"sechzehn", 16}, {"siebzehn", 17}, {"achtzehn", 18},
    {"neunzehn", 19}, {"zwanzig", 20},  {"dreißig", 30},  {"dreissig", 30}, {"vierzig", 40},  {"fünfzig", 50},
    {"sechzig", 60},  {"siebzig", 70},  {"achtzig", 80},  {"neunzig", 90},  {"eins", 1},      {"ein", 1},
    {"zwei", 2},      {"drei", 3},      {"vier", 4},      {"fünf", 5},      {"sechs", 6},     {"sieben", 7},
    {"acht", 8},      {"neun", 9},      {"zehn", 10},     {"elf", 11},      {"zwölf", 12},
};

// A number below 100 at the front of `word`; takes it away. 0: none.
double take_german_tens(std::string_view& word) {
  for (const GermanPart& part : kGermanUnits) {
    if (!word.starts_with(part.word)) continue;
    std::string_view rest = word.substr(part.word.size());
    if (part.value < 10 && rest.starts_with("und")) {
      rest.remove_prefix(3);
      for (const GermanPart& tens : kGermanUnits) {
        if (tens.value < 20 || !rest.starts_with(tens.word)) continue;
        word = rest.substr(tens.word.size());
        return part.value + tens.value;
      }
    }
    word = word.substr(part.word.size());
    return part.value;
  }
  return 0;
}

double take_german_hundreds(std::string_view& word) {
  double value = word.starts_with("hundert") ? 1 : take_german_tens(word);
  if (word.starts_with("hundert")) {
    word.remove_prefix(7);
    if (word.starts_with("und")) word.remove_prefix(3);
    value = value * 100 + take_german_tens(word);
  }
  return value;
}

// A German number in one word, and "zweieinhalb".
std::optional<NumberWord> german_number(std::string_view word) {
  if (word == "anderthalb" || word == "eineinhalb") return NumberWord{Kind::kUnit, 1.5};
  std::string_view rest = word;
  double value = rest.starts_with("tausend") ? 1 : take_german_hundreds(rest);
  if (value == 0) return std::nullopt;
  if (rest.starts_with("tausend")) {
    rest.remove_prefix(7);
    if (rest.starts_with("und")) rest.remove_prefix(3);
    value = value * 1000 + take_german_hundreds(rest);
  }
  if (rest == "einhalb") return NumberWord{Kind::kUnit, value + 0.5};
  if (rest == "mal" || rest == "fach" || rest == "fache" || rest == "fachen") return NumberWord{Kind::kFactor, value};
  if (value > 2 &&
      (rest == "te" || rest == "ten" || rest == "ter" || rest == "ste" || rest == "sten" || rest == "ster")) {
    return NumberWord{Kind::kOrdinal, value};
  }
  if (rest == "tel" || rest == "stel") return NumberWord{Kind::kFraction, 1 / value};
  if (!rest.empty()) return std::nullopt;
  return NumberWord{Kind::kUnit, value};
}

}  // namespace

std::optional<NumberWord> number_word(std::string_view word) {
  static const Table table = table_of(kRows);
  if (const auto found = table.find(word); found != table.end()) return found->second;
  if (word.size() < 5 || word.size() > 80) return std::nullopt;
  return german_number(word);
}

int month_of(std::string_view word) {
  static const Table table = table_of(kMonths);
  const auto found = table.find(word);
  return found == table.end() ? 0 : static_cast<int>(found->second.value);
}

int weekday_of(std::string_view word) {
  static const Table table = table_of(kWeekdays);
  const auto found = table.find(word);
  return found == table.end() ? 0 : static_cast<int>(found->second.value);
}

}  // namespace vsr::facts
