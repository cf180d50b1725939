#include "text/unicode/stop_words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "text/unicode/words.h"

namespace vsr::text {
namespace {

struct Language {
  std::string_view code;
  std::string_view words;  // lower-case, separated by spaces
};

// By class of word: articles and demonstratives; pronouns; prepositions; conjunctions; auxiliaries; adverbs of degree
// and the like. Chinese and Japanese have one-character entries, as the words of these scripts are read.
constexpr std::array kLanguages{
    Language{
        "en",
        "a an the this that these those such same other another each every both either neither some any no all few "
        "many much more most several own "
        "i you he she it we they me him her us them my your his its our their mine yours hers ours theirs myself "
        "yourself himself herself itself ourselves themselves who whom whose which what one ones "
        "of in on at by for with from to into onto upon about against between among through during before after "
        "above below under over out off up down near without within along across behind beyond toward towards until "
        "and or but nor so yet if then than because as while when where whether though although unless since "
        "am is are was were be been being have has had having do does did doing done will would shall should can "
        "could may might must ought don't didn't doesn't isn't wasn't can't couldn't won't wouldn't it's i'm i'll "
        "he's that's "
        "not very too also just only even still again ever never here there now how why once rather quite"},
    Language{
        "de",
        "der die das den dem des ein eine einen einem einer eines dieser diese dieses diesen diesem jener jene jedes "
        "jeder jede kein keine keinen keiner alle allen aller alles andere anderen beide einige manche mehr viel viele "
        "ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihn ihnen mein meine dein deine sein seine "
        "seinen seiner seinem ihre ihren ihrer ihrem unser unsere euer man wer was welche welcher welches "
        "von in im an am auf aus bei beim mit nach zu zum zur vor für durch gegen ohne um über unter zwischen während "
        "wegen bis seit neben hinter ins vom "
        "und oder aber denn sondern doch wenn als wie dass daß ob weil damit obwohl nachdem bevor sowie "
        "bin bist ist sind war waren wäre sei habe hat haben hatte hatten hätte werde wird werden wurde wurden worden "
        "würde kann können konnte könnte soll sollen sollte muss müssen musste will wollen wollte darf dürfen mag "
        "nicht nur auch noch schon so sehr dann da hier dort nun immer wieder etwa selbst"},
    Language{
        "fr",
        "le la les l un une des du de d ce cet cette ces tout toute tous toutes autre autres même mêmes aucun aucune "
        "chaque quelque quelques plusieurs tel telle plus moins "
        "je tu il elle on nous vous ils elles me te se lui leur leurs y en mon ma mes ton ta tes son sa ses notre nos "
        "votre vos qui que quoi dont où quel quelle quels quelles celui celle ceux celles ceci cela ça "
        "à au aux dans par pour sur avec sans sous entre vers chez contre depuis pendant avant après dès jusque "
        "et ou mais donc or ni car si comme quand lorsque puisque parce afin "
        "est sont être été était étaient suis es sera serait soit ai as a ont avait avaient avoir ayant aura fait "
        "peut peuvent doit doivent c'est n'est d'un d'une qu'il qu'elle qu'on "
        "ne pas n non très trop aussi bien encore toujours jamais ainsi alors ici là"},
    Language{
        "es",
        "el la los las un una unos unas lo este esta esto estos estas ese esa eso esos esas aquel aquella todo toda "
        "todos todas otro otra otros otras mismo misma cada algún alguno alguna algunos ningún ninguna mucho muchos "
        "más menos "
        "yo tú él ella nosotros ellos ellas usted ustedes me te se nos le les mi mis tu tus su sus nuestro nuestra "
        "que qué quien quién cual cuál cuyo "
        "de del a al en por para con sin sobre entre hasta desde hacia según contra durante ante bajo tras "
        "y e o u pero sino ni si como cómo cuando donde porque aunque mientras pues "
        "es son era eran fue fueron ser sido sea está están estaba estar ha han había haber hay he tiene tienen "
        "puede pueden debe deben "
        "no muy también ya sólo solo así aún siempre nunca aquí allí"},
    Language{
        "it",
        "il lo la i gli le l un uno una questo questa questi queste quello quella quelli quelle tutto tutta tutti "
        "tutte altro altra altri altre stesso stessa ogni alcuno alcuni nessuno nessuna molto molti più meno "
        "io tu lui lei noi voi loro mi ti si ci vi ne me te sé suo sua suoi sue mio mia tuo tua nostro nostra che chi "
        "cui quale quali cosa "
        "di del dello della dei degli delle a al allo alla ai agli alle da dal dalla dai dalle in nel nello nella nei "
        "negli nelle su sul sulla sui con per tra fra senza contro verso durante prima dopo sotto "
        "e ed o ma né se come quando dove perché mentre anche però quindi dunque "
        "è sono era erano essere stato stata sia ho ha hanno aveva avere ha fatto può possono deve devono viene "
        "dell'individuo c'è "
        "non già ancora sempre mai così solo qui lì"},
    Language{
        "pt",
        "o a os as um uma uns umas este esta isto estes estas esse essa isso aquele aquela aquilo todo toda todos "
        "todas outro outra outros outras mesmo mesma cada algum alguma nenhum nenhuma muito muitos mais menos "
        "eu tu ele ela nós eles elas você vocês me te se lhe lhes nos meu minha seu sua seus suas nosso nossa que "
        "quem qual quais cujo "
        "de do da dos das em no na nos nas a ao à aos às por pelo pela pelos pelas para com sem sobre entre até desde "
        "contra durante ante sob num numa "
        "e ou mas nem se como quando onde porque embora enquanto pois "
        "é são era eram foi foram ser sido seja está estão estava ter tem têm tinha há havia haver pode podem deve "
        "devem "
        "não muito também já só assim ainda sempre nunca aqui ali"},
    Language{
        "nl",
        "de het een deze dit die dat elk elke ieder iedere alle andere ander zelfde geen enkele veel meer meest "
        "ik jij je hij zij ze wij we u jullie mij me hem haar hen hun ons onze mijn jouw zijn uw zich wie wat welke "
        "van in op aan bij voor met naar uit door over onder tussen tegen zonder om tot te ter tijdens na sinds "
        "en of maar want als dan omdat hoewel terwijl indien zoals toen wanneer waar "
        "is ben bent was waren wezen zijn heeft hebben had hadden wordt worden werd werden geworden kan kunnen kon "
        "zal zullen zou zouden moet moeten mag mogen wil "
        "niet ook nog al wel zeer zo er hier daar nu altijd nooit slechts toch"},
    Language{
        "ru",
        "этот эта это эти тот та то те такой такая такие весь вся всё все всех каждый другой другие сам самый свой "
        "своя свои своего "
        "я ты он она оно мы вы они меня тебя его её ее нас вас их мне тебе ему ей нам вам им мной себя себе мой твой "
        "наш ваш кто что который которая которое которые которого какой чей "
        "в во на с со к ко по из за от до у о об обо при про для без над под между через перед "
        "и а но или да если как когда где чтобы потому так же либо хотя ни "
        "быть был была было были есть будет будут может могут должен должна должны "
        "не нет ли бы уже ещё еще только очень тоже также там тут здесь теперь даже лишь"},
    Language{
        "zh",
        "的 了 是 在 和 与 及 或 不 也 都 就 而 但 并 且 其 之 以 于 为 对 从 到 由 被 把 将 向 因 若 如 则 所 这 那 "
        "此 "
        "该 我 你 他 她 它 们 您 有 无 个 些 每 各 很 更 最 又 再 还 已 能 会 可 应 要 得 着 过 吗 呢 吧 啊 么 什 谁 "
        "哪 怎 與 於 為 對 從 這 們 個 還 會 應 過 嗎 麼 誰"},
    Language{"ja",
             "は が の を に へ と も で や か ら な い う え お た て ば だ す る し さ れ り こ そ あ ど よ ね ま せ "
             "ん き く け "
             "つ っ む め み ろ わ ち ほ ゃ ゅ ょ"},
    Language{"ar",
             "هذا هذه ذلك تلك هؤلاء الذي التي الذين اللذين اللواتي كل بعض أي أية جميع غير "
             "أنا أنت هو هي نحن أنتم هم هن له لها لهم به بها بهم فيه فيها منه منها عليه عليها إليه إليها "
             "في من إلى على عن مع بين حتى منذ خلال بعد قبل عند لدى دون ضد تحت فوق حول "
             "و أو ثم لكن بل إن أن إذا لو كما لأن حيث بما مما ولا ولكن وأن وفي ومن وعلى "
             "كان كانت يكون تكون كانوا ليس ليست قد لقد سوف "
             "لا ما لم لن هل كيف أين متى ماذا لماذا أيضا فقط جدا هنا هناك"},
    Language{"hi",
             "यह ये वह वे इस उस इन उन इसे उसे इसके उसके इसकी उसकी सब सभी हर कोई कुछ कई अन्य दूसरे "
             "मैं तू तुम आप हम मुझे तुम्हें हमें मेरा मेरी मेरे तेरा हमारा हमारी आपका आपकी अपना अपनी अपने जो जिस जिसे कौन क्या "
             "का की के को से में पर तक ने लिए साथ बाद पहले बिना बीच द्वारा प्रति "
             "और या तथा एवं लेकिन परन्तु किन्तु अगर यदि तो कि जैसे जब तब जहाँ क्योंकि ताकि "
             "है हैं था थी थे हो होता होती होते होना हुआ हुई हुए गया गई गए कर करता करती करते करने किया रहा रही रहे सकता सकती "
             "सकते चाहिए "
             "नहीं न भी ही बहुत अब यहाँ वहाँ कैसे क्यों फिर"},
};
static_assert(kLanguages.size() <= 16, "LanguageSet has sixteen bits");

struct Entry {
  uint64_t hash;
  LanguageSet languages;
};

constexpr size_t kSlots = 8192;  // a power of two, several times the words

// Hash of a word to its languages, open addressing; the hash 0 is an empty slot.
class Table {
 public:
  Table() : slots_(kSlots) {
    for (size_t i = 0; i < kLanguages.size(); ++i) {
      const std::string_view words = kLanguages[i].words;
      for (size_t begin = 0; begin < words.size();) {
        const size_t end = std::min(words.find(' ', begin), words.size());
        Entry& entry = slot(word_hash(words.substr(begin, end - begin)));
        entry.hash = word_hash(words.substr(begin, end - begin));
        entry.languages |= static_cast<LanguageSet>(1U << i);
        begin = end + 1;
      }
    }
  }

