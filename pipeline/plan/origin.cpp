#include "pipeline/plan/origin.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>
#include <vector>

#include "kernels/band/drop_levels.h"
#include "kernels/base/error.h"
#include "manifests/fields.h"
#include "manifests/scalars.h"
#include "manifests/source_text.h"
#include "pipeline/plan/mapping_text.h"

namespace mezzo::plan {
namespace {

std::vector<std::string_view> pieces_of(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (size_t end = 0; (end = text.find(separator)) != std::string_view::npos;) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  parts.push_back(text);
  return parts;
}

[[noreturn]] void refuse_words(std::string_view words) {
  throw Error(ErrorKind::kUnsupported, "cannot read " + manifests::in_quotes(words));
}

template <typename Number>
Number number_in(std::string_view text) {
  Number value{};
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) refuse_words(text);
  return value;
}

uint32_t number_within(uint32_t least, uint32_t most, std::string_view text) {
  const auto value = number_in<uint32_t>(text);
  if (value < least || value > most) refuse_words(text);
  return value;
}

uint32_t dpi_in(std::string_view text) {
  return number_within(manifests::kLeastDpi, manifests::kMostDpi, text);
}

std::string name_among(std::string_view text, const std::vector<std::string_view>& names) {
  for (const std::string_view name : names) {
    if (text == name) return std::string(name);
  }
  refuse_words(text);
}

/// Like one of a manifest.
bool is_whole_curve(const std::vector<CurvePoint>& points) {
  return points.size() >= 2 && points.size() <= manifests::kMaxCurvePoints &&
         !manifests::check_span(points);
}

/// What tone_text() wrote.
ToneSettings tone_in(std::string_view text) {
  ToneSettings tone;
  if (text == "identity") return tone;
  const std::vector<std::string_view> words = pieces_of(text, " ");
  size_t at = 0;
  const auto take = [&](std::string_view word) {
    return at < words.size() && words[at] == word ? ++at, true : false;
  };
  tone.invert = take("invert");
  if (take("gamma")) {
    if (at == words.size()) refuse_words(text);
    tone.gamma = number_in<double>(words[at++]);
  }
  if (take("curve")) {
    for (; at < words.size(); ++at) {
      const std::vector<std::string_view> point = pieces_of(words[at], ":");
      if (point.size() != 2) refuse_words(text);
      tone.points.push_back({number_in<double>(point[0]), number_in<double>(point[1])});
    }
    if (!is_whole_curve(tone.points)) refuse_words(text);
  }
  if (at < words.size() || !check(tone).empty()) refuse_words(text);
  return tone;
}

/// What provenance_text() says of levels: "0 7 14 21 pl, overlap 100, planes, bit 1".
LevelSettings levels_in(std::string_view text) {
  const std::vector<std::string_view> parts = pieces_of(text, ", ");
  if (parts.size() < 3 || !parts[1].starts_with("overlap ")) refuse_words(text);
  LevelSettings levels;
  std::vector<std::string_view> drops = pieces_of(parts[0], " ");
  levels.in_picolitres = name_among(drops.back(), {"pl", "%"}) == "pl";
  drops.pop_back();
  for (const std::string_view drop : drops) levels.drops.push_back(number_in<double>(drop));
  levels.overlap_percent = number_in<double>(parts[1].substr(std::string_view("overlap ").size()));
  const bool has_planes = name_among(parts[2], {"packed", "planes"}) == "planes";
  if (parts.size() != (has_planes ? 4 : 3)) refuse_words(text);
  if (has_planes) {
    if (!parts[3].starts_with("bit ")) refuse_words(text);
    levels.format = LevelFormat::kPlanes;
    levels.bit = number_within(1, 4, parts[3].substr(std::string_view("bit ").size())) - 1;
  }
  if (!check(levels).empty()) refuse_words(text);
  return levels;
}

prepress::Protect protection_in(std::string_view name) {
  const auto protect = manifests::protect_named(name);
  if (!protect) refuse_words(name);
  return *protect;
}

uint32_t length_in(std::string_view text) {
  const auto length = manifests::parse_length(text);
  if (!length.value || *length.value > manifests::kMostLengthUm) refuse_words(text);
  return static_cast<uint32_t>(*length.value);
}

/// Four lengths, each "2.5 mm".
std::array<uint32_t, 4> lengths_in(std::string_view text) {
  const std::vector<std::string_view> words = pieces_of(text, " ");
  std::array<uint32_t, 4> lengths{};
  if (words.size() != 2 * lengths.size()) refuse_words(text);
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (words[2 * i + 1] != "mm") refuse_words(text);
    lengths[i] = length_in(std::string(words[2 * i]) + " mm");
  }
  return lengths;
}

