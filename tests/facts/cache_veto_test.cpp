#include "facts/cache_veto.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <random>

#include "facts/cache_veto_tokens.h"
#include "support/data.h"
#include "support/temp_folder.h"

using namespace vsr::facts;

namespace {

std::optional<Veto> found(std::string_view a, std::string_view b) {
  const auto there = veto(veto_terms(a), veto_terms(b)), back = veto(veto_terms(b), veto_terms(a));
  INFO(a << " | " << b);
  CHECK(there.has_value() == back.has_value());
  CHECK((there && there->doubt) == (back && back->doubt));
  return there;
}
// Why one answer cannot serve both; empty where it can, or where a pair check may say so.
std::string verdict(std::string_view a, std::string_view b) {
  const auto veto = found(a, b);
  return veto && !veto->doubt ? veto->reason : "";
}
bool doubtful(std::string_view a, std::string_view b) {
  const auto veto = found(a, b);
  return veto && veto->doubt;
}
bool conflict(std::string_view a, std::string_view b) { return !verdict(a, b).empty(); }

}  // namespace

TEST_CASE("cache veto: paraphrases pass", "[facts]") {
  CHECK(verdict("What is cognitive dissonance?", "Tell me about cognitive dissonance") == "");
  CHECK(verdict("How do I make a good cup of coffee?", "what's the best way to brew coffee") == "");
  CHECK(verdict("HOW DO I RESET MY PASSWORD", "How can I reset my password?") == "");
  CHECK(verdict("How Do I Reset The Router Password Quickly", "how do i quickly reset a router's password") == "");
  CHECK(verdict("What's the weather in Paris?", "weather in paris please") == "");
  CHECK(verdict("I don't like it", "I do not like it") == "");
  CHECK(verdict("Wie ist das Wetter heute in der Stadt?", "Wie wird das Wetter heute in der Stadt?") == "");
  CHECK(verdict("C'est quoi l'heure", "quoi heure est-ce") == "");
  CHECK(verdict("", "") == "");
}

TEST_CASE("cache veto: numbers are compared as values, with units and in order", "[facts]") {
  CHECK(verdict("Convert 5 km", "convert 6 km") == "numbers differ: \"5 kilometer\" and \"6 kilometer\"");
  CHECK(verdict("list items", "list 3 items") == "numbers differ: none and \"3\"");
  CHECK(conflict("run 5 km", "run 5 miles"));
  CHECK(conflict("divide 10 by 2", "divide 2 by 10"));
  CHECK(conflict("what is -5 plus 3", "what is 5 plus 3"));
  CHECK(conflict("1.5 percent", "15 percent"));
  CHECK(conflict("code 007", "code 7"));
  CHECK(conflict("set alarm for 5 am", "set alarm for 5 pm"));
  CHECK(conflict("the 2nd of these", "the 3rd of these"));
  CHECK(conflict("\xD9\xA5 days", "\xD9\xA6 days"));  // Arabic-Indic 5 and 6
  CHECK_FALSE(conflict("pay $1,000.00 now", "pay 1000 dollars now"));
  CHECK_FALSE(conflict("twenty-five kg", "25 kilograms"));
  CHECK_FALSE(conflict("two tickets", "2 tickets"));
  CHECK_FALSE(conflict("zwei Karten", "2 karten"));
  CHECK_FALSE(conflict("5km run", "run 5 kilometres"));
  CHECK_FALSE(conflict("\xEF\xBC\x95 days", "5 days"));  // fullwidth 5
}

TEST_CASE("cache veto: negations and opposites conflict", "[facts]") {
  CHECK(verdict("Is it safe to eat?", "Is it not safe to eat?") == "negations differ: 0 and 1");
  CHECK(conflict("apps that work without internet", "apps that work with internet"));
  CHECK(conflict("Ich kann mich anmelden", "Ich kann mich nicht anmelden"));
  CHECK(conflict("je peux me connecter", "je ne peux pas me connecter"));
  CHECK(conflict("puedo entrar", "no puedo entrar"));
  CHECK(conflict("我可以登录", "我不可以登录"));
  CHECK(conflict("ログインできる", "ログインできない"));
  CHECK(conflict("я могу войти", "я не могу войти"));
  CHECK(verdict("enable dark mode", "disable dark mode") == "one says the opposite of the other");
  CHECK(conflict("turn the lights on", "turn the lights off"));
  CHECK(conflict("how to buy stocks", "how to sell stocks"));
  CHECK_FALSE(conflict("turn it on and off", "turn it off and on"));
}

TEST_CASE("cache veto: words that exclude each other conflict in any wording", "[facts]") {
  CHECK(conflict("What is the ibuprofen dose for an adult?", "How much ibuprofen may a child take?"));
  CHECK(conflict("bandage my left hand", "how do i put a bandage on a right hand"));
  CHECK(conflict("should i bake it before frosting", "frosting it, then bake it after"));
  CHECK(conflict("Wo kann ich Gold kaufen", "Wie wird man Gold los: verkaufen"));
  CHECK(conflict("Darf ein Erwachsener das nehmen", "Ist das für Kinder"));
  CHECK(conflict("where does the board meet", "when does the board meet"));
  CHECK(conflict("what is your name", "what is my name"));
  CHECK(conflict("mark all messages", "mark some messages"));
  CHECK_FALSE(conflict("increase the volume", "raise the volume"));
  CHECK_FALSE(conflict("left and right channel", "right and left channel"));
}

