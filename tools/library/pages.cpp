// Pages and plates of mezzotint.h.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "kernels/band/team.h"
#include "kernels/base/error.h"
#include "kernels/prepress/ink_key.h"
#include "manifests/settings/make_field.h"
#include "manifests/source_text.h"
#include "pipeline/text.h"
#include "stages/tiff/plate/encode.h"
#include "stages/tiff/plate/file_origin.h"
#include "stages/tiff/plate/writer.h"
#include "stages/tiff/read/reader.h"
#include "tools/library/guard.h"
#include "tools/library/settings.h"

struct mezzotint_page {
  std::unique_ptr<mezzo::tiff::TiffFile> file;
  mezzo::PageInfo info;
  std::unique_ptr<mezzo::tiff::PageReader> reader;
  std::vector<std::byte> unwanted;  ///< rows of inks that nobody asked for
};

namespace mezzo::library {
namespace {

constexpr uint64_t kReaderBytes = 1ULL << 30;  ///< for pages that lie on their side
constexpr double kMostDpi = 1e6;

mezzotint_page* open_page(const char* path, uint32_t number) {
  require(path, "path");
  auto file = tiff::TiffFile::open(path);
  if (number == 0 || number > file->page_count()) {
    refuse(std::string(path) + " has " + counted(file->page_count(), "page") +
           ", and there is no page " + std::to_string(number) + "; they count from 1");
  }
  PageInfo info = file->page(number - 1);
  auto reader = file->open_page(number - 1, kReaderBytes);
  return new mezzotint_page{std::move(file), std::move(info), std::move(reader), {}};
}

void read_page(mezzotint_page& page,
               uint32_t first_row,
               uint32_t count,
               void* const* planes,
               size_t row_bytes) {
  const PageInfo& info = page.info;
  const size_t least = size_t{info.width_px} * info.bytes_per_sample;
  row_bytes = checked_row_bytes("rows of a page", row_bytes, least, info.width_px);
  if (row_bytes % info.bytes_per_sample != 0) {
    refuse("rows " + std::to_string(row_bytes) + " bytes apart cut samples of 16 bits");
  }
  if (first_row >= info.height_px || count > info.height_px - first_row) {
    refuse("the page has " + std::to_string(info.height_px) + " rows, and " +
           std::to_string(count) + " from row " + std::to_string(first_row) + " on were asked for");
  }
  const std::span wanted(planes, info.inks.size());
  const auto is_even = [&](void* plane) {
    return reinterpret_cast<uintptr_t>(plane) % info.bytes_per_sample == 0;
  };
  if (!std::ranges::all_of(wanted, is_even)) {
    refuse("rows of 16 bits a sample must begin at even addresses");
  }
  page.unwanted.resize(std::ranges::count(wanted, nullptr) > 0 ? least * count : 0);
  std::vector<MutableSampleBand> bands;
  for (uint32_t ink = 0; ink < info.inks.size(); ++ink) {
    auto* data = static_cast<std::byte*>(planes[ink]);
    bands.push_back({.data = data == nullptr ? page.unwanted.data() : data,
                     .width_px = info.width_px,
                     .rows = count,
                     .stride_bytes = data == nullptr ? least : row_bytes,
                     .first_row = first_row,
                     .bytes_per_sample = info.bytes_per_sample,
                     .plane = ink});
  }
  SoloTeam solo;
  page.reader->read(bands, solo);
}

uint32_t find_ink(const std::vector<std::string>& inks, const std::string& name) {
  auto found = std::ranges::find(inks, name);
  if (found == inks.end()) {
    const std::string all = manifests::joined({inks.begin(), inks.end()});
    const auto is_named = [&](const std::string& ink) { return prepress::is_same_ink(ink, name); };
    found = std::ranges::find_if(inks, is_named);
    if (found == inks.end()) {
      refuse("there is no ink '" + name + "' on this page, but " + all);
    }
    if (std::any_of(found + 1, inks.end(), is_named)) {
      refuse("two inks of this page have the name '" + name + "'; spell it as one of " + all);
    }
  }
  return static_cast<uint32_t>(found - inks.begin());
}

/// A plate that comes in rows, and is written in strips.
class PlateWriter {
 public:
  PlateWriter(const std::string& path,
              const tiff::PlatePage& page,
              tiff::Compression compression,
              bool replaces_any)
      : path_(path),
        page_(page),
        compression_(compression),
        replaces_any_(replaces_any),
        file_(tiff::PlateFile::create(path, tiff::worst_case_bytes(page, compression))),
        strip_(tiff::row_bytes_of(page) * page.rows_per_strip) {
    refuse_foreign();
    file_->begin_page(page, compression);
  }

