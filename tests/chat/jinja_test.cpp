#include "chat/jinja.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "support/failure.h"
#include "support/goldens.h"

namespace {

using nlohmann::ordered_json;
using vsr::base::Status;
using vsr::test::Failure;
using vsr::test::failure_of;
using namespace vsr::chat::jinja;

Value value_of(const ordered_json& json) {
  if (json.is_string()) return Value(json.get<std::string>());
  if (json.is_boolean()) return Value(json.get<bool>());
  if (json.is_number_integer()) return Value(json.get<int64_t>());
  if (json.is_array()) {
    List items;
    for (const ordered_json& one : json) items.push_back(value_of(one));
    return Value(std::move(items));
  }
  Dict entries;
  for (const auto& [key, one] : json.items()) entries.emplace_back(key, value_of(one));
  return Value(std::move(entries));
}

std::string render(const std::string& source, const Dict& variables = {}) {
  return Template(source, "t.jinja").render(variables);
}

Failure failure(const std::string& source) {
  return failure_of([&] { render(source); });
}

}  // namespace

TEST_CASE("jinja: templates give what transformers renders", "[text][jinja]") {
  const auto golden =
      ordered_json::parse(vsr::test::read_file(vsr::test::source_path("tests/goldens/chat_templates.json")));
  REQUIRE(golden.at("cases").size() > 30);
  for (const ordered_json& one : golden.at("cases")) {
    Dict variables{{"messages", value_of(one.at("messages"))}, {"tools", Value(None{})}, {"documents", Value(None{})}};
    for (const auto& [key, value] : one.at("variables").items()) variables.emplace_back(key, value_of(value));
    INFO(one.at("name") << ": " << one.at("template").get<std::string>());
    std::string rendered;
    const Failure failed = failure_of([&] { rendered = render(one.at("template").get<std::string>(), variables); });
    CHECK(failed.message == "");
    CHECK(rendered == one.at("rendered").get<std::string>());
  }
}

TEST_CASE("jinja: what is not implemented is named with its line", "[text][jinja]") {
  CHECK(failure("\n{% include 'x' %}") ==
        Failure{Status::kUnsupported, "t.jinja: line 2: the tag \"include\", which vsr does not run"});
  CHECK(failure("a\nb {{ 'x'|wordwrap }}") ==
        Failure{Status::kUnsupported, "t.jinja: line 2: the filter \"wordwrap\", which vsr does not run"});
  CHECK(failure("{{ 1 is sameas 1 }}").status == Status::kUnsupported);
  CHECK(failure("{{ 'x'.zfill(3) }}").status == Status::kUnsupported);
  CHECK(failure("{{ [1].append(2) }}").status == Status::kUnsupported);
  CHECK(failure("{{ [1, 2] }}").status == Status::kUnsupported);
  CHECK(failure("{{ strftime_now('%Y') }}").status == Status::kUnsupported);
  CHECK(failure("{{ 'é'|upper }}").status == Status::kUnsupported);
  CHECK(failure("{{ '<'|safe }}").status == Status::kUnsupported);
  CHECK(failure("{{ 'x' % 1 }}").status == Status::kUnsupported);
  CHECK(failure("{{ 'x'|trim(by='y') }}").status == Status::kUnsupported);
  // A branch that is not taken may hold anything that parses.
  CHECK(render("{% if false %}{{ 'x'|wordwrap }}{% endif %}ok") == "ok");
}

TEST_CASE("jinja: what jinja2 rejects is rejected", "[text][jinja]") {
  for (const char* source : {"{{ x",
                             "{% if true %}",
                             "{% endif %}",
                             "{{ 1 + }}",
                             "{{ (1 }}",
                             "{{ 1) }}",
                             "{% for x %}{% endfor %}",
                             "{# x",
                             "{{ 'x }}",
                             "{{ nothing.x }}",
                             "{{ nothing.x.y }}",
                             "{{ 'a' + 1 }}",
                             "{{ nothing + 1 }}",
                             "{{ nothing() }}",
                             "{{ 1() }}",
                             "{{ 1 / 0 }}",
                             "{{ 1 < 'a' }}",
                             "{% break %}",
                             "{% for a, b in [1] %}{% endfor %}",
                             "{% set x.y = 1 %}",
                             "{{ 'a'.split('') }}",
                             "{% for x in 1 %}{% endfor %}",
                             "{{ none|length }}",
                             "{{ [1][::0] }}",
                             "{% macro f(a=1, b) %}{% endmacro %}",
                             "{% macro f() %}{% endmacro %}{{ f(1) }}",
                             "{{ ? }}",
                             "{% for x in [1] %}{% set y %}{% break %}{% endset %}{% endfor %}"}) {
    INFO(source);
    CHECK(failure(source).status == Status::kParse);
  }
  CHECK(failure("{{ raise_exception('x' * 100000) }}").message.size() < 1200);
  CHECK(failure("a\n{{ raise_exception('no ' ~ 'tools') }}") ==
        Failure{Status::kInvalidArgument, "t.jinja: line 2: the template rejects the messages: no tools"});
}

