#include "facts/quantities/units.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace vsr::facts {
namespace {

using enum Dimension;

constexpr double kDay = 86400, kFoot = 0.3048, kPound = 0.45359237;

struct Row {
  Dimension dimension;
  double factor;
  std::string_view words;
  double offset = 0;
};

// Exact by definition, but for the calorie (thermochemical) and horsepower (mechanical and metric are one word: metric
// in German and French words).
constexpr Row kRows[] = {
    {kPercent, 1, "percent percents prozent pct"},
    {kLength, 1, "m meter meters metre metres metern mètre mètres"},
    {kLength, 1e3, "km kms kilometer kilometers kilometre kilometres kilometern kilomètre kilomètres"},
    {kLength, 1e-2, "cm centimeter centimeters centimetre centimetres zentimeter zentimetern centimètre centimètres"},
    {kLength, 1e-3, "mm millimeter millimeters millimetre millimetres millimetern millimètre millimètres"},
    {kLength, 1e-6,
     "µm μm micrometer micrometers micrometre micrometres micron microns mikrometer micromètre micromètres"},
    {kLength, 1e-9, "nm nanometer nanometers nanometre nanometres nanometern nanomètre nanomètres"},
    {kLength, 1e-1, "dm dezimeter decimetre décimètre"},
    {kLength, 1609.344, "mi mile miles meile meilen"},
    {kLength, 1852, "nmi"},
    {kLength, 0.9144, "yd yard yards"},
    {kLength, kFoot, "ft foot feet fuß pied pieds"},
    {kLength, 0.0254, "inch inches zoll pouce pouces"},
    {kLength, 149597870700.0, "au ae"},
    {kLength, 9460730472580800.0, "ly lightyear lightyears lichtjahr lichtjahre lichtjahren"},
    {kArea, 1e4, "ha hectare hectares hektar"},
    {kArea, 4046.8564224, "acre acres"},
    {kArea, 1, "sqm qm quadratmeter quadratmetern"},
    {kArea, kFoot* kFoot, "sqft"},
    {kArea, 1e6, "quadratkilometer quadratkilometern qkm"},
    {kVolume, 1e-3, "l liter liters litre litres litern"},
    {kVolume, 1e-6, "ml milliliter milliliters millilitre millilitres millilitern cc"},
    {kVolume, 1e-5, "cl centilitre centilitres zentiliter"},
    {kVolume, 1e-4, "dl deciliter deciliters decilitre decilitres deziliter décilitre décilitres"},
    {kVolume, 1e-1, "hl hektoliter hectolitre hectolitres"},
    {kVolume, 1, "kubikmeter kubikmetern"},
    {kVolume, 3.785411784e-3, "gal gallon gallons gallone gallonen"},
    {kVolume, 4.73176473e-4, "pint pints"},
    {kVolume, 9.46352946e-4, "quart quarts qt"},
    {kVolume, 2.365882365e-4, "cup cups"},
    {kVolume, 1.5e-5, "tbsp tablespoon tablespoons esslöffel el"},
    {kVolume, 5e-6, "tsp teaspoon teaspoons teelöffel tl"},
    {kVolume, 0.158987294928, "barrel barrels"},
    {kMass, 1, "kg kgs kilogram kilograms kilogramme kilogrammes kilogramm kilo kilos"},
    {kMass, 1e-3, "g gram grams gramme grammes gramm"},
    {kMass, 1e-6, "mg milligram milligrams milligramm milligramme milligrammes"},
    {kMass, 1e-9, "µg μg mcg microgram micrograms mikrogramm microgramme microgrammes"},
    {kMass, 1e3, "t tonne tonnes ton tons tonnen"},
    {kMass, 100, "zentner quintal quintaux"},
    {kMass, kPound, "lb lbs"},
    {kMass, 0.028349523125, "oz ounce ounces unze unzen"},
    {kMass, 1e6, "kilotonne kilotonnes"},
    {kTime, 1, "s sec secs second seconds sekunde sekunden seconde secondes"},
    {kTime, 60, "min mins minute minutes minuten"},
    {kTime, 3600, "h hr hrs hour hours stunde stunden std heure heures"},
    {kTime, kDay, "day days tag tage tagen jour jours journée journées d"},
    {kTime, kDay, "night nights nacht nächte nächten nuit nuits nuitée nuitées"},
    {kTime, 7 * kDay, "week weeks woche wochen semaine semaines"},
    {kTime, 14 * kDay, "fortnight fortnights"},
    {kTime, 1e-3, "ms millisecond milliseconds millisekunde millisekunden milliseconde millisecondes"},
    {kTime, 1e-6, "µs μs microsecond microseconds mikrosekunden microsecondes"},
    {kTime, 1e-9, "ns nanosecond nanoseconds nanosekunden"},
    {kMonths, 1, "month months monat monate monaten monats mois"},
    {kMonths, 12, "year years yr yrs jahr jahre jahren jahres an ans année années"},
    {kMonths, 120, "decade decades jahrzehnt jahrzehnte jahrzehnten décennie décennies"},
    {kMonths, 1200, "century centuries siècle siècles jahrhunderte jahrhunderten"},
    {kMonths, 6, "halbjahr halbjahre semestre semestres"},
    {kSpeed, 0.44704, "mph"},
    {kSpeed, 1852.0 / 3600, "knot knots knoten nœud nœuds kn"},
    {kSpeed, 1 / 3.6, "kph kmh"},
    {kTemperature, 1, "k kelvin kelvins", 0},
    {kTemperature, 1, "celsius", 273.15},
    {kTemperature, 5.0 / 9, "fahrenheit", 459.67 * 5.0 / 9},
    {kEnergy, 1, "j joule joules"},
    {kEnergy, 1e3, "kj kilojoule kilojoules"},
    {kEnergy, 1e6, "mj megajoule megajoules"},
    {kEnergy, 4184, "kcal kilocalorie kilocalories kilokalorie kilokalorien"},
    {kEnergy, 3600, "wh"},
    {kEnergy, 3.6e6, "kwh kilowattstunde kilowattstunden"},
    {kEnergy, 3.6e9, "mwh megawattstunde megawattstunden"},
    {kEnergy, 3.6e12, "gwh gigawattstunde gigawattstunden"},
    {kEnergy, 3.6e15, "twh terawattstunde terawattstunden"},
    {kPower, 1, "w watt watts"},
    {kPower, 1e3, "kw kilowatt kilowatts"},
    {kPower, 1e6, "mw megawatt megawatts"},
    {kPower, 1e-3, "milliwatt milliwatts"},
    {kPower, 1e9, "gw gigawatt gigawatts"},
    {kPower, 745.69987158227022, "hp horsepower bhp"},
    {kPower, 735.49875, "ps pferdestärken cv"},
    {kData, 1, "byte bytes octet octets"},
    {kData, 1e3, "kb kilobyte kilobytes ko kilooctets"},
    {kData, 1e6, "mb megabyte megabytes mo mégaoctets"},
    {kData, 1e9, "gb gigabyte gigabytes go gigaoctets"},
    {kData, 1e12, "tb terabyte terabytes téraoctets"},
    {kData, 1e15, "pb petabyte petabytes"},
    {kData, 1024, "kib"},
    {kData, 1048576, "mib"},
    {kData, 1073741824, "gib"},
    {kData, 1099511627776.0, "tib"},
    {kData, 0.125, "bit bits"},
    {kData, 125, "kbit kbits kilobit kilobits"},
    {kData, 125e3, "mbit mbits megabit megabits"},
    {kData, 125e6, "gbit gbits gigabit gigabits"},
    {kDataRate, 125, "kbps"},
    {kDataRate, 125e3, "mbps"},
    {kDataRate, 125e6, "gbps"},
    {kPressure, 1, "pa pascal pascals"},
    {kPressure, 100, "hpa mbar millibar millibars hektopascal"},
    {kPressure, 1e3, "kpa kilopascal"},
    {kPressure, 1e6, "mpa"},
    {kPressure, 1e5, "bar bars"},
    {kPressure, 6894.757293168361, "psi"},
    {kPressure, 101325, "atm"},
    {kPressure, 133.322387415, "mmhg"},
    {kFrequency, 1, "hz hertz"},
    {kFrequency, 1e3, "khz kilohertz"},
    {kFrequency, 1e6, "mhz megahertz"},
    {kFrequency, 1e9, "ghz gigahertz"},
    {kAngle, 1, "degree degrees grad degrés degré"},
    {kVoltage, 1, "v volt volts"},
    {kVoltage, 1e3, "kv kilovolt kilovolts"},
    {kCurrent, 1, "ampere amperes ampère amps"},
    {kCurrent, 1e-3, "ma milliampere milliamperes milliamps milliampère milliampères"},
    {kCurrent, 1e-6, "microampere microamperes microamps mikroampere"},
    {kVoltage, 1e-3, "mv millivolt millivolts"},
    {kResistance, 1, "ohm ohms ω"},
    {kResistance, 1e3, "kiloohm kiloohms kω"},
    {kCapacity, 1e-6, "microfarad microfarads"},
    {kLight, 1, "lumen lumens lm"},
    {kDose, 1, "sievert"},
    {kDose, 1e-3, "millisievert millisieverts msv"},
    {kDose, 1e-6, "microsievert microsieverts"},
    {kForce, 1, "newton newtons"},
    {kForce, 1e3, "kn kilonewton"},
    {kCharge, 1, "ah"},
    {kCharge, 1e-3, "mah"},
    {kPixels, 1, "px pixel pixels pixeln"},
    {kPixels, 1e6, "megapixel megapixels mp mégapixels"},
    {kDecibels, 1, "db dba decibel decibels dezibel décibels"},
};

// One number for each currency: the first word of a row is its code.
constexpr std::string_view kCurrencies[] = {
    "eur € euro euros",
    "usd $ dollar dollars us$",
    "gbp £ sterling quid",
    "chf franken sfr franc francs",
    "jpy ¥ yen",
    "cny rmb yuan renminbi",
    "inr ₹ rupee rupees",
    "sek",
    "nok",
    "dkk",
    "kr krone kroner kronor kronen couronnes couronne crowns crown",
    "pln zloty zlotys złoty zł",
    "czk koruna",
    "huf forint",
    "rub ₽ rouble roubles ruble rubles rubel",
    "krw ₩ won",
    "brl real reais",
    "mxn peso pesos",
    "cad",
    "aud",
    "nzd",
    "sgd",
    "hkd",
    "zar rand",
    "try lira ₺",
    "ils ₪ shekel shekels",
    "btc ₿ bitcoin bitcoins",
    "aed dirham dirhams",
    "xof fcfa",
};
struct Part {
  std::string_view word, of;
  double factor;
};
constexpr Part kSmallMoney[] = {{"cents", "eur", 0.01}, {"cent", "eur", 0.01},     {"¢", "usd", 0.01},
                                {"pence", "gbp", 0.01}, {"centimes", "eur", 0.01}, {"rappen", "chf", 0.01},
                                {"ct", "eur", 0.01},    {"cts", "eur", 0.01}};

struct Table {
  std::unordered_map<std::string_view, Unit> words;
  std::unordered_map<std::string_view, Unit> currencies;

