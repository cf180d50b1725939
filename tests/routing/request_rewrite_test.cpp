#include "routing/rewrite/request_rewrite.h"

#include <catch2/catch.hpp>

#include "support/failure.h"

using namespace vsr::routing;
using vsr::base::Status;
using vsr::test::failure_of;
using Type = ReasoningFamily::Type;

namespace {

std::string rewritten(const std::string& body, const RequestPlan& plan) { return rewrite_request(body, plan).body; }

// A body with these fields besides its messages.
std::string with_fields(const std::string& fields) {
  return R"({"messages":[{"role":"user","content":"hi"}])" + fields + "}";
}

std::string reasoned(const std::string& fields, const ReasoningFamily& family, bool on, bool openai = true) {
  RequestPlan plan;
  plan.reasoning = ReasoningEdit{.family = family, .on = on, .effort = on ? "high" : "low", .openai = openai};
  const std::string body = rewritten(with_fields(fields), plan);
  const std::string before = R"({"messages":[{"role":"user","content":"hi"}])";
  REQUIRE(body.starts_with(before));
  return body.substr(before.size(), body.size() - before.size() - 1);
}

RequestPlan with_params(RequestParamsPlugin params) {
  RequestPlan plan;
  plan.params = std::move(params);
  return plan;
}

std::string prompted(const std::string& messages, const std::string& text, bool insert) {
  RequestPlan plan;
  plan.system_prompt = SystemPromptPlugin{.text = text, .insert = insert};
  const std::string body = rewritten(R"({"messages":)" + messages + R"(,"x":1})", plan);
  const std::string once_more = rewritten(body, plan);
  CHECK(once_more == body);
  REQUIRE(body.ends_with(R"(,"x":1})"));
  return body.substr(12, body.size() - 12 - 7);
}

}  // namespace

TEST_CASE("request rewrite: the model is replaced in its place, everything else keeps its bytes", "[routing]") {
  const std::string before =
      "{ \"temperature\": 1.00,\n\t\"x\\u0041\":{\"big\":123456789012345678901234567890, \"e\":\"\\/\"},\r\n \"model\" "
      ": ";
  const std::string after = " ,\"messages\":[ {\"role\":\"user\",\"content\":\"caf\\u00e9 \xFF\"} ] }\n";
  CHECK(rewritten(before + "\"auto\"" + after, {.model = "qwen\"3"}) == before + "\"qwen\\\"3\"" + after);
  CHECK(rewritten(before + "\"auto\"" + after, {}) == before + "\"auto\"" + after);
}

TEST_CASE("request rewrite: bytes that are not UTF-8 stay, also between edits", "[routing]") {
  const std::string body = "{\"\xFF\xFE\":\"\xC3\",\"n\":5,\"y\":\"\xF0\x9F\",\"model\":\"auto\",\"z\":\"\xFF\"}";
  RequestPlan plan = with_params({.max_n = 2});
  plan.model = "m";
  CHECK(rewritten(body, plan) == "{\"\xFF\xFE\":\"\xC3\",\"n\":2,\"y\":\"\xF0\x9F\",\"model\":\"m\",\"z\":\"\xFF\"}");
}

TEST_CASE("request rewrite: an absent model comes last, a null one in its place", "[routing]") {
  CHECK(rewritten(with_fields(""), {.model = "m"}) == with_fields(R"(,"model":"m")"));
  CHECK(rewritten(R"({"model":null})", {.model = "m"}) == R"({"model":"m"})");
  CHECK(rewritten("{ }", {.model = "m"}) == R"({"model":"m" })");
}

TEST_CASE("request rewrite: a plain text becomes a chat of one message", "[routing]") {
  CHECK(rewritten("say \"hi\"\n\xFF", {.model = "m"}) ==
        "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"say \\\"hi\\\"\\n\uFFFD\"}]}");
  RequestPlan plan = with_params({.max_tokens = 64});
  plan.system_prompt = SystemPromptPlugin{.text = "Be brief."};
  CHECK(rewritten("hi", plan) ==
        R"({"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"hi"}],"max_tokens":64})");
}

