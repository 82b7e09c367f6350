#include "pipeline/run/ppf_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <optional>

#include "kernels/prepress/overlay.h"
#include "kernels/proof/box_axis.h"
#include "kernels/proof/box_counts.h"
#include "pipeline/plan/linework.h"
#include "pipeline/plan/page_chain.h"
#include "pipeline/plan/page_geometry.h"
#include "pipeline/plan/provenance.h"
#include "pipeline/plan/resolution.h"
#include "pipeline/plan/side_files.h"
#include "pipeline/plan/side_needs.h"
#include "pipeline/run/csv.h"
#include "pipeline/run/open_linework.h"
#include "stages/band/bit_reader.h"
#include "stages/band/contone_buffer.h"
#include "stages/files/publish.h"
#include "stages/proof/ppf_file.h"
#include "stages/tiff/read/reader.h"

namespace mezzo::run {
namespace {

/// Rows of line work that are read at a time, of all files together.
constexpr uint32_t kBandRows = 64;

/// The settings that keep the page at its own resolution.
manifests::PageSettings without_scale(manifests::PageSettings settings) {
  settings.output.resolution_dpi = 0;
  return settings;
}

/// The parts, 0 to 1, of each pixel of a row that line work prints and knocks out.
struct Covered {
  std::vector<double> printed, knocked_out;
};

/// Line work, averaged to the pixels of a page of lower resolution.
class AveragedLinework {
 public:
  /// `plate`: the page as it is halftoned; `overlays`: for each plate the effect of each line work.
  AveragedLinework(const plan::SheetPlan& sheet,
                   const PageInfo& plate,
                   const PageInfo& page,
                   std::vector<std::vector<prepress::Overlay>> overlays,
                   files::FileSystem& files)
      : open_(sheet, files),
        overlays_(std::move(overlays)),
        across_(axis(plate.width_px, page.width_px)),
        down_(axis(plate.height_px, page.height_px)),
        ink_(across_.boxes()),
        row_bytes_(bit_row_bytes(across_.plate_px)),
        held_(open_.readers().size()) {}

  /// The effect on row `y` of each plate; rows rise. Plates of the same effect have one.
  std::vector<std::shared_ptr<const Covered>> row(uint32_t y, Team& team) {
    const uint32_t first = down_.first_px(y), end = down_.end_px(y + 1);
    while (end_ < end) read(team);
    const auto gone = static_cast<std::ptrdiff_t>((first - first_) * row_bytes_);
    for (auto& held : held_) held.erase(held.begin(), held.begin() + gone);
    first_ = first;
    std::map<std::vector<prepress::Overlay>, std::shared_ptr<const Covered>> known;
    std::vector<std::shared_ptr<const Covered>> covered;
    for (const auto& overlays : overlays_) {
      auto& one = known[overlays];
      if (!one) one = std::make_shared<Covered>(covered_by(overlays, y));
      covered.push_back(one);
    }
    return covered;
  }

 private:
  /// The page has one pixel for each box.
  static proof::BoxAxis axis(uint32_t plate_px, uint32_t page_px) {
    const uint32_t common = std::gcd(plate_px, page_px);
    return {plate_px, page_px / common, plate_px / common};
  }

  void read(Team& team) {
    const auto at_once = std::max(kBandRows / static_cast<uint32_t>(held_.size()), 1U);
    const uint32_t rows = std::min(at_once, down_.plate_px - end_);
    for (size_t k = 0; k < held_.size(); ++k) {
      const size_t held = held_[k].size();
      held_[k].resize(held + rows * row_bytes_);
      const BitBand bits{held_[k].data() + held, across_.plate_px, rows, row_bytes_, end_};
      open_.readers()[k]->read(bits, team);
    }
    end_ += rows;
  }

  /// Lays the line work over paper, where ink is what it prints, and over solid ink, where paper is what
  /// it knocks out.
  Covered covered_by(const std::vector<prepress::Overlay>& overlays, uint32_t y) {
    const uint32_t rows = down_.end_px(y + 1) - first_;
    const auto band_of = [&](std::vector<uint8_t>& bits) {
      return BitBand{bits.data(), across_.plate_px, rows, row_bytes_, first_};
    };
    std::vector<BitBand> linework;
    for (auto& held : held_) linework.push_back(band_of(held));
    Covered covered{std::vector<double>(ink_.size()), std::vector<double>(ink_.size())};
    if (std::ranges::find(overlays, prepress::Overlay::kPrint) != overlays.end()) {
      std::vector<uint8_t> paper(rows * row_bytes_);
      prepress::lay_over(overlays, linework, band_of(paper));
      covered.printed = part_of_boxes(band_of(paper), y);
    }
    if (std::ranges::find(overlays, prepress::Overlay::kKnockOut) != overlays.end()) {
      std::vector<uint8_t> solid(rows * row_bytes_, 0xff);
      prepress::lay_over(overlays, linework, band_of(solid));
      for (uint8_t& byte : solid) byte = static_cast<uint8_t>(~byte);
      covered.knocked_out = part_of_boxes(band_of(solid), y);
    }
    return covered;
  }

