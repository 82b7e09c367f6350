#include "pipeline/plan/plate_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>

#include "kernels/band/drop_levels.h"
#include "kernels/base/error.h"
#include "manifests/fields.h"
#include "manifests/scalars.h"
#include "manifests/source_text.h"

namespace mezzo::plan {
namespace {

using P = manifests::PageSettings;
using Words = std::optional<std::string>;

template <typename Number>
Number number_in(std::string_view text) {
  Number value{};
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) refuse_words(text);
  return value;
}

}  // namespace

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

uint32_t number_within(uint32_t least, uint32_t most, std::string_view text) {
  const auto value = number_in<uint32_t>(text);
  if (value < least || value > most) refuse_words(text);
  return value;
}

std::string name_among(std::string_view text, const std::vector<std::string_view>& names) {
  for (const std::string_view name : names) {
    if (text == name) return std::string(name);
  }
  refuse_words(text);
}

std::string tone_text(const ToneSettings& tone) {
  std::string text;
  if (tone.invert) text += " invert";
  if (tone.gamma != 1.0) text += fmt::format(" gamma {}", tone.gamma);
  if (!tone.points.empty()) {
    text += " curve";
    for (const CurvePoint& point : tone.points) {
      text += fmt::format(" {}:{}", point.in_percent, point.out_percent);
    }
  }
  return text.empty() ? "identity" : text.substr(1);
}

namespace {

/// Like one of a manifest.
bool is_whole_curve(const std::vector<CurvePoint>& points) {
  return points.size() >= 2 && points.size() <= manifests::kMaxCurvePoints &&
         !manifests::check_span(points);
}

}  // namespace

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

std::string levels_text(const LevelSettings& levels) {
  const bool is_packed = levels.format == LevelFormat::kPacked;
  return fmt::format("{} {}, overlap {}, {}",
                     fmt::join(levels.drops, " "),
                     levels.in_picolitres ? "pl" : "%",
                     levels.overlap_percent,
                     is_packed ? "packed" : "planes");
}

std::string plate_levels_text(const LevelSettings& levels) {
  const std::string text = levels_text(levels);
  return levels.format == LevelFormat::kPacked ? text
                                               : fmt::format("{}, bit {}", text, levels.bit + 1);
}

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

