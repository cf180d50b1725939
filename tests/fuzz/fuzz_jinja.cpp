// chat::jinja: any template is rendered or refused, within the work it is allowed, and the same each time.
#include <chrono>

#include "base/utf8.h"
#include "chat/jinja.h"
#include "fuzz_target.h"

using namespace vsr;
using namespace vsr::chat::jinja;

namespace {

Dict variables() {
  const auto message = [](const char* role, const char* content) {
    return Value(Dict{{"role", Value(role)}, {"content", Value(content)}});
  };
  const Value tool(Dict{{"name", Value("f")}, {"parameters", Value(Dict{{"x", Value(List{Value(int64_t{1})})}})}});
  return {{"messages", Value(List{message("system", "be brief"), message("user", "caf\xC3\xA9 <b> \"x\"\n"),
                                  message("assistant", "")})},
          {"tools", Value(List{tool})},
          {"documents", Value(None{})},
          {"add_generation_prompt", Value(true)},
          {"bos_token", Value("<s>")},
          {"n", Value(INT64_MIN)},
          {"f", Value(0.5)}};
}

// Inputs that take all the work that they are allowed would leave time for few others.
std::string render(const Template& parsed, int64_t milliseconds) {
  return parsed.render(variables(), {.deadline = base::deadline_in(milliseconds), .cancel = {}});
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  return {
      "{%- for m in messages %}{{ '<|im_start|>' + m['role'] + '\\n' + m.content | trim + '<|im_end|>\\n' }}{% endfor "
      "%}"
      "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
      "{% set ns = namespace(i=0, last=none) %}{% for m in messages[::-1] %}{% set ns.i = ns.i + 1 %}"
      "{% if loop.first and not loop.last and m.role == 'user' %}{% set ns.last = loop.index0 %}{% break %}{% endif %}"
      "{% endfor %}{{ ns.i }} {{ ns.last is none }} {{ ns.i is divisibleby(-1) }} {{ n % -1 }} {{ n // 3 }} {{ -f }}",
      "{% macro show(x, y='d') %}{{ x|tojson(indent=2) }}{{ y ~ 1.5 }}{% endmacro %}{{ show(tools) }}"
      "{{ messages|selectattr('role', 'equalto', 'user')|map(attribute='content')|join(', ') }}"
      "{{ tools[0].parameters.items()|list|length }} {{ {'a': [1, none, true]}|tojson }}",
      "{{- bos_token }}{#- a comment -#}{% set t = messages[1].content.split(' ')[-1].strip('\\n\"') %}{{ t[1:-1:2] }}"
      "{{ t.replace('a', 'bb') }}{{ t.startswith(('a', 'b')) }}{{ 'x' in t }}{{ t|length }}{{ t[::-1] }}{{ t * 3 }}",
      "{% for i in range(3, -3, -2) %}{% for k, v in {'a': 1, 'b': [2]}.items() if k != 'a' %}{{ loop.cycle('x', k) }}"
      "{% endfor %}{% else %}none{% endfor %}{% set b %}{{ 1 if f > 0.1 else 2 }}{% endset %}{{ b }}"
      "{{ raise_exception('no ' ~ b) if undefined_thing is defined else [1, 2]|reverse|first }}"};
}

int fuzz::runs() { return 20000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const base::CleanText source(fuzz::text_of(data, size));
  fuzz::accept_errors([&] {
    const Template parsed(source.view(), "t.jinja");
    const std::string first = render(parsed, 3);
    fuzz::demand(base::CleanText(first).replaced_bytes() == 0, "what is rendered is UTF-8");
    fuzz::demand(render(parsed, 1000) == first, "a rendering is the same each time");
  });
  return 0;
}
