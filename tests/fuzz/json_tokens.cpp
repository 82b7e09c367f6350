#include "tests/fuzz/json_tokens.h"

#include <string>
#include <vector>

#include "tests/fuzz/support.h"

namespace mezzo::fuzz {
namespace {

constexpr std::string_view kValues[] = {"0",
                                        "1",
                                        "-1",
                                        "2",
                                        "1.5",
                                        "-0.0",
                                        "1e308",
                                        "1e-308",
                                        "4294967295",
                                        "4294967296",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "null",
                                        "true",
                                        "false",
                                        "\"\"",
                                        "[]",
                                        "{}",
                                        "\"/x\"",
                                        "\"..\"",
                                        "\"\\u0000\"",
                                        "\"\\ud800\"",
                                        "\"\xFF\"",
                                        "\"{ink}\"",
                                        "[0]",
                                        "[[0,0],[100,100]]",
                                        "{\"a\":1}",
                                        "\"a\\nb\"",
                                        "\"\\u001b[2J\"",
                                        "[[[[[[[[[0]]]]]]]]]"};

/// A value, or a member with its key: from `begin` up to `end`, which is at a comma, a bracket or a brace.
struct Part {
  size_t begin, end;
};

/// The parts of a text that is JSON, about; in the order of their ends.
std::vector<Part> parts_of(const std::string& text) {
  std::vector<Part> parts;
  std::vector<size_t> begins = {0};
  bool is_text = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_text) {
      if (c == '\\') ++i;
      is_text = c != '"';
    } else if (c == '"') {
      is_text = true;
    } else if (c == '[' || c == '{') {
      begins.push_back(i + 1);
    } else if (c == ',' || c == ']' || c == '}') {
      if (begins.back() < i) parts.push_back({begins.back(), i});
      if (c == ',') {
        begins.back() = i + 1;
      } else if (begins.size() > 1) {
        begins.pop_back();
      }
    }
  }
  return parts;
}

/// Where the value of a member begins; of an item itself.
size_t value_of(const std::string& text, const Part& part) {
  if (text[part.begin] != '"') return part.begin;
  const size_t end = text.find("\":", part.begin + 1);
  return end == std::string::npos || end >= part.end ? part.begin : end + 2;
}

}  // namespace

void change_json(Bytes& input, Random& random, std::span<const std::string_view> tokens) {
  std::string text = text_of(input);
  const std::vector<Part> parts = parts_of(text);
  if (parts.empty() || random.one_in(4)) return change_text(input, random, tokens);
  const Part& part = random.of(parts);
  const std::string own = text.substr(part.begin, part.end - part.begin);
  const Part& other = random.of(parts);
  const std::string others = text.substr(other.begin, other.end - other.begin);
  const size_t value = value_of(text, part);
  switch (random.below(5)) {
    case 0:
      text.replace(value, part.end - value, random.of(kValues));
      break;
    case 1:  // has what another has
      text.replace(part.begin, part.end - part.begin, others);
      break;
    case 2:
      text.insert(part.end, "," + (random.one_in(2) ? own : others));
      break;
    case 3: {  // without it, and without a comma beside it
      const bool is_last = text[part.end] != ',';
      const size_t begin =
          is_last && part.begin > 0 && text[part.begin - 1] == ',' ? part.begin - 1 : part.begin;
      text.erase(begin, part.end - begin + (is_last ? 0 : 1));
      break;
    }
    default:
      text.replace(value, part.end - value, random.of(tokens));
  }
  input = bytes_of(text);
}

}  // namespace mezzo::fuzz
