// Chat bodies as no client would write them but any may: odd spacing, escapes, spellings of numbers, unknown fields.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace vsr::test {

struct RandomBody {
  std::string bytes;
  std::vector<std::pair<std::string, std::string>> members;  // of the top level: name, and the bytes `"name": value`
  std::vector<std::string> messages;                         // the bytes of each
};

class RandomChat {
 public:
  explicit RandomChat(unsigned seed) : random_(seed) {}

  RandomBody body() {
    RandomBody made;
    std::vector<std::string> names{"messages"};
    for (const char* name : kFields) {
      if (below(3) == 0) names.emplace_back(name);
    }
    std::shuffle(names.begin(), names.end(), random_);
    for (const std::string& name : names) {
      const std::string value = name == "messages" ? messages(made) : value_of(name);
      made.members.emplace_back(name, key(name) + space() + ":" + space() + value);
    }
    made.bytes = space() + "{" + space();
    for (size_t i = 0; i < made.members.size(); ++i) {
      if (i > 0) made.bytes += space() + "," + space();
      made.bytes += made.members[i].second;
    }
    made.bytes += space() + "}" + space();
    return made;
  }

  size_t below(size_t limit) { return random_() % limit; }
  template <class Item>
  Item pick(std::initializer_list<Item> items) {
    return items.begin()[below(items.size())];
  }

 private:
  static constexpr const char* kFields[] = {"model",
                                            "n",
                                            "max_tokens",
                                            "max_completion_tokens",
                                            "reasoning",
                                            "thinking",
                                            "reasoning_effort",
                                            "chat_template_kwargs",
                                            "seed",
                                            "temperature",
                                            "x_vendor",
                                            "logprobs",
                                            "tools",
                                            "",
                                            "\xC3\xA9t\xC3\xA9 \\"};

  std::string space() { return pick<std::string>({"", "", "", " ", "\n", "\t ", "\r\n  "}); }

  std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
      if (c == '\\' || c == '"') {
        out += std::string("\\") + c;
      } else if (c == '\n' || (static_cast<unsigned char>(c) < 0x80 && below(12) == 0)) {
        constexpr const char* kHex = "0123456789aBcDeF";
        out += std::string("\\u00") + kHex[c >> 4] + kHex[c & 15];
      } else {
        out += c;
      }
    }
    return out + "\"";
  }

  std::string key(const std::string& name) { return quoted(name); }

  std::string text() {
    return quoted(
        pick<std::string>({"", "hello", "Be brief.", "Be brief.\n\nold", "a \"quote\" \\", "\xF0\x9F\x99\x82"}));
  }

  std::string content(bool maybe_null) {
    if (maybe_null && below(4) == 0) return "null";
    if (below(2) == 0) return text();
    std::string parts;
    for (size_t i = below(4); i > 0; --i) {
      if (!parts.empty()) parts += space() + ",";
      parts += below(2) == 0 ? "{\"type\":\"text\", \"text\":" + space() + text() + "}"
                             : R"({"type":"image_url","image_url":{"url":"data:\/\/x"} })";
    }
    return "[" + space() + parts + space() + "]";
  }

  std::string messages(RandomBody& made) {
    std::string all = "[" + space();
    for (size_t i = 0, count = 1 + below(4); i < count; ++i) {
      const std::string role =
          i == 0 ? pick<std::string>({"system", "developer", "user"})
                 : pick<std::string>({"user", "user", "user", "user", "user", "assistant", "system", "developer"});
      std::string message = "{" + space() + "\"role\"" + space() + ":" + quoted(role);
      if (below(6) != 0) message += ",\"content\":" + space() + content(true);
      message += below(3) == 0 ? ", \"name\":\"n\" }" : "}";
      made.messages.push_back(message);
      if (i > 0) all += space() + "," + space();
      all += message;
    }
    return all + space() + "]";
  }

  std::string value_of(const std::string& name) {
    if (name == "model") return pick<std::string>({R"("auto")", "null", R"("\u0061uto")"});
    if (name == "n") return pick<std::string>({"1", "9", "9.0", "null", "2e1"});
    if (name.starts_with("max_")) return pick<std::string>({"10", "5000", "5e3", "-1", "null", "0", "70000"});
    if (name == "chat_template_kwargs")
      return pick<std::string>({"{}", "null", R"({ "enable_thinking" : true })", R"({"reasoning_effort":"high"})",
                                R"({"x": 1.50, "reasoning_effort": "high" , "enable_thinking": null, "y":[ ]})"});
    if (name == "reasoning")
      return pick<std::string>({"{}", R"({"effort":"high"})", R"({"a":1 ,"effort":"x"})", "null"});
    if (name == "thinking") return R"({"type":"enabled","budget_tokens":10})";
    if (name == "reasoning_effort") return R"("high")";
    return pick<std::string>({"1.0", "-0.0e+5", "1E400", "123456789012345678901234567890", R"({"a":[ 1 , {} ]})",
                              "true", "[]", R"("\ud83d\ude42 \/")"});
  }

  std::mt19937 random_;
};

}  // namespace vsr::test
