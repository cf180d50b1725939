// E-mail addresses, IP addresses and URLs. Each scanner jumps to a character that must occur and looks at a bounded
// stretch around it.
#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/checkpoint.h"
#include "facts/pii_patterns.h"

namespace vsr::facts {
namespace {

constexpr size_t kMaxLocalPart = 64, kMaxHost = 253;  // RFC 5321, RFC 1035
constexpr size_t kMaxIp = 45;                         // INET6_ADDRSTRLEN - 1
constexpr size_t kMaxUrl = 2048;

bool is_local_part(char c) { return is_alnum(c) || std::string_view("._%+-'").find(c) != std::string_view::npos; }
bool is_host(char c) { return is_alnum(c) || c == '.' || c == '-'; }

// The end of the host at `begin` that has a dot and ends in two letters or more; 0 without one.
size_t host_end(std::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size() && end - begin < kMaxHost && is_host(text[end])) ++end;
  while (end > begin && !is_alnum(text[end - 1])) --end;
  const std::string_view host = text.substr(begin, end - begin);
  const size_t dot = host.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || !is_alnum(host[0]) || host.find("..") != std::string_view::npos)
    return 0;
  const std::string_view top = host.substr(dot + 1);
  return top.size() >= 2 && std::all_of(top.begin(), top.end(), is_letter) ? end : 0;
}

void scan_emails(std::string_view text, PiiFindings& out) {
  base::Checkpoint checkpoint;
  for (size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
    checkpoint(at);
    size_t begin = at;
    while (begin > 0 && at - begin < kMaxLocalPart && is_local_part(text[begin - 1])) --begin;
    while (begin < at && !is_alnum(text[begin]) && text[begin] != '_') ++begin;
    const size_t end = host_end(text, at + 1);
    if (begin < at && end > 0) out.add({"EMAIL_ADDRESS", begin, end, 1, true});
  }
}

bool is_url_end(char c) {
  return static_cast<unsigned char>(c) <= ' ' || static_cast<unsigned char>(c) >= 0x7F ||
         std::string_view("<>\"`|\\^").find(c) != std::string_view::npos;
}

size_t url_end(std::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size() && end - begin < kMaxUrl && !is_url_end(text[end])) ++end;
  // Punctuation of the sentence around it.
  while (end > begin && std::string_view(".,;:!?)]}'").find(text[end - 1]) != std::string_view::npos) --end;
  return end;
}

// Adds the URL at `begin` whose host begins at `host`, and returns where to look on.
size_t add_url(std::string_view text, size_t begin, size_t host, PiiFindings& out) {
  if (word_before(text, begin) || host >= text.size() || !is_alnum(text[host])) return host;
  const size_t end = url_end(text, host);
  out.add({"URL", begin, end, 1, true});
  return end;
}

size_t scheme_length(std::string_view before) {
  for (const std::string_view scheme : {"https", "http", "ftp"}) {
    if (before.ends_with(scheme)) return scheme.size();
  }
  return 0;
}

void scan_urls(std::string_view text, PiiFindings& out) {
  base::Checkpoint schemes, hosts;
  for (size_t i = text.find("://"), next = 0; i != std::string_view::npos; i = text.find("://", next)) {
    schemes(i);
    const size_t scheme = scheme_length(text.substr(0, i));
    next = scheme > 0 ? add_url(text, i - scheme, i + 3, out) : i + 3;
  }
  for (size_t i = text.find("www."), next = 0; i != std::string_view::npos; i = text.find("www.", next)) {
    hosts(i);
    // After a slash it belongs to a URL that was found.
    next = i > 0 && text[i - 1] == '/' ? i + 4 : add_url(text, i, i + 4, out);
  }
}

bool is_version_number(std::string_view text, size_t begin) {
  static constexpr std::array<std::string_view, 2> kWords{"version", "release"};
  const size_t first = begin - std::min<size_t>(begin, 10);
  std::string before(text.substr(first, begin - first));
  while (!before.empty() && before.back() == ' ') before.pop_back();
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    return before.size() >= word.size() && before.compare(before.size() - word.size(), word.size(), word) == 0 &&
           !word_before(before, before.size() - word.size());
  });
}

bool is_ipv4(std::string_view candidate) {
  in_addr address{};
  return std::count(candidate.begin(), candidate.end(), '.') == 3 &&
         inet_pton(AF_INET, std::string(candidate).c_str(), &address) == 1;
}

// Names of program code such as "dead::beef" are grammatical, too: short forms need a long first group, or none.
bool is_ipv6(std::string_view candidate) {
  in6_addr address{};
  if (inet_pton(AF_INET6, std::string(candidate).c_str(), &address) != 1) return false;
  const bool complete = candidate.find("::") == std::string_view::npos;
  const bool has_digit = std::any_of(candidate.begin(), candidate.end(), is_digit);
  return complete || (has_digit && (candidate.starts_with("::") || candidate.find(':') >= 3));
}

bool is_ipv4_part(char c) { return is_digit(c) || c == '.'; }
bool is_ipv6_part(char c) { return is_ipv4_part(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == ':'; }

// Calls `sink(begin, end)` for every maximal run of some characters that is long enough for an address and no part of a
// word, without the punctuation around it.
template <class Sink>
void each_run(std::string_view text, bool (*is_part)(char), Sink&& sink) {
  base::Checkpoint checkpoint;
  for (size_t begin = 0, next = 0; begin < text.size(); begin = next) {
    checkpoint(begin);
    for (next = begin; next < text.size() && is_part(text[next]); ++next) checkpoint(next);
    const std::string_view run = text.substr(begin, next - begin);
    if (next == begin) ++next;
    if (run.size() < 3 || run.size() > kMaxIp + 2) continue;
    size_t first = begin, last = begin + run.size();
    if (text[first] == '.' || (text[first] == ':' && !run.starts_with("::"))) ++first;
    if (text[last - 1] == '.' || (text[last - 1] == ':' && !run.ends_with("::"))) --last;
    if (!word_before(text, first) && !word_at(text, last)) sink(first, last);
  }
}

void scan_ips(std::string_view text, PiiFindings& out) {
  each_run(text, is_ipv4_part, [&](size_t begin, size_t end) {
    if (!is_ipv4(text.substr(begin, end - begin)) || is_version_number(text, begin)) return;
    out.add({"IP_ADDRESS", begin, end, 1, true});
  });
  each_run(text, is_ipv6_part, [&](size_t begin, size_t end) {
    if (is_ipv6(text.substr(begin, end - begin))) out.add({"IP_ADDRESS", begin, end, 1, true});
  });
}

}  // namespace

void scan_network(std::string_view text, PiiFindings& out) {
  scan_emails(text, out);
  scan_urls(text, out);
  scan_ips(text, out);
}

}  // namespace vsr::facts