TEST_CASE("jinja: hostile templates end", "[text][jinja]") {
  std::string doubling = "{% set x = 'aaaaaaaaaaaaaaaa' %}";
  for (int i = 0; i < 40; ++i) doubling += "{% set x = x ~ x %}";
  CHECK(failure(doubling).status == Status::kLimit);
  CHECK(failure("{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}").status ==
        Status::kLimit);
  CHECK(failure("{{ 'x' * 1000000000000 }}").status == Status::kLimit);
  CHECK(failure("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}").status == Status::kLimit);
  CHECK(failure("{{ range(100001) }}").status == Status::kLimit);
  CHECK(failure("{{ " + std::string(1000, '(') + " }}").status == Status::kParse);
  CHECK(failure(std::string("{{ ").append(100000, '-').append("1 }}")).status.has_value());
  CHECK(failure("{{ not " + std::string(4, ' ') + "x }}").status == std::nullopt);
  std::string sum = "{{ 1";
  for (int i = 0; i < 100000; ++i) sum += " + 1";
  CHECK(failure(sum + " }}").status == Status::kLimit);
  std::string nested;
  for (int i = 0; i < 100000; ++i) nested += "{% if true %}";
  CHECK(failure(nested).status == Status::kParse);
}

TEST_CASE("jinja: integers do not leave 64 bits", "[text][jinja]") {
  const std::string least = "{% set n = -9223372036854775807 - 1 %}";
  CHECK(render(least + "{{ n is divisibleby(-1) }} {{ n % -1 }} {{ n is divisibleby(3) }}") == "True 0 False");
  for (const char* expression : {"n // -1", "-n", "n|abs", "n - 1", "n * -1", "n + n", "2 ** 64", "n ** 2"}) {
    INFO(expression);
    CHECK(failure(least + "{{ " + expression + " }}").status == Status::kUnsupported);
  }
  CHECK(render("{{ -7 // 2 }} {{ -7 % 2 }} {{ 7 // -2 }} {{ 7 % -2 }}") == "-4 1 -4 -1");
  CHECK(failure("{{ 0 ** -1 }}").status == Status::kParse);
  CHECK(render("{{ 9007199254740993 > 9007199254740992 }}") == "True");
  CHECK(render(least + "{{ range(n, 9223372036854775807, 9223372036854775807)|join(' ') }}") ==
        "-9223372036854775808 -1 9223372036854775806");
  CHECK(failure(least + "{{ range(n, 9223372036854775807)|length }}").status == Status::kLimit);
  CHECK(render(least + "{{ range(5, n, n)|join(' ') }} {{ 'ab'[n:][::n] }}{{ 'a b c'.split(' ', n)|length }}") ==
        "5 -9223372036854775803 b3");
}

TEST_CASE("jinja: slices end where Python's do", "[text][jinja]") {
  const auto indices = [](int size, std::optional<int> start, std::optional<int> stop, int step) {
    const auto clamp = [&](std::optional<int> given, int otherwise) {
      if (!given) return otherwise;
      const int low = step < 0 ? -1 : 0, high = step < 0 ? size - 1 : size;
      return std::clamp(*given < 0 ? *given + size : *given, low, high);
    };
    const int last = clamp(stop, step < 0 ? -1 : size);
    std::string kept;
    for (int i = clamp(start, step < 0 ? size - 1 : 0); step < 0 ? i > last : i < last; i += step) {
      kept += static_cast<char>('a' + i);
    }
    return kept;
  };
  const auto shown = [](std::optional<int> part) { return part ? std::to_string(*part) : std::string(); };
  std::vector<std::optional<int>> parts{std::nullopt};
  for (int i = -5; i <= 5; ++i) parts.emplace_back(i);
  for (const int size : {0, 1, 3}) {
    for (const auto start : parts) {
      for (const auto stop : parts) {
        for (const int step : {-7, -2, -1, 1, 2, 7}) {
          const std::string slice = "[" + shown(start) + ":" + shown(stop) + ":" + std::to_string(step) + "]";
          const std::string text = std::string("abc").substr(0, static_cast<size_t>(size));
          const std::string expected = indices(size, start, stop, step);
          INFO(text << slice);
          REQUIRE(render("{{ '" + text + "'" + slice + " }}") == expected);
          REQUIRE(render("{{ ('" + text + "'|list)" + slice + "|join }}") == expected);
        }
      }
    }
  }
  CHECK(render("{{ 'äöü'[1:][:1] }}{{ 'äöü'[::-1] }}{{ 'äöü'[-1] }}{{ 'äöü'[9] }}{{ 'äöü'|last }}") == "öüöäüü");
}