  std::vector<double> part_of_boxes(const BitBand& rows, uint32_t y) {
    proof::count_ink(across_, down_, y, rows, nullptr, ink_);
    std::vector<double> part(ink_.size());
    for (uint32_t x = 0; x < ink_.size(); ++x) {
      part[x] = static_cast<double>(ink_[x]) / static_cast<double>(across_.length(x)) /
                static_cast<double>(down_.length(y));
    }
    return part;
  }

  OpenLinework open_;
  const std::vector<std::vector<prepress::Overlay>> overlays_;
  proof::BoxAxis across_, down_;
  std::vector<uint64_t> ink_;
  size_t row_bytes_;
  std::vector<std::vector<uint8_t>> held_;  ///< rows of each line work
  uint32_t first_ = 0, end_ = 0;
};

/// Averages the rows of one ink.
class InkPreview {
 public:
  /// `plane`: of the page.
  InkPreview(const PageInfo& page,
             size_t plane,
             bool is_inverted,
             proof::BoxAxis across,
             proof::BoxAxis down)
      : page_(page),
        plane_(plane),
        is_inverted_(is_inverted),
        across_(across),
        down_(down),
        tones_(page.width_px),
        sums_(across.boxes()),
        columns_(page.width_px) {}

  size_t plane() const { return plane_; }

  /// `linework`: its effect on the row; null without any.
  void add_row(const SampleBand& band, uint32_t i, const Covered* linework) {
    fill_tones(band, i);
    if (linework != nullptr) {
      for (size_t x = 0; x < tones_.size(); ++x) {
        const double tone = tones_[x];
        tones_[x] += linework->printed[x] * (1 - tone) - linework->knocked_out[x] * tone;
      }
    }
    for (size_t x = 0; x < tones_.size(); ++x) columns_[x] += tones_[x];
    add_to_boxes(band.first_row + i);
  }

  /// Writes the rows of boxes that are whole since the last call, as ink `ink` of the file.
  void put_rows(size_t ink, proof::PpfFile& file) {
    const size_t row_bytes = across_.boxes();
    const size_t count = rows_.size() / row_bytes;
    for (size_t i = 0; i < count; ++i) {
      const auto y = static_cast<uint32_t>(next_box_ - count + i);
      file.put_row(ink, y, std::span(rows_).subspan(i * row_bytes, row_bytes));
    }
    rows_.clear();
  }

  /// Mean of each column of the page.
  std::vector<double> columns() const {
    std::vector<double> means = columns_;
    for (double& mean : means) mean /= page_.height_px;
    return means;
  }

 private:
  /// 0 paper, 1 solid.
  void fill_tones(const SampleBand& band, uint32_t i) {
    const bool max_is_ink = (page_.polarity == Polarity::kMaxIsInk) != is_inverted_;
    const double solid = page_.max_sample;
    for (uint32_t x = 0; x < tones_.size(); ++x) {
      const uint32_t sample = band.bytes_per_sample == 1 ? band.row8(i)[x] : band.row16(i)[x];
      tones_[x] = (max_is_ink ? sample : solid - sample) / solid;
    }
  }

  void add_to_boxes(uint32_t row) {
    std::vector<double> across(across_.boxes());
    for (uint32_t box = 0; box < across.size(); ++box) {
      const uint64_t begin = across_.begin(box), end = across_.end(box);
      double sum = 0;
      for (uint32_t x = across_.first_px(box); x < across_.end_px(box + 1); ++x) {
        const uint64_t from = std::max(begin, uint64_t{x} * across_.p);
        const uint64_t to = std::min(end, (uint64_t{x} + 1) * across_.p);
        sum += static_cast<double>(to - from) * tones_[x];
      }
      across[box] = sum / static_cast<double>(end - begin);
    }
    const uint64_t row_end = (uint64_t{row} + 1) * down_.p;
    uint64_t at = uint64_t{row} * down_.p;
    while (at < row_end) {
      const uint64_t end = std::min(row_end, down_.end(next_box_));
      for (size_t box = 0; box < across.size(); ++box) {
        sums_[box] += static_cast<double>(end - at) * across[box];
      }
      at = end;
      if (at == down_.end(next_box_)) end_row_of_boxes();
    }
  }

