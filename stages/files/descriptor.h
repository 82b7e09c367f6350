// An open file, pipe or socket, and all of a small file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace mezzo::files {

/// Owns a file descriptor, and closes it on destruction. Closing leaves errno as it was.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }

  /// -1 when it owns none.
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

  /// Leaves the descriptor to the caller.
  int release() noexcept;

  /// Closes the descriptor that it owns, and owns `fd` from now on.
  void reset(int fd = -1) noexcept;

 private:
  int fd_ = -1;
};

/// Up to `limit` bytes from the file's position; interrupted reads go on. Nothing, with errno set,
/// when reading fails.
std::optional<std::string> read_all(int fd, size_t limit);

}  // namespace mezzo::files
