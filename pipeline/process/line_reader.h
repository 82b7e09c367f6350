// Lines from a pipe, without blocking and in bounded memory, even if the other end never writes a
// line end.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "stages/files/descriptor.h"

namespace mezzo::process {

/// Owns the reading end of a pipe, or one side of a socket.
class LineReader {
 public:
  /// A line longer than `max_line` bytes is dropped as a whole. Sets O_NONBLOCK.
  LineReader(files::Descriptor fd, size_t max_line);

  /// -1 once the other end was closed.
  int fd() const { return fd_.get(); }

  /// Takes the bytes that are there, at most 256 KiB, and passes on each whole line, without its
  /// end. A last line without an end counts when the other end is closed.
  void read(const std::function<void(std::string_view)>& line);

  /// Lines that were too long.
  size_t dropped() const { return dropped_; }

 private:
  void add(std::string_view piece);
  void end_line(const std::function<void(std::string_view)>& line);

  files::Descriptor fd_;
  size_t max_line_;
  std::string partial_;
  bool too_long_ = false;
  size_t dropped_ = 0;
};

}  // namespace mezzo::process
