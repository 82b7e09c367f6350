#include "kernels/method_table.h"

#include "kernels/methods.h"

namespace mezzo {

std::span<const MethodInfo> method_table() {
  return kMethods;
}

}  // namespace mezzo
