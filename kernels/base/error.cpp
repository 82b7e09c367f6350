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