TEST_CASE("request rewrite: template families get an explicit switch", "[routing]") {
  const ReasoningFamily family{Type::kChatTemplateKwargs, "enable_thinking"};
  CHECK(reasoned("", family, true) == R"(,"chat_template_kwargs":{"enable_thinking":true})");
  CHECK(reasoned("", family, false) == R"(,"chat_template_kwargs":{"enable_thinking":false})");
  CHECK(reasoned(R"(,"chat_template_kwargs": { "a" : 1.0 , "enable_thinking" : true }, "z":1)", family, false) ==
        R"(,"chat_template_kwargs": { "a" : 1.0 , "enable_thinking" : false }, "z":1)");
  CHECK(reasoned(R"(,"chat_template_kwargs":{ "a":1 },"reasoning_effort":"high")", family, true) ==
        R"(,"chat_template_kwargs":{ "a":1,"enable_thinking":true })");
  CHECK(reasoned(R"(,"chat_template_kwargs":{})", family, true) ==
        R"(,"chat_template_kwargs":{"enable_thinking":true})");
  CHECK(reasoned(R"(,"chat_template_kwargs":null)", family, true) ==
        R"(,"chat_template_kwargs":{"enable_thinking":true})");
  CHECK(reasoned("", {Type::kChatTemplateKwargs, "thinking.on"}, true) ==
        R"(,"chat_template_kwargs":{"thinking":{"on":true}})");
}

TEST_CASE("request rewrite: effort families get the effort at top level, or inside the template's arguments",
          "[routing]") {
  const ReasoningFamily family{Type::kReasoningEffort, "reasoning_effort"};
  CHECK(reasoned("", family, true) == R"(,"reasoning_effort":"high")");
  CHECK(reasoned("", family, false) == R"(,"reasoning_effort":"low")");
  CHECK(reasoned(R"(,"reasoning_effort" : "none" ,"a":1)", family, true) == R"(,"reasoning_effort" : "high" ,"a":1)");
  CHECK(reasoned(R"(,"a":1,"reasoning_effort":"none")", family, true, false) ==
        R"(,"a":1,"chat_template_kwargs":{"reasoning_effort":"high"})");
  CHECK(reasoned(R"(,"chat_template_kwargs":{"reasoning_effort":"x","a":1})", family, true) ==
        R"(,"chat_template_kwargs":{"a":1},"reasoning_effort":"high")");
}

TEST_CASE("request rewrite: a dotted parameter is a field of an object", "[routing]") {
  const ReasoningFamily family{Type::kReasoningEffort, "reasoning.effort"};
  CHECK(reasoned("", family, true) == R"(,"reasoning":{"effort":"high"})");
  CHECK(reasoned(R"(,"reasoning":{"summary":"auto"},"b":2)", family, false) ==
        R"(,"reasoning":{"summary":"auto","effort":"low"},"b":2)");
  CHECK(reasoned(R"(,"reasoning": {"effort":"x"})", family, true) == R"(,"reasoning": {"effort":"high"})");
  CHECK(reasoned("", family, true, false) == R"(,"chat_template_kwargs":{"reasoning":{"effort":"high"}})");
}

TEST_CASE("request rewrite: top-level effort families ignore the server's dialect", "[routing]") {
  const ReasoningFamily family{Type::kTopLevelReasoningEffort, "reasoning_effort"};
  for (const bool openai : {true, false}) {
    CHECK(reasoned("", family, true, openai) == R"(,"reasoning_effort":"high")");
    CHECK(reasoned(R"(,"reasoning":{"effort":"x"})", family, false, openai) ==
          R"(,"reasoning":{},"reasoning_effort":"low")");
  }
}

TEST_CASE("request rewrite: thinking families get an object, and the client's goes", "[routing]") {
  const ReasoningFamily family{Type::kThinking, ""};
  CHECK(reasoned("", family, true) == R"(,"thinking":{"type":"enabled"})");
  CHECK(reasoned(R"(,"thinking":{"type":"enabled","budget_tokens":9},"reasoning_effort":"x")", family, false) ==
        R"(,"thinking":{"type":"disabled"})");
  CHECK(reasoned(R"(,"thinking":{"type":"enabled"})", {Type::kChatTemplateKwargs, "t"}, false) ==
        R"(,"chat_template_kwargs":{"t":false})");
}

