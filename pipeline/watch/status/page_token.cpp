#include "pipeline/watch/status/page_token.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "kernels/base/error.h"
#include "stages/files/descriptor.h"

namespace mezzo::watch {
namespace {

constexpr size_t kDigits = 64;

[[noreturn]] void fail(ErrorKind kind, const std::string& path, const std::string& why) {
  throw Error(kind, path + ": the secret of the status page " + why);
}

std::string read_token(const std::string& path, int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    fail(ErrorKind::kIo, path, "is not a file");
  }
  if (status.st_uid != ::geteuid() || (status.st_mode & 077) != 0) {
    fail(ErrorKind::kIo,
         path,
         "can be read by others than the watcher's user; delete the file, and the next start makes "
         "a new one");
  }
  std::string token = files::read_all(fd, kDigits + 1).value_or("");
  const bool is_one = token.size() == kDigits && std::ranges::all_of(token, [](char c) {
                        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                      });
  if (!is_one) {
    fail(ErrorKind::kIo, path, "is not one; delete the file, and the next start makes a new one");
  }
  return token;
}

}  // namespace

std::string new_token() {
  std::array<unsigned char, kDigits / 2> bytes{};
  if (getentropy(bytes.data(), bytes.size()) != 0) {
    throw Error(ErrorKind::kIo, "the system has no random numbers for the status page");
  }
  std::string token;
  for (const unsigned byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

std::string kept_token(const std::string& path) {
  constexpr int kRead = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const files::Descriptor known(::open(path.c_str(), kRead));
  if (known) return read_token(path, known.get());
  if (errno != ENOENT) {
    fail(ErrorKind::kIo, path, "cannot be read: " + std::generic_category().message(errno));
  }
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  std::string token = new_token();
  // Whole from the start, for another watcher that looks meanwhile.
  const std::string draft = fmt::format("{}.{}", path, token.substr(0, 8));
  const files::Descriptor made(
      ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  const bool is_kept = made &&
                       ::write(made.get(), token.data(), token.size()) == ssize_t{kDigits} &&
                       ::link(draft.c_str(), path.c_str()) == 0;
  const int reason = errno;
  ::unlink(draft.c_str());
  if (is_kept) return token;
  if (reason == EEXIST) return kept_token(path);
  fail(ErrorKind::kCannotCreate,
       path,
       "cannot be written: " + std::generic_category().message(reason));
}

}  // namespace mezzo::watch
