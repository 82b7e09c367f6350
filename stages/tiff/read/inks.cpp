#include "stages/tiff/read/inks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/base/error.h"
#include "stages/ink_names.h"
#include "stages/tiff/damaged.h"
#include "stages/tiff/read/names.h"
#include "stages/tiff/read/photoshop.h"

namespace mezzo::tiff {
namespace {

constexpr std::string_view kFlatten = "flatten the page, so that it has no alpha";

constexpr uint64_t kCorelAlpha = 999;  // what Corel Draw writes for opacity
constexpr uint64_t kMostInkNames = 64ULL << 10;
constexpr uint64_t kMostResourceBytes = 8ULL << 20;  // beyond which extra channels have no names

class InkTags : PageCheck {
 public:
  InkTags(const Tags& tags, const std::string& where, PageLayout& layout, PageInfo& info)
      : PageCheck(where), tags_(tags), layout_(layout), info_(info) {}

  void read_extra_samples(const InputLimits& limits);
  void read_inks(bool has_other_inks);

 private:
  std::vector<uint64_t> extra_sample_kinds() const;
  void check_extra_inks(uint64_t count) const;
  void read_photoshop_channels();
  void read_dot_range();
  std::vector<std::string> named_inks() const;

  const Tags& tags_;
  PageLayout& layout_;
  PageInfo& info_;
};

/// The kinds of the samples behind the colours. Where the tag is absent, all samples that the colours leave
/// are of no known kind; of a separated page all are inks.
std::vector<uint64_t> InkTags::extra_sample_kinds() const {
  if (tags_.has(TIFFTAG_EXTRASAMPLES)) {
    std::vector<uint64_t> kinds = tags_.numbers(TIFFTAG_EXTRASAMPLES, 0xFFFF);
    for (uint64_t& kind : kinds) {
      if (kind == kCorelAlpha) kind = EXTRASAMPLE_UNASSALPHA;
      if (kind <= EXTRASAMPLE_UNASSALPHA) continue;
      fail(ErrorKind::kData, fmt::format("tag ExtraSamples is {}, expected 0 .. 2", kind));
    }
    return kinds;
  }
  if (layout_.meaning == Meaning::kInks || layout_.samples <= layout_.colours) return {};
  return std::vector<uint64_t>(layout_.samples - layout_.colours, EXTRASAMPLE_UNSPECIFIED);
}

/// Old writers of CMYK count black as an extra channel.
void InkTags::check_extra_inks(uint64_t count) const {
  const bool is_cmyk = tags_.number_or(TIFFTAG_INKSET, INKSET_CMYK) == INKSET_CMYK;
  if (!is_cmyk || count != 1 || layout_.samples != 4 || tags_.has(TIFFTAG_INKNAMES)) return;
  fail(ErrorKind::kData,
       "its tags contradict each other: tag ExtraSamples takes 1 of 4 samples for an extra "
       "channel, and CMYK has 4 inks",
       "export the page as CMYK without extra channels");
}

void InkTags::read_extra_samples(const InputLimits& limits) {
  const std::vector<uint64_t> kinds = extra_sample_kinds();
  const uint64_t count = kinds.size();
  if (layout_.meaning == Meaning::kInks) {
    check_extra_inks(count);
    if (count < layout_.samples) layout_.colours = static_cast<uint32_t>(layout_.samples - count);
  }
  if (layout_.colours == 0 || layout_.colours + count != layout_.samples) {
    fail(ErrorKind::kData,
         "tag SamplesPerPixel is " + std::to_string(layout_.samples) + ", expected " +
             std::to_string(layout_.colours) + " colours and " + std::to_string(count) +
             " extra samples");
  }
  const uint32_t most = std::min(limits.max_inks, PageLayout::kMaxUsedSamples - 1);
  if (layout_.colours > most) {
    fail(ErrorKind::kLimit,
         "the page has " + std::to_string(layout_.colours) + " inks, the limit is " +
             std::to_string(most));
  }
  uint64_t ignored = count;
  if (count > 0 && layout_.meaning != Meaning::kInks && kinds[0] != EXTRASAMPLE_UNSPECIFIED) {
    layout_.alpha = kinds[0] == EXTRASAMPLE_ASSOCALPHA ? Alpha::kAssociated : Alpha::kUnassociated;
    --ignored;
  }
  if (layout_.alpha == Alpha::kAssociated && layout_.meaning == Meaning::kPalette) {
    fail(ErrorKind::kUnsupported,
         "associated alpha with a palette is not supported: an index cannot be multiplied",
         kFlatten);
  }
  if (layout_.meaning == Meaning::kLab && layout_.alpha != Alpha::kNone) {
    fail(ErrorKind::kUnsupported, "CIELAB with alpha is not supported", kFlatten);
  }
  if (layout_.alpha != Alpha::kNone) {
    info_.notes.push_back("transparent pixels are composited over paper");
  }
  info_.extra_channels = static_cast<uint32_t>(ignored);
  if (ignored == 0) return;
  info_.notes.push_back(note_on_extra_channels(ignored));
  if (layout_.meaning == Meaning::kInks) read_photoshop_channels();
}

void InkTags::read_photoshop_channels() {
  const bool is_read = tags_.byte_count(TIFFTAG_PHOTOSHOP) <= kMostResourceBytes;
  const auto resources = is_read ? tags_.bytes(TIFFTAG_PHOTOSHOP) : std::vector<std::byte>();
  auto extras = photoshop_channels(resources, info_.extra_channels);
  if (!extras) {
    fail(ErrorKind::kData,
         "tag ImageResources (Photoshop), which names its extra channels, is damaged");
  }
  info_.extras = std::move(*extras);
}

/// Samples for paper and for a solid, which are inside the range or fall in few files.
void InkTags::read_dot_range() {
  constexpr uint64_t kMostValues = 128;  // pairs for all inks that a page may have
  const std::vector<uint64_t> values = tags_.numbers(TIFFTAG_DOTRANGE, kMostValues);
  if (values.empty()) return;
  if (values.size() != 2 && values.size() != 2 * uint64_t{layout_.samples}) {
    fail(ErrorKind::kData,
         fmt::format("tag DotRange has {} values, expected 2 or {}",
                     values.size(),
                     2 * uint64_t{layout_.samples}));
  }
  for (size_t i = 2; i < values.size(); ++i) {
    if (values[i] == values[i % 2]) continue;
    fail(ErrorKind::kUnsupported,
         fmt::format("tag DotRange has a range for each ink, and they differ ({})",
                     fmt::join(values, ", ")),
         "save the page with one range for all");
  }
  const auto first = static_cast<uint32_t>(values[0]), last = static_cast<uint32_t>(values[1]);
  const uint32_t most = (1U << layout_.bits) - 1;
  if (first == 0 && last >= most) return;
  const std::string range = std::to_string(first) + " .. " + std::to_string(last);
  if (first == 0 && last == 255 && layout_.bits > 8) {
    info_.notes.push_back("tag DotRange is " + range + ", as for 8 bits, and is taken for all of " +
                          std::to_string(layout_.bits));
    return;
  }
  if (first == last || first > most || last > most) {
    fail(ErrorKind::kData,
         "tag DotRange is " + range + ", which is no range of samples of " +
             std::to_string(layout_.bits) + " bits");
  }
  // Samples of fewer than 8 bits are handed out as 8 bits.
  const uint32_t scale = layout_.bits < 8 ? 255 / most : 1;
  info_.first_dot = first * scale;
  info_.last_dot = last * scale;
  info_.notes.push_back("paper and solid are samples " + range + " (tag DotRange)");
}

/// The names in tag InkNames, each with a NUL behind it, which may be missing behind the last.
std::vector<std::string> InkTags::named_inks() const {
  const std::vector<std::byte> bytes = tags_.bytes(TIFFTAG_INKNAMES);
  std::vector<std::string> names;
  std::string name;
  for (const std::byte byte : bytes) {
    name += static_cast<char>(byte);
    if (byte != std::byte{0}) continue;
    name.pop_back();
    names.push_back(std::exchange(name, {}));
  }
  if (!name.empty()) names.push_back(name);
  // NULs that fill the tag up are no inks.
  const uint64_t expected = tags_.number_or(TIFFTAG_NUMBEROFINKS, names.size());
  while (names.size() > expected && names.back().empty()) names.pop_back();
  if (!names.empty() && names.size() != expected) {
    fail(ErrorKind::kData,
         fmt::format(
             "tag NumberOfInks is {}, and tag InkNames has {} names", expected, names.size()));
  }
  return names;
}

void InkTags::read_inks(bool has_other_inks) {
  read_dot_range();
  const bool is_cmyk = !has_other_inks && layout_.colours == 4;
  if (tags_.number(TIFFTAG_INKSET) == uint64_t{INKSET_CMYK} && layout_.colours > 4) {
    fail(ErrorKind::kData,
         fmt::format(
             "tag InkSet says CMYK, which has 4 inks, and the page has {} and no tag ExtraSamples",
             layout_.colours));
  }
  if (is_cmyk) {
    info_.inks = {"cyan", "magenta", "yellow", "black"};
    if (!tags_.has(TIFFTAG_INKSET) && tags_.has(TIFFTAG_INKNAMES)) {
      info_.notes.emplace_back(
          "its inks are taken for CMYK, as it has no tag InkSet: its tag InkNames is ignored");
    }
    return;
  }
  if (tags_.byte_count(TIFFTAG_INKNAMES) > kMostInkNames) {
    fail(ErrorKind::kLimit,
         fmt::format("tag InkNames has {} bytes, the limit is {}",
                     tags_.byte_count(TIFFTAG_INKNAMES),
                     kMostInkNames));
  }
  std::vector<std::string> names = named_inks();
  names.resize(std::min<size_t>(names.size(), layout_.colours));
  info_.inks = ink_names(names, layout_.colours);
  for (size_t i = 0; i < names.size(); ++i) {
    const auto first = std::ranges::find(names, names[i]);
    const auto before = static_cast<size_t>(first - names.begin());
    if (names[i].empty() || before == i) continue;
    info_.notes.push_back(fmt::format("two of its inks are named '{}': the later one is '{}'",
                                      info_.inks[before],
                                      info_.inks[i]));
  }
}

}  // namespace

std::string note_on_extra_channels(uint64_t count) {
  return std::to_string(count) + " extra channel" + (count > 1 ? "s" : "") + " ignored";
}

void read_extra_samples(const Tags& tags,
                        const InputLimits& limits,
                        const std::string& where,
                        PageLayout& layout,
                        PageInfo& info) {
  InkTags(tags, where, layout, info).read_extra_samples(limits);
}

void read_inks(const Tags& tags,
               const std::string& where,
               bool has_other_inks,
               PageLayout& layout,
               PageInfo& info) {
  InkTags(tags, where, layout, info).read_inks(has_other_inks);
}

}  // namespace mezzo::tiff
