#include "pipeline/job_id.h"

#include <sys/random.h>

#include <cstdint>
#include <cstdio>
#include <ctime>

#include "kernels/base/error.h"

namespace mezzo {

std::string new_job_id() {
  uint64_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != static_cast<ssize_t>(sizeof random)) {
    throw Error(ErrorKind::kIo, "the system gives no random numbers");
  }
  const std::time_t now = std::time(nullptr);
  struct tm utc {};
  ::gmtime_r(&now, &utc);
  char time[32];
  std::strftime(time, sizeof time, "%Y%m%d-%H%M%S", &utc);
  char id[64];
  std::snprintf(id, sizeof id, "%s-%016llx", time, static_cast<unsigned long long>(random));
  return id;
}

}  // namespace mezzo