TEST_CASE("jinja: values hold each other so deep and no deeper", "[text][jinja]") {
  const auto nested = [](const std::string& form) {
    return failure("{% set ns = namespace(x=[]) %}{% for i in range(1000) %}{% set ns.x = " + form +
                   " %}{% endfor %}{{ ns.x == ns.x }}")
        .status;
  };
  CHECK(nested("[ns.x]") == Status::kLimit);
  CHECK(nested("{'a': ns.x}") == Status::kLimit);
  CHECK(nested("dict(a=ns.x)") == Status::kLimit);
  CHECK(nested("{'a': ns.x}.get") == Status::kLimit);
  CHECK(nested("[ns.x, ns.x]|list") == Status::kLimit);
  CHECK(render("{% set ns = namespace(x=[]) %}{% for i in range(60) %}{% set ns.x = [ns.x] %}{% endfor %}"
               "{{ ns.x == ns.x }}{{ (ns.x|tojson)|length }}") == "True122");
  // Namespaces that hold each other die with their rendering: the leak checker of the sanitizer builds looks.
  CHECK(render("{% set a = namespace() %}{% set b = namespace(a=a) %}{% set a.b = [b, a] %}{% set a.self = a %}"
               "{{ a.b[0].a.self == a }}") == "True");
  // Evaluation itself is bounded too, through macros as well.
  std::string deep = "1";
  for (int i = 0; i < 900; ++i) deep += "+1";
  CHECK(failure("{{ " + deep + " }}").status == Status::kLimit);
  CHECK(failure("{% macro f(n) %}{{ " + std::string(60, '(') + "f(n)" + std::string(60, ')') +
                " ~ 1 }}{% endmacro %}{{ f(1) }}")
            .status.has_value());
}

TEST_CASE("jinja: everything that a template repeats is charged", "[text][jinja]") {
  // Each of these took from seconds to hours, or all memory.
  const std::string mega = "{% set t = 'a' * 4000000 %}";
  const std::string many = "{% set l = range(100000)|list %}";
  const auto loop = [](const std::string& body) {
    return "{% for i in range(100000) %}{% if " + body + " %}{% endif %}{% endfor %}";
  };
  const auto twins = [](const std::string& use) {  // values that share parts, and hold 2^60 of them
    return "{% set ns = namespace(x=['a']) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}" + use;
  };
  for (const std::string& source :
       {mega + loop("'b' in t"),
        mega + loop("t|length"),
        mega + loop("t == t ~ ''"),
        mega + loop("t < t"),
        mega + loop("t.startswith(t)"),
        mega + loop("t.find('b')"),
        mega + loop("t.count('b')"),
        mega + loop("t[-1]"),
        mega + loop("t|int"),
        mega + loop("t|first"),
        mega + loop("t.strip('b')"),
        mega + loop("t[1:]"),
        mega + loop("[t]|join"),
        mega + loop("t|upper"),
        mega + loop("t.split('b')"),
        mega + loop("t.rsplit('b')"),
        many + loop("-1 in l"),
        many + loop("l == l[:]"),
        many + loop("l[1:]"),
        many + loop("l + l"),
        many + loop("l|reverse|first"),
        many + loop("l|map('string')|list"),
        many + loop("l|select('eq', 1)|list"),
        many + loop("l|tojson"),
        many + loop("dict(a=l).values()|first|sum is defined or l|list"),
        twins("{{ ns.x == (ns.x|list) }}"),
        twins("{{ ns.x|tojson }}"),
        twins("{{ 'b'.startswith(ns.x) }}"),
        twins("{{ ns.x in [ns.x[:]] }}"),
        std::string("{{ ('a' * 100000)|list|join('a' * 100000) }}"),
        std::string("{{ [1]|tojson(indent=1000000000) }}"),
        std::string("{{ 'a' * 9223372036854775807 }}"),
        std::string("{{ 'aaaaaaaaaaaaaaaa' * 1152921504606846976 }}"),
        std::string("{% set ns = namespace() %}{% set ns.n = ns %}{% set path = 'n' ~ '.n' * 10000000 %}"
                    "{{ [ns]|map(attribute=path)|list }}"),
        mega + "{% set l = t|list %}",
        mega + "{{ t.replace('a', t) }}",
        mega + "{% set half = t ~ 'b' ~ t %}" + loop("half in t ~ t ~ t ~ t")}) {
    INFO(source);
    const auto status = failure(source).status;
    CHECK((status == Status::kLimit || status == Status::kUnsupported));
  }
  // Names are looked up among all of a scope's.
  std::string names;
  for (int i = 0; i < 20000; ++i) names += "{% set name" + std::to_string(i) + " = 1 %}";
  CHECK(failure(names + loop("name19999")).status == Status::kLimit);
}

TEST_CASE("jinja: a deadline and a cancellation end a rendering", "[text][jinja]") {
  const Template slow("{% for i in range(100000) %}{% if i in range(100) %}{% endif %}{% endfor %}", "t.jinja");
  const auto failure_under = [&](const vsr::base::CallLimits& limits) {
    return failure_of([&] { slow.render({}, limits); });
  };
  CHECK(failure_under({.deadline = vsr::base::deadline_in(-1)}) ==
        Failure{Status::kDeadline, "the deadline of the call has passed"});
  std::stop_source stop;
  stop.request_stop();
  CHECK(failure_under({.cancel = stop.get_token()}).status == Status::kCancelled);
}
