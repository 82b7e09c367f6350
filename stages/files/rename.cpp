#include "stages/files/rename.h"

#include <cerrno>
#include <cstdio>

namespace mezzo::files {

int rename_new(FileSystem& files, At from, At to) {
  if (files.rename(from, to, RENAME_NOREPLACE) == 0) return 0;
  if (!is_flag_unknown(errno)) return -1;
  struct stat found {};
  if (files.status_of_name(from, found) != 0) return -1;
  if (S_ISDIR(found.st_mode)) return files.rename(from, to, 0);  // replaces empty folders alone
  if (files.link(from, to) != 0) return -1;                      // replaces nothing
  files.unlink(from);
  return 0;
}

bool is_flag_unknown(int error_number) {
  return error_number == EINVAL || error_number == ENOSYS || error_number == ENOTSUP;
}

}  // namespace mezzo::files
