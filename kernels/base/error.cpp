#include "kernels/base/error.h"

#include <cstdio>
#include <cstdlib>

namespace mezzo {

std::string_view name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return "usage";
    case ErrorKind::kData:
      return "data";
    case ErrorKind::kUnsupported:
      return "unsupported";
    case ErrorKind::kLimit:
      return "limit";
    case ErrorKind::kChecksum:
      return "checksum";
    case ErrorKind::kMissing:
      return "missing";
    case ErrorKind::kDevice:
      return "device";
    case ErrorKind::kDeviceLost:
      return "device-lost";
    case ErrorKind::kCannotCreate:
      return "cannot-create";
    case ErrorKind::kIo:
      return "io";
    case ErrorKind::kDiskFull:
      return "disk-full";
    case ErrorKind::kOutOfMemory:
      return "out-of-memory";
    case ErrorKind::kBusy:
      return "busy";
    case ErrorKind::kInterrupted:
      return "interrupted";
    case ErrorKind::kBug:
      return "bug";
  }
  return "bug";
}

std::string to_string(const Diagnostic& d) {
  std::string text = d.file;
  if (d.line > 0) text += ":" + std::to_string(d.line) + ":" + std::to_string(d.column);
  text += ": " + d.message;
  if (!d.excerpt.empty()) {
    text += "\n  " + d.excerpt + "\n  ";
    // A tab above the caret stays a tab, so that the two line up in any terminal.
    for (uint32_t i = 0; i + 1 < d.column && i < d.excerpt.size(); ++i) {
      const auto byte = static_cast<unsigned char>(d.excerpt[i]);
      if ((byte & 0xC0U) != 0x80U) text += byte == '\t' ? '\t' : ' ';  // one column a code point
    }
    text += "^";
  }
  if (!d.hint.empty()) text += "\n  " + d.hint;
  return text;
}

void assertion_failed(const char* condition, std::source_location where) {
  std::fprintf(stderr,
               "mezzotint: internal error: %s does not hold in %s (%s:%u). Please report this.\n",
               condition,
               where.function_name(),
               where.file_name(),
               static_cast<unsigned>(where.line()));
  std::abort();
}

}  // namespace mezzo
