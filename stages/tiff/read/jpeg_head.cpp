#include "stages/tiff/read/jpeg_head.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

#include "kernels/base/error.h"
#include "stages/tiff/damaged.h"

namespace mezzo::tiff {
namespace {

// Markers, each behind a byte 0xFF.
constexpr uint32_t kSof0 = 0xC0, kSof1 = 0xC1, kDht = 0xC4, kJpg = 0xC8, kSof9 = 0xC9, kDac = 0xCC,
                   kSof15 = 0xCF, kSoi = 0xD8, kEoi = 0xD9, kSos = 0xDA, kDqt = 0xDB, kDri = 0xDD,
                   kApp0 = 0xE0, kApp14 = 0xEE, kApp15 = 0xEF, kCom = 0xFE;

constexpr std::string_view kBaselineJpeg =
    "save the page with baseline JPEG, or with another compression";

[[noreturn]] void damaged(const std::string& what) {
  throw damaged_page("the JPEG data is damaged: " + what);
}

std::string marker_text(uint32_t marker) {
  char text[7];
  std::snprintf(text, sizeof text, "0xFF%02X", static_cast<unsigned>(marker & 0xFF));
  return text;
}

/// Those segments that may come before the first scan and may be passed over.
bool is_table_or_note(uint32_t marker) {
  return marker == kDht || marker == kDac || marker == kDqt || marker == kDri || marker == kCom ||
         (marker >= kApp0 && marker <= kApp15);
}

/// Frame headers, of all processes.
bool is_frame(uint32_t marker) {
  return marker >= kSof0 && marker <= kSof15 && marker != kDht && marker != kJpg && marker != kDac;
}

void check_process(uint32_t marker) {
  if (marker == kSof0 || marker == kSof1 || marker == kSof9) return;
  const bool is_progressive = (marker & 3) == 2;
  if (is_progressive) {
    throw Error(ErrorKind::kUnsupported, "progressive JPEG is not supported", kBaselineJpeg);
  }
  throw Error(ErrorKind::kUnsupported,
              "the JPEG process of marker " + marker_text(marker) + " is not supported",
              kBaselineJpeg);
}

/// The segments of a head, one after the other.
class Segments {
 public:
  explicit Segments(BlockHead& head) : head_(head) {
    if (head_.byte(0) != 0xFF || head_.byte(1) != kSoi) damaged("it does not begin with SOI");
  }

  /// Goes to the next segment and returns its marker, which is that of a frame, a scan, a table, a note,
  /// or EOI behind the last one.
  uint32_t next() {
    constexpr uint32_t kMost = 1000;
    if (++count_ > kMost) {
      damaged("it has more than " + std::to_string(kMost) + " segments before its first scan");
    }
    at_ += bytes_;
    constexpr uint64_t kMostPadding = 64;
    const uint64_t begin = at_;
    if (head_.byte(at_) != 0xFF) stray_byte();
    while (head_.byte(at_ + 1) == 0xFF) {
      if (++at_ - begin > kMostPadding) stray_byte();
    }
    const uint32_t marker = head_.byte(at_ + 1);
    at_ += 2;
    if (marker == kEoi) return marker;
    if (marker != kSos && !is_frame(marker) && !is_table_or_note(marker)) {
      damaged("it has the marker " + marker_text(marker) + " before its first scan");
    }
    bytes_ = head_.big_endian_16(at_);
    if (bytes_ < 2) damaged("its segment " + marker_text(marker) + " has no length");
    if (at_ + bytes_ > head_.size()) damaged("its segment " + marker_text(marker) + " is cut off");
    return marker;
  }

  uint32_t bytes() const { return bytes_; }  ///< with the two of the length itself
  uint32_t byte(uint32_t i) { return head_.byte(at_ + i); }
  uint32_t number(uint32_t i) { return head_.big_endian_16(at_ + i); }
  bool begins_with(std::string_view text) {
    uint32_t i = 2;
    return bytes_ >= 2 + text.size() && std::ranges::all_of(text, [&](char c) {
             return byte(i++) == static_cast<unsigned char>(c);
           });
  }

 private:
  [[noreturn]] void stray_byte() {
    damaged("it has no marker at byte " + std::to_string(at_) + ", where a segment begins");
  }

