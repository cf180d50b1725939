"""Writes chat_templates.json: chat templates with what `transformers` renders from them.

Run in an environment with the packages of requirements-goldens.txt. The templates are written for this test; they use
what the templates of published checkpoints use. Those under "guard" have the shape of a safety classifier's.
"""

import json
import pathlib
from importlib import metadata

from transformers.utils.chat_template_utils import render_jinja_template

HERE = pathlib.Path(__file__).parent
PACKAGES = ("jinja2", "transformers")

USER = {"role": "user", "content": "Where is my card?"}
SYSTEM = {"role": "system", "content": "You are brief."}
ASSISTANT = {"role": "assistant", "content": "On its way."}
THOUGHT = {"role": "assistant", "content": "<think>\nlet me see\n</think>\n\nIt is late.\n"}
ODD = {"role": "user", "content": "  Grüße,\t世界! \n\n<b>&amp;</b> 'q' \"d\" \\ {{ x }} {% y %} 👋🏽\u00a0 "}
CHATS = [[USER], [SYSTEM, USER], [USER, ASSISTANT], [SYSTEM, USER, ASSISTANT, ODD], [USER, THOUGHT, ODD, THOUGHT]]
VARIABLES = [dict(add_generation_prompt=True), dict(add_generation_prompt=False, enable_thinking=False,
                                                     eos_token="</s>", bos_token="<s>")]  # fmt: skip

CHAT = r"""{%- if tools %}
    {{- 'no tools here: ' ~ (tools | tojson) }}
{%- else %}
    {%- if messages[0].role == 'system' %}
        {{- '<|im_start|>system\n' + messages[0].content + '<|im_end|>\n' }}
    {%- endif %}
{%- endif %}
{%- set ns = namespace(open=true, last=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.open and message.role == "user" and message.content is string and not(message.content.startswith('<tool>') and message.content.endswith('</tool>')) %}
        {%- set ns.open = false %}
        {%- set ns.last = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- set content = message.content if message.content is string else '' %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\n' + content + '<|im_end|>' + '\n' }}
    {%- elif message.role == "assistant" %}
        {%- set reasoning = '' %}
        {%- if message.thoughts is string %}
            {%- set reasoning = message.thoughts %}
        {%- elif '</think>' in content %}
            {%- set reasoning = content.split('</think>')[0].rstrip('\n').split('<think>')[-1].lstrip('\n') %}
            {%- set content = content.split('</think>')[-1].lstrip('\n') %}
        {%- endif %}
        {%- if loop.index0 > ns.last and (loop.last or (not loop.last and reasoning)) %}
            {{- '<|im_start|>' + message.role + '\n<think>\n' + reasoning.strip('\n') + '\n</think>\n\n' + content.lstrip('\n') }}
        {%- else %}
            {{- '<|im_start|>' + message.role + '\n' + content }}
        {%- endif %}
        {{- '<|im_end|>\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\n\n</think>\n\n' }}
    {%- endif %}
{%- endif %}"""

GUARD = r"""{%- set kinds = ["Harm.", "Theft.", "Jailbreak."] -%}
{%- set answer = messages[-1].role == 'assistant' -%}
{%- set who = 'ASSISTANT' if answer else 'USER' -%}
{%- set what = {'USER': "query", 'ASSISTANT': "response"} -%}
<|im_start|>user
Judge the last {{ what[who] }} of {{ who }}.

<BEGIN CATEGORIES>
{% for kind in kinds if not (answer and kind == "Jailbreak.") %}
{{ kind }}
{% endfor %}
<END CATEGORIES>

<BEGIN CONVERSATION>

{% for message in messages %}
{%- if message['role'] == 'user' %}
USER: {{ message['content'] | trim }}

{% elif message['role'] == 'assistant' %}
ASSISTANT: {{ message['content'].strip() }}

{% endif %}
{%- endfor -%}
<END CONVERSATION>

- The first line is one of: 'Safety: Safe', 'Safety: Unsafe', 'Safety: Controversial'.
{%- if answer %}
{{ "\n- A third line: 'Refusal: Yes' or 'Refusal: No'." }}
{%- endif %}<|im_end|>
<|im_start|>assistant
<think>

</think>

"""

