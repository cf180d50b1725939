#include "guard/checks/word_lists.h"

#include <algorithm>
#include <unordered_map>

namespace vsr::guard {
namespace {

struct Row {
  uint32_t traits;
  std::string_view words;
};

constexpr Row kRows[] = {
    {kNegates,
     "not no never none neither nor cannot nobody nothing isn wasn aren weren doesn didn don won can't couldn shouldn "
     "hasn haven hadn wouldn "
     "nicht kein keine keinen keinem keiner keines nie niemals nichts niemand weder "
     "pas jamais aucun aucune rien ni guère nul"},
    {kDoubtful,
     "without except excluding excluded dropped drop removed ended discontinued lacks lack lacking fails failed "
     "refuses refused missing lost "
     "prohibited forbidden banned unable only unless until separately extra instead rather hardly barely stopped "
     "cancelled canceled denies denied "
     "ohne außer ausgenommen verboten untersagt nur sondern sonst statt separat zusätzlich selbst entfällt verliert "
     "sans sauf interdit interdite seulement hormis excepté séparément uniquement refuse exclu exclue exclus"},
    {kJoins,
     "and while whereas but und während wohingegen aber sowie et tandis alors mais compared contre against versus vs "
     "gegenüber or oder ou which welche "
     "welcher dont then dann puis followed"},
    {kCompares,
     "more less fewer longer shorter older younger later earlier higher lower larger smaller bigger heavier lighter "
     "faster slower cheaper greater "
     "difference differ differs exceed exceeds exceeded gap apart between ahead margin behind rise rises rose risen "
     "increase increased increases "
     "grew grown growth up down gain gained fell fall fallen drop drops dropped decrease decreased decline declined "
     "reduction reduced reduces cut "
     "cuts saves saved saving saves savings double extend extended climbed jumped shrank slipped advanced surplus "
     "usual usually normal normally previous previously before original originally otherwise than "
     "beyond taller wider deeper lead leads led leading trails withdrew unsold vacant empty unused unfilled "
     "mehr weniger länger kürzer älter jünger später früher höher niedriger größer kleiner schwerer leichter schneller "
     "langsamer teurer billiger "
     "günstiger differenz unterschied zwischen abstand um stieg gestiegen steigt steigen zuwachs wuchs wachstum "
     "gewachsen sank gesunken sinkt "
     "rückgang üblich üblicherweise normalerweise zuvor vorher ursprünglich zunahme abnahme vorsprung plus minus "
     "führt hinter rückstand leer frei fehlten fehlen ausgefallen "
     "ersparnis spart gespart erhöhte erhöhung gegenüber als "
     "différence écart entre moins augmenté augmente augmentation progressé progression hausse baisse baissé diminué "
     "diminution recul habituel habituelle normalement précédent précédente auparavant initial initialement croissance "
     "économie davantage supérieur supérieure inférieur inférieure âgé gagné perdu que accru crû reculé abandonné "
     "abandonnés manquent manque vides vide"},
    {kAdds,
     "total totals totalled totalling sum sums altogether together combined combining overall all both add adds added "
     "whole entire entirely jointly "
     "aggregate counting including plus collectively joint "
     "insgesamt zusammen zusammengenommen gesamt gesamte gesamten summe alle beide beiden addiert sämtliche ganze "
     "ganzer ganzen ganzes komplett inklusive "
     "gesamtzahl gesamtkosten gesamtpreis "
     "ensemble somme totale totaux tous toutes tout additionnés cumulé entier entière complet complète cumulée "
     "compris"},
    {kShares,
     "share shares proportion portion percentage percent part average averages averaged mean per each every ratio rate "
     "represents represent accounts "
     "account out fraction apiece "
     "anteil anteile prozent durchschnitt durchschnittlich mittel pro je jeder jede jedes verhältnis quote entspricht "
     "taux moyenne moyen proportion par chacun chacune chaque représente représentent soit pourcentage parmi"},
    {kConcludes,
     "so thus therefore hence makes making gives giving leaves leaving leave remain remains remaining left "
     "balance net amounts amount comes come "
     "equals equal corresponds works result results yields means rest outstanding after needs need required would "
     "altogether costs cost pays pay "
     "also somit damit daraus ergibt ergeben macht machen bleibt bleiben verbleiben verbleibt übrig rest restliche "
     "restlichen folglich mithin danach "
     "kosten kostet zahlt zahlen nachzahlung "
     "donc ainsi reste restent restant fait font revient laisse coûtent coûte paient paie équivaut correspond"},
    {kLasts,
     "last lasts lasted lasting long duration length took takes take span spans spanned term period age aged old years "
     "since elapsed journey stay "
     "runtime turned birthday anniversary running runs ran ends ended end expires expire expired finishes finished "
     "closes "
     "dauer dauert dauerte dauerten laufzeit lang alt alter zeitraum seit jahre jahren frist endet endete läuft lief "
     "aufenthalt fahrzeit "
     "durée dure dura duré durent âge ans depuis période délai termine terminé prend fin expire échéance séjour"},
    {kTitle,
     "mr mrs ms miss dr prof professor sir lady lord dame captain president minister herr frau herrn doktor madame "
     "monsieur mme mlle rector "
     "judge chef coach mayor director"},
    {kYearly,
     "annual annually yearly year years monthly month months weekly week daily day hourly hour quarterly "
     "jährlich jahr jahres jahre monatlich monat wöchentlich woche täglich tag stündlich stunde "
     "annuel annuelle annuellement an année mensuel mensuelle semaine hebdomadaire jour quotidien"},
    {kKnownName,
     "i ii iii iv english german french european europe american british western eastern northern southern asian "
     "african latin greek roman "
     "christian christmas easter internet web english deutsch deutsche deutschen deutscher französisch bürgerinnen sie "
     "ihr ihre ihrem ihren ihrer ihnen "
     "gmbh ltd inc corp llc plc ag kg sa sarl co celsius fahrenheit kelvin monday tuesday god earth sun moon pdf url "
     "faq api usa uk eu un ok tv "
     "january february march april may june july august september october november december yes no note please overall "
     "although however "
     "utc gmt cet est pst bst am pm ceo cfo cto vat covid france deutschland frankreich allemagne germany vous nous"},
    {kIdle,
     "please note important information overview summary question answer according following above below fact facts "
     "bitte hinweis laut gemäß folgende folgenden antwort frage "
     "veuillez note selon suivant suivante réponse question"},
};

// Words of one axis: the two sides divided by "|".
constexpr std::string_view kAxes[] = {
    "allowed permitted may can legal authorised authorized admissible erlaubt gestattet zulässig darf dürfen autorisé "
    "autorisée autorisés permis permise "
    "peut peuvent | forbidden prohibited banned illegal disallowed verboten untersagt unzulässig interdit interdite "
    "interdits interdites",
    "mandatory compulsory required obligatory must verpflichtend obligatorisch vorgeschrieben pflicht muss müssen "
    "obligatoire obligatoires doit doivent | optional "
    "voluntary freiwillig optional facultatif facultative facultatifs",
    "included inclusive includes covered covers enthalten inbegriffen inklusive eingeschlossen gedeckt mitversichert "
    "abgedeckt inclus incluse comprise comprises couvert couverte couverts | "
    "excluded exclusive excludes ausgeschlossen "
    "exklusive exclu exclue exclus",
    "supported compatible unterstützt | unsupported incompatible",
    "open opens opened geöffnet offen öffnet ouvert ouverte ouverts | closed closes shut geschlossen schließt fermé "
    "fermée fermés",
    "rose rises rise risen increased increases increase grew grown grows climbed gained higher erhöht gestiegen "
    "stieg steigt wuchs zugenommen höher "
    "augmenté augmente progressé hausse | fell falls fall fallen decreased decreases decrease dropped drops declined "
    "declines shrank  lower gesunken sank "
    "sinkt gefallen fiel abgenommen niedriger baissé baisse diminué diminue reculé",
    "eligible förderfähig éligible | ineligible",
    "refundable erstattungsfähig remboursable | nonrefundable",
    "valid gültig valable | invalid void expired ungültig abgelaufen périmé",
    "available verfügbar disponible | unavailable vergriffen indisponible",
    "won wins win beat defeated gewann gewonnen siegte gagné gagne battu | lost loses lose verlor verloren perdu perd",
    "approved accepted passed adopted granted upheld genehmigt stattgegeben angenommen approuvé accepté accordé adopté "
    "| rejected refused declined "
    "dismissed abgelehnt zurückgewiesen abgewiesen rejeté rejetée refusé",
    "safe sicher sûr | unsafe dangerous gefährlich dangereux",
    "before vor avant | after nach après",
    "first erste premier première | last letzte dernier dernière",
    "highest largest biggest longest höchste größte längste | lowest smallest shortest niedrigste kleinste kürzeste",
    "profit gewinn bénéfice überschuss surplus | loss verlust perte defizit deficit déficit",
    "free kostenlos kostenfrei gratuit gratuite gratuits | chargeable kostenpflichtig payant payante payants",
    "north northern nord nördlich nördlichen | south southern süd südlich südlichen sud",
    "eastern östlich östlichen | western westlich westlichen",
    "left links gauche | right rechts droite",
    "warmer wärmer | colder cooler kälter",
    "active enabled aktiviert activé activée | inactive disabled deaktiviert désactivé désactivée",
    "succeeded successful erfolgreich réussi | failed unsuccessful gescheitert échoué",
    "taxable steuerpflichtig imposable | tax-free steuerfrei exonéré",
    "above über dessus | below unter dessous",
    "married verheiratet marié | unmarried single ledig célibataire",
    "alive lebendig vivant | dead died tot mort",
    "guilty schuldig coupable | innocent acquitted unschuldig innocent",
    "public öffentlich public publique | private privat privé privée",
    "permanent unbefristet | temporary befristet temporaire",
    "heated beheizt chauffé | unheated unbeheizt",
    "male männlich | female weiblich",
    "buy bought purchased kaufte acheté | sold sell verkaufte vendu",
    "true wahr vrai | false falsch faux",
    "paid bezahlt payé payée rémunéré | unpaid unbezahlt impayé",
    "raw roh cru | cooked gekocht cuit",
    "odd | even",
    "minimum mindestens | maximum höchstens",
};

using Table = std::unordered_map<std::string_view, uint32_t>;

template <class Sink>
void each_word(std::string_view row, const Sink& sink) {
  for (size_t i = 0; i < row.size();) {
    const size_t end = std::min(row.find(' ', i), row.size());
    if (end > i) sink(row.substr(i, end - i));
    i = end + 1;
  }
}

const Table& traits() {
  static const Table table = [] {
    Table made;
    for (const Row& row : kRows) each_word(row.words, [&](std::string_view word) { made[word] |= row.traits; });
    return made;
  }();
  return table;
}

const std::unordered_map<std::string_view, Polarity>& polarities() {
  static const auto table = [] {
    std::unordered_map<std::string_view, Polarity> made;
    uint8_t axis = 0;
    for (const std::string_view row : kAxes) {
      ++axis;
      int8_t side = 1;
      each_word(row, [&](std::string_view word) {
        if (word == "|") {
          side = -1;
        } else {
          made.emplace(word, Polarity{axis, side});
        }
      });
    }
    return made;
  }();
  return table;
}

}  // namespace

uint32_t word_traits(std::string_view lower) {
  const auto found = traits().find(lower);
  if (found != traits().end()) return found->second;
  // "Bauzeit", "Reisedauer": how long something lasts.
  return lower.size() > 6 && (lower.ends_with("zeit") || lower.ends_with("dauer")) ? uint32_t{kLasts} : 0;
}

Polarity polarity_of(std::string_view lower) {
  const auto found = polarities().find(lower);
  return found == polarities().end() ? Polarity{} : found->second;
}

}  // namespace vsr::guard
