#include "routing/cache/redis/redis_address.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace vsr::routing {
namespace {

using base::fail;
using base::Status;

// `shown` has no password.
int number(std::string_view text, const char* what, int low, int high, const std::string& shown) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high) {
    fail(Status::kInvalidArgument, "redis address \"", shown, "\": ", what, " is \"", text, "\", expected ", low,
         " to ", high);
  }
  return value;
}

// What no name of a host holds; some of it would be read as another part of an address.
bool is_host(std::string_view text) {
  constexpr std::string_view kNever = "/\\@?#[]\"'<>|,;{}";
  return !text.empty() && std::none_of(text.begin(), text.end(), [&](char c) {
    return (c >= 0 && c <= 0x20) || c == 0x7F || kNever.find(c) != kNever.npos;
  });
}

// host, host:port or [host]:port
void read_host(RedisAddress& address, std::string_view text, const std::string& shown) {
  size_t end = text.rfind(':');
  if (text.starts_with('[')) {
    const size_t bracket = text.find(']');
    if (bracket == text.npos) fail(Status::kInvalidArgument, "redis address \"", shown, "\": ] is missing");
    address.host = text.substr(1, bracket - 1);
    end = bracket + 1;
    if (end < text.size() && text[end] != ':') {
      fail(Status::kInvalidArgument, "redis address \"", shown, "\": expected : after ]");
    }
  } else {
    address.host = text.substr(0, end);
  }
  if (end < text.size()) address.port = number(text.substr(end + 1), "port", 1, 65535, shown);
  if (address.host.empty()) fail(Status::kInvalidArgument, "redis address \"", shown, "\": host is missing");
  const bool is_one = is_host(address.host);
  const bool colons = !text.starts_with('[') && address.host.find(':') != std::string::npos;
  if (colons || !is_one) {
    fail(Status::kInvalidArgument, "redis address \"", shown, "\": \"", address.host, "\" is no host",
         is_one ? " (hint: an address of IPv6 is written as [::1]:6379)" : "");
  }
}

void read_url(RedisAddress& address, std::string_view text) {
  const size_t at = text.rfind('@');
  if (at != text.npos) {
    const std::string_view credentials = text.substr(0, at);
    const size_t colon = credentials.find(':');
    if (colon == credentials.npos) {
      fail(Status::kInvalidArgument, "redis address: expected user:password@ or :password@ before the host");
    }
    address.user = credentials.substr(0, colon);
    address.password = credentials.substr(colon + 1);
    text.remove_prefix(at + 1);
  }
  const std::string shown = "redis://" + std::string(text);
  const size_t slash = text.find('/');
  if (slash != text.npos && slash + 1 < text.size()) {
    address.database = number(text.substr(slash + 1), "database", 0, 1 << 20, shown);
  }
  read_host(address, text.substr(0, slash), shown);
}

}  // namespace

RedisAddress RedisAddress::parse(const std::string& text) {
  constexpr std::string_view kUrl = "redis://", kUnix = "unix:", kTls = "rediss://";
  RedisAddress address;
  if (text.starts_with(kTls)) fail(Status::kUnsupported, "redis address: TLS (rediss://) is not supported");
  if (text.starts_with('/') || text.starts_with(kUnix)) {
    address.socket = text.starts_with(kUnix) ? text.substr(kUnix.size()) : text;
    if (address.socket.size() < 2 || address.socket.find('\0') != std::string::npos || address.socket.size() > 107) {
      fail(Status::kInvalidArgument, "redis address \"", text, "\": expected a path of 2 to 107 bytes");
    }
  } else if (text.starts_with(kUrl)) {
    read_url(address, std::string_view(text).substr(kUrl.size()));
  } else if (text.find('@') != text.npos) {  // not quoted: there may be a password
    fail(Status::kInvalidArgument, "redis address: user and password are written as redis://user:password@host:port");
  } else {
    read_host(address, text, text);
  }
  return address;
}

std::string RedisAddress::without_password() const {
  if (!socket.empty()) return socket;
  const bool colons = host.find(':') != std::string::npos;
  return (colons ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace vsr::routing