  BlockHead& head_;
  uint64_t at_ = 2;     // of the current segment's length
  uint32_t bytes_ = 0;  // of the current segment
  uint32_t count_ = 0;
};

void read_frame(Segments& segment, uint32_t marker, JpegHead& jpeg) {
  check_process(marker);
  if (jpeg.components > 0) damaged("it has two frame headers");
  const uint32_t components = segment.byte(7);
  if (components < 1 || components > JpegHead::kMostComponents ||
      segment.bytes() != 8 + 3 * components) {
    damaged("its frame header does not fit its " + std::to_string(components) + " components");
  }
  jpeg.height_px = segment.number(3);
  jpeg.width_px = segment.number(5);
  jpeg.components = components;
  for (uint32_t i = 0; i < components; ++i) {
    const uint32_t both = segment.byte(9 + 3 * i);
    jpeg.sampling[i] = {both >> 4, both & 15};
    const auto [across, down] = jpeg.sampling[i];
    if (across < 1 || across > 4 || down < 1 || down > 4) {
      damaged("its frame header has sampling factors that are not 1 to 4");
    }
  }
}

/// As libjpeg recognises them.
void read_note(Segments& segment, uint32_t marker, JpegHead& jpeg) {
  if (marker == kApp0 && segment.bytes() >= 16 && segment.begins_with({"JFIF\0", 5})) {
    jpeg.has_jfif = true;
  }
  if (marker == kApp14 && segment.bytes() >= 14 && segment.begins_with("Adobe")) {
    jpeg.adobe_transform = segment.byte(13);
  }
}

uint64_t rounded_up(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

std::optional<bool> JpegHead::is_transformed() const {
  if (components != 3 && components != 4) return std::nullopt;
  const bool by_jfif = has_jfif && components == 3;
  if (!adobe_transform) return by_jfif ? std::optional(true) : std::nullopt;
  const bool by_adobe = *adobe_transform != 0;
  if (by_jfif && !by_adobe) return std::nullopt;
  return by_adobe;
}

JpegHead read_jpeg_head(BlockHead& head) {
  Segments segment(head);
  JpegHead jpeg;
  for (;;) {
    const uint32_t marker = segment.next();
    if (marker == kSos) break;
    if (marker == kEoi) damaged("it ends before its first scan");
    if (is_frame(marker)) {
      read_frame(segment, marker, jpeg);
    } else {
      read_note(segment, marker, jpeg);
    }
  }
  if (jpeg.components == 0) damaged("it has a scan before its frame header");
  jpeg.scan_components = segment.byte(2);
  return jpeg;
}

void check_jpeg_tables(BlockHead& tables) {
  Segments segment(tables);
  for (uint32_t marker = segment.next(); marker != kEoi; marker = segment.next()) {
    if (!is_table_or_note(marker)) {
      damaged("it has the marker " + marker_text(marker) + ", and tables alone belong there");
    }
  }
}

uint64_t jpeg_memory_bytes(const JpegHead& jpeg) {
  constexpr uint64_t kBlock = 8, kCoefficients = 64 * sizeof(int16_t);
  uint32_t most_across = 1, most_down = 1;
  for (const auto& [across, down] : jpeg.sampling) {
    most_across = std::max(most_across, across);
    most_down = std::max(most_down, down);
  }
  uint64_t coefficients = 0;
  uint64_t rows = 0;  // 8 of blocks and 2 of context each, and those of the full size
  for (uint32_t i = 0; i < jpeg.components; ++i) {
    const auto [across, down] = jpeg.sampling[i];
    const auto blocks_of = [](uint64_t pixels, uint32_t factor, uint32_t most) {
      return rounded_up((pixels * factor + kBlock * most - 1) / (kBlock * most), factor);
    };
    const uint64_t blocks_across = blocks_of(jpeg.width_px, across, most_across);
    coefficients += blocks_across * blocks_of(jpeg.height_px, down, most_down) * kCoefficients;
    rows += blocks_across * kBlock * down * (kBlock + 2) +
            rounded_up(jpeg.width_px, most_across) * most_down;
  }
  const bool keeps_all = jpeg.scan_components < jpeg.components;
  return rows + (keeps_all ? coefficients : 0);
}

}  // namespace mezzo::tiff
