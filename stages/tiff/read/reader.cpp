#include "stages/tiff/read/reader.h"

#include <stdlib.h>

#include <memory>
#include <utility>
#include <variant>

#include "kernels/base/error.h"
#include "stages/files/input_file.h"
#include "stages/tiff/damaged.h"
#include "stages/tiff/read/chain.h"
#include "stages/tiff/read/decode.h"
#include "stages/tiff/read/directory.h"
#include "stages/tiff/read/orientation.h"
#include "stages/tiff/read/placement.h"

namespace mezzo::tiff {
namespace {

/// Strips and tiles of all pages together that opening a file looks at: a second's worth.
constexpr uint64_t kMaxStripsOfFile = 16'000'000;

}  // namespace

/// A page, or why it is not read.
struct TiffFile::Page {
  /// A page that is read, as it was described when the file was opened.
  struct Described {
    PageDescription description;
    LargestBlock largest;
  };

  const Described& described() const {
    if (const auto* error = std::get_if<Error>(&outcome)) throw *error;
    return std::get<Described>(outcome);
  }

  RawDirectory directory;
  PagePlace place;
  std::variant<Described, Error> outcome;
};

TiffFile::TiffFile(const std::string& path, const InputLimits& limits, files::FileSystem& files)
    : file_(path, limits.max_file_bytes, files), limits_(limits) {
  find_pages();
  check_pages();
}

TiffFile::~TiffFile() = default;

uint32_t TiffFile::page_count() const {
  return static_cast<uint32_t>(pages_.size());
}

void TiffFile::find_pages() {
  const auto directories = walk_directories(file_, limits_.max_pages);
  pages_.reserve(directories.size());
  for (const RawDirectory& directory : directories) {
    has_mask_ = has_mask_ || directory.is_mask;
    if (directory.is_page) pages_.emplace_back().directory = directory;
  }
  if (pages_.empty()) {
    throw Error(ErrorKind::kUnsupported,
                file_.path() + ": expected a page, found " + std::to_string(directories.size()) +
                    " reduced-resolution images or masks only",
                kExportAgain);
  }
}

void TiffFile::check_pages() {
  const auto handle = open_handle(file_);
  uint64_t strips = 0;
  for (uint32_t i = 0; i < pages_.size(); ++i) {
    Page& page = pages_[i];
    page.place = {file_.path(), pages_.size() > 1 ? i + 1 : 0};
    try {
      const Tags tags = tags_of(page);
      PageDescription description = describe_page(tags, limits_, page.place);
      if (i == 0 && has_mask_) {
        description.info.notes.emplace_back("its transparency mask is ignored");
      }
      strips += description.layout.block_count();
      if (strips > kMaxStripsOfFile) {
        throw Error(ErrorKind::kLimit,
                    page.place.text() + ": the pages up to this one have " +
                        std::to_string(strips) + " strips or tiles, the limit is " +
                        std::to_string(kMaxStripsOfFile));
      }
      if (!handle->select_directory(description.layout.directory)) {
        handle->fail(ErrorKind::kData, page.place.text(), "the tags cannot be read");
      }
      const LargestBlock largest = check_blocks(*handle, tags, description.layout, page.place);
      page.outcome = Page::Described{std::move(description), largest};
    } catch (const Error& error) {
      page.outcome = error;
    }
  }
}

const PageInfo& TiffFile::page(uint32_t index) const {
  MZ_ASSERT(index < pages_.size());
  return pages_[index].described().description.info;
}

PageDescription TiffFile::described_as(uint32_t index, const ReadAs& form) const {
  MZ_ASSERT(index < pages_.size());
  PageDescription page = pages_[index].described().description;
  if (form.spots) page = with_spot_inks(page, *form.spots, limits_, pages_[index].place);
  return form.colours ? in_colour(std::move(page)) : page;
}

PageInfo TiffFile::page(uint32_t index, const ReadAs& form) const {
  return described_as(index, form).info;
}

std::vector<std::byte> TiffFile::profile(uint32_t index) const {
  if (!page(index).has_profile) return {};
  return tags_of(pages_[index]).bytes(TIFFTAG_ICCPROFILE);
}

Tags TiffFile::tags_of(const Page& page) const {
  const uint64_t offset = page.directory.offset;
  return {file_,
          page.directory.format,
          offset,
          page.place.text(),
          "the directory at byte " + std::to_string(offset)};
}

std::optional<StoredGrey> TiffFile::stored_grey(uint32_t index) const {
  MZ_ASSERT(index < pages_.size());
  const PageDescription& description = pages_[index].described().description;
  const PageLayout& layout = description.layout;
  if (layout.meaning != Meaning::kGrey || layout.samples != 1) return std::nullopt;
  if (!description.description) {
    throw damaged_page(pages_[index].place.text() + ": tag ImageDescription cannot be read");
  }
  return StoredGrey{layout.bits, *description.description};
}

std::unique_ptr<PageReader> TiffFile::open_page(uint32_t index,
                                                uint64_t memory_bytes,
                                                const ReadAs& form,
                                                Rotation rotation) const {
  const PageLayout layout = layout_of(index, form, rotation);
  return make_upright_reader(layout, pages_[index].place, memory_bytes, [&](uint64_t memory) {
    return stored_rows(index, layout, memory);
  });
}

uint64_t TiffFile::least_memory(uint32_t index, const ReadAs& form, Rotation rotation) const {
  const PageLayout layout = layout_of(index, form, rotation);
  return least_reader_memory(layout,
                             [&](uint64_t memory) { return stored_rows(index, layout, memory); });
}

PageLayout TiffFile::layout_of(uint32_t index, const ReadAs& form, Rotation rotation) const {
  PageLayout layout = described_as(index, form).layout;
  layout.orientation = with_rotation(layout.orientation, rotation);
  return layout;
}

std::unique_ptr<StoredRows> TiffFile::stored_rows(uint32_t index,
                                                  const PageLayout& layout,
                                                  uint64_t memory_bytes) const {
  const Page& page = pages_[index];
  return make_stored_rows({file_,
                           layout,
                           page.place,
                           page.described().largest,
                           open_decoder(file_, layout, page.place)},
                          memory_bytes);
}

void clear_codec_environment() {
  ::unsetenv("LIBTIFF_JPEG_MAX_ALLOWED_SCAN_NUMBER");
  ::unsetenv("LIBTIFF_ALLOW_LARGE_LIBJPEG_MEM_ALLOC");
}

}  // namespace mezzo::tiff
