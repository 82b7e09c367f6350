#include "pipeline/plan/mapping_text.h"

#include <fmt/format.h>

#include <charconv>

#include "kernels/base/error.h"
#include "kernels/base/utf8.h"
#include "manifests/source_text.h"

namespace mezzo::plan {
namespace {

constexpr std::string_view kEscaped = "\"\\;";

std::string mix_text(const manifests::InkSettings& ink) {
  std::string text;
  for (const manifests::InkShare& share : ink.shares) {
    text += text.empty() ? "" : " + ";
    text += fmt::format("{} {} %", quoted_name(share.ink), share.percent);
  }
  return text;
}

std::string use_text(const manifests::InkSettings& ink) {
  if (ink.is_dropped) return "dropped";
  if (!ink.shares.empty()) return "with " + mix_text(ink);
  if (!ink.from.empty()) return "from " + quoted_name(ink.from);
  return ink.plate.empty() ? "" : "as " + quoted_name(ink.plate);
}

/// Takes such texts apart, from the front.
class MappingReader {
 public:
  explicit MappingReader(std::string_view text) : whole_(text), rest_(text) {}

  bool is_at_end() const { return rest_.empty(); }

  bool take(std::string_view words) {
    if (!rest_.starts_with(words)) return false;
    rest_.remove_prefix(words.size());
    return true;
  }

  void require(std::string_view words) {
    if (!take(words)) fail();
  }

  std::string take_name() {
    require("\"");
    std::string name;
    while (!take("\"")) name += take_character();
    return name;
  }

  /// Messages show it.
  std::string take_ink_name() {
    std::string name = take_name();
    if (!is_clean_text(name)) fail();
    return name;
  }

  double take_percent() {
    double percent = 0;
    const auto [end, fault] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), percent);
    if (fault != std::errc() || !(percent >= 0 && percent <= 100)) fail();
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    require(" %");
    return percent;
  }

  manifests::InkSettings take_ink() {
    manifests::InkSettings ink;
    ink.ink = take_ink_name();
    if (take(" dropped")) {
      ink.is_dropped = true;
    } else if (take(" as ")) {
      ink.plate = take_ink_name();
    } else if (take(" from ")) {
      ink.from = take_ink_name();
    } else {
      require(" with ");
      do {
        manifests::InkShare share{.ink = take_ink_name()};
        require(" ");
        share.percent = take_percent();
        ink.shares.push_back(std::move(share));
      } while (take(" + "));
    }
    return ink;
  }

  [[noreturn]] void fail() const {
    const std::string_view words = rest_.empty() ? whole_ : rest_;
    throw Error(ErrorKind::kUnsupported, "cannot read " + manifests::in_quotes(words));
  }

 private:
  char take_character() {
    for (const char escaped : kEscaped) {
      if (take(fmt::format("\\x{:02x}", escaped))) return escaped;
    }
    if (rest_.empty() || kEscaped.find(rest_.front()) != std::string_view::npos) fail();
    const char character = rest_.front();
    rest_.remove_prefix(1);
    return character;
  }

  std::string_view whole_, rest_;
};

}  // namespace

std::string quoted_name(std::string_view name) {
  std::string text = "\"";
  for (const char character : name) {
    if (kEscaped.find(character) == std::string_view::npos) {
      text += character;
    } else {
      text += fmt::format("\\x{:02x}", character);
    }
  }
  return text + '"';
}

std::string name_in_line(std::string_view name) {
  const bool is_plain = !name.starts_with('"') && name.find("; ") == std::string_view::npos;
  return is_plain ? std::string(name) : quoted_name(name);
}

std::string read_name_in_line(std::string_view text) {
  return text.starts_with('"') ? read_quoted_name(text) : std::string(text);
}

std::string read_quoted_name(std::string_view text) {
  MappingReader reader(text);
  std::string name = reader.take_name();
  if (!reader.is_at_end()) reader.fail();
  return name;
}

std::string read_quoted_ink(std::string_view text) {
  MappingReader reader(text);
  std::string name = reader.take_ink_name();
  if (!reader.is_at_end()) reader.fail();
  return name;
}

std::string mapping_text(const manifests::PageSettings& settings) {
  std::string text;
  for (const manifests::InkSettings& ink : settings.inks) {
    const std::string use = use_text(ink);
    if (!use.empty()) text += (text.empty() ? "" : ", ") + quoted_name(ink.ink) + " " + use;
  }
  return text;
}

std::vector<manifests::InkSettings> read_mapping(std::string_view text) {
  MappingReader reader(text);
  std::vector<manifests::InkSettings> inks;
  do {
    inks.push_back(reader.take_ink());
  } while (reader.take(", "));
  if (!reader.is_at_end()) reader.fail();
  return inks;
}

}  // namespace mezzo::plan
