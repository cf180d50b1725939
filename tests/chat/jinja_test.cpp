#include "chat/jinja.h"

#include <catch2/catch.hpp>

#include <string>

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
                             "{{ range(100001) }}",
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
  CHECK(failure("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}").status == Status::kParse);
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
