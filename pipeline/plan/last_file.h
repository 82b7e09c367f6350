// Opens inputs one after another, and a file of several entries that follow each other only once:
// opening reads the tags of all its pages.
#pragma once

#include <memory>
#include <string>

#include "stages/tiff/read/reader.h"

namespace mezzo::plan {

class LastFile {
 public:
  /// `files` must outlive this.
  explicit LastFile(files::FileSystem& files = files::FileSystem::real()) : files_(files) {}

  /// Good until the next call. Throws as TiffFile::open() does.
  const tiff::TiffFile& open(const std::string& path) {
    if (file_ == nullptr || file_->path() != path) {
      file_.reset();
      file_ = tiff::TiffFile::open(path, {}, files_);
    }
    return *file_;
  }

 private:
  files::FileSystem& files_;
  std::unique_ptr<tiff::TiffFile> file_;
};

}  // namespace mezzo::plan
