#include "tools/cli/file_offers.h"

#include <fmt/format.h>

#include "stages/tiff/read/reader.h"

namespace mezzo::cli {

Offer offer_tiffs() {
  return {.files = "tif tiff"};
}

Offer offer_manifests() {
  return {.files = "yaml yml json"};
}

Offer offer_pages(const std::string& path) {
  const auto file = tiff::TiffFile::open(path);
  Offer offer;
  for (uint32_t i = 0; i < file->page_count(); ++i) {
    const PageInfo& page = file->page(i);
    offer.names.push_back(
        {std::to_string(i + 1), fmt::format("{} x {} px", page.width_px, page.height_px)});
  }
  return offer;
}

Offer offer_inks(const std::string& path) {
  const auto file = tiff::TiffFile::open(path);
  Offer offer;
  for (const std::string& ink : file->page(0).inks) offer.names.push_back({ink, ""});
  return offer;
}

}  // namespace mezzo::cli
