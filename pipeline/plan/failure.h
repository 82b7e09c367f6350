// Why a sheet failed, in its plan or in its run.
#pragma once

#include <string>

#include "kernels/base/error_kind.h"

namespace mezzo::plan {

struct Failure {
  ErrorKind kind = ErrorKind::kBug;
  std::string message;
};

}  // namespace mezzo::plan