  void put(const uint8_t* rows, size_t row_bytes, uint32_t count) {
    require_open();
    const size_t bytes = tiff::row_bytes_of(page_);
    row_bytes = checked_row_bytes("rows of a plate", row_bytes, bytes, page_.width_px);
    if (count > page_.height_px - seen_) {
      refuse("the plate has " + std::to_string(page_.height_px) + " rows, and " +
             std::to_string(uint64_t{seen_} + count) + " were put into it");
    }
    is_open_ = false;  // should a strip fail
    for (uint32_t i = 0; i < count; ++i) {
      uint8_t* to = strip_.data() + in_strip_ * bytes;
      std::memcpy(to, rows + i * row_bytes, bytes);
      // Bits behind the last pixel are nobody's.
      if (const uint32_t rest = page_.width_px % 8; rest != 0) {
        to[bytes - 1] &= static_cast<uint8_t>(0xFF00 >> rest);
      }
      ++seen_;
      if (++in_strip_ == page_.rows_per_strip || seen_ == page_.height_px) write_strip();
    }
    is_open_ = true;
  }

  void finish() {
    require_open();
    if (seen_ != page_.height_px) {
      refuse("the plate has " + std::to_string(page_.height_px) + " rows, and " +
             std::to_string(seen_) + " were put into it");
    }
    is_open_ = false;
    file_->end_page("mezzotint", "");
    SoloTeam solo;
    file_->seal(tiff::VerifyLevel::kDecode, solo);
    refuse_foreign();  // that came meanwhile
    file_->publish();
    file_->commit();
  }

 private:
  void refuse_foreign() const {
    const tiff::FileOrigin origin = tiff::origin_of_file(path_);
    if (replaces_any_ || tiff::may_replace(origin, tiff::FileOrigin::kPlate)) return;
    throw tiff::replaced_error(path_, origin, "set replace_any (Python: force=True)");
  }

  void require_open() const {
    if (!is_open_) refuse("the plate is finished, or a call for it failed; begin another one");
  }

  void write_strip() {
    BitBand rows = tiff::rows_of(page_, strip_.data(), in_strip_);
    rows.first_row = seen_ - in_strip_;
    const auto coded = tiff::encode_strip(rows, compression_);
    file_->write_strip(tiff::summed(rows, coded));
    in_strip_ = 0;
  }

  const std::string path_;
  const tiff::PlatePage page_;
  const tiff::Compression compression_;
  const bool replaces_any_;
  std::unique_ptr<tiff::PlateFile> file_;
  std::vector<uint8_t> strip_;
  uint32_t seen_ = 0, in_strip_ = 0;
  bool is_open_ = true;  ///< takes rows: neither finished nor failed
};

tiff::Compression compression_of(const char* name) {
  if (name == nullptr) return tiff::Compression::kLzw;
  std::vector<std::string_view> names = manifests::compression_names();
  std::erase(names, "auto");  // needs the whole plate before it chooses
  return *tiff::compression_named(
      names[value_of("compression", manifests::parse_choice(names, name))]);
}

/// A plate is a TIFF file, and is not hidden under the name of another kind.
void refuse_other_suffix(const std::string& path) {
  std::string suffix = std::filesystem::path(path).extension().string();
  std::ranges::transform(suffix, suffix.begin(), [](unsigned char c) { return std::tolower(c); });
  constexpr std::array<std::string_view, 7> kOthers = {
      ".png", ".pdf", ".jpg", ".jpeg", ".bmp", ".pbm", ".npy"};
  if (std::ranges::count(kOthers, suffix) == 0) return;
  refuse(path + ": the name of a plate must end in .tif or .tiff, not " + suffix);
}

}  // namespace
}  // namespace mezzo::library