# Each template shows one matter.
TEMPLATES = {
    "chat": CHAT,
    "guard": GUARD,
    "white space": "a \n  {% if true %}  \n b {%- if true -%} \n\n c {%+ if true %} d {% endif +%}\n e{% endif %}\n{# note #}\n"
                   "  {#- x -#}  f\n   {{ 1 }}\n\t{{- 2 -}}\n g {% endif %}\n\n  {% set x = 1 %}{{ x }}  \n",
    "line ends": "a\r\n{% if true %}\r\n b\rc{% endif %}\r\n\r\n",
    "one newline at the end goes": "{{ 1 }}\n\n",
    "strings": r"""{{ 'a\n\t\\\'\x41\u00e9\U0001F600\q' "b" 'c' }}{{ "it's" ~ 1 ~ none ~ true ~ 2.50 ~ 1e }}""".replace(" ~ 1e", ""),
    "numbers": "{{ 7 // 2 }} {{ -7 // 2 }} {{ 7 % 3 }} {{ -7 % 3 }} {{ 7 / 2 }} {{ 2 ** 10 }} {{ 2 ** 3 ** 2 }} {{ -2 ** 2 }} {{ 1 + 2 * 3 }} "
               "{{ 1.0 }} {{ 0.1 + 0.2 }} {{ 10 / 4 }} {{ 3 * 'ab' }} {{ true + 1 }} {{ 1 == 1.0 }} {{ 1 < 2 <= 2 < 3 }} {{ 3 > 2 > 2 }}",
    "logic": "{{ '' or 'x' }} {{ 'a' and 'b' }} {{ not '' }} {{ none is none }} {{ 1 if 0 else 2 }} {{ 'n' if 0 }}| {{ 1 in [1, 2] }} "
             "{{ 'b' not in 'abc' }} {{ not 1 == 2 }} {{ 'x' if true else 'y' if true else 'z' }} {{ ('role' in messages[0]) and messages[0]['role'] != 'x' }}",
    "slices": "{% set s = 'añ世b👋c' %}{{ s[1:3] }} {{ s[::-1] }} {{ s[-2:] }} {{ s[2] }} {{ s[-1] }} {{ s[10:] }}| {{ s[::2] }} {{ s[4:1:-1] }} "
              "{{ s|length }} {{ messages[1:]|length }} {{ messages[:1][0].role }} {{ [1,2,3,4][1:-1]|join(',') }} {{ [1,2,3][-9:9:2]|join(',') }} {{ [1, 2][5] }}|",
    "methods": "{% set s = '  A b\\n c  ' %}[{{ s.strip() }}][{{ s.lstrip() }}][{{ s.rstrip() }}][{{ 'xxaxx'.strip('x') }}][{{ s.split()|join('|') }}]"
               "[{{ 'a,b,,c'.split(',')|join('|') }}][{{ 'a,b,c'.split(',', 1)|join('|') }}][{{ 'a,b,c'.rsplit(',', 1)|join('|') }}][{{ 'a b  c'.split(None, 1)|join('|') }}]"
               "[{{ 'aXbX'.replace('X', '-') }}][{{ 'aXbX'.replace('X', '-', 1) }}][{{ 'Abc'.upper() }}{{ 'ABc'.lower() }}{{ \"they're bill's\".title() }}{{ 'aBC'.capitalize() }}]"
               "[{{ 'abcab'.find('b') }}{{ 'é世b'.find('b') }}{{ 'abc'.find('z') }}{{ 'abcab'.count('ab') }}][{{ 'abc'.startswith(('x', 'a')) }}{{ 'abc'.endswith('c') }}]"
               "[{{ 'abc'.removeprefix('a') }}{{ 'abc'.removesuffix('c') }}]",
    "dicts": "{% set d = {'a': 1, 'b': {'c': 'x'}, 'a': 3} %}{{ d.a }} {{ d['b'].c }} {{ d.b['c'] }} {{ d.get('z', 'none') }} {{ d.get('a') }} {{ d.z is defined }} {{ d.get('z') is none }} "
             "{% for k, v in d.items() %}{{ k }};{% endfor %}{% for k in d %}{{ k }};{% endfor %}{{ d.keys()|list|join(',') }} {{ d|length }} {{ d|tojson }} {{ 'a' in d }} "
             "{% for k, v in d|items %}{{ loop.index }}{{ k }}{% endfor %} {{ dict(x=1).x }} {{ d.values()|first }}",
    "loops": "{% for m in messages %}{{ loop.index }}/{{ loop.length }} {{ loop.first }} {{ loop.last }} {{ loop.revindex }} {{ loop.cycle('o', 'e') }} "
             "{{ loop.previtem.role if loop.previtem is defined else '-' }} {{ loop.nextitem.role if not loop.last }}|{% endfor %}"
             "{% for i in range(5) %}{% if i == 1 %}{% continue %}{% endif %}{% if i == 4 %}{% break %}{% endif %}{{ i }}{% else %}none{% endfor %}"
             "{% for x in [] %}{{ x }}{% else %}empty{% endfor %}{% for i in range(1, 10, 3) %}{{ i }}{% endfor %}{% for i in range(3, 0, -1) %}{{ i }}{% endfor %}"
             "{% for a, b in [(1, 2), (3, 4)] %}{{ a + b }}{% endfor %}{% for c in 'aé' %}<{{ c }}>{% endfor %}{% for x in nothing %}x{% endfor %}",
    "scopes": "{% set x = 1 %}{% for i in range(3) %}{{ x }}{% set x = x + i %}{{ x }};{% endfor %}{{ x }}{% if true %}{% set x = 9 %}{% endif %}{{ x }}"
              "{% set ns = namespace(n=0) %}{% for i in range(4) %}{% set ns.n = ns.n + i %}{% set ns.new = i %}{% endfor %}{{ ns.n }}{{ ns.new }}{{ ns.none is defined }}"
              "{% set b %}block {{ x }}\n{% set x = 5 %}{% endset %}[{{ b }}]{{ x }}{% set p, q = [1, 2] %}{{ p }}{{ q }}",
    "filters": "{{ ' a '|trim }}|{{ 'xax'|trim('x') }}|{{ nothing|default('d') }}|{{ ''|default('d', true) }}|{{ ''|d('d') }}|{{ 'aB'|upper|lower|capitalize }}|{{ [1,2]|first }}{{ [1,2]|last }}|"
               "{{ [1,'a']|join('-') }}|{{ messages|map(attribute='role')|join(',') }}|{{ messages|selectattr('role', 'equalto', 'user')|list|length }}|"
               "{{ messages|rejectattr('role', '==', 'user')|map(attribute='role')|list|tojson }}|{{ ['a','','b']|select|list|tojson }}|{{ [1,2,3]|reject('odd')|join }}|{{ ['a','b']|map('upper')|join }}|"
               "{{ '12'|int + 1 }}|{{ 'x'|int(7) }}|{{ 3.9|int }}|{{ 5|string + 'x' }}|{{ -3|abs }}|{{ 'abc'|reverse }}|{{ [1,2,3]|reverse|join }}|{{ 'aXb'|replace('X', '') }}|{{ 'ab'|list|join('.') }}|{{ [1,1,2]|unique|join }}|{{ 'abc'|count }}",
    "tests": "{{ messages is defined }}{{ nothing is undefined }}{{ 'a' is string }}{{ messages is iterable }}{{ messages[0] is mapping }}{{ 1 is number }}{{ 1.5 is float }}{{ 1 is integer }}"
             "{{ true is boolean }}{{ 3 is odd }}{{ 4 is even }}{{ 6 is divisibleby 3 }}{{ 6 is divisibleby(4) }}{{ 1 is eq 1 }}{{ 'a' is in ['a'] }}{{ none is not none }}{{ true is true }}{{ 1 is true }}{{ messages is sequence }}{{ 'a' is not mapping }}{{ 2 is gt 1 }}{{ 2 is le(1) }}",
    "json": "{{ messages|tojson }} {{ [1, 2.5, true, none, 'a\"b\\\\ \\n\\t\\u0001é</script>', {}, []]|tojson }} {{ {'a': [1, {'b': []}]}|tojson(indent=2) }} {{ messages[0]|tojson(indent=4) }}",
    "undefined": "[{{ nothing }}][{{ messages[0].nothing }}][{{ none }}][{{ nothing|length }}][{{ nothing ~ 'x' }}][{{ 'a' in nothing }}][{{ nothing == nothing }}][{{ (none).x }}][{{ 'abc'.x is defined }}][{{ nothing|trim }}]",
    "macros": "{% macro turn(message, end, mark='<') %}{{ mark }}{{ message.role }}{{ end|default('!') }}\n{% set kept = 1 %}{% endmacro %}{% for m in messages %}{{ turn(m) }}{{ turn(m, end='.', mark='#') }}{% endfor %}{{ kept is defined }}",
    "generation": "{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}{{ m.content }}{% set z = 1 %}{% endgeneration %}{% else %}{{ m.content }}{% endif %}{% endfor %}{{ eos_token }}{{ bos_token }}",
    "braces": "{{ {'a': {'b': 1}}['a']['b'] }} {{ '}}' }} {{ \"%}\" }} {% set x = {'k': '{{'} %}{{ x.k }} { {a} {} }} %} #} {{ ({'a': 1})|tojson}}",
    "precedence": "{{ 1 ~ 3 * 4 }} {{ 'a' ~ 'b' + 'c' }} {{ 1 - 2 - 3 }} {{ 2 * 3 % 4 }} {{ -1|abs }} {{ (-1)|abs }} {{ not true or true }} {{ 'x' ~ 'Y'|lower }} {{ 1 + 1|string|length }} {{ 5 is odd and 4 is even }} {{ messages|length > 1 }} {{ [1, 2]|length == 2 and 'y' or 'n' }}",
}  # fmt: skip


def main():
    versions = {package: metadata.version(package) for package in PACKAGES}
    cases = []
    for name, template in TEMPLATES.items():
        chats = CHATS if name in ("chat", "guard") else CHATS[3:4]
        for messages in chats:
            for variables in VARIABLES if name in ("chat", "guard", "generation") else VARIABLES[:1]:
                rendered, _ = render_jinja_template([messages], chat_template=template, **variables)
                cases.append(dict(name=name, template=template, messages=messages, variables=variables,
                                  rendered=rendered[0]))  # fmt: skip
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    head = json.dumps(dict(versions=versions), indent=1)
    (HERE / "chat_templates.json").write_text(head[:-2] + ',\n "cases": [\n' + lines + "\n]}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
