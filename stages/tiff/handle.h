// libtiff on our own input and output, with its messages collected per handle.
//
// A TIFF* is not thread-safe: every decoder opens a handle of its own, all on the same store.
// libtiff's own status is not enough (it closes a file that it could not finish without an error),
// so users of a handle check its messages as well. Internal to stages/tiff: no other code sees
// libtiff.
#pragma once

#include <tiffio.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/base/error_kind.h"
#include "stages/files/byte_store.h"
#include "stages/tiff/lean_directory.h"

namespace mezzo::tiff {

/// The messages of libtiff through one handle. The first 20 are kept; all are counted.
class Messages {
 public:
  enum class Severity { kWarning, kError };

  /// Control characters, which a hostile file may hold, become spaces.
  void add(Severity severity, const char* module, const char* text) noexcept;
  void clear();

  uint64_t errors() const { return errors_; }
  uint64_t warnings() const { return warnings_; }

  /// The first error; empty when there was none.
  std::string first_error() const;

  /// The first error, or else the first warning, and how many more came; empty when silent.
  std::string summary() const;

 private:
  struct Message {
    Severity severity;
    std::string text;
  };
  std::vector<Message> kept_;
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

/// One libtiff handle on a store, which must outlive it. libtiff knows its address, so it neither
/// moves nor is copied.
class Handle {
 public:
  /// Opens the handle in libtiff's `mode`, a literal. `name` appears in libtiff's messages;
  /// `max_alloc_bytes` bounds each of its allocations for tags and tables. get() is null when libtiff
  /// refuses. Throws Error(kLimit).
  Handle(files::ByteStore& store,
         const std::string& name,
         const char* mode,
         uint64_t max_alloc_bytes);

  /// The same for reading.
  Handle(const files::ByteStore& store,
         const std::string& name,
         const char* mode,
         uint64_t max_alloc_bytes);

  /// Writes nothing more.
  ~Handle();
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  TIFF* get() const { return tiff_; }
  const files::ByteStore& store() const { return store_; }
  Messages& messages() { return messages_; }
  const Messages& messages() const { return messages_; }

  /// The errno of the first read or write that failed, or 0.
  int error_number() const { return error_number_; }

  /// A read was cut short, as of a file that was truncated meanwhile.
  bool fell_short() const { return fell_short_; }

  /// No messages, and every read and write succeeded.
  bool is_silent() const {
    return messages_.errors() + messages_.warnings() == 0 && error_number_ == 0;
  }

  /// Makes `directory` the current one. Opens libtiff again: a TIFF* that has read a directory walks all
  /// of them to find another, and a file of 1,000 pages would take minutes. Returns false when libtiff
  /// reported an error (messages() has the reason), or read another number than the one it was shown: it
  /// repairs what it thinks is wrong.
  bool select_directory(LeanDirectory directory);

  /// Flushes libtiff's buffers, and closes the handle.
  void close();

  /// Throws what went wrong at `where`: the error of the operating system if there was one, else
  /// `kind` with `expectation` and libtiff's own words.
  [[noreturn]] void fail(ErrorKind kind,
                         const std::string& where,
                         const std::string& expectation) const;

 private:
  friend struct Procedures;
  Handle(const files::ByteStore& store,
         files::ByteStore* sink,
         const std::string& name,
         const char* mode,
         uint64_t max_alloc_bytes);

  void open();

  const files::ByteStore& store_;
  files::ByteStore* sink_;  ///< null: writes fail
  const std::string name_;
  const char* const mode_;
  const uint64_t max_alloc_bytes_;
  bool discards_writes_ = false;
  uint64_t position_ = 0;
  int error_number_ = 0;
  bool fell_short_ = false;
  Messages messages_;
  LeanDirectory directory_;  ///< the current one
  TIFF* tiff_ = nullptr;
};

}  // namespace mezzo::tiff
