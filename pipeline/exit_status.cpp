#include "pipeline/exit_status.h"

#include "pipeline/run/result.h"

namespace mezzo {

int status_of(ErrorKind kind, bool is_of_manifest) {
  switch (kind) {
    case ErrorKind::kUsage:
      return is_of_manifest ? kExitData : kExitUsage;
    case ErrorKind::kData:
    case ErrorKind::kUnsupported:
    case ErrorKind::kLimit:
    case ErrorKind::kChecksum:
      return kExitData;
    case ErrorKind::kMissing:
      return kExitMissing;
    case ErrorKind::kDevice:
      return kExitUnavailable;
    case ErrorKind::kDeviceLost:
      return kExitDeviceLost;
    case ErrorKind::kCannotCreate:
      return kExitCannotCreate;
    case ErrorKind::kIo:
      return kExitIo;
    case ErrorKind::kDiskFull:
    case ErrorKind::kOutOfMemory:
    case ErrorKind::kBusy:
      return kExitTryAgain;
    case ErrorKind::kInterrupted:
      return kExitInterrupted;
    case ErrorKind::kBug:
      return kExitBug;
  }
  return kExitBug;
}

int status_of(const run::JobResult& result) {
  if (result.interrupted) return kExitInterrupted;
  if (result.device_lost) return kExitDeviceLost;
  if (result.out_of_time) return kExitTryAgain;
  for (const run::SheetResult& sheet : result.sheets) {
    if (sheet.failure && status_of(sheet.failure->kind) == kExitTryAgain) return kExitTryAgain;
  }
  return result.all_good() ? kExitGood : kExitSomeFailed;
}

int joined_status(int before, int next) {
  const bool says_more = before <= kExitSomeFailed || next == kExitTryAgain;
  return next != kExitGood && says_more ? next : before;
}

}  // namespace mezzo
