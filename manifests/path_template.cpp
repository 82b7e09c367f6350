#include "manifests/path_template.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "manifests/fields.h"
#include "manifests/job.h"
#include "manifests/source_text.h"

namespace mezzo::manifests {
namespace {

constexpr std::array<std::string_view, 9> kNames = {
    "stem", "page", "ink", "label", "n", "job", "date", "time", "id"};
constexpr std::string_view kNamesHint =
    "the names are {stem}, {page}, {ink}, {label}, {n}, {job}, {date}, {time} and {id}";

bool is_known(std::string_view name) {
  return std::ranges::find(kNames, name) != kNames.end();
}

/// Names that tell plates of a page apart.
constexpr std::array<std::string_view, 3> kOfPlates = {"{ink}", "{label}", "{n}"};

/// The template's suffix, .tif or .tiff in either case; empty when it has none.
std::string_view tiff_suffix(std::string_view text) {
  const size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) return {};
  const std::string lower = lower_case(text.substr(dot));
  return lower == ".tif" || lower == ".tiff" ? text.substr(dot) : std::string_view();
}

std::optional<TemplateProblem> check_braces(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '}')
      return TemplateProblem{i, "has a '}' without its '{'", std::string(kNamesHint)};
    if (text[i] != '{') continue;
    const size_t end = text.find_first_of("{}", i + 1);
    if (end == std::string_view::npos || text[end] == '{') {
      return TemplateProblem{i, "has a '{' without its '}'", std::string(kNamesHint)};
    }
    const std::string_view name = text.substr(i + 1, end - i - 1);
    if (!is_known(name)) {
      // {n} is one letter away from any other.
      const std::string_view close = name.size() < 2 ? std::string_view() : meant(name, kNames);
      return TemplateProblem{
          i,
          "cannot hold " + in_quotes(text.substr(i, end - i + 1)),
          close.empty() ? std::string(kNamesHint) : "did you mean {" + std::string(close) + "}?"};
    }
    i = end;
  }
  return std::nullopt;
}

std::optional<TemplateProblem> check_components(std::string_view text) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('/', begin), text.size());
    if (text.substr(begin, end - begin) == "..") {
      return TemplateProblem{begin,
                             "must stay below the manifest's folder, found a '..' in it",
                             "plates go into the manifest's folder or a folder below it"};
    }
    begin = end + 1;
  }
  return std::nullopt;
}

/// What all templates have in common.
std::optional<TemplateProblem> check_relative(std::string_view text, std::string_view example) {
  if (text.empty()) {
    return TemplateProblem{0, "must not be empty", "for example " + std::string(example)};
  }
  if (text[0] == '/') {
    return TemplateProblem{0,
                           "must be relative to the manifest's folder, found " + in_quotes(text),
                           "plates go into the manifest's folder or a folder below it"};
  }
  if (const size_t slash = text.find('\\'); slash != std::string_view::npos) {
    return TemplateProblem{slash, "cannot hold a '\\'", "write '/' between folder and file"};
  }
  if (auto problem = check_components(text)) return problem;
  return check_braces(text);
}

/// The replacement of {ink}: the name of an ink comes from a file and must not choose a folder.
std::string harmless(std::string_view ink) {
  std::string result;
  while (!ink.empty()) {
    const Utf8Character character = first_character(ink);
    const size_t bytes = character.bytes > 0 ? character.bytes : 1;
    const bool good = character.bytes > 0 && !is_control(character.value) &&
                      character.value != '/' && character.value != '\\' &&
                      !(character.value == '.' && result.empty());
    result += good ? std::string(ink.substr(0, bytes)) : "_";
    ink.remove_prefix(bytes);
  }
  return result.empty() ? "_" : result;
}

/// The text with every {name} as `replace` wants it; a doubled brace is kept as it is.
template <typename Replace>
std::string replaced(std::string_view text, const Replace& replace) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_doubled = i + 1 < text.size() && text[i + 1] == text[i];
    if (text[i] == '}' || (text[i] == '{' && is_doubled)) {
      result += text.substr(i, is_doubled ? 2 : 1);
      i += is_doubled ? 1 : 0;
    } else if (text[i] == '{') {
      const size_t end = std::min(text.find('}', i), text.size());
      result += replace(text.substr(i + 1, end - i - 1));
      i = end;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string with_single_braces(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    const bool is_brace = text[i] == '{' || text[i] == '}';
    if (is_brace && i + 1 < text.size() && text[i + 1] == text[i]) ++i;
  }
  return result;
}

}  // namespace

std::string with_doubled_braces(std::string_view text) {
  std::string result;
  for (const char c : text) result.append(c == '{' || c == '}' ? 2 : 1, c);
  return result;
}

std::optional<TemplateProblem> check_plate_template(std::string_view text) {
  if (auto problem = check_relative(text, "plates/{stem}_{ink}.tif")) return problem;
  const std::string_view suffix = tiff_suffix(text);
  const std::string_view name = text.substr(text.rfind('/') + 1);  // npos + 1 is 0
  if (suffix.empty() || name == suffix) {
    return TemplateProblem{0,
                           "must name a file that ends in .tif or .tiff, found " + in_quotes(text),
                           "for example plates/{stem}_{ink}.tif"};
  }
  return std::nullopt;
}

