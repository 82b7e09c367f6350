// Methods beside those of the program, for tests of what none of these does. The test program has
// support/extra_method.cpp among its sources, and with it another method_table().
#pragma once

#include "kernels/method_info.h"

namespace mezzo::test {

/// Lists one more method, at the end, for as long as this lives. Before threads start; the last
/// made goes first.
class ExtraMethod {
 public:
  explicit ExtraMethod(const MethodInfo& method);
  ~ExtraMethod();
  ExtraMethod(const ExtraMethod&) = delete;
  ExtraMethod& operator=(const ExtraMethod&) = delete;
};

}  // namespace mezzo::test
