#include "tools/wedge/write_wedge.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "pipeline/plan/resolution.h"
#include "stages/tiff/plate/contone_writer.h"
#include "tools/wedge/lettering.h"

namespace mezzo::wedge {
namespace {

constexpr uint16_t kPaper = 65535;

uint16_t sample_of(uint32_t percent) {
  return static_cast<uint16_t>((kPaper * (100 - percent) + 50) / 100);
}

/// One line of lettering, whose dots are squares of `side` px.
struct Line {
  std::string text;
  uint32_t left = 0, top = 0, side = 1;

  bool has_row(uint32_t y) const { return y >= top && y < top + kLetterRows * side; }

  void draw(uint32_t y, std::span<uint16_t> row) const {
    for (uint32_t column = 0; column < text_columns(text); ++column) {
      if (!is_ink(text, column, (y - top) / side)) continue;
      const size_t begin = std::min<size_t>(left + column * side, row.size());
      const size_t end = std::min<size_t>(begin + side, row.size());
      std::fill(row.begin() + static_cast<ptrdiff_t>(begin),
                row.begin() + static_cast<ptrdiff_t>(end),
                uint16_t{0});
    }
  }
};

struct Box {
  uint32_t left, top, side;
  uint16_t sample;
};

/// The page of one ink, row by row.
class Page {
 public:
  Page(const Layout& layout, size_t ink, double dpi, const std::string& head) {
    const auto px = [dpi](uint32_t um) { return plan::pixels_of(um, dpi); };
    width_ = px(layout.width_um);
    height_ = px(layout.height_um);
    const uint32_t patch = px(kPatchUm);
    constexpr uint32_t kMostLabel = 8;  // "AA22 100"
    const uint32_t side = std::max(1U, patch / (kMostLabel * kLetterPitch));
    lines_.push_back({head, px(kMarginUm), px(block_top_um(ink)), 2 * side});
    for (const WedgePatch& one : layout.patches) {
      if (one.ink != ink) continue;
      const uint32_t left = px(one.left_um), top = px(one.top_um);
      boxes_.push_back({left, top, patch, sample_of(one.percent)});
      const uint32_t above = kLetterRows * side + 2 * side;
      lines_.push_back(
          {fmt::format("{} {}", one.name, one.percent), left, top > above ? top - above : 0, side});
    }
  }

  uint32_t width() const { return width_; }
  uint32_t height() const { return height_; }

  void draw(uint32_t y, std::span<uint16_t> row) const {
    std::ranges::fill(row, kPaper);
    for (const Box& box : boxes_) {
      if (y < box.top || y >= box.top + box.side) continue;
      const auto begin = row.begin() + box.left;
      std::fill(begin, begin + box.side, box.sample);
    }
    for (const Line& line : lines_) {
      if (line.has_row(y)) line.draw(y, row);
    }
  }

 private:
  uint32_t width_ = 0, height_ = 0;
  std::vector<Box> boxes_;
  std::vector<Line> lines_;
};

/// CGATS has no way to write a quote inside a text.
std::string quoted(std::string text) {
  std::ranges::replace(text, '"', '\'');
  return "\"" + text + "\"";
}

std::string keyword(const std::string& name, const std::string& value) {
  return value.empty() ? "" : fmt::format("KEYWORD \"{0}\"\n{0} {1}\n", name, quoted(value));
}

std::string joined(const std::vector<std::string>& inks) {
  std::string text;
  for (const std::string& ink : inks) text += (text.empty() ? "" : ", ") + ink;
  return text;
}

}  // namespace

void write_page(const std::string& path,
                const Layout& layout,
                size_t ink,
                double dpi,
                const std::string& head) {
  const Page page(layout, ink, dpi, head);
  tiff::ContoneOptions options;
  options.width_px = page.width();
  options.height_px = page.height();
  options.bits = 16;
  options.compression = tiff::Compression::kDeflate;
  options.dpi = dpi;
  options.description = head;
  tiff::ContoneWriter writer(path, options);
  constexpr uint32_t kRows = 64;
  std::vector<uint16_t> rows(size_t{page.width()} * kRows);
  for (uint32_t y = 0; y < page.height(); y += kRows) {
    const uint32_t count = std::min(kRows, page.height() - y);
    for (uint32_t i = 0; i < count; ++i) {
      page.draw(y + i, std::span(rows).subspan(size_t{i} * page.width(), page.width()));
    }
    writer.write_rows(std::as_bytes(std::span(rows)).data(), count);
  }
  writer.finish();
}

std::string description(const Layout& layout, const Print& print, const std::string& software) {
  std::string text = "CGATS.17\nORIGINATOR " + quoted(software) + "\nDESCRIPTOR \"wedge\"\n";
  text += keyword("PRESS", print.press) + keyword("INKS", joined(print.inks));
  for (size_t i = 0; i < print.inks.size(); ++i) {
    text += keyword(fmt::format("SCREEN_{}", i + 1), print.screens[i]);
  }
  text += keyword("DPI", fmt::format("{}", print.dpi)) + keyword("PAPER", print.paper) +
          keyword("CURVES", print.curves);
  for (size_t i = 0; i < print.inks.size(); ++i) {
    text += keyword(fmt::format("CURVES_{}", i + 1), print.measured[i]);
  }
  text += keyword("SHUFFLE", layout.shuffle);
  text += "KEYWORD \"INK\"\nKEYWORD \"NOMINAL\"\nKEYWORD \"X_MM\"\nKEYWORD \"Y_MM\"\n\n";
  text +=
      "NUMBER_OF_FIELDS 6\nBEGIN_DATA_FORMAT\nSAMPLE_ID SAMPLE_NAME INK NOMINAL X_MM Y_MM\n"
      "END_DATA_FORMAT\n\n";
  text += fmt::format("NUMBER_OF_SETS {}\nBEGIN_DATA\n", layout.patches.size());
  for (const WedgePatch& one : layout.patches) {
    const auto centre = [](uint32_t um) { return (um + kPatchUm / 2) / 1000.0; };
    text += fmt::format("{} {} {} {} {} {}\n",
                        one.id,
                        quoted(one.name),
                        quoted(print.inks[one.ink]),
                        one.percent,
                        centre(one.left_um),
                        centre(one.top_um));
  }
  return text + "END_DATA\n";
}

}  // namespace mezzo::wedge
