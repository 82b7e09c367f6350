// Our choice of SIMD targets, beside that of Highway's own library.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>
#include <string>

namespace mezzo::test::highway_targets_test {
namespace {

using Targets = int64_t (*)();

TEST(HighwayTargets, AreThoseOfItsLibrary) {
#if HWY_ARCH_X86
  void* const library = ::dlopen("libhwy.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) GTEST_SKIP() << ::dlerror();
  const auto of_library =
      reinterpret_cast<Targets>(::dlsym(library, "_ZN3hwy16SupportedTargetsEv"));
  ASSERT_NE(of_library, nullptr);
  ASSERT_NE(of_library, &hwy::SupportedTargets) << "the same function";
  EXPECT_EQ(hwy::SupportedTargets(), of_library());
#else
  GTEST_SKIP() << "the library itself is linked";
#endif
}

TEST(HighwayTargets, CanBeSetForTests) {
  const int64_t all = hwy::SupportedTargets();
  hwy::SetSupportedTargetsForTest(HWY_STATIC_TARGET);
  EXPECT_EQ(hwy::SupportedTargets(), HWY_STATIC_TARGET);
  hwy::SetSupportedTargetsForTest(0);
  EXPECT_EQ(hwy::SupportedTargets(), all);
}

}  // namespace
}  // namespace mezzo::test::highway_targets_test
