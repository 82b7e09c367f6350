// The finished plates of a job, kept on disk while it runs, so that the next run continues there.
//
// A plate is entered when it is sealed, just before it gets its final name: with its input file,
// its settings and its content. An entry is valid exactly while the file that it describes has the
// plate's name, so the journal is right wherever the program stops. One SQLite database a job (WAL,
// FULL), in the state folder, which must be on a local disk. While one run has it open, other runs
// of the job are refused.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "manifests/job.h"
#include "stages/files/file_mark.h"

namespace mezzo::resume {

/// One plate that was made.
struct JournalEntry {
  std::string plate;           ///< absolute path
  files::FileMark file;        ///< of the plate
  std::string input;           ///< absolute path
  files::FileMark input_file;  ///< when it was read
  std::string input_digest;    ///< of its bytes, "xxh3:..." or "sha256:..."
  std::string settings;        ///< "name=value" lines: all that decides the plate's bits, after a
                               ///< level of verification that is not the default; empty: it was
                               ///< forgotten, and is to be made again
  std::string ink;
  std::string compression;
  std::string content_sum;  ///< of the decoded rows; column content_xxh3, from version 0.1
  double coverage_percent = 0;
  std::string file_digest = {};  ///< digest of the plate's file, "xxh3:..."; empty: not known
  std::string sealed_path = {};  ///< path of the file while it is entered; not kept
  /// The job's older plate, which stands under the name until this one gets it: the run may stop
  /// just before.
  std::optional<files::FileMark> replaced = {};
};

class Journal {
 public:
  /// Opens or creates the database. A damaged one is set aside under another name, and a new one
  /// begun; see damage(). A file that cannot be a journal, by its content and its name, is left
  /// alone. Throws Error: kBusy while another process has it open; kUsage for another file; kIo,
  /// kDiskFull, kCannotCreate.
  static std::unique_ptr<Journal> open(const std::string& path);
  virtual ~Journal() = default;

  /// A message on a damaged journal that was set aside; empty when there was none.
  virtual const std::string& damage() const = 0;

  /// The entry of a plate. Throws Error(kIo).
  virtual std::optional<JournalEntry> find(const std::string& plate) const = 0;

  /// From here on every plate is to be made again, though it still counts as the job's own, and the
  /// job has no start. Throws Error (kIo, kDiskFull).
  virtual void forget() = 0;

  /// The start of the job whose plates are not all made yet, where their paths name it. Throws
  /// Error(kIo).
  virtual std::optional<manifests::JobStart> start() const { return std::nullopt; }

  /// Keeps it, where the journal is one that can; nothing: all plates are made. Throws Error (kIo,
  /// kDiskFull).
  virtual void set_start(const std::optional<manifests::JobStart>& /*start*/) {}

  /// Whether the journal keeps JournalEntry::file_digest; if not, it need not be computed.
  virtual bool keeps_file_digests() const { return false; }

  /// Enters plates, in place of older entries; on disk when it returns, all or none. Safe for
  /// several threads. Throws Error (kIo, kDiskFull).
  virtual void enter(std::span<const JournalEntry> entries) = 0;

 protected:
  Journal() = default;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
};

/// The journal of the job of a manifest: state_folder()/journals/NAME-DIGEST.db, by the manifest's
/// real path. Makes the folder. Throws Error(kCannotCreate).
std::string journal_path(const std::string& manifest);

}  // namespace mezzo::resume