uint32_t degrees_in(std::string_view text) {
  const auto degrees = number_in<uint32_t>(text);
  if (!manifests::is_rotation(degrees)) refuse_words(text);
  return degrees;
}

/// What ink_limit_text() wrote.
manifests::InkLimit ink_limit_in(std::string_view text) {
  const std::vector<std::string_view> words = pieces_of(text, " ");
  if (!words.front().ends_with('%')) refuse_words(text);
  manifests::InkLimit limit{
      .percent = number_in<double>(words.front().substr(0, words.front().size() - 1))};
  size_t at = 1;
  if (at < words.size() && words[at] == "all") limit.counts_spots = ++at > 0;
  if (at < words.size() && words[at] == "check") limit.only_checks = ++at > 0;
  if (at < words.size() || limit.percent < 100 || limit.percent > manifests::kMostInkPercent) {
    refuse_words(text);
  }
  return limit;
}

/// "3x4 gap 2 mm".
manifests::Copies copies_in(std::string_view text) {
  const std::vector<std::string_view> parts = pieces_of(text, " gap ");
  const std::vector<std::string_view> counts = pieces_of(parts.front(), "x");
  if (parts.size() != 2 || counts.size() != 2) refuse_words(text);
  const uint32_t gap_um = length_in(parts[1]);
  if (gap_um > manifests::kMostGapUm) refuse_words(text);
  return {number_within(1, manifests::kMostCopies, counts[0]),
          number_within(1, manifests::kMostCopies, counts[1]),
          gap_um};
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
    settings.output.mirror = take("output=mirrored") == "";
    settings.output.negative = take("output=negative") == "";
  }

  void read_chain(Origin& origin) {
    manifests::PageSettings& settings = origin.settings;
    settings.extra_channels = "ignore";
    read_geometry(settings.geometry);
    if (const auto spots = take("spots=")) {
      settings.extra_channels = "inks";
      settings.spot_polarity = name_among(*spots, manifests::spot_polarity_names());
    }
    if (const auto ink = take("page_ink=")) origin.page_ink = read_quoted_ink(*ink);
    if (const auto inks = take("inks=")) settings.inks = read_mapping(*inks);
    if (const auto limit = take("ink_limit=")) settings.ink_limit = ink_limit_in(*limit);
    if (const auto dpi = take("resolution=")) {
      settings.output.resolution_dpi = dpi_in(*dpi);
      settings.scale = name_among(require("scale="), manifests::scale_names());
    }
    if (const auto dpi = take("assume_resolution=")) settings.assumed_dpi = dpi_in(*dpi);
  }

  void read_geometry(manifests::Geometry& geometry) {
    if (const auto crop = take("crop=")) {
      const auto [left, top, width, height] = lengths_in(*crop);
      geometry.crop = {left, top, width, height};
    }
    if (const auto trim = take("trim=")) {
      const auto [left, top, right, bottom] = lengths_in(*trim);
      geometry.trim = {left, top, right, bottom};
    }
    if (const auto degrees = take("rotate=")) geometry.rotate_degrees = degrees_in(*degrees);
    if (const auto copies = take("copies=")) geometry.copies = copies_in(*copies);
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
