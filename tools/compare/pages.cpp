#include "tools/compare/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "kernels/base/error.h"
#include "kernels/prepress/ink_key.h"
#include "kernels/quality/memory_pair.h"
#include "stages/ink_names.h"
#include "stages/tiff/plate/plate_reader.h"
#include "tools/cli/interrupt.h"

namespace mezzo::compare {
namespace {

constexpr uint64_t kReaderMemory = 1ULL << 30;  // for pages that lie on their side
constexpr size_t kBandBytes = 8U << 20;         // of each of the two files that is held decoded

bool is_bilevel(const PageInfo& info) {
  return info.format.starts_with("1-bit") && info.inks.size() == 1;
}

/// The ink that a plate of ours says it is; empty when the file does not say, or is of another
/// make.
std::string ink_of_plate(const OpenPage& halftone) {
  try {
    const auto plate = tiff::PlateReader::open(halftone.file->path());
    return halftone.index < plate->page_count() ? plate->page(halftone.index).page.ink : "";
  } catch (const Error&) {
    return "";
  }
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", i + 1, names[i]);
  }
  return text;
}

class TiffPair final : public quality::PagePair {
 public:
  TiffPair(const OpenPage& contone, uint32_t plane, const OpenPage& halftone)
      : contone_(contone, plane), halftone_(halftone, 0) {}

  uint32_t width_px() const override { return contone_.info().width_px; }
  uint32_t height_px() const override { return contone_.info().height_px; }
  uint32_t max_ink() const override { return contone_.info().max_sample; }

  void read(const BandView<uint16_t>& ink, const BandView<uint8_t>& bits, Team& team) override {
    for (uint32_t i = 0; i < ink.rows; ++i) {
      std::ranges::copy(contone_.next_row(team), ink.row(i));
      // Full ink is 255.
      std::ranges::transform(
          halftone_.next_row(team), bits.row(i), [](uint16_t value) { return value & 1; });
    }
  }

 private:
  PlaneRows contone_;
  PlaneRows halftone_;
};

}  // namespace

OpenPage::OpenPage(const std::string& path, uint32_t number)
    : file(tiff::TiffFile::open(path)), index(number - 1) {
  if (number >= 1 && number <= file->page_count()) return;
  throw Error(
      ErrorKind::kUsage,
      fmt::format("{} has no page {}; its pages are 1 to {}", path, number, file->page_count()));
}

PlaneRows::PlaneRows(const OpenPage& page, uint32_t plane)
    : info_(page.info()),
      plane_(plane),
      reader_(page.file->open_page(page.index, kReaderMemory)),
      row_(info_.width_px) {
  const size_t row_bytes = size_t{info_.width_px} * info_.bytes_per_sample * info_.inks.size();
  const auto fit = static_cast<uint32_t>(std::clamp<size_t>(kBandBytes / row_bytes, 1, 1024));
  const uint32_t quantum = std::max(reader_->row_quantum(), 1U);
  band_rows_ = std::min(std::max(fit / quantum, 1U) * quantum, info_.height_px);
  buffer_ = ContoneBuffer(info_, band_rows_);
}

std::span<const uint16_t> PlaneRows::next_row(Team& team) {
  if (next_row_ % band_rows_ == 0) {
    if (cli::stop_requested()) throw Error(ErrorKind::kInterrupted, "interrupted");
    band_ = buffer_.rows(next_row_, std::min(band_rows_, info_.height_px - next_row_));
    reader_->read(band_, team);
  }
  quality::read_ink(
      band_[plane_], next_row_ % band_rows_, info_.max_sample, info_.polarity, row_.data());
  ++next_row_;
  return row_;
}

uint32_t choose_plane(const OpenPage& contone,
                      const std::string& wanted,
                      const OpenPage& halftone) {
  const std::vector<std::string>& inks = contone.info().inks;
  const std::string& path = contone.file->path();
  const std::string name = !wanted.empty()    ? wanted
                           : inks.size() == 1 ? inks[0]
                                              : ink_of_plate(halftone);
  // By its name, or by that of its plate's file, which older plates have in their tags, too.
  for (const std::vector<std::string>& names : {inks, ink_file_names(inks)}) {
    const auto named = std::ranges::find(names, name);
    if (named != names.end()) return static_cast<uint32_t>(named - names.begin());
  }
  const auto same =
      std::ranges::find_if(inks, [&](const auto& ink) { return prepress::is_same_ink(ink, name); });
  if (same != inks.end()) return static_cast<uint32_t>(same - inks.begin());
  uint32_t number = 0;
  const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_number = fault == std::errc() && end == name.data() + name.size();
  if (!wanted.empty() && is_number && number >= 1 && number <= inks.size()) return number - 1;
  throw Error(ErrorKind::kUsage,
              wanted.empty()
                  ? fmt::format("{} has several inks and {} does not name its own; give --ink "
                                "NAME or NUMBER: {}",
                                path,
                                halftone.file->path(),
                                listed(inks))
                  : fmt::format("{} has no ink '{}'; its inks are {}", path, wanted, listed(inks)));
}

std::unique_ptr<quality::PagePair> open_pair(const OpenPage& contone,
                                             uint32_t plane,
                                             const OpenPage& halftone) {
  const PageInfo& asked = contone.info();
  const PageInfo& got = halftone.info();
  const std::string& contone_path = contone.file->path();
  const std::string& halftone_path = halftone.file->path();
  if (is_bilevel(asked)) {
    throw Error(ErrorKind::kData,
                fmt::format("{} is bilevel ({}): the first file must be the contone that the "
                            "halftones were made from",
                            contone_path,
                            asked.format));
  }
  if (!is_bilevel(got)) {
    throw Error(ErrorKind::kData,
                fmt::format("{} is not bilevel ({}), so it cannot be a halftone of {}",
                            halftone_path,
                            got.format,
                            contone_path));
  }
  if (asked.width_px != got.width_px || asked.height_px != got.height_px) {
    throw Error(
        ErrorKind::kData,
        fmt::format(
            "{} has {} x {} px and {} has {} x {} px: a halftone must have the size of its contone",
            contone_path,
            asked.width_px,
            asked.height_px,
            halftone_path,
            got.width_px,
            got.height_px));
  }
  return std::make_unique<TiffPair>(contone, plane, halftone);
}

}  // namespace mezzo::compare
