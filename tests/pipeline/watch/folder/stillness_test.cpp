#include "pipeline/watch/folder/stillness.h"

#include <gtest/gtest.h>

#include <chrono>

namespace mezzo::test::stillness_test {
namespace {

using namespace std::chrono_literals;
using watch::Stillness;

TEST(Stillness, IsLongEnoughWhenItIsDue) {
  for (const uint32_t looks : {1, 2, 5}) {
    for (const auto every : {500ms, 2000ms}) {
      for (const auto age : {0ms, 3000ms, 60'000ms}) {
        manifests::FolderSettings settings;
        settings.looks = looks;
        settings.every = every;
        settings.age = age;
        SteadyTime now{1h};
        Stillness still;
        still.look(false, settings, now);
        for (uint32_t i = 0; i <= looks && !still.is_long_enough(settings, now); ++i) {
          const SteadyTime due = still.due(settings);
          ASSERT_GT(due, now) << "a look in the past would be repeated at once";
          EXPECT_FALSE(still.is_long_enough(settings, due - 1ms));
          now = due;
          still.look(true, settings, now);
        }
        EXPECT_TRUE(still.is_long_enough(settings, now))
            << looks << " looks, every " << every.count() << " ms, age " << age.count() << " ms";
      }
    }
  }
}

}  // namespace
}  // namespace mezzo::test::stillness_test
