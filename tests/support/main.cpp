// Runs the tests of a program. Its status is 77, which ctest reports as skipped, when every test that
// was asked for is skipped; gtest's own main() would report that as a success. In the short form temporary
// folders are in memory where that has room for those of any test, unless TMPDIR says where they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "tests/support/folders_in_memory.h"

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  using mezzo::test::FoldersInMemory;
  constexpr uint64_t kRoom = uint64_t{2} << 30;
  std::optional<FoldersInMemory> memory;
  const bool has_choice = std::getenv("TMPDIR") == nullptr && !GTEST_FLAG_GET(list_tests);
  if (has_choice && FoldersInMemory::have_room_for(kRoom)) memory.emplace();
  const int status = RUN_ALL_TESTS();
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  const bool all_skipped =
      tests.skipped_test_count() > 0 && tests.skipped_test_count() == tests.test_to_run_count();
  return status == 0 && all_skipped ? 77 : status;
}