  Table() {
    for (const Row& row : kRows) {
      each_word(row.words, [&](std::string_view word) {
        words.emplace(word, Unit{row.dimension, row.factor, row.offset, 0, row.dimension == kMonths});
      });
    }
    uint16_t number = 0;
    for (const std::string_view row : kCurrencies) {
      ++number;
      each_word(row, [&](std::string_view word) { currencies.emplace(word, Unit{kMoney, 1, 0, number, false}); });
    }
    for (const Part& part : kSmallMoney) {
      currencies.emplace(part.word, Unit{kMoney, part.factor, 0, currencies.at(part.of).currency, false});
    }
  }

  template <class Sink>
  static void each_word(std::string_view row, const Sink& sink) {
    for (size_t i = 0; i < row.size();) {
      const size_t end = std::min(row.find(' ', i), row.size());
      sink(row.substr(i, end - i));
      i = end + 1;
    }
  }
};

const Table& table() {
  static const Table made;
  return made;
}

bool is_one_of(const Piece& piece, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), piece.lower) != words.end();
}

Unit power_of(const Unit& length, int power) {
  return {power == 2 ? kArea : kVolume,
          power == 2 ? length.factor * length.factor : length.factor * length.factor * length.factor};
}

// Pieces of "²", "^2" or a digit that touches, after a unit of length; 0: none.
size_t power_at(std::span<const Piece> pieces, size_t at, int& power) {
  if (at >= pieces.size()) return 0;
  const Piece& piece = pieces[at];
  if (!piece.space && (piece.is("²") || piece.is("³"))) {
    power = piece.is("²") ? 2 : 3;
    return 1;
  }
  const bool caret = !piece.space && piece.is("^");
  if (at + caret < pieces.size()) {
    const Piece& digit = pieces[at + caret];
    const bool ends =
        at + caret + 1 >= pieces.size() || pieces[at + caret + 1].space || pieces[at + caret + 1].kind == Piece::kSign;
    if (!digit.space && ends && (digit.is("2") || digit.is("3"))) {
      power = digit.is("2") ? 2 : 3;
      return 1u + caret;
    }
  }
  if (piece.kind == Piece::kWord && is_one_of(piece, {"carrés", "carré", "cubes", "cube"})) {
    power = piece.lower.starts_with("car") ? 2 : 3;
    return 1;
  }
  return 0;
}