  LanguageSet find(uint64_t hash) const { return const_cast<Table*>(this)->slot(hash).languages; }

 private:
  Entry& slot(uint64_t hash) {
    size_t i = hash % kSlots;
    while (slots_[i].hash != 0 && slots_[i].hash != hash) i = (i + 1) % kSlots;
    return slots_[i];
  }

  std::vector<Entry> slots_;
};

const Table& table() {
  static const Table words;
  return words;
}

constexpr size_t kSample = 16384;

void count_words(std::string_view text, base::Span part, std::array<size_t, kLanguages.size()>& counts) {
  Word word;
  for (WordReader reader(text, part); reader.next(word);) {
    if (word.kind != WordKind::kLetters) continue;
    for (unsigned set = table().find(word.hash); set != 0; set &= set - 1) ++counts[std::countr_zero(set)];
  }
}

}  // namespace

LanguageSet language_set(std::string_view code) {
  const std::string_view primary = code.substr(0, code.find_first_of("-_"));
  for (size_t i = 0; i < kLanguages.size(); ++i) {
    if (kLanguages[i].code == primary) return static_cast<LanguageSet>(1U << i);
  }
  return 0;
}

LanguageSet stop_word_languages(uint64_t word_hash) { return table().find(word_hash); }

std::string_view detect_language(std::string_view text) {
  std::array<size_t, kLanguages.size()> counts{};
  if (text.size() <= kSample) {
    count_words(text, {0, text.size()}, counts);
  } else {
    constexpr size_t kThird = kSample / 3;
    for (const size_t begin : {size_t{0}, text.size() / 2, text.size() - kThird}) {
      count_words(text, {begin, begin + kThird}, counts);
    }
  }
  const auto most = std::max_element(counts.begin(), counts.end());
  return *most == 0 ? std::string_view() : kLanguages[static_cast<size_t>(most - counts.begin())].code;
}

}  // namespace vsr::text
