#include "pipeline/plan/disk_forecast.h"

#include "kernels/band/drop_levels.h"
#include "pipeline/plan/provenance.h"
#include "pipeline/plan/side_needs.h"
#include "stages/tiff/compression.h"
#include "stages/tiff/plate/plate.h"

namespace mezzo::plan {
namespace {

uint64_t text_bytes(const SheetPlan& sheet, size_t page, const PlatePlan& plate) {
  const std::string no_digest(16, '0');
  // The ink is in InkNames and PageName, each text ends with a NUL.
  return provenance_software().size() + provenance_text(sheet, page, plate.ink, no_digest).size() +
         2 * plate.ink.size() + sheet.infos[page].document_name.size() + 16;
}

/// Of one plate; `text_bytes_of` gives the room for the texts of a page.
template <typename TextBytes>
uint64_t plate_bytes(const SheetPlan& sheet,
                     const PlatePlan& plate,
                     tiff::Compression compression,
                     const TextBytes& text_bytes_of) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < sheet.infos.size(); ++i) {
    tiff::PlatePage page;
    page.width_px = sheet.infos[i].width_px;
    page.height_px = sheet.infos[i].height_px;
    page.bits_per_px = bits_per_pixel(settings_of(sheet, plate).halftone);
    page.rows_per_strip = tiff::plate_rows_per_strip(page.width_px, page.bits_per_px);
    bytes += tiff::worst_case_bytes(page, compression, text_bytes_of(i));
  }
  return bytes;
}

}  // namespace

tiff::Compression compression_of(const SheetPlan& sheet, const PlatePlan& plate) {
  if (sheet.settings.inks.empty()) return sheet.compression;
  return tiff::compression_named(settings_of(sheet, plate).compression).value_or(sheet.compression);
}

uint64_t most_disk_bytes(const SheetPlan& sheet) {
  uint64_t bytes = 0;
  for (const PlatePlan& plate : sheet.plates) {
    tiff::Compression compression = compression_of(sheet, plate);
    if (compression == tiff::Compression::kAutomatic) compression = tiff::Compression::kNone;
    bytes += plate_bytes(
        sheet, plate, compression, [&](size_t page) { return text_bytes(sheet, page, plate); });
  }
  for (size_t i = 0; i < sheet.infos.size(); ++i) bytes += side_needs(sheet, i, 1).disk_bytes;
  return bytes;
}

uint64_t most_plate_bytes(const SheetPlan& sheet, const PlatePlan& plate) {
  return plate_bytes(
      sheet, plate, compression_of(sheet, plate), [](size_t) { return tiff::kMostTextBytes; });
}

uint64_t uncompressed_bytes(const SheetPlan& sheet) {
  uint64_t plates = 0;
  for (const PlatePlan& plate : sheet.plates) {
    plates += compression_of(sheet, plate) == tiff::Compression::kNone;
  }
  return plates == 0 ? 0 : sheet.raw_bytes / sheet.plates.size() * plates;
}

}  // namespace mezzo::plan
