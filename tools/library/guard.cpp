#include "tools/library/guard.h"

#include <algorithm>
#include <string>

#include "kernels/base/error.h"
#include "pipeline/exit_status.h"

namespace mezzo::library {
namespace {

/// The message's bytes that fit, cut between two characters.
size_t fitting(std::string_view message, size_t room) {
  if (message.size() <= room) return message.size();
  size_t end = room;
  while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0) == 0x80) --end;
  return end;
}

}  // namespace

int report(mezzotint_error* error, int status, std::string_view message) {
  if (error == nullptr) return status;
  error->status = status;
  const size_t size = fitting(message, sizeof error->message - 1);
  message.copy(error->message, size);
  error->message[size] = '\0';
  return status;
}

int report_current(mezzotint_error* error) noexcept {
  try {
    throw;
  } catch (const Error& failure) {
    return report(error, status_of(failure.kind()), failure.what());
  } catch (const std::bad_alloc&) {
    return report(error, MEZZOTINT_TRY_AGAIN, "this machine has no memory left");
  } catch (const std::exception& failure) {
    return report(error, MEZZOTINT_BUG, failure.what());
  } catch (...) {
    return report(error, MEZZOTINT_BUG, "an exception of an unknown type");
  }
}

void refuse(const std::string& message) {
  throw Error(ErrorKind::kUsage, message);
}

void require(const void* pointer, const char* name) {
  if (pointer != nullptr) return;
  throw Error(ErrorKind::kUsage, std::string(name) + " must not be NULL");
}

void require_zero(std::span<const uint64_t> reserved) {
  if (std::ranges::all_of(reserved, [](uint64_t word) { return word == 0; })) return;
  throw Error(ErrorKind::kUsage,
              "a member 'reserved' is not 0: set the whole struct to 0 first, or use the library "
              "that the program was built for");
}

}  // namespace mezzo::library
