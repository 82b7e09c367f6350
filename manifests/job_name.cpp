#include "manifests/job_name.h"

#include "manifests/fields.h"
#include "manifests/source_text.h"

namespace mezzo::manifests {
namespace {

bool is_word(char32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c >= 0xC0;
}

bool is_good(char32_t c) {
  return is_word(c) || c == ' ' || c == '.' || c == '_' || c == '-';
}

}  // namespace

std::optional<TemplateProblem> check_job_name(std::string_view name) {
  size_t characters = 0;
  for (size_t i = 0; i < name.size();) {
    const Utf8Character c = first_character(name.substr(i));
    if (!is_good(c.value))
      return TemplateProblem{i, "cannot hold " + in_quotes(name.substr(i, c.bytes)), {}};
    if (i == 0 && !is_word(c.value)) {
      return TemplateProblem{
          0, "must begin with a letter or a digit, found " + in_quotes(name), {}};
    }
    i += c.bytes;
    ++characters;
  }
  if (name.empty()) return TemplateProblem{0, "must not be empty", {}};
  if (name.ends_with(' ')) return TemplateProblem{name.size() - 1, "must not end with a space", {}};
  if (characters > kMaxJobNameCharacters) {
    return TemplateProblem{0,
                           "must have at most " + std::to_string(kMaxJobNameCharacters) +
                               " characters, found " + std::to_string(characters),
                           {}};
  }
  return std::nullopt;
}

std::string as_job_name(std::string_view text) {
  std::string name;
  for (size_t characters = 0; !text.empty() && characters < kMaxJobNameCharacters;) {
    const Utf8Character c = first_character(text);
    const size_t bytes = c.bytes > 0 ? c.bytes : 1;
    const bool good = c.bytes > 0 && is_good(c.value) && !is_control(c.value);
    if (!name.empty() || (good && is_word(c.value))) {
      name += good ? std::string(text.substr(0, bytes)) : "_";
      ++characters;
    }
    text.remove_prefix(bytes);
  }
  while (name.ends_with(' ')) name.pop_back();
  return name.empty() ? "job" : name;
}

}  // namespace mezzo::manifests
