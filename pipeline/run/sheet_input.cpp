#include "pipeline/run/sheet_input.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/error.h"
#include "pipeline/plan/page_chain.h"
#include "stages/band/band_reader.h"
#include "stages/files/input_file.h"

namespace mezzo::run {
namespace {

/// The rows of the page as its file has it, turned, that its plates are made of.
prepress::SampleRange rows_of_file(const chain::Chain& chain) {
  if (chain.is_empty()) return {0, chain.page().height_px};
  return chain.rows_needed({0, chain.stages().back()->rows_at_once(0)}).front();
}

}  // namespace

SheetInput::SheetInput(const plan::SheetPlan& sheet, files::FileSystem& files, bool has_digest)
    : sheet_(sheet),
      files_(files),
      has_digest_(has_digest),
      file_(tiff::TiffFile::open(sheet.input, {}, files)) {}

void SheetInput::check_digest() const {
  if (!sheet_.sha256) return;
  const std::string found = file_->sha256();
  if (found == *sheet_.sha256) return;
  throw Error(ErrorKind::kChecksum,
              fmt::format("{}: this is not the file that was asked for: its SHA-256 is {}, "
                          "expected {}",
                          sheet_.input,
                          found,
                          *sheet_.sha256));
}

void SheetInput::digest_along_reads() {
  if (has_digest_ && !sheet_.sha256) file_->digest_along_reads();
}

tiff::ReadAs SheetInput::form_of(uint32_t page) const {
  return plan::read_as(file_->page(page), sheet_.settings, plan::place_of(sheet_, page));
}

chain::Chain SheetInput::chain_of(size_t i) const {
  const uint32_t page = sheet_.pages[i];
  chain::Chain chain = plan::make_chain(file_->page(page, form_of(page)),
                                        sheet_.settings,
                                        plan::place_of(sheet_, page),
                                        sheet_.ink,
                                        colour_of(sheet_, i));
  if (chain.page() != sheet_.infos[i]) {
    throw Error(ErrorKind::kData, sheet_.input + ": the file changed after the job was planned");
  }
  return chain;
}

std::unique_ptr<tiff::PageReader> SheetInput::open_page(const chain::Chain& chain, size_t i) const {
  const uint32_t page = sheet_.pages[i];
  const uint64_t memory = sheet_.bands[i].reader_bytes;
  return file_->open_page(page, memory, form_of(page), chain.rotation());
}

std::unique_ptr<tiff::DigestingReader> SheetInput::open_digesting(const chain::Chain& chain,
                                                                  size_t i) const {
  return std::make_unique<tiff::DigestingReader>(
      open_page(chain, i), chain.source().inks.size(), rows_of_file(chain));
}

std::string SheetInput::sample_hash(size_t i,
                                    Team& team,
                                    const std::function<void()>& on_band) const {
  const chain::Chain chain = chain_of(i);
  auto source = open_digesting(chain, i);
  const tiff::DigestingReader& samples = *source;
  const auto reader = plan::through(chain, std::move(source));
  const uint32_t rows = std::min(sheet_.bands[i].rows, chain.page().height_px);
  BandReader bands(chain.page(), *reader, rows, 0);
  ContoneBuffer buffer;
  for (uint32_t first = 0; first < chain.page().height_px; first += rows) {
    on_band();
    bands.read(buffer, BufferUse::kCpuOnly, team);
  }
  return samples.digest();
}

SheetInput::SampleHashes SheetInput::read_sample_hashes(
    Team& team, const std::function<void()>& on_band) const {
  SampleHashes hashes;
  for (size_t i = 0; i < sheet_.pages.size(); ++i) hashes.push_back(sample_hash(i, team, on_band));
  return hashes;
}

bool SheetInput::has_its_name() const {
  struct stat found {};
  return files_.status(sheet_.input, found) == 0 &&
         files::mark_of(found).inode == file_->mark().inode;
}

void SheetInput::refuse_changed() const {
  throw Error(
      ErrorKind::kData,
      sheet_.input +
          ": the file was changed while it was read, and its modification time was put back",
      "run the page again once it is complete");
}

void SheetInput::check_samples(const SampleHashes& hashes,
                               const std::function<SampleHashes()>& read) {
  constexpr int kMostReadings = 3;
  file_->check_unchanged();
  for (int i = 0; i < kMostReadings && file_->is_touched(); ++i) {
    const bool is_still_there = has_its_name();
    if (is_still_there) {
      file_ = tiff::TiffFile::open(sheet_.input, {}, files_);
      check_digest();
      digest_along_reads();
    }
    if (read() != hashes) refuse_changed();
    file_->check_unchanged();
    if (!is_still_there) return;  // another file took the name: this one is touched for good
  }
  if (file_->is_touched()) refuse_changed();
}

std::string SheetInput::digest() const {
  std::string digest = sheet_.sha256 ? "sha256:" + *sheet_.sha256 : "xxh3:" + file_->xxh3();
  file_->check_unchanged();  // while the digest was taken
  return digest;
}

}  // namespace mezzo::run