std::optional<FoundUnit> word_unit(std::span<const Piece> pieces, size_t at) {
  const Piece& piece = pieces[at];
  if (piece.is("°") || piece.is("℃") || piece.is("℉")) {
    const bool more = at + 1 < pieces.size();
    if (piece.is("℃") || (more && pieces[at + 1].is("c")))
      return FoundUnit{{kTemperature, 1, 273.15}, piece.is("℃") ? 1u : 2u};
    if (piece.is("℉") || (more && pieces[at + 1].is("f"))) {
      return FoundUnit{{kTemperature, 5.0 / 9, 459.67 * 5.0 / 9}, piece.is("℉") ? 1u : 2u};
    }
    return FoundUnit{{kAngle, 1}, 1};
  }
  if (piece.is("%")) return FoundUnit{{kPercent, 1}, 1};
  if (piece.is("‰")) return FoundUnit{{kPercent, 0.1}, 1};
  if (piece.is("\"") && !piece.space) return std::nullopt;
  if (piece.kind != Piece::kWord) return std::nullopt;
  const bool more = at + 1 < pieces.size();
  const Piece* next = more ? &pieces[at + 1] : nullptr;
  if (next && is_one_of(piece, {"degree", "degrees", "grad", "degré", "degrés"})) {
    if (next->is("celsius")) return FoundUnit{{kTemperature, 1, 273.15}, 2};
    if (next->is("fahrenheit")) return FoundUnit{{kTemperature, 5.0 / 9, 459.67 * 5.0 / 9}, 2};
  }
  if (next && ((piece.lower.starts_with("astronomi") && is_one_of(*next, {"unit", "units", "einheit", "einheiten"})) ||
               (is_one_of(piece, {"unité", "unités"}) && next->lower.starts_with("astronomique")))) {
    return FoundUnit{table().words.at("au"), 2};
  }
  if (next && is_one_of(piece, {"per", "pour"}) && next->is("cent")) return FoundUnit{{kPercent, 1}, 2};
  if (next && is_one_of(piece, {"percentage", "percent"}) && is_one_of(*next, {"points", "point"}))
    return FoundUnit{{kPoints, 1}, 2};
  if (is_one_of(piece, {"prozentpunkte", "prozentpunkten", "prozentpunkt"})) return FoundUnit{{kPoints, 1}, 1};
  if (is_one_of(piece, {"points", "point"}) && at + 2 < pieces.size() && pieces[at + 1].is("de") &&
      pieces[at + 2].is("pourcentage")) {
    return FoundUnit{{kPoints, 1}, 3};
  }
  if (next && piece.is("basis") && is_one_of(*next, {"points", "point"})) return FoundUnit{{kPoints, 0.01}, 2};
  if (is_one_of(piece, {"bps", "basispunkte", "basispunkten"})) return FoundUnit{{kPoints, 0.01}, 1};
  if (next && is_one_of(piece, {"square", "sq", "cubic", "cu"})) {
    const size_t dot = next->is(".") ? 1 : 0;
    if (at + 1 + dot < pieces.size()) {
      const auto& words = table().words;
      const auto found = words.find(pieces[at + 1 + dot].lower);
      if (found != words.end() && found->second.dimension == kLength) {
        return FoundUnit{power_of(found->second, piece.lower.starts_with("sq") ? 2 : 3), 2 + dot};
      }
    }
  }
  if (piece.is("light") && next && at + 2 < pieces.size() && (next->is("-") || is_one_of(*next, {"years", "year"}))) {
    return FoundUnit{table().words.at("ly"), next->is("-") ? 3u : 2u};
  }
  if (piece.is("années") && next && at + 2 < pieces.size() && pieces[at + 1].is("-")) {
    return FoundUnit{table().words.at("ly"), 3};
  }
  if (piece.is("fl") && next && next->is("oz")) return FoundUnit{{kVolume, 2.95735295625e-5}, 2};
  if (piece.is("nautical") && next) return FoundUnit{{kLength, 1852}, 2};
  if (piece.is("kilowatt") && at + 2 < pieces.size() &&
      is_one_of(pieces[at + 1].is("-") ? pieces[at + 2] : *next, {"hours", "hour"})) {
    return FoundUnit{{kEnergy, 3.6e6}, pieces[at + 1].is("-") ? 3u : 2u};
  }
  const auto found = table().words.find(piece.lower);
  if (found == table().words.end()) return std::nullopt;
  Unit unit = found->second;
  if (piece.is("mw")) unit.factor = piece.upper ? 1e6 : 1e-3;
  size_t taken = 1;
  if (unit.dimension == kLength) {
    int power = 0;
    if (const size_t used = power_at(pieces, at + 1, power); used > 0) {
      unit = power_of(unit, power);
      taken += used;
    }
  }
  return FoundUnit{unit, taken};
}

