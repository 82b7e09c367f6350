#include "tests/support/extra_method.h"

#include <iterator>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/method_table.h"
#include "kernels/methods.h"

namespace mezzo {
namespace {

/// Grows in place: others hold pointers into it.
std::vector<MethodInfo>& listed() {
  constexpr size_t kMostExtra = 4;
  static std::vector<MethodInfo> all = [] {
    std::vector<MethodInfo> table;
    table.reserve(std::size(kMethods) + kMostExtra);
    table.assign(std::begin(kMethods), std::end(kMethods));
    return table;
  }();
  return all;
}

}  // namespace

std::span<const MethodInfo> method_table() {
  return listed();
}

namespace test {

ExtraMethod::ExtraMethod(const MethodInfo& method) {
  MZ_ASSERT(listed().size() < listed().capacity());
  listed().push_back(method);
}

ExtraMethod::~ExtraMethod() {
  listed().pop_back();
}

}  // namespace test
}  // namespace mezzo