  void end_row_of_boxes() {
    const auto length = static_cast<double>(down_.length(next_box_));
    for (double& sum : sums_) {
      rows_.push_back(static_cast<uint8_t>(255 - std::lround(255 * sum / length)));
      sum = 0;
    }
    ++next_box_;
  }

  const PageInfo& page_;
  const size_t plane_;
  const bool is_inverted_;
  const proof::BoxAxis across_, down_;
  std::vector<double> tones_, sums_, columns_;
  std::vector<uint8_t> rows_;  ///< of boxes, those above next_box_ that are not written yet
  uint32_t next_box_ = 0;
};

/// Reads the page once, through its chain without scaling.
class NominalPage {
 public:
  NominalPage(const plan::SheetPlan& sheet, size_t i, files::FileSystem& files)
      : sheet_(sheet),
        reader_bytes_(sheet.bands[i].reader_bytes),
        settings_(without_scale(sheet.settings)),
        file_(tiff::TiffFile::open(sheet.input, {}, files)),
        number_(sheet.pages[i]),
        form_(plan::read_as(file_->page(number_), settings_, place())),
        chain_(plan::make_chain(
            file_->page(number_, form_), settings_, place(), sheet.ink, colour_of(sheet, i))) {
    if (sheet.linework.empty()) return;
    std::vector<std::vector<prepress::Overlay>> overlays;
    for (const plan::PlatePlan& plate : sheet.plates) {
      auto& of_plate = overlays.emplace_back();
      for (const plan::LineworkPlan& one : sheet.linework) {
        of_plate.push_back(plan::overlay_of(one.settings, plan::ink_of(plate), sheet.settings));
      }
    }
    linework_.emplace(sheet, sheet.infos[i], chain_.page(), std::move(overlays), files);
  }

  const PageInfo& page() const { return chain_.page(); }

  /// Calls `go_on` after each band.
  void read(std::vector<InkPreview>& inks, Team& team, const std::function<void()>& go_on) {
    const auto reader =
        plan::through(chain_, file_->open_page(number_, reader_bytes_, form_, chain_.rotation()));
    const uint32_t band_rows = plan::ppf_band_rows(page(), reader->row_quantum());
    ContoneBuffer buffer(page(), band_rows);
    for (uint32_t y = 0; y < page().height_px; y += band_rows) {
      const uint32_t rows = std::min(band_rows, page().height_px - y);
      const auto planes = buffer.rows(y, rows);
      reader->read(planes, team);
      for (uint32_t row = 0; row < rows; ++row) add_row(planes, row, inks, team);
      go_on();
    }
    file_->check_unchanged();
    if (!file_->is_touched()) return;
    throw Error(ErrorKind::kData,
                sheet_.input + ": the file, its name or its rights were changed while it was read");
  }

 private:
  std::string place() const { return plan::place_of(sheet_, number_); }

  void add_row(const std::vector<MutableSampleBand>& planes,
               uint32_t row,
               std::vector<InkPreview>& inks,
               Team& team) {
    std::vector<std::shared_ptr<const Covered>> covered;
    if (linework_) covered = linework_->row(planes.front().first_row + row, team);
    for_each_index(team, static_cast<uint32_t>(inks.size()), [&](uint32_t k) {
      InkPreview& ink = inks[k];
      ink.add_row(planes[ink.plane()], row, linework_ ? covered[ink.plane()].get() : nullptr);
    });
  }