TEST_CASE("request rewrite: a system prompt replaces a leading system message or is prepended", "[routing]") {
  CHECK(prompted(R"([{"role":"user","content":"a"}])", "Be \"brief\".", false) ==
        R"([{"role":"system","content":"Be \"brief\"."},{"role":"user","content":"a"}])");
  CHECK(prompted(R"([ {"role":"system", "content" : "old", "name":"n"}, {"role":"user","content":"a"}])", "new",
                 false) == R"([ {"role":"system", "content" : "new"}, {"role":"user","content":"a"}])");
  CHECK(prompted(R"([{"role":"developer","content":"old"}])", "new", false) ==
        R"([{"role":"developer","content":"new"}])");
  CHECK(prompted(R"([{"role":"system","content":[{"type":"text","text":"old"},{"type":"text","text":"b"}]}])", "new",
                 false) == R"([{"role":"system","content":[{"type":"text","text":"new"}]}])");
  CHECK(prompted(R"([{"content":null,"role":"system"}])", "new", false) == R"([{"content":"new","role":"system"}])");
  CHECK(prompted(R"([{"role":"system"}])", "new", false) == R"([{"role":"system","content":"new"}])");
}

TEST_CASE("request rewrite: a system prompt that replaces leaves no other, wherever it stood", "[routing]") {
  CHECK(prompted(
            R"([{"role":"system","content":"old"} , {"role":"system","content":"b"}, {"role":"user","content":"a"}])",
            "new", false) == R"([{"role":"system","content":"new"}, {"role":"user","content":"a"}])");
  CHECK(prompted(
            R"([{"role":"user","content":"a"}, {"role":"platform","content":"b"}, {"content":"c","role":"System "} ])",
            "new", false) == R"([{"role":"system","content":"new"},{"role":"user","content":"a"} ])");
  CHECK(prompted(
            R"([{"role":"developer","content":"a"},{"role":"user","content":"b"},{"role":"system"},{"role":"user"}])",
            "new", false) == R"([{"role":"developer","content":"new"},{"role":"user","content":"b"},{"role":"user"}])");
  CHECK(prompted(R"([{"role":"user","content":"a"},{"role":"system","content":"b"}])", "new", true) ==
        R"([{"role":"system","content":"new"},{"role":"user","content":"a"},{"role":"system","content":"b"}])");
}

TEST_CASE("request rewrite: a system prompt that replaces leaves none beside the messages", "[routing]") {
  RequestPlan plan;
  plan.system_prompt = SystemPromptPlugin{.text = "new", .insert = false};
  const std::string body =
      R"({"system":"a","messages":[{"role":"user","content":"b"}],"Instructions":"c","n":1,"system_prompt":[]})";
  const RewrittenRequest replaced = rewrite_request(body, plan);
  CHECK(replaced.body == R"({"messages":[{"role":"system","content":"new"},{"role":"user","content":"b"}],"n":1})");
  CHECK(replaced.notes.size() == 3);
  plan.system_prompt->insert = true;
  CHECK(rewrite_request(body, plan).body.find(R"("Instructions":"c")") != std::string::npos);
}

TEST_CASE("request rewrite: an inserted system prompt comes before the old one", "[routing]") {
  CHECK(prompted(R"([{"role":"user","content":"a"}])", "new", true) ==
        R"([{"role":"system","content":"new"},{"role":"user","content":"a"}])");
  CHECK(prompted(R"([{"role":"system","content":"\u006fld \/"}])", "a\nb", true) ==
        R"([{"role":"system","content":"a\nb\n\n\u006fld \/"}])");
  CHECK(prompted(R"([{"role":"system","content":[ {"type":"text","text":"old"},{"type":"text","text":"b"} ]}])", "new",
                 true) ==
        R"([{"role":"system","content":[ {"type":"text","text":"new\n\nold"},{"type":"text","text":"b"} ]}])");
  CHECK(prompted(R"([{"role":"system","content":[{"type":"image_url"}]}])", "new", true) ==
        R"([{"role":"system","content":[{"type":"text","text":"new"},{"type":"image_url"}]}])");
  CHECK(prompted(R"([{"role":"system","content":[ ]}])", "new", true) ==
        R"([{"role":"system","content":[{"type":"text","text":"new"} ]}])");
  CHECK(prompted(R"([{"role":"system","content":""}])", "new", true) == R"([{"role":"system","content":"new"}])");
  CHECK(prompted(R"([{"role":"system","content":"newer"}])", "new", true) ==
        R"([{"role":"system","content":"new\n\nnewer"}])");
}

