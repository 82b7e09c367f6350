#include "tools/compare/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "kernels/base/error.h"
#include "kernels/prepress/ink_key.h"
#include "kernels/quality/memory_pair.h"
#include "pipeline/plan/page_chain.h"
#include "stages/ink_names.h"
#include "tools/cli/interrupt.h"

namespace mezzo::compare {
namespace {

constexpr uint64_t kReaderMemory = 1ULL << 30;  // for pages that lie on their side
constexpr size_t kBandBytes = 8U << 20;         // of each of the two files that is held decoded

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", i + 1, names[i]);
  }
  return text;
}

class TiffPair final : public quality::PagePair {
 public:
  TiffPair(const ComparedPlane& contone, const ComparedPlane& halftone)
      : contone_(contone), halftone_(halftone) {}

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

ComparedPlane::ComparedPlane(const OpenPage& of, uint32_t number)
    : page(&of), chain(std::make_shared<chain::Chain>(of.info())), plane(number) {}

PlaneRows::PlaneRows(const ComparedPlane& plane)
    : plane_(plane),
      reader_(plan::through(
          *plane.chain,
          plane.page->file->open_page(
              plane.page->index, kReaderMemory, plane.form, plane.chain->rotation()))),
      row_(info().width_px) {
  const size_t row_bytes = size_t{info().width_px} * info().bytes_per_sample * info().inks.size();
  const auto fit = static_cast<uint32_t>(std::clamp<size_t>(kBandBytes / row_bytes, 1, 1024));
  const uint32_t quantum = std::max(reader_->row_quantum(), 1U);
  band_rows_ = std::min(std::max(fit / quantum, 1U) * quantum, info().height_px);
  buffer_ = ContoneBuffer(info(), band_rows_);
  for (const auto& linework : plane.linework) {
    const OpenPage& of = linework->page;
    linework_readers_.push_back(of.file->open_page(of.index, kReaderMemory));
    linework_.push_back(
        std::make_unique<BitReader>(of.info(), *linework_readers_.back(), linework->frame));
  }
  linework_row_.resize(bit_row_bytes(info().width_px));
}

std::span<const uint16_t> PlaneRows::next_row(Team& team) {
  if (next_row_ % band_rows_ == 0) {
    if (cli::stop_requested()) throw Error(ErrorKind::kInterrupted, "interrupted");
    band_ = buffer_.rows(next_row_, std::min(band_rows_, info().height_px - next_row_));
    reader_->read(band_, team);
  }
  quality::read_ink(
      band_[plane_.plane], next_row_ % band_rows_, info().max_sample, info().polarity, row_.data());
  undo_finish();
  lay_linework(team);
  ++next_row_;
  return row_;
}

void PlaneRows::undo_finish() {
  if (plane_.undone.mirror) std::ranges::reverse(row_);
  if (!plane_.undone.negative) return;
  for (uint16_t& ink : row_) ink = static_cast<uint16_t>(info().max_sample - ink);
}

/// What prints goes over what knocks out, whatever their order (overlay.h).
void PlaneRows::lay_linework(Team& team) {
  std::vector<bool> prints(linework_.empty() ? 0 : info().width_px);
  for (size_t k = 0; k < linework_.size(); ++k) {
    linework_[k]->read({.data = linework_row_.data(),
                        .width_px = info().width_px,
                        .rows = 1,
                        .stride_bytes = linework_row_.size(),
                        .first_row = next_row_},
                       team);
    const prepress::Overlay overlay = plane_.linework[k]->overlay;
    if (overlay == prepress::Overlay::kKeep) continue;
    const bool is_print = overlay == prepress::Overlay::kPrint;
    for (uint32_t x = 0; x < info().width_px; ++x) {
      if ((linework_row_[x / 8] >> (7 - x % 8) & 1) == 0) continue;
      if (!is_print && prints[x]) continue;
      row_[x] = static_cast<uint16_t>(is_print ? info().max_sample : 0);
      if (is_print) prints[x] = true;
    }
  }
}

uint32_t choose_plane(const PageInfo& page,
                      const std::string& path,
                      const std::string& wanted,
                      const std::string& plate_ink,
                      const std::string& halftone_path) {
  const std::vector<std::string>& inks = page.inks;
  const std::string name = !wanted.empty() ? wanted : inks.size() == 1 ? inks[0] : plate_ink;
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
                                halftone_path,
                                listed(inks))
                  : fmt::format("{} has no ink '{}'; its inks are {}", path, wanted, listed(inks)));
}

bool is_halftone(const PageInfo& info) {
  return info.format.starts_with("1-bit") && info.inks.size() == 1;
}

std::unique_ptr<quality::PagePair> open_pair(const ComparedPlane& contone,
                                             const ComparedPlane& halftone) {
  return std::make_unique<TiffPair>(contone, halftone);
}

}  // namespace mezzo::compare
