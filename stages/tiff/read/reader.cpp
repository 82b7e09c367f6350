#include "stages/tiff/read/reader.h"

#include <memory>
#include <utility>
#include <variant>

#include "kernels/base/error.h"
#include "stages/files/input_file.h"
#include "stages/tiff/read/chain.h"
#include "stages/tiff/read/decode.h"
#include "stages/tiff/read/layout.h"
#include "stages/tiff/read/orientation.h"

namespace mezzo::tiff {
namespace {

/// Strips and tiles of all pages together that opening a file looks at: a second's worth.
constexpr uint64_t kMaxStripsOfFile = 16'000'000;

class CheckedReader final : public PageReader {
 public:
  CheckedReader(PageInfo info, std::unique_ptr<PageReader> reader)
      : info_(std::move(info)), reader_(std::move(reader)) {}

  uint32_t row_quantum() const override { return reader_->row_quantum(); }
  bool goes_back_cheaply() const override { return reader_->goes_back_cheaply(); }
  size_t working_bytes(uint32_t band_rows, uint32_t members) const override {
    return reader_->working_bytes(band_rows, members);
  }
  void read(std::span<const MutableSampleBand> planes, Team& team) override {
    MZ_ASSERT(planes.size() == info_.inks.size());
    for (const MutableSampleBand& plane : planes) {
      MZ_ASSERT(plane.width_px == info_.width_px);
      MZ_ASSERT(plane.bytes_per_sample == info_.bytes_per_sample);
      MZ_ASSERT(plane.first_row == planes[0].first_row && plane.rows == planes[0].rows);
      MZ_ASSERT(plane.first_row <= info_.height_px);
      MZ_ASSERT(plane.rows <= info_.height_px - plane.first_row);
    }
    if (planes[0].rows > 0) reader_->read(planes, team);
  }

 private:
  const PageInfo info_;
  const std::unique_ptr<PageReader> reader_;
};

class CheckedTiffFile final : public TiffFile {
 public:
  CheckedTiffFile(const std::string& path, const InputLimits& limits, files::FileSystem& files);

  const std::string& path() const override { return file_.path(); }
  uint32_t page_count() const override { return static_cast<uint32_t>(pages_.size()); }
  const PageInfo& page(uint32_t index) const override { return described(index).description.info; }
  std::unique_ptr<PageReader> open_page(uint32_t index, uint64_t memory_bytes) const override;
  std::string sha256() const override { return file_.sha256(); }
  std::string xxh3() const override { return file_.xxh3(); }
  const files::FileMark& mark() const override { return file_.mark(); }
  void check_unchanged() const override { file_.check_unchanged(); }

 private:
  /// A page that is read, as it was described when the file was opened.
  struct Described {
    PageDescription description;
    uint64_t largest_block_bytes = 0;  ///< as stored
  };
  /// A page, or why it is not read.
  struct Page {
    RawDirectory directory;
    std::variant<Described, Error> outcome;
  };

  PagePlace place_of(uint32_t index) const {
    return {file_.path(), pages_.size() > 1 ? index + 1 : 0};
  }
  void find_pages();
  void check_pages();
  const Described& described(uint32_t index) const;

  const files::InputFile file_;
  const InputLimits limits_;
  std::vector<Page> pages_;
};

CheckedTiffFile::CheckedTiffFile(const std::string& path,
                                 const InputLimits& limits,
                                 files::FileSystem& files)
    : file_(path, limits.max_file_bytes, files), limits_(limits) {
  find_pages();
  check_pages();
}

void CheckedTiffFile::find_pages() {
  const auto directories = walk_directories(file_, limits_.max_pages);
  for (const RawDirectory& directory : directories) {
    if (directory.is_page) pages_.push_back({directory, Described{}});
  }
  if (pages_.empty()) {
    throw Error(ErrorKind::kUnsupported,
                file_.path() + ": expected a page, found " + std::to_string(directories.size()) +
                    " reduced-resolution images or masks only");
  }
}

void CheckedTiffFile::check_pages() {
  TiffHandle handle(file_, kMaxTagBytes);
  uint64_t strips = 0;
  for (uint32_t i = 0; i < pages_.size(); ++i) {
    Page& page = pages_[i];
    const PagePlace place = place_of(i);
    try {
      PageDescription description = describe_page(handle, page.directory, limits_, place);
      strips += description.layout.block_count();
      if (strips > kMaxStripsOfFile) {
        throw Error(ErrorKind::kLimit,
                    place.text() + ": the pages up to this one have " + std::to_string(strips) +
                        " strips or tiles, the limit is " + std::to_string(kMaxStripsOfFile));
      }
      const uint64_t largest = check_blocks(handle, description.layout, place);
      page.outcome = Described{std::move(description), largest};
    } catch (const Error& error) {
      page.outcome = error;
    }
  }
}

const CheckedTiffFile::Described& CheckedTiffFile::described(uint32_t index) const {
  MZ_ASSERT(index < pages_.size());
  const auto& outcome = pages_[index].outcome;
  if (const auto* error = std::get_if<Error>(&outcome)) throw *error;
  return std::get<Described>(outcome);
}

std::unique_ptr<PageReader> CheckedTiffFile::open_page(uint32_t index,
                                                       uint64_t memory_bytes) const {
  const auto& [description, largest] = described(index);
  const PageLayout& layout = description.layout;
  const PagePlace place = place_of(index);
  const auto make_stored = [&, largest = largest](uint64_t memory) {
    return make_stored_rows({file_, layout, place, largest, open_decoder(file_, layout, place)},
                            memory);
  };
  return std::make_unique<CheckedReader>(
      description.info, make_upright_reader(layout, place, memory_bytes, make_stored));
}

}  // namespace

std::unique_ptr<TiffFile> TiffFile::open(const std::string& path,
                                         const InputLimits& limits,
                                         files::FileSystem& files) {
  clear_codec_environment();
  return std::make_unique<CheckedTiffFile>(path, limits, files);
}

}  // namespace mezzo::tiff
