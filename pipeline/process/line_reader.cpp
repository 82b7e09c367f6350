#include "pipeline/process/line_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace mezzo::process {

LineReader::LineReader(files::Descriptor fd, size_t max_line)
    : fd_(std::move(fd)), max_line_(max_line) {
  const int flags = ::fcntl(fd_.get(), F_GETFL);
  if (flags >= 0) ::fcntl(fd_.get(), F_SETFL, flags | O_NONBLOCK);
}

void LineReader::add(std::string_view piece) {
  if (too_long_) return;
  if (partial_.size() + piece.size() > max_line_) {
    too_long_ = true;
    partial_.clear();
    return;
  }
  partial_ += piece;
}

void LineReader::end_line(const std::function<void(std::string_view)>& line) {
  if (too_long_) {
    ++dropped_;
  } else {
    line(partial_);
  }
  partial_.clear();
  too_long_ = false;
}

void LineReader::read(const std::function<void(std::string_view)>& line) {
  constexpr int kTurns = 4;
  std::array<char, 64 << 10> buffer;
  for (int turn = 0; turn < kTurns && fd_; ++turn) {
    const ssize_t got = ::read(fd_.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      if (!partial_.empty()) end_line(line);
      fd_.reset();
      return;
    }
    std::string_view rest(buffer.data(), static_cast<size_t>(got));
    for (size_t end; (end = rest.find('\n')) != std::string_view::npos;
         rest.remove_prefix(end + 1)) {
      add(rest.substr(0, end));
      end_line(line);
    }
    add(rest);
  }
}

}  // namespace mezzo::process
