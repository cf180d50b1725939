#include "facts/cache_veto_words.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace vsr::facts {
namespace {

// In each list of synonyms the first word is the canonical one. "One" is left out everywhere, because in most languages
// it is an article or a pronoun too.
constexpr std::string_view kNumbers[] = {
    "0 zero null cero nul",
    "2 two zwei deux dos due dois duas twee два две 二 两 兩",
    "3 three drei trois tres tre três drie три 三",
    "4 four vier quatre cuatro quattro quatro четыре 四",
    "5 five fünf cinq cinco cinque vijf пять 五",
    "6 six sechs seis sei zes шесть 六",
    "7 seven sieben sept siete sette sete zeven семь 七",
    "8 eight acht huit ocho otto oito восемь 八",
    "9 nine neun neuf nueve nove negen девять 九",
    "10 ten zehn dix diez dieci dez tien десять 十",
    "11 eleven elf onze once undici",
    "12 twelve dozen zwölf douze doce dodici doze twaalf",
    "13 thirteen",
    "14 fourteen",
    "15 fifteen quinze quince quindici fünfzehn",
    "16 sixteen",
    "17 seventeen",
    "18 eighteen",
    "19 nineteen",
    "20 twenty zwanzig vingt veinte venti vinte twintig",
    "30 thirty dreißig trente treinta trenta",
    "40 forty vierzig quarante cuarenta quaranta",
    "50 fifty fünfzig cinquante cincuenta cinquanta",
    "60 sixty sechzig soixante sesenta",
    "70 seventy siebzig setenta",
    "80 eighty achtzig ochenta",
    "90 ninety neunzig noventa",
    "100 hundred hundert cent cien cento honderd 百",
    "1000 thousand tausend mille mil duizend 千",
    "1000000 million millions millionen millón millones milione milioni miljoen",
    "1000000000 billion billions milliarde milliarden milliard",
    "1th first erste ersten premier première primero primera",
    "3th third dritte dritten troisième tercero tercera",
    "4th fourth",
    "5th fifth",
    "0.5 half halb demi mitad",
    "twice double doppelt doble",
    "triple dreifach",
};

constexpr std::string_view kUnits[] = {
    "kilometer km kms kilometers kilometre kilometres",
    "meter m meters metre metres",
    "centimeter cm centimeters centimetre centimetres",
    "millimeter mm millimeters",
    "mile mi miles",
    "foot ft feet",
    "inch inches",
    "yard yd yards",
    "kilogram kg kgs kilograms kilo kilos",
    "gram g grams gramm",
    "milligram mg milligrams",
    "pound lb lbs pounds £",
    "ounce oz ounces",
    "liter l liters litre litres",
    "milliliter ml milliliters",
    "gallon gal gallons",
    "celsius °c",
    "fahrenheit °f",
    "percent % percentage prozent",
    "dollar $ dollars usd",
    "euro € euros eur",
    "yen ¥ jpy",
    "yuan rmb cny",
    "rupee ₹ rupees inr",
    "second s sec secs seconds sekunde sekunden",
    "minute min mins minutes minuten",
    "hour h hr hrs hours stunde stunden heure heures hora horas",
    "day d days tag tage tagen jour jours día días",
    "week weeks woche wochen semaine semaines semana semanas",
    "month months monat monate monaten mois mes meses",
    "year yr yrs years jahr jahre jahren année années ans año años",
    "kilobyte kb kilobytes",
    "megabyte mb megabytes",
    "gigabyte gb gigabytes",
    "terabyte tb terabytes",
    "calorie calories kcal",
    "degree degrees °",
    "am a.m",
    "pm p.m",
};

constexpr std::string_view kNegations =
    // English, with contractions as people type them
    "no not none never nothing nobody nowhere neither nor cannot without unable except excluding unless lack lacks "
    "hardly scarcely barely seldom rarely anti "
    "dont doesnt didnt isnt arent wasnt werent cant couldnt wont wouldnt shouldnt hasnt havent aint mustnt "
    // German
    "nicht kein keine keinen keinem keiner keines nie niemals nichts ohne außer kaum selten "
    // French: `ne` goes with the second word, which is the one that people do not drop
    "pas jamais rien aucun aucune sans non guère rarement "
    // Spanish, Portuguese
    "nunca jamás apenas sin ningún ninguna ninguno tampoco excepto não sem nenhum nenhuma "
    // Italian, Dutch
    "mai senza nessun nessuna nessuno niente niet geen nooit zonder "
    // Polish, Russian, Turkish
    "nie bez nigdy не нет ни никогда без değil yok hiç "
    // Arabic, Hindi, Chinese, Japanese (words of which runs of hiragana are searched for), Korean
    "لا ليس لم لن بدون غير नहीं मत बिना 不 没 沒 無 无 未 非 勿 ない ません なし 안 못 않 없이 없는";

// Each means only itself. Words that are common otherwise ("may", "us", "go", "turkey") are left to their capitals.
constexpr std::string_view kNames =
    // days and times
    "monday tuesday wednesday thursday friday saturday sunday january february april june july august september "
    "october "
    "november december today tomorrow yesterday tonight morning afternoon evening weekend spring summer autumn winter "
    "montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz juni juli oktober dezember heute "
    "morgen gestern lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes domingo "
    "christmas easter thanksgiving halloween "
    // languages and peoples
    "english german french spanish italian portuguese dutch russian chinese mandarin cantonese japanese korean arabic "
    "hebrew hindi urdu bengali turkish greek latin swedish norwegian danish finnish polish czech hungarian romanian "
    "ukrainian vietnamese thai indonesian malay tagalog swahili persian farsi irish scottish welsh mongolian hawaiian "
    "american british canadian mexican brazilian indian australian african european asian cuban jamaican ethiopian "
    "armenian croatian serbian bulgarian slovak icelandic "
    // countries and regions
    "germany france spain italy portugal netherlands belgium switzerland austria russia china japan korea india "
    "pakistan bangladesh greece sweden norway denmark finland poland hungary romania ukraine vietnam thailand "
    "indonesia malaysia philippines singapore iran iraq israel egypt nigeria kenya ethiopia morocco algeria ghana "
    "ireland scotland england wales britain uk usa america canada mexico brazil argentina chile peru colombia cuba "
    "jamaica venezuela australia zealand iceland croatia serbia bulgaria europe asia africa texas california florida "
    "nevada arizona colorado oregon utah ohio michigan georgia virginia alaska hawaii deutschland frankreich spanien "
    "italien "
    // cities
    "london paris berlin munich hamburg frankfurt madrid barcelona rome milan venice naples lisbon amsterdam brussels "
    "vienna zurich geneva prague budapest warsaw moscow kyiv stockholm oslo copenhagen helsinki dublin edinburgh "
    "athens "
    "istanbul cairo nairobi lagos johannesburg dubai tehran baghdad jerusalem delhi mumbai bangalore karachi dhaka "
    "beijing shanghai shenzhen taipei tokyo osaka kyoto seoul busan bangkok hanoi jakarta manila sydney melbourne "
    "brisbane perth auckland toronto montreal vancouver ottawa york chicago boston seattle denver houston dallas "
    "austin "
    "miami atlanta philadelphia phoenix portland detroit orlando tampa cleveland minneapolis baltimore nashville "
    "memphis "
    "vegas francisco diego angeles washington havana "
    // programs, languages, systems, firms
    "python javascript typescript kotlin haskell perl php ruby scala fortran cobol matlab sql mysql postgres "
    "postgresql "
    "sqlite mongodb redis kafka kubernetes docker linux ubuntu debian windows macos android ios iphone ipad aws azure "
    "gcp google microsoft facebook instagram whatsapp twitter netflix spotify youtube tesla toyota honda ford bmw visa "
    "mastercard paypal amex gmail outlook excel powerpoint tensorflow pytorch react django flask nginx apache "
    // currencies beside those with a sign, planets, persons' forms of address
    "peso pesos franc francs krona zloty ruble rubles lira bitcoin ethereum gbp chf aud cad mercury venus mars jupiter "
    "saturn uranus neptune pluto";

constexpr std::string_view kStarters =
    "a an the this that these those it its he she they we you i my your our their his her what which who whom whose "
    "when "
    "where why how is are was were am be been do does did can could will would shall should may might must has have "
    "had "
    "if in on at by for from to of with about as and or but so then also please tell explain describe define give show "
    "list write create make find get let help compare summarize translate convert calculate compute provide suggest "
    "recommend name there here any some all each every after before hi hello hey thanks thank yes ok okay no not "
    // Spanish, French, Italian, Portuguese, Dutch
    "el la los las un una qué que cómo como cuál cuáles cuándo dónde quién por para le les des du de est quel quelle "
    "quels quelles comment pourquoi quand où qui il lo gli che cosa come quale quando dove chi perché o os as um uma "
    "qual onde het een wat hoe waarom wanneer waar wie welke";

constexpr std::string_view kGerman =
    "der das und ist wie ich zu den dem ein eine einen einem mit für auf im von wir sie wird sind kann mein meine "
    "welche "
    "welcher wann warum wer wo bitte über auch";

class Words {
 public:
  Words() {
    // Later lists do not replace what earlier ones say; negations matter most.
    each(kNegations, [&](std::string_view word) { put(word, {VetoWord::kNegation}); });
    for (const auto synonyms : kNumbers) put_all(synonyms, VetoWord::kNumber);
    for (const auto synonyms : kUnits) put_all(synonyms, VetoWord::kUnit);
    each(kNames, [&](std::string_view word) { put(word, {VetoWord::kName}); });
    each(kGerman, [&](std::string_view word) { put(word, {VetoWord::kGerman}); });
    each(kStarters, [&](std::string_view word) { put(word, {VetoWord::kStarter}); });
  }

  VetoWord find(std::string_view word) const {
    const auto found = words_.find(word);
    return found == words_.end() ? VetoWord{} : found->second;
  }

 private:
  template <class Body>
  static void each(std::string_view list, const Body& body) {
    while (!list.empty()) {
      const size_t end = std::min(list.find(' '), list.size());
      if (end > 0) body(list.substr(0, end));
      list.remove_prefix(std::min(end + 1, list.size()));
    }
  }
  void put(std::string_view word, VetoWord what) {
    if (what.canonical.empty()) what.canonical = word;
    words_.emplace(word, what);
  }
  void put_all(std::string_view synonyms, VetoWord::Kind kind) {
    const std::string_view canonical = synonyms.substr(0, synonyms.find(' '));
    each(synonyms, [&](std::string_view word) { put(word, {kind, canonical}); });
  }

  std::unordered_map<std::string_view, VetoWord> words_;
};

}  // namespace

VetoWord veto_word(std::string_view word) {
  static const Words words;
  return words.find(word);
}

}  // namespace vsr::facts
