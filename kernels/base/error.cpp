#include "kernels/base/error.h"

#include <cstdio>
#include <cstdlib>

namespace mezzo {
namespace {

constexpr std::string_view kBeforeAdvice = "; ";

std::string joined(const std::string& finding, std::string_view advice) {
  return advice.empty() ? finding : finding + std::string(kBeforeAdvice) + std::string(advice);
}

}  // namespace

Error::Error(ErrorKind kind, const std::string& finding, std::string_view advice)
    : std::runtime_error(joined(finding, advice)), kind_(kind), finding_bytes_(finding.size()) {}

std::string Error::advice() const {
  const std::string_view all = what();
  if (all.size() <= finding_bytes_) return "";
  return std::string(all.substr(finding_bytes_ + kBeforeAdvice.size()));
}

Error Error::about(std::string_view key) const {
  Error error = *this;
  error.setting_ = key;
  return error;
}

Error Error::at(const std::string& place) const {
  return Error(kind_, place + finding(), advice()).about(setting_);
}

std::string as_sentence(std::string_view clause) {
  std::string sentence(clause);
  if (sentence.empty()) return sentence;
  const char first = sentence.front();
  if (first >= 'a' && first <= 'z') sentence.front() = static_cast<char>(first - 'a' + 'A');
  return sentence.ends_with('.') ? sentence : sentence + ".";
}

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

std::optional<ErrorKind> error_kind_named(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(ErrorKind::kBug); ++i) {
    if (name_of(static_cast<ErrorKind>(i)) == name) return static_cast<ErrorKind>(i);
  }
  return std::nullopt;
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
