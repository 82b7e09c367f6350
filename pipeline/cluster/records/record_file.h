// A file that grows by lines, written so that a process that is killed leaves at most one of them
// cut off.
#pragma once

#include <string>

#include "stages/files/descriptor.h"

namespace mezzo::cluster {

/// One thread at a time.
class RecordFile {
 public:
  /// Creates FOLDER/BEGINNING-RANDOM.ndjson. Throws Error(kCannotCreate, kDiskFull).
  RecordFile(const std::string& folder, const std::string& beginning);

  /// Without folder and suffix.
  const std::string& name() const { return name_; }

  /// Appends lines with their ends in a single write. Throws Error(kIo, kDiskFull).
  void write(const std::string& lines);

  /// Brings the written lines to the disk. Throws Error(kIo, kDiskFull; kBusy when the file was
  /// removed, which a later submission does).
  void sync();

  /// Brings the file's name to the disk.
  void sync_folder();

 private:
  std::string folder_, name_, path_;
  files::Descriptor file_;
  bool is_torn_ = false;  ///< the last line may lack its end
};

}  // namespace mezzo::cluster
