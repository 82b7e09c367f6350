#include "pipeline/plan/origin.h"

#include <string_view>
#include <vector>

#include "manifests/fields.h"
#include "manifests/source_text.h"
#include "pipeline/plan/mapping_text.h"
#include "pipeline/plan/plate_text.h"

namespace mezzo::plan {
namespace {

prepress::Protect protection_in(std::string_view name) {
  const auto protect = manifests::protect_named(name);
  if (!protect) refuse_words(name);
  return *protect;
}

/// "press 1a2b.., plate 5e6f..".
std::string curves_in(std::string_view text) {
  for (const std::string_view one : pieces_of(text, ", ")) {
    const std::vector<std::string_view> words = pieces_of(one, " ");
    const bool is_good = words.size() == 2 && words[1].size() == 32 &&
                         words[1].find_first_not_of("0123456789abcdef") == words[1].npos;
    if (!is_good) refuse_words(text);
    name_among(words[0], {"plate", "press"});
  }
  return std::string(text);
}

/// Reads the pieces of a line in the order in which provenance_text() writes them. In lines of
/// earlier versions a name may look like several pieces, which leads to one out of its order.
class LineReader {
 public:
  explicit LineReader(std::string_view line) : pieces_(pieces_of(line, "; ")) {}

  Origin run() {
    Origin origin;
    pass_method();
    origin.settings.tone = tone_in(require("tone="));
    origin.ink = read_name_in_line(require("ink="));
    origin.input = read_name_in_line(require("input="));
    origin.page = number_within(1, manifests::kMaxPageNumber, require("page="));
    read_output(origin.settings);
    if (take("colour=")) origin.colour_table = require("colour-table=");
    read_chain(origin);
    if (const auto ink = take("press_ink=")) {
      const std::string name = read_quoted_name(*ink);
      origin.settings.press =
          manifests::Press{.name = {},
                           .xxh3 = {},
                           .inks = {{name, {origin.ink}}, {std::string(manifests::kSpotInks)}}};
    }
    while (const auto file = take("linework=")) read_linework(*file, origin);
    if (const auto curves = take("curves=")) origin.curves = curves_in(*curves);
    if (take("press=")) require("press-xxh3=");
    take("input-sha256=");
    require("samples-xxh3=");
    if (at_ < pieces_.size()) refuse_words(pieces_[at_]);
    return origin;
  }

 private:
  std::optional<std::string_view> take(std::string_view key) {
    if (at_ == pieces_.size() || !pieces_[at_].starts_with(key)) return std::nullopt;
    return pieces_[at_++].substr(key.size());
  }

  std::string_view require(std::string_view key) {
    const auto value = take(key);
    if (!value) refuse_words(at_ < pieces_.size() ? pieces_[at_] : pieces_.back());
    return *value;
  }

  /// Its parameters do not matter to what comes before and after it.
  void pass_method() {
    require("method=");
    while (at_ < pieces_.size() && !pieces_[at_].starts_with("tone=")) {
      if (pieces_[at_].find('=') == std::string_view::npos) refuse_words(pieces_[at_]);
      ++at_;
    }
  }

  void read_output(manifests::PageSettings& settings) {
    if (const auto protect = take("protect=")) settings.protect = protection_in(*protect);
    if (const auto levels = take("levels=")) settings.halftone.levels = levels_in(*levels);
    take("together=");  // inks see each other's dots, which changes no contone
    read_texts(output_texts(), settings);
  }

  void read_texts(std::span<const PlateText> texts, manifests::PageSettings& settings) {
    for (const PlateText& text : texts) {
      if (text.belongs != nullptr) {
        if (text.belongs(settings)) text.read(require(text.key), settings);
      } else if (const auto words = take(text.key)) {
        text.read(*words, settings);
      }
    }
  }

  void read_chain(Origin& origin) {
    origin.settings.extra_channels = "ignore";
    read_texts(texts_before_inks(), origin.settings);
    if (const auto ink = take("page_ink=")) origin.page_ink = read_quoted_ink(*ink);
    if (const auto inks = take("inks=")) origin.settings.inks = read_mapping(*inks);
    read_texts(texts_behind_inks(), origin.settings);
  }

  void read_linework(std::string_view file, Origin& origin) {
    manifests::Linework& linework = origin.linework.emplace_back();
    linework.file = read_quoted_name(file);
    if (linework.file.empty() || linework.file.find('/') != std::string::npos) refuse_words(file);
    linework.ink = read_quoted_ink(require("linework_ink="));
    linework.overprint = name_among(require("linework_overprint="), {"false", "true"}) == "true";
    linework.xxh3 = require("linework-xxh3=");
  }

  std::vector<std::string_view> pieces_;
  size_t at_ = 0;
};

}  // namespace

Origin read_provenance(const std::string& line) {
  return LineReader(line).run();
}

}  // namespace mezzo::plan