std::optional<TemplateProblem> check_file_template(std::string_view text,
                                                   std::span<const std::string_view> suffixes,
                                                   std::string_view example) {
  if (auto problem = check_relative(text, example)) return problem;
  for (const std::string_view name : kOfPlates) {
    const size_t place = text.find(name);
    if (place == std::string_view::npos) continue;
    return TemplateProblem{place,
                           "cannot hold '" + std::string(name) + "': the file is of all inks",
                           "the names are {stem}, {page}, {job}, {date}, {time} and {id}"};
  }
  const size_t dot = text.rfind('.');
  const std::string suffix = dot == std::string_view::npos ? "" : lower_case(text.substr(dot));
  const size_t name = text.rfind('/') + 1;  // npos + 1 is 0
  if (std::ranges::find(suffixes, suffix) != suffixes.end() && dot > name) return std::nullopt;
  return TemplateProblem{0,
                         "must name a file that ends in " +
                             joined({suffixes.begin(), suffixes.end()}) + ", found " +
                             in_quotes(text),
                         "for example " + std::string(example)};
}

std::optional<TemplateProblem> check_ink_pattern(std::string_view text) {
  constexpr std::array<std::string_view, 2> kInkNames = {"page", "ink"};
  constexpr const char* kHint = "for example {page}_{ink}.tif";
  std::array<size_t, 2> count = {};
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '/' || text[i] == '\\') {
      return TemplateProblem{i, "must be a file's name, without folders", kHint};
    }
    if (text[i] == '}') return TemplateProblem{i, "has a '}' without its '{'", kHint};
    if (text[i] != '{') continue;
    const size_t end = text.find_first_of("{}", i + 1);
    if (end == std::string_view::npos || text[end] == '{') {
      return TemplateProblem{i, "has a '{' without its '}'", kHint};
    }
    const std::string_view written = text.substr(i, end - i + 1);
    const auto name = std::ranges::find(kInkNames, written.substr(1, written.size() - 2));
    if (name == kInkNames.end()) {
      return TemplateProblem{
          i, "cannot hold " + in_quotes(written), "the names are {page} and {ink}"};
    }
    if (++count[static_cast<size_t>(name - kInkNames.begin())] > 1) {
      return TemplateProblem{i, "has " + std::string(written) + " twice", kHint};
    }
    if (text.substr(end + 1).starts_with('{')) {
      return TemplateProblem{end + 1, "needs something between {page} and {ink}", kHint};
    }
    i = end;
  }
  for (const size_t i : {0U, 1U}) {
    if (count[i] == 0) {
      return TemplateProblem{0, "must have {" + std::string(kInkNames[i]) + "} in it", kHint};
    }
  }
  if (text.starts_with('.')) {
    return TemplateProblem{0, "must not begin with a point: such files are ignored", kHint};
  }
  if (tiff_suffix(text).empty()) {
    return TemplateProblem{0, "must end in .tif or .tiff, found " + in_quotes(text), kHint};
  }
  return std::nullopt;
}

std::string resolve_plate_template(std::string_view text,
                                   const std::string& folder,
                                   const std::string& stem,
                                   const std::string& job) {
  const std::string expanded = replaced(text, [&](std::string_view name) -> std::string {
    if (name == "stem") return with_doubled_braces(stem);
    if (name == "job") return with_doubled_braces(job);
    return "{" + std::string(name) + "}";
  });
  const std::filesystem::path base = with_doubled_braces(folder);
  return (base / expanded).lexically_normal().string();
}

std::string resolve_ink_template(std::string_view text, const std::string& folder) {
  const std::string doubled_ink = with_doubled_braces(kInkName);
  std::string quoted = with_doubled_braces(text);
  for (size_t at = 0; (at = quoted.find(doubled_ink, at)) != std::string::npos;) {
    quoted.replace(at, doubled_ink.size(), kInkName);
    at += kInkName.size();
  }
  const std::filesystem::path base = with_doubled_braces(folder);
  return (base / quoted).lexically_normal().string();
}

std::string shown_template(const std::string& resolved, const std::string& folder) {
  const std::filesystem::path base = std::filesystem::path(folder).lexically_normal();
  const std::filesystem::path path = with_single_braces(resolved);
  const std::string relative = path.lexically_relative(base).string();
  return relative.empty() || relative.starts_with("..") ? path.string() : relative;
}

std::string with_start(std::string_view resolved, const JobStart& start) {
  return replaced(resolved, [&](std::string_view name) -> std::string {
    if (name == "date") return with_doubled_braces(start.date);
    if (name == "time") return with_doubled_braces(start.time);
    if (name == "id") return with_doubled_braces(start.id);
    return "{" + std::string(name) + "}";
  });
}

bool has_start(std::string_view resolved) {
  bool found = false;
  replaced(resolved, [&](std::string_view name) -> std::string {
    found = found || name == "date" || name == "time" || name == "id";
    return {};
  });
  return found;
}

std::string plate_path(std::string_view resolved, uint32_t page, const PlateName& plate) {
  const std::string expanded = replaced(resolved, [&](std::string_view name) -> std::string {
    if (name == "page") return std::to_string(uint64_t{page} + 1);
    if (name == "n") return std::to_string(plate.number);
    const bool is_label = name == "label" && !plate.label.empty();
    return with_doubled_braces(harmless(is_label ? plate.label : plate.ink));
  });
  return with_single_braces(expanded);
}

bool has_page_number(std::string_view resolved) {
  bool found = false;
  replaced(resolved, [&](std::string_view name) -> std::string {
    found = found || name == "page";
    return {};
  });
  return found;
}

}  // namespace mezzo::manifests