struct mezzotint_plate {
  mezzo::library::PlateWriter writer;
};

using namespace mezzo;           // NOLINT(google-build-using-namespace)
using namespace mezzo::library;  // NOLINT(google-build-using-namespace)

mezzotint_page* mezzotint_page_open(const char* path, uint32_t number, mezzotint_error* error) {
  return make(error, [&] { return open_page(path, number); });
}

void mezzotint_page_free(mezzotint_page* page) {
  delete page;
}

void mezzotint_page_describe(const mezzotint_page* page, mezzotint_page_info* info) {
  if (page == nullptr || info == nullptr) return;
  const PageInfo& found = page->info;
  *info = {.page_count = page->file->page_count(),
           .width = found.width_px,
           .height = found.height_px,
           .ink_count = static_cast<uint32_t>(found.inks.size()),
           .sample_bits = 8 * found.bytes_per_sample,
           .max_sample = found.max_sample,
           .max_is_paper = found.polarity == Polarity::kMaxIsPaper ? 1U : 0U,
           .rows_at_once = page->reader->row_quantum(),
           .x_dpi = found.resolution.x_dpi,
           .y_dpi = found.resolution.y_dpi,
           .reserved = {}};
}

const char* mezzotint_page_ink(const mezzotint_page* page, uint32_t ink) {
  return page == nullptr || ink >= page->info.inks.size() ? nullptr : page->info.inks[ink].c_str();
}

int mezzotint_page_find_ink(const mezzotint_page* page,
                            const char* name,
                            uint32_t* ink,
                            mezzotint_error* error) {
  return guard(error, [&] {
    require(page, "page");
    require(name, "name");
    require(ink, "ink");
    *ink = find_ink(page->info.inks, name);
  });
}

int mezzotint_page_read(mezzotint_page* page,
                        uint32_t first_row,
                        uint32_t count,
                        void* const* planes,
                        size_t row_bytes,
                        mezzotint_error* error) {
  return guard(error, [&] {
    require(page, "page");
    require(planes, "planes");
    if (count > 0) read_page(*page, first_row, count, planes, row_bytes);
  });
}

mezzotint_plate* mezzotint_plate_new(const char* path,
                                     const mezzotint_plate_info* info,
                                     mezzotint_error* error) {
  return make(error, [&] {
    require(path, "path");
    require(info, "info");
    refuse_other_suffix(path);
    require_zero(info->reserved);
    if (info->replace_any > 1) refuse("replace_any of a plate must be 0 or 1");
    const auto is_side = [](uint32_t side) { return side > 0 && side <= kMostPixelsASide; };
    if (!is_side(info->width) || !is_side(info->height)) {
      refuse("width and height of a plate must be 1 to " + std::to_string(kMostPixelsASide));
    }
    const auto is_resolution = [](double dpi) { return dpi >= 0 && dpi <= kMostDpi; };
    if (!is_resolution(info->x_dpi) || !is_resolution(info->y_dpi)) {
      refuse("x_dpi and y_dpi of a plate must be 0 to 1000000");
    }
    tiff::PlatePage page;
    page.width_px = info->width;
    page.height_px = info->height;
    page.rows_per_strip = tiff::plate_rows_per_strip(info->width);
    page.resolution = {info->x_dpi, info->y_dpi};
    if (info->ink != nullptr) page.ink = info->ink;
    return new mezzotint_plate{
        PlateWriter(path, page, compression_of(info->compression), info->replace_any == 1)};
  });
}

int mezzotint_plate_put(mezzotint_plate* plate,
                        const void* rows,
                        size_t row_bytes,
                        uint32_t count,
                        mezzotint_error* error) {
  return guard(error, [&] {
    require(plate, "plate");
    if (count == 0) return;
    require(rows, "rows");
    plate->writer.put(static_cast<const uint8_t*>(rows), row_bytes, count);
  });
}

int mezzotint_plate_finish(mezzotint_plate* plate, mezzotint_error* error) {
  return guard(error, [&] {
    require(plate, "plate");
    plate->writer.finish();
  });
}

void mezzotint_plate_free(mezzotint_plate* plate) {
  delete plate;
}