  const plan::SheetPlan& sheet_;
  const uint64_t reader_bytes_;
  const manifests::PageSettings settings_;
  std::unique_ptr<tiff::TiffFile> file_;
  const uint32_t number_;
  const tiff::ReadAs form_;
  const chain::Chain chain_;
  std::optional<AveragedLinework> linework_;
};

/// "zone,left_mm,right_mm,INK..." and a line a zone, in percent.
std::string zones_text(const std::vector<std::string>& inks,
                       const std::vector<std::vector<double>>& means,
                       double sheet_mm,
                       double zone_mm) {
  std::string text = "zone,left_mm,right_mm";
  for (const std::string& ink : inks) text += "," + csv_field(ink);
  text += "\n";
  const size_t zones = means.front().size();
  const double begin = (sheet_mm - static_cast<double>(zones) * zone_mm) / 2;
  for (size_t z = 0; z < zones; ++z) {
    const double left = begin + static_cast<double>(z) * zone_mm;
    text += fmt::format("{},{:.3f},{:.3f}", z + 1, left, left + zone_mm);
    for (const std::vector<double>& ink : means) text += fmt::format(",{:.3f}", ink[z]);
    text += "\n";
  }
  return text;
}

/// Of the page without scaling. Throws Error where a preview cannot be made of it.
Resolution resolution_for(const plan::SheetPlan& sheet, size_t page, const PageInfo& info) {
  const std::string place = plan::place_of(sheet, sheet.pages[page]);
  const Resolution resolution = plan::resolution_of(
      info, sheet.settings, place, "have ink zones, which are given in millimetres");
  const double least = std::min(resolution.x_dpi, resolution.y_dpi);
  if (least >= plan::kPpfDpi) return resolution;
  throw Error(
      ErrorKind::kUnsupported,
      fmt::format(
          "{} has {:.6g} dpi, and the preview of a PPF file {}", place, least, plan::kPpfDpi),
      "export the page at a higher resolution");
}

/// Where the zones do not reach the edges of the sheet; empty where they do.
std::string note_on_zones(const manifests::PpfSettings& settings, double zone_mm, double sheet_mm) {
  const double covered_mm = settings.zones * zone_mm;
  if (covered_mm >= sheet_mm - 0.01) return {};
  return fmt::format(
      "the sheet is {:.1f} mm wide, and {} zones of {} mm cover {:.1f} mm in its "
      "middle; see 'zones' and 'zone_width' of 'ppf'",
      sheet_mm,
      settings.zones,
      zone_mm,
      covered_mm);
}

}  // namespace

std::vector<double> zone_means(const std::vector<double>& columns,
                               double column_mm,
                               uint32_t zones,
                               double zone_mm) {
  std::vector<double> means(zones);
  const double sheet_mm = static_cast<double>(columns.size()) * column_mm;
  const double begin = (sheet_mm - zones * zone_mm) / 2;
  for (uint32_t z = 0; z < zones; ++z) {
    const double left = std::max(begin + z * zone_mm, 0.0);
    const double right = std::min(begin + (z + 1) * zone_mm, sheet_mm);
    double sum = 0;
    for (auto x = static_cast<size_t>(left / column_mm); x < columns.size(); ++x) {
      const double from = std::max(static_cast<double>(x) * column_mm, left);
      const double to = std::min(static_cast<double>(x + 1) * column_mm, right);
      if (from >= right) break;
      sum += std::max(to - from, 0.0) * columns[x];
    }
    means[z] = 100 * sum / zone_mm;
  }
  return means;
}

PpfMade make_ppf(const plan::SheetPlan& sheet,
                 size_t page,
                 const std::string& job,
                 const std::string& path,
                 Team& team,
                 files::FileSystem& files,
                 const std::function<void()>& go_on) {
  NominalPage nominal(sheet, page, files);
  const PageInfo& info = nominal.page();
  const Resolution resolution = resolution_for(sheet, page, info);
  const proof::BoxAxis across = plan::ppf_axis(info.width_px, resolution.x_dpi);
  const proof::BoxAxis down = plan::ppf_axis(info.height_px, resolution.y_dpi);
  std::vector<InkPreview> previews;
  std::vector<std::string> names;
  for (size_t p = 0; p < sheet.plates.size(); ++p) {
    const plan::PlatePlan& plate = sheet.plates[p];
    // Bits of levels are of one plane, and in one place.
    if (plate.drop_bit.value_or(0) > 0) continue;
    names.emplace_back(plan::ink_of(plate));
    previews.emplace_back(info, p, settings_of(sheet, plate).tone.invert, across, down);
  }
  proof::PpfFile file(path,
                      {.job = job,
                       .software = plan::provenance_software(),
                       .width_pt = 72 * info.width_px / resolution.x_dpi,
                       .height_pt = 72 * info.height_px / resolution.y_dpi,
                       .width_px = across.boxes(),
                       .height_px = down.boxes(),
                       .dpi = plan::kPpfDpi,
                       .inks = names},
                      files);
  nominal.read(previews, team, [&] {
    for (size_t k = 0; k < previews.size(); ++k) previews[k].put_rows(k, file);
    go_on();
  });
  const manifests::PpfSettings& settings = *sheet.settings.ppf;
  const double zone_mm = settings.zone_width_um / 1000.0;
  const double column_mm = 25.4 / resolution.x_dpi, sheet_mm = column_mm * info.width_px;
  std::vector<std::vector<double>> means;
  for (const InkPreview& ink : previews) {
    means.push_back(zone_means(ink.columns(), column_mm, settings.zones, zone_mm));
  }
  PpfMade made{.width_px = across.boxes(), .height_px = down.boxes()};
  files::write_whole_file(
      plan::zones_path(path), zones_text(names, means, sheet_mm, zone_mm), files);
  made.file_bytes = file.publish();
  const std::string note = note_on_zones(settings, zone_mm, sheet_mm);
  if (!note.empty()) made.notes.push_back(note);
  return made;
}

}  // namespace mezzo::run