TEST_CASE("cache veto: opposites that no list has are known by their form", "[facts]") {
  for (const auto& [a, b] : {std::pair{"is the polymer soluble", "is the polymer insoluble"},
                             {"reversible damage of the lens", "is the damage of the lens irreversible"},
                             {"who is the assignor", "who is the assignee"},
                             {"a useful remark", "a useless remark"},
                             {"why was I overbilled", "why was I underbilled"},
                             {"decode the signal", "encode the signal"},
                             {"can I couple the wagons", "can I uncouple the wagons"}}) {
    CHECK(conflict(a, b));
  }
}

TEST_CASE("cache veto: what one must, what one may and what is forbidden are different questions", "[facts]") {
  for (const auto& [a, b] : std::vector<std::pair<std::string, std::string>>{
           {"Do I have to disclose my salary?", "Am I allowed to disclose my salary?"},
           {"May I register my drone?", "Do I have to register my drone?"},
           {"Is it forbidden to vaccinate my dog?", "Can I vaccinate my dog?"},
           {"Do I need to tip the waiter?", "May I tip the waiter?"},
           {"Should I sign the contract?", "Am I allowed to sign the contract?"},
           {"Can my boss read my emails?", "Should my boss read my emails?"},
           {"Please tell me if I must register", "Please tell me if I may register"},
           {"Muss ich mein Gehalt nennen?", "Darf ich mein Gehalt nennen?"},
           {"How do I make my skin lighter?", "What can I do to get darker skin?"},
           {"How do I make the room colder?", "What can I do so that the room gets warmer?"},
           {"How do I make my heart beat faster?", "What can I do so that my heart beats slower?"},
           {"What are benefits of coffee?", "What harm does coffee do?"}}) {
    INFO(a << " / " << b);
    const auto found = veto(veto_terms(a), veto_terms(b));
    REQUIRE(found);
    CHECK_FALSE(found->doubt);
  }
  for (const auto& [a, b] : std::vector<std::pair<std::string, std::string>>{
           {"Can I park here?", "May I park here?"},
           {"Must I register?", "Do I have to register?"},
           {"Can I bring my dog to the office?", "Am I allowed to bring my dog to the office?"},
           {"Can you tell me if I must register?", "Do I have to register?"},
           {"What should I do to reset my password?", "How can I reset my password?"},
           {"I need to cancel my appointment", "Can you cancel my appointment?"}}) {
    INFO(a << " / " << b);
    const auto found = veto(veto_terms(a), veto_terms(b));
    CHECK((!found || found->doubt));
  }
}

TEST_CASE("cache veto: a near-negation is one", "[facts]") {
  CHECK(verdict("I can hear the dentist", "I can hardly hear the dentist") == "negations differ: 0 and 1");
  for (const char* word : {"scarcely", "barely", "seldom", "rarely", "never"}) {
    CHECK(conflict("the valve closes", std::string("the valve ") + word + " closes"));
  }
  CHECK(conflict("Ich kann ihn verstehen", "Ich kann ihn kaum verstehen"));
  CHECK_FALSE(conflict("I can hardly hear him", "I can barely hear him"));
}

TEST_CASE("cache veto: otherwise equal questions that differ in one place conflict, whatever the words", "[facts]") {
  CHECK(verdict("How long does smoked trout keep?", "How long does pickled trout keep?") ==
        R"("pickled" is in the place of "smoked")");
  CHECK(verdict("Is trout healthy?", "Is smoked trout healthy?") == R"(only one says "smoked")");
  CHECK(conflict("How do I varnish a table?", "How do I sand a table?"));
  CHECK(conflict("varnish the oak table", "sand the pine table"));
  CHECK_FALSE(conflict("How do I repair a zipper?", "How do I mend a zipper?"));
  CHECK_FALSE(conflict("How do I close the valve?", "closing valves"));
  CHECK_FALSE(conflict("what price does a tram ticket have", "how much does a tram ticket cost"));
}

