// A file system confined to the folders of a job: nothing outside is opened or written, however the
// content of the folders changes meanwhile.
//
// The folders are opened once; from then on the kernel itself (openat2, Linux 5.6) ensures that no
// path leads out of them and no symbolic link is followed, and each call works on the descriptor of
// the folder found that way. A folder that is moved out of the job's folders during a call takes
// that call along, and nothing else. Mounts below a folder of the job count as part of it: only an
// administrator can make them, and plates often lie on a disk of their own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stages/files/descriptor.h"
#include "stages/files/file_system.h"

namespace mezzo::files {

struct AllowedFolder {
  std::string path;
  bool write = false;  ///< besides reading: files may be made, replaced and removed, folders made
  bool make = false;   ///< it, and folders above it, are made when they are missing
};

/// Paths must begin with the path of an allowed folder, as given or lexically normal; of several,
/// the longest counts. The rest must not contain `..`. A refused path fails with an errno:
///
///   EXDEV  the path leads out of the folders, or has a `..`
///   ELOOP  a symbolic link is in the path or at its end; only status_of_name() looks at one, and
///          only rename() and unlink() replace or remove one
///   EMLINK, ENXIO, EISDIR   open() for reading: a file with a second name (a hard link); a device,
///          FIFO or socket, which is not opened at all; a folder, without O_DIRECTORY
///   EROFS  writing in a folder that is for reading only
///
/// Calls in an open folder, which cannot be confined, are refused. Files that exist are never
/// opened for writing: to make one, O_CREAT and O_EXCL belong together.
class ConfinedFileSystem : public FileSystem {
 public:
  /// Opens the folders, none of them a symbolic link or behind one. Throws Error: kMissing,
  /// kCannotCreate (not a folder, a link, no permission), kDevice (the kernel is too old to confine
  /// a job).
  explicit ConfinedFileSystem(const std::vector<AllowedFolder>& folders);

  int status(const std::string& path, struct stat& found) override;
  int status_of_name(At at, struct stat& found) override;
  int room(const std::string& path, struct statvfs& found) override;
  int open(At at, int flags, unsigned mode = 0) override;
  int rename(At from, At to, unsigned flags) override;
  int link(At from, At to) override;
  int unlink(At at, int flags = 0) override;
  int make_folder(At at, unsigned mode) override;
  std::string reason(int error_number) const override;

 private:
  struct Root {
    std::vector<std::string> spellings;
    bool write = false;
    Descriptor folder;
  };

  /// A path, as its root and the path from there: clean, without `..`; "." is the root itself.
  struct Way {
    const Root* root = nullptr;
    std::string below;
  };

  /// A name in a folder that is open.
  struct Entry;

  bool find(At at, Way& way) const;
  bool find_entry(At at, bool to_write, Entry& entry) const;
  static int open_to_read(const Entry& entry, int flags);

  std::vector<Root> roots_;
};

/// The folders of a job that is read in `folder` and whose plates go to `plates`, which is made
/// when it is missing; when that is empty, they go to `folder` too.
std::vector<AllowedFolder> folders_of_job(const std::string& folder, const std::string& plates);

}  // namespace mezzo::files
