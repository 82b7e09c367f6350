#include "pipeline/plan/side_needs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pipeline/plan/page_chain.h"
#include "pipeline/plan/page_geometry.h"
#include "pipeline/plan/resolution.h"
#include "pipeline/plan/side_files.h"
#include "stages/proof/ppf_file.h"
#include "stages/tiff/plate/plate.h"

namespace mezzo::plan {
namespace {

/// Heads, tables and buffers of a file.
constexpr uint64_t kOwnBytes = 1 << 20;

uint32_t proof_side(uint32_t plate_px, double dpi, double plate_dpi) {
  const proof::ProofRatio ratio = proof_ratio(dpi, plate_dpi);
  return proof::BoxAxis{plate_px, ratio.p, ratio.q}.boxes();
}

SideNeeds needs_of_proof(const SheetPlan& sheet, size_t i, uint32_t threads) {
  const PageInfo& info = sheet.infos[i];
  const auto [x_dpi, y_dpi] = known_resolution(info, sheet.settings);
  if (x_dpi <= 0) return {};  // it will not be made
  const double dpi = std::min({static_cast<double>(sheet.settings.proof->dpi), x_dpi, y_dpi});
  const proof::ProofRatio down = proof_ratio(dpi, y_dpi);
  proof::ProofShape shape{.boxes = proof_side(info.width_px, dpi, x_dpi),
                          .rows_a_box = down.q / down.p + 1};
  for (const PlatePlan& plate : sheet.plates) {
    tiff::PlatePage page;
    page.width_px = info.width_px;
    page.height_px = info.height_px;
    page.bits_per_px = bits_per_pixel(settings_of(sheet, plate).halftone);
    page.rows_per_strip = tiff::plate_rows_per_strip(page.width_px, page.bits_per_px);
    shape.add(page, plate.drop_bit.value_or(0));
  }
  const uint64_t pixels = uint64_t{shape.boxes} * proof_side(info.height_px, dpi, y_dpi);
  return {.memory_bytes = shape.working_bytes(threads) + kOwnBytes,
          .disk_bytes = 3 * pixels + 3 * pixels / 64 + kOwnBytes};
}

/// The page that a preview is averaged from is at its own resolution: it is as wide as the page as it is
/// halftoned, or, where that is scaled, at most as wide as the file's page is long or wide.
SideNeeds needs_of_ppf(const SheetPlan& sheet, size_t i) {
  PageInfo page = sheet.infos[i];
  const auto [x_dpi, y_dpi] = known_resolution(page, sheet.settings);
  if (x_dpi <= 0) return {};  // it will not be made
  const auto boxes = [&](uint32_t side_px, double dpi) {
    return static_cast<uint32_t>(std::ceil(side_px * kPpfDpi / dpi)) + 1;
  };
  const uint32_t across = boxes(page.width_px, x_dpi);
  const uint32_t down = boxes(page.height_px, y_dpi);
  if (sheet.settings.output.resolution_dpi > 0) {
    const PageInfo& source = source_of(sheet, i);
    page.width_px = std::max(source.width_px, source.height_px);
  }
  const ReaderNeeds& reader = sheet.readers[i];
  const uint64_t rows = ppf_band_rows(page, reader.row_quantum);
  const uint64_t inks = sheet.plates.size();
  const uint64_t band = rows * page.width_px * page.inks.size() * page.bytes_per_sample;
  const uint64_t of_ink = uint64_t{3 * sizeof(double)} * page.width_px +
                          uint64_t{2 * sizeof(double)} * across + (rows + 1) * across;
  return {.memory_bytes =
              reader.working_bytes + reader.bytes_a_row * rows + band + inks * of_ink + kOwnBytes,
          .disk_bytes = inks * proof::ppf_bytes_of_ink(across, down) + kOwnBytes};
}

}  // namespace

proof::BoxAxis ppf_axis(uint32_t side_px, double dpi) {
  const auto exact = as_fraction(dpi);
  const DpiFraction page =
      exact.value_or(DpiFraction{static_cast<uint64_t>(std::llround(1000 * dpi)), 1000});
  const uint64_t p = 508 * page.denominator, q = 10 * page.numerator;
  const uint64_t common = std::gcd(p, q);
  return {side_px, static_cast<uint32_t>(p / common), static_cast<uint32_t>(q / common)};
}

uint32_t ppf_band_rows(const PageInfo& page, uint32_t row_quantum) {
  constexpr uint64_t kBandBytes = 8 << 20;
  const uint64_t row_bytes =
      uint64_t{page.width_px} * page.inks.size() * (page.bytes_per_sample + 1);
  const auto rows = static_cast<uint32_t>(std::clamp<uint64_t>(kBandBytes / row_bytes, 1, 64));
  const uint32_t quantum = std::clamp(row_quantum, 1U, 4096U);
  return (rows + quantum - 1) / quantum * quantum;
}

proof::ProofRatio proof_ratio(double dpi, double plate_dpi) {
  const auto exact = as_fraction(dpi), of_plate = as_fraction(plate_dpi);
  const DpiFraction near{static_cast<uint64_t>(dpi + 0.5), 1};
  const DpiFraction near_plate{static_cast<uint64_t>(plate_dpi + 0.5), 1};
  const DpiFraction a = exact.value_or(near), b = of_plate.value_or(near_plate);
  const uint64_t p = a.numerator * b.denominator, q = b.numerator * a.denominator;
  const uint64_t common = std::gcd(p, q);
  if (p >= q || q / common > proof::BoxAxis::kMostTerm) return {1, 1};
  return {static_cast<uint32_t>(p / common), static_cast<uint32_t>(q / common)};
}

SideNeeds side_needs(const SheetPlan& sheet, size_t i, uint32_t threads) {
  SideNeeds all;
  for (const SideFile& file : sheet.side_files) {
    if (file.page != i) continue;
    const SideNeeds one =
        file.kind == SideKind::kProof ? needs_of_proof(sheet, i, threads) : needs_of_ppf(sheet, i);
    if (one.memory_bytes > all.memory_bytes) {
      all.memory_bytes = one.memory_bytes;
      all.largest = file.kind;
    }
    all.disk_bytes += one.disk_bytes;
  }
  return all;
}

}  // namespace mezzo::plan