TEST_CASE("request rewrite: both spellings of max_tokens are capped by the decision", "[routing]") {
  const RequestPlan plan = with_params({.max_tokens_limit = 100});
  CHECK(rewritten(with_fields(R"(,"max_tokens":200,"max_completion_tokens" : 1e3)"), plan) ==
        with_fields(R"(,"max_tokens":100,"max_completion_tokens" : 100)"));
  CHECK(rewritten(with_fields(R"(,"max_tokens":1e2)"), plan) == with_fields(R"(,"max_tokens":1e2)"));
  CHECK(rewritten(with_fields(R"(,"max_tokens":-1)"), plan) == with_fields(R"(,"max_tokens":100)"));
  CHECK(rewritten(with_fields(R"(,"max_tokens":99999999999999999999)"), plan) == with_fields(R"(,"max_tokens":100)"));
  CHECK(rewritten(with_fields(""), plan) == with_fields(""));
  const auto notes = rewrite_request(with_fields(R"(,"max_tokens":200)"), plan).notes;
  CHECK(notes == std::vector<std::string>{"max_tokens is 100, the decision's limit, not 200"});
  CHECK(failure_of([&] { rewrite_request(with_fields(R"(,"max_tokens":"200")"), plan); }).message ==
        "request: max_tokens is a string, expected an integer");
}

TEST_CASE("request rewrite: the context window caps what the prompt leaves", "[routing]") {
  RequestPlan plan{.context_window = 8000, .prompt_tokens = 7500};
  CHECK(rewritten(with_fields(R"(,"max_tokens":2000)"), plan) == with_fields(R"(,"max_tokens":500)"));
  plan.params = {.max_tokens_limit = 100, .max_tokens = 700};
  CHECK(rewritten(with_fields(""), plan) == with_fields(R"(,"max_tokens":100)"));
  plan.params.max_tokens_limit.reset();
  CHECK(rewritten(with_fields(""), plan) == with_fields(R"(,"max_tokens":500)"));
  plan.prompt_tokens = 8000;
  const RewrittenRequest full = rewrite_request(with_fields(R"(,"max_tokens":2000)"), plan);
  CHECK(full.body == with_fields(R"(,"max_tokens":2000)"));
  CHECK(full.notes == std::vector<std::string>{"a prompt of about 8000 tokens does not fit the window of 8000"});
}

TEST_CASE("request rewrite: an absent or null max_tokens is filled in, spelt as the family takes it", "[routing]") {
  RequestPlan plan = with_params({.max_tokens = 300});
  CHECK(rewritten(with_fields(""), plan) == with_fields(R"(,"max_tokens":300)"));
  CHECK(rewritten(with_fields(R"(,"max_tokens":null,"a":1)"), plan) == with_fields(R"(,"max_tokens":300,"a":1)"));
  CHECK(rewritten(with_fields(R"(,"max_completion_tokens":9)"), plan) == with_fields(R"(,"max_completion_tokens":9)"));
  plan.reasoning = ReasoningEdit{.family = {Type::kReasoningEffort, "reasoning_effort"}, .on = true};
  CHECK(rewritten(with_fields(""), plan) == with_fields(R"(,"max_completion_tokens":300,"reasoning_effort":"medium")"));
}

TEST_CASE("request rewrite: blocked and unknown fields go, wherever they are", "[routing]") {
  const RequestPlan plan = with_params({.blocked_params = {"logprobs", "n"}});
  const std::string messages = R"("messages":[{"role":"user","content":"hi"}])";
  CHECK(rewritten("{ \"n\" : 3 , " + messages + " , \"logprobs\":true, \"a\":1 , \"logprobs\":2 }", plan) ==
        "{ " + messages + " , \"a\":1 }");
  CHECK(rewritten("{\"logprobs\":1,\"n\":2," + messages + "}", plan) == "{" + messages + "}");
  CHECK(rewritten("{ \"logprobs\":1 , \"n\":2 }", plan) == "{  }");
  const RequestPlan strict = with_params({.strip_unknown = true});
  CHECK(rewritten("{\"x\":{\"y\":[1]}," + messages + ",\"seed\":1,\"\":2}", strict) == "{" + messages + ",\"seed\":1}");
}

