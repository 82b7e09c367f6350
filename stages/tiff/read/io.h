// libtiff on top of an InputFile: our own read procedures, and messages collected handle by handle.
//
// A TIFF* is not thread-safe: every decoder opens its own handle, all on the same descriptor.
// Internal to stages/tiff; nobody else sees libtiff.
#pragma once

#include <tiffio.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/base/error_kind.h"
#include "stages/files/input_file.h"

namespace mezzo::tiff {

/// What libtiff said through one handle. Only the first 20 messages are kept; all are counted.
class TiffDiagnostics {
 public:
  enum class Severity { kWarning, kError };

  void add(Severity severity, std::string message);
  void clear();

  uint64_t errors() const { return errors_; }
  uint64_t warnings() const { return warnings_; }

  /// The first error, or else the first warning, and how many more came; empty when silent.
  std::string words() const;

 private:
  struct Message {
    Severity severity;
    std::string text;
  };
  std::vector<Message> messages_;
  uint64_t errors_ = 0;
  uint64_t warnings_ = 0;
};

/// A file and page, as messages name them.
struct PagePlace {
  std::string path;
  uint32_t page = 0;  ///< from 1; 0 in a file of one page

  /// "plate.tif" or "plate.tif, page 2".
  std::string text() const;
};

/// One libtiff handle. Its address is known to libtiff, so it neither moves nor is copied.
class TiffHandle {
 public:
  /// Reads the header only. `max_alloc_bytes` bounds each allocation for tags. Throws Error.
  TiffHandle(const files::InputFile& file, uint64_t max_alloc_bytes);
  ~TiffHandle();
  TiffHandle(const TiffHandle&) = delete;
  TiffHandle& operator=(const TiffHandle&) = delete;

  TIFF* get() const { return tiff_; }
  const files::InputFile& file() const { return file_; }
  TiffDiagnostics& diagnostics() { return diagnostics_; }

  /// Nothing was said and every read succeeded.
  bool is_silent() const {
    return diagnostics_.errors() + diagnostics_.warnings() == 0 && io_error_ == 0;
  }

  /// Makes the directory at `offset` the current one. False when libtiff returned failure or
  /// reported an error; diagnostics() then says why.
  bool select_directory(uint64_t offset);

  /// Throws what went wrong at `where`: the read error of the operating system if there was one,
  /// else `kind` with `expectation` and libtiff's own words.
  [[noreturn]] void fail(ErrorKind kind,
                         const std::string& where,
                         const std::string& expectation) const;

 private:
  friend struct TiffReadProcs;

  const files::InputFile& file_;
  uint64_t position_ = 0;
  int io_error_ = 0;  ///< errno of the first read that failed, kept
  TiffDiagnostics diagnostics_;
  TIFF* tiff_ = nullptr;
};

/// Takes from the environment what would widen the limits of libtiff's JPEG decoder. Call before
/// decoding.
void clear_codec_environment();

}  // namespace mezzo::tiff
