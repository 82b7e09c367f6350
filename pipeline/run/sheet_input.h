// The input of a sheet, open while it runs: its pages through their chains, and whether it stays the file that it was.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/plan/job_plan.h"
#include "stages/chain/chain.h"
#include "stages/tiff/read/digesting_reader.h"
#include "stages/tiff/read/reader.h"

namespace mezzo::run {

class SheetInput {
 public:
  using SampleHashes = std::vector<std::string>;  ///< one a page

  /// Both must outlive this. `has_digest`: digest() will be asked for. Throws as TiffFile::open() does.
  SheetInput(const plan::SheetPlan& sheet, files::FileSystem& files, bool has_digest);

  /// Throws Error(kChecksum) when the file is not the one that was asked for.
  void check_digest() const;

  /// From here on, takes the digest of what is read.
  void digest_along_reads();

  /// Throws Error(kData) when page `i` of the sheet is not as it was planned.
  chain::Chain chain_of(size_t i) const;

  /// The page as its file has it, turned.
  std::unique_ptr<tiff::PageReader> open_page(const chain::Chain& chain, size_t i) const;

  /// The same page, and takes the digest of the rows that its plates are made of.
  std::unique_ptr<tiff::DigestingReader> open_digesting(const chain::Chain& chain, size_t i) const;

  /// The digests of all pages, which are read for that alone. `on_band` is called before each band, and may throw to
  /// stop.
  SampleHashes read_sample_hashes(Team& team, const std::function<void()>& on_band) const;

  /// Where the file's change time moved, reads the samples once more by `read`: they must be `hashes`, those that were
  /// halftoned. A backup that makes a hard link moves that time, and so does a program that writes to the
  /// file and puts its modification time back. Throws Error(kData) when they are not.
  void check_samples(const SampleHashes& hashes, const std::function<SampleHashes()>& read);

  /// "sha256:...", or "xxh3:..." where nobody asked for that one. Throws Error(kData) when the file was changed.
  std::string digest() const;

  const files::FileMark& mark() const { return file_->mark(); }

 private:
  tiff::ReadAs form_of(uint32_t page) const;
  std::string sample_hash(size_t i, Team& team, const std::function<void()>& on_band) const;
  bool has_its_name() const;
  [[noreturn]] void refuse_changed() const;

  const plan::SheetPlan& sheet_;
  files::FileSystem& files_;
  const bool has_digest_;
  std::unique_ptr<tiff::TiffFile> file_;
};

}  // namespace mezzo::run