TEST_CASE("request rewrite: blocked fields go whatever their case", "[routing]") {
  const RequestPlan plan = with_params({.blocked_params = {"seed", "Top_K"}});
  CHECK(rewritten(with_fields(R"(,"Seed":1,"SEED":2,"\u017Feed":3,"s\u0065ed":4,"top_k":5,"top_\u212A":6,"a":7)"),
                  plan) == with_fields(R"(,"a":7)"));
  CHECK(rewritten(with_fields(R"(,"Seed":1,"seed":2)"), with_params({.strip_unknown = true})) ==
        with_fields(R"(,"seed":2)"));
}

TEST_CASE("request rewrite: the client's reasoning fields go whatever their case", "[routing]") {
  RequestPlan plan;
  plan.reasoning = ReasoningEdit{.family = {Type::kReasoningEffort, "reasoning_effort"}, .on = true, .effort = "low"};
  CHECK(rewritten(
            with_fields(R"(,"Reasoning_Effort":"high","THINKING":{"type":"enabled"},"Reasoning":{"Effort":"high",)"
                        R"("summary":1},"Chat_template_kwargs":{"reasoning_EFFORT":"high"})"),
            plan) == with_fields(R"(,"Reasoning":{"summary":1},"Chat_template_kwargs":{},"reasoning_effort":"low")"));
  plan.reasoning = ReasoningEdit{.family = {Type::kChatTemplateKwargs, "enable_thinking"}, .on = false};
  CHECK(rewritten(with_fields(R"(,"chat_template_kwargs":{"Enable_Thinking":true,"a":1})"), plan) ==
        with_fields(R"(,"chat_template_kwargs":{"a":1,"enable_thinking":false})"));
}

TEST_CASE("request rewrite: a field that the plan sets may be blocked or unknown to the client", "[routing]") {
  RequestPlan plan = with_params({.blocked_params = {"reasoning_effort"}, .strip_unknown = true});
  plan.reasoning = ReasoningEdit{.family = {Type::kChatTemplateKwargs, "enable_thinking"}, .on = false};
  CHECK(rewritten(with_fields(R"(,"reasoning_effort":"high","chat_template_kwargs":{"evil":1})"), plan) ==
        with_fields(R"(,"chat_template_kwargs":{"enable_thinking":false})"));
}

TEST_CASE("request rewrite: of a field given twice one is left", "[routing]") {
  RequestPlan plan;
  plan.reasoning = ReasoningEdit{.family = {Type::kReasoningEffort, "reasoning_effort"}, .on = true, .effort = "high"};
  CHECK(rewritten(with_fields(R"(,"reasoning_effort":1,"a":2,"reasoning_effort":3)"), plan) ==
        with_fields(R"(,"a":2,"reasoning_effort":"high")"));
  CHECK(failure_of([&] { rewrite_request(R"({"model":1,"model":2})", {.model = "m"}); }).message ==
        "request: model is given twice");
}

TEST_CASE("request rewrite: n is capped", "[routing]") {
  CHECK(rewritten(with_fields(R"(,"n":5)"), with_params({.max_n = 4})) == with_fields(R"(,"n":4)"));
  CHECK(rewritten(with_fields(R"(,"n":4)"), with_params({.max_n = 4})) == with_fields(R"(,"n":4)"));
}

TEST_CASE("request rewrite: bodies that are no chat are refused", "[routing]") {
  const RequestPlan plan{.system_prompt = SystemPromptPlugin{.text = "x"}};
  for (const std::string body : {"{", R"({"messages":3})", R"({"messages":[]})", R"({"messages":[3]})", "{}",
                                 R"({"messages":[{"role":"system","content":3}]})", R"({"messages":[{"role":3}]})"}) {
    CAPTURE(body);
    CHECK(failure_of([&] { rewrite_request(body, plan); }).status == Status::kParse);
  }
}