// Pieces of "/" or "per" and its kin, 0: none.
size_t per_at(std::span<const Piece> pieces, size_t at) {
  if (at >= pieces.size()) return 0;
  return is_one_of(pieces[at], {"/", "per", "pro", "par", "je"}) ? 1 : 0;
}

}  // namespace

std::optional<FoundUnit> currency_at(std::span<const Piece> pieces, size_t at) {
  const auto& currencies = table().currencies;
  const Piece& piece = pieces[at];
  if (at + 1 < pieces.size() && pieces[at + 1].is("$") && !pieces[at + 1].space) {  // US$, C$, A$
    static constexpr std::pair<std::string_view, std::string_view> kDollars[] = {
        {"us", "usd"}, {"c", "cad"},  {"ca", "cad"}, {"a", "aud"},
        {"au", "aud"}, {"nz", "nzd"}, {"s", "sgd"},  {"hk", "hkd"}};
    for (const auto& [sign, code] : kDollars) {
      if (piece.is(sign)) return FoundUnit{currencies.at(code), 2};
    }
  }
  if (at + 1 < pieces.size()) {  // "US dollars"
    static constexpr std::pair<std::string_view, std::string_view> kLands[] = {
        {"us", "usd"},      {"canadian", "cad"},  {"australian", "aud"}, {"swiss", "chf"},
        {"swedish", "sek"}, {"norwegian", "nok"}, {"danish", "dkk"},     {"british", "gbp"}};
    for (const auto& [land, code] : kLands) {
      if (piece.is(land) && currencies.contains(pieces[at + 1].lower)) return FoundUnit{currencies.at(code), 2};
    }
    if (is_one_of(piece, {"pound", "pounds"}) && pieces[at + 1].is("sterling"))
      return FoundUnit{currencies.at("gbp"), 2};
    if (piece.is("francs") && is_one_of(pieces[at + 1], {"suisses"})) return FoundUnit{currencies.at("chf"), 2};
  }
  if (is_one_of(piece, {"pound", "pounds", "pfund"})) return FoundUnit{currencies.at("gbp"), 1, true};
  const auto found = currencies.find(piece.lower);
  if (found == currencies.end()) return std::nullopt;
  // Codes that are words of other things, too, are written in capitals.
  if (is_one_of(piece, {"try", "real", "won", "rand", "sterling", "score", "quid"}) && !piece.upper &&
      !is_one_of(piece, {"won", "rand"})) {
    return std::nullopt;
  }
  return FoundUnit{found->second, 1};
}

std::optional<FoundUnit> unit_at(std::span<const Piece> pieces, size_t at) {
  if (at >= pieces.size()) return std::nullopt;
  if (auto money = currency_at(pieces, at)) {
    if (money->doubt) money->unit = {kMoney, 1, 0, money->unit.currency, false};
    return money;
  }
  auto found = word_unit(pieces, at);
  if (!found) return found;
  const size_t per = at + found->pieces;
  if ((found->unit.dimension == kLength || found->unit.dimension == kData) && per_at(pieces, per) > 0 &&
      per + 1 < pieces.size()) {
    const auto below = word_unit(pieces, per + 1);
    if (below && below->unit.dimension == kTime) {
      found->unit = {found->unit.dimension == kLength ? kSpeed : kDataRate, found->unit.factor / below->unit.factor};
      found->pieces += 1 + below->pieces;
    }
  }
  return found;
}

}  // namespace vsr::facts