namespace {

uint32_t dpi_in(std::string_view text) {
  return number_within(manifests::kLeastDpi, manifests::kMostDpi, text);
}

/// Lengths one after the other: "3 mm 0 mm".
std::string lengths_text(std::initializer_list<uint32_t> lengths_um) {
  std::string text;
  for (const uint32_t length : lengths_um) {
    text += (text.empty() ? "" : " ") + manifests::length_text(length);
  }
  return text;
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

constexpr PlateText kOutput[] = {
    {"output=mirrored",
     [](const P& s) { return s.output.mirror ? Words("") : std::nullopt; },
     [](std::string_view text, P& s) {
       if (!text.empty()) refuse_words(text);
       s.output.mirror = true;
     }},
    {"output=negative",
     [](const P& s) { return s.output.negative ? Words("") : std::nullopt; },
     [](std::string_view text, P& s) {
       if (!text.empty()) refuse_words(text);
       s.output.negative = true;
     }},
};

Words copies_text(const P& settings) {
  const auto& [across, down, gap_um] = settings.geometry.copies;
  if (settings.geometry.copies == manifests::Copies()) return std::nullopt;
  return fmt::format("{}x{} gap {}", across, down, lengths_text({gap_um}));
}

/// "3x4 gap 2 mm".
void read_copies(std::string_view text, P& settings) {
  const std::vector<std::string_view> parts = pieces_of(text, " gap ");
  const std::vector<std::string_view> counts = pieces_of(parts.front(), "x");
  if (parts.size() != 2 || counts.size() != 2) refuse_words(text);
  const uint32_t gap_um = length_in(parts[1]);
  if (gap_um > manifests::kMostGapUm) refuse_words(text);
  settings.geometry.copies = {number_within(1, manifests::kMostCopies, counts[0]),
                              number_within(1, manifests::kMostCopies, counts[1]),
                              gap_um};
}

constexpr PlateText kBeforeInks[] = {
    {"crop=",
     [](const P& s) {
       const auto& crop = s.geometry.crop;
       return crop ? Words(lengths_text(
                         {crop->left_um, crop->top_um, crop->width_um, crop->height_um}))
                   : std::nullopt;
     },
     [](std::string_view text, P& s) {
       const auto [left, top, width, height] = lengths_in(text);
       s.geometry.crop = {left, top, width, height};
     }},
    {"trim=",
     [](const P& s) {
       const auto& [left, top, right, bottom] = s.geometry.trim;
       return s.geometry.trim == manifests::Trim()
                  ? std::nullopt
                  : Words(lengths_text({left, top, right, bottom}));
     },
     [](std::string_view text, P& s) {
       const auto [left, top, right, bottom] = lengths_in(text);
       s.geometry.trim = {left, top, right, bottom};
     }},
    {"rotate=",
     [](const P& s) {
       const uint32_t degrees = s.geometry.rotate_degrees;
       return degrees == 0 ? std::nullopt : Words(std::to_string(degrees));
     },
     [](std::string_view text, P& s) {
       s.geometry.rotate_degrees = number_in<uint32_t>(text);
       if (!manifests::is_rotation(s.geometry.rotate_degrees)) refuse_words(text);
     }},
    {"copies=", copies_text, read_copies},
    {"spots=",
     [](const P& s) { return s.extra_channels == "inks" ? Words(s.spot_polarity) : std::nullopt; },
     [](std::string_view text, P& s) {
       s.extra_channels = "inks";
       s.spot_polarity = name_among(text, manifests::spot_polarity_names());
     }},
};

/// "300%", "320% all check".
Words ink_limit_text(const P& settings) {
  const manifests::InkLimit& limit = settings.ink_limit;
  if (limit.percent == 0) return std::nullopt;
  return fmt::format("{}%{}{}",
                     limit.percent,
                     limit.counts_spots ? " all" : "",
                     limit.only_checks ? " check" : "");
}

void read_ink_limit(std::string_view text, P& settings) {
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
  settings.ink_limit = limit;
}

/// Else the resolution of the page changes nothing.
bool scales_or_has_lengths(const P& settings) {
  return settings.output.resolution_dpi != 0 || settings.geometry != manifests::Geometry();
}

constexpr PlateText kBehindInks[] = {
    {"ink_limit=", ink_limit_text, read_ink_limit},
    {"resolution=",
     [](const P& s) {
       const uint32_t dpi = s.output.resolution_dpi;
       return dpi == 0 ? std::nullopt : Words(std::to_string(dpi));
     },
     [](std::string_view text, P& s) { s.output.resolution_dpi = dpi_in(text); }},
    {"scale=",
     [](const P& s) { return s.output.resolution_dpi == 0 ? std::nullopt : Words(s.scale); },
     [](std::string_view text, P& s) { s.scale = name_among(text, manifests::scale_names()); },
     [](const P& s) { return s.output.resolution_dpi != 0; }},
    {"assume_resolution=",
     [](const P& s) {
       return s.assumed_dpi != 0 && scales_or_has_lengths(s) ? Words(std::to_string(s.assumed_dpi))
                                                             : std::nullopt;
     },
     [](std::string_view text, P& s) { s.assumed_dpi = dpi_in(text); }},
};

}  // namespace

std::span<const PlateText> output_texts() {
  return kOutput;
}

std::span<const PlateText> texts_before_inks() {
  return kBeforeInks;
}

std::span<const PlateText> texts_behind_inks() {
  return kBehindInks;
}

}  // namespace mezzo::plan