TEST_CASE("cache veto: who does what to whom counts", "[facts]") {
  CHECK(verdict("dog bites man", "man bites dog") == R"("dog" and "man" have changed places)");
  CHECK(conflict("My son bullies a classmate", "A classmate bullies my son"));
  CHECK(conflict("move it from the vault into my pocket", "take it out of my pocket and move it into the vault"));
  CHECK(conflict("transfer 50 from savings to checking", "transfer 50 from checking to savings"));
  CHECK(conflict("move it from the desk to the cloud", "move it to the desk from the cloud"));
  CHECK(conflict("convert ounces to litres of oil", "convert litres to ounces of oil"));
  CHECK(conflict("put varnish over primer", "put primer over varnish"));
  CHECK(conflict("is tin softer than zinc", "is zinc softer than tin"));
  CHECK(conflict("the nurse's mother", "the mother's nurse"));
  CHECK(conflict("how do i log in to the portal", "how do i log out of the portal"));
  CHECK(conflict("Flüge von Hamm nach Soest", "Flüge von Soest nach Hamm"));
  CHECK_FALSE(conflict("send 30 euros from savings to the club", "send 30 euros to the club from savings"));
  CHECK_FALSE(conflict("turn the heater on", "turn on the heater"));
  CHECK_FALSE(conflict("reset the router quickly", "quickly reset the router"));
}

TEST_CASE("cache veto: another wording with other words is a doubt", "[facts]") {
  CHECK(doubtful("What happens to my pension if my spouse dies?", "What happens to my spouse's pension if I die?"));
  CHECK(doubtful("How do I get rid of moths?", "What drives moths away from clothes?"));
  CHECK_FALSE(found("How do I reset my router?", "Please tell me how to reset my router"));
  CHECK_FALSE(found("what is the capital of peru", "tell me the capital of peru"));
}

TEST_CASE("cache veto: of long texts only the same conflicts with none", "[facts]") {
  std::string text;
  for (int i = 0; i < 400; ++i) text += "word ";
  CHECK(verdict(text, text + "end") == "too long to be compared word by word");
  CHECK_FALSE(found(text, text + "!"));
}

TEST_CASE("cache veto: names that differ conflict", "[facts]") {
  CHECK(verdict("Weather in Oakville", "weather in Maplewood") == "name \"oakville\" is not in the cached question");
  CHECK(verdict("weather in town", "weather in the town of Maplewood") == "name \"maplewood\" is not in the question");
  CHECK(conflict("weather in london", "weather in paris"));
  CHECK(conflict("how do you say hi in french", "how do you say hi in spanish"));
  CHECK(conflict("Albert Brown's birthday", "Isaac Brown's birthday"));
  CHECK(conflict("meeting on monday", "meeting on friday"));
  CHECK(conflict("what does 'hello' mean", "what does 'goodbye' mean"));
  CHECK(conflict("what does \xE2\x80\x9Chello\xE2\x80\x9D mean",
                 "what does \xE2\x80\x9C"
                 "bye\xE2\x80\x9D mean"));
  CHECK(conflict("flights from Paris to London", "flights from London to Paris"));
  CHECK(conflict("東京タワーはどこ", "東京ホテルはどこ"));
  CHECK_FALSE(conflict("what does 'hello' mean", "what does hello mean"));
}

TEST_CASE("cache veto: identifiers are names", "[facts]") {
  CHECK(conflict("what does read_file do", "what does write_file do"));
  CHECK(conflict("what does getName do", "what does setName do"));
  CHECK(conflict("explain os.path", "explain os.environ"));
  CHECK(conflict("mail a@b.com", "mail c@b.com"));
  CHECK(conflict("is gpt4o good", "is gpt5 good"));
  CHECK(conflict("learn c++", "learn c#"));
  CHECK(conflict("release 1.2.3", "release 1.2.4"));
  CHECK_FALSE(conflict("animals, e.g. dogs", "animals e.g. dogs"));
}

TEST_CASE("cache veto: a conflict is symmetric and no text conflicts with itself", "[facts]") {
  const std::string_view parts[] = {
      "Paris", "not",  "5",  "km", "$", "enable", "\"",   "'",   "’", "2.50", "ない", "不", "タワー", "c++", "foo_bar",
      "\xFF",  "\xE2", "\n", "-",  ".", "twenty", "five", "IBM", "I", "a.b",  "ß",    "İ",  "\u0660", "@",   "1,0,0"};
  std::mt19937 random(3);
  const auto make = [&] {
    std::string text;
    for (int i = 0; i < 12; ++i) {
      text += parts[random() % std::size(parts)];
      if (random() % 2 == 0) text += ' ';
    }
    return text;
  };
  for (int i = 0; i < 3000; ++i) {
    const std::string a = make(), b = make();
    CHECK(verdict(a, a) == "");
    conflict(a, b);
  }
}

TEST_CASE("cache veto: strings that break programs are read", "[facts]") {
  const auto path = vsr::test::shared_data("texts/blns.txt");
  if (!path) return;
  const std::string text = vsr::test::read_file(*path);
  CHECK(verdict(text, text) == "");
  CHECK(veto_tokens(text).size() > 1000);
}

TEST_CASE("cache veto: all digits of Unicode are read as digits", "[facts]") {
  // Devanagari, Bengali, Thai, mathematical monospace
  for (const std::string_view text :
       {"\u0967\u0968\u0969", "\u09E7\u09E8\u09E9", "\u0E51\u0E52\u0E53", "\U0001D7F7\U0001D7F8\U0001D7F9"}) {
    CHECK(veto_terms(text).numbers == std::vector<std::string>{"123"});
  }
}
