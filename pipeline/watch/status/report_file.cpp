#include "pipeline/watch/status/report_file.h"

#include <fcntl.h>

#include <array>
#include <cstdint>

#include "stages/files/folder.h"

namespace mezzo::watch {
namespace {

constexpr uint64_t kLargestReport = uint64_t{32} << 20;
constexpr size_t kLargestPicture = size_t{64} << 10;

/// The value of a base64 digit, or -1.
int digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// RFC 4648, up to the first character that is no digit.
std::string decode_base64(std::string_view text) {
  std::string bytes;
  uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const int value = digit(c);
    if (value < 0) break;
    bits = bits << 6 | static_cast<uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xff);
  }
  return bytes;
}

}  // namespace

std::optional<std::string> read_report(const JobView& job) {
  std::string folder = job.folder;
  while (folder.ends_with('/')) folder.pop_back();
  folder += '/';
  if (job.folder.empty() || !job.report.starts_with(folder)) return {};
  const files::Descriptor base(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!base) return {};
  const files::Descriptor file =
      files::open_beneath(base.get(), job.report.substr(folder.size()), O_RDONLY | O_NONBLOCK);
  const auto stat = file ? files::stat_file(file.get()) : std::nullopt;
  if (!stat || !stat->is_regular() || stat->links != 1 || stat->bytes > kLargestReport) return {};
  std::optional<std::string> text = files::read_all(file.get(), stat->bytes);
  if (text && text->size() < stat->bytes) text.reset();  // it has shrunk
  return text;
}

std::optional<Picture> first_picture(std::string_view report) {
  constexpr std::string_view kUri = "data:image/";
  struct Kind {
    std::string_view uri;
    const char* type;
    std::string_view begins;
  };
  constexpr std::array kKinds = {
      Kind{"png;base64,", "image/png", "\x89PNG\r\n\x1a\n"},
      Kind{"jpeg;base64,", "image/jpeg", "\xff\xd8\xff"},
  };
  for (size_t at = report.find(kUri); at != std::string_view::npos; at = report.find(kUri, at)) {
    at += kUri.size();
    for (const Kind& kind : kKinds) {
      if (!report.substr(at).starts_with(kind.uri)) continue;
      // A few characters more than the largest picture has, so that one too large is known.
      std::string bytes =
          decode_base64(report.substr(at + kind.uri.size(), kLargestPicture / 3 * 4 + 8));
      if (bytes.starts_with(kind.begins) && bytes.size() <= kLargestPicture) {
        return Picture{kind.type, std::move(bytes)};
      }
    }
  }
  return {};
}

}  // namespace mezzo::watch
