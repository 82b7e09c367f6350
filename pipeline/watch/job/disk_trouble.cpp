#include "pipeline/watch/job/disk_trouble.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <vector>

#include "stages/files/descriptor.h"

namespace mezzo::watch {
namespace {

constexpr size_t kProbeBytes = 256 << 10;  // a journal that grows needs less

bool is_of_disk(int error_number) {
  constexpr std::array kOfDisks = {ENOSPC, EDQUOT, EROFS, EIO, ESTALE};
  return std::ranges::find(kOfDisks, error_number) != kOfDisks.end();
}

/// 0, or the errno of the call that failed. Through no link: the folder may lie where strangers write.
int write_probe(const std::string& folder, files::FileSystem& files) {
  const files::Descriptor there(
      ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!there) return errno;
  const std::string name = ".mezzotint-" + std::to_string(::getpid()) + ".part";
  const files::At at(there.get(), name);
  const int fd = files.open(at, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return errno;
  const std::vector<char> zeros(kProbeBytes);
  int error_number = 0;
  for (size_t done = 0; done < zeros.size() && error_number == 0;) {
    const ssize_t n = files.pwrite(fd, zeros.data() + done, zeros.size() - done, done);
    if (n > 0) done += static_cast<size_t>(n);
    if (n == 0) error_number = EIO;
    if (n < 0 && errno != EINTR) error_number = errno;
  }
  if (error_number == 0 && files::sync_file(files, fd) != 0) error_number = errno;
  files.close(fd);
  files.unlink(at);
  return error_number;
}

}  // namespace

std::string disk_trouble(const std::string& folder, files::FileSystem& files) {
  const std::string there = files::existing_folder(files, folder + "/file");
  const int error_number = write_probe(there, files);
  if (!is_of_disk(error_number)) return {};
  return there + " cannot be written to: " + std::generic_category().message(error_number) +
         "; the job goes on once it can";
}

}  // namespace mezzo::watch
