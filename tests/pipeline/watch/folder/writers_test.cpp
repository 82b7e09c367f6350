// What leases and events tell of those who write in a folder.
#include "pipeline/watch/folder/writers.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "pipeline/watch/folder/folder_events.h"
#include "stages/files/folder.h"
#include "tests/pipeline/watch/machine/fake_machine.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::writers_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

/// As on the file of another user, without the right to leases on it.
class WritersWithoutLeases final : public watch::Writers {
  using Writers::Writers;
  Answer ask_kernel(int, const std::string&) const override { return Answer::kUnknown; }
};

class WritersTest : public testing::Test {
 protected:
  WritersTest() { EXPECT_TRUE(events_.watch(0, folder_.path())); }

  std::string path(const std::string& name) const { return folder_ / name; }
  /// The events so far are taken.
  std::vector<size_t> changed() {
    clock_.advance(1s);
    return events_.changed(now());
  }
  SteadyTime now() const { return clock_.now(); }
  bool told(const std::string& name) {
    changed();
    return by_events_.are_at(root_.get(), name);
  }

  TempFolder folder_;
  files::Descriptor root_{::open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY)};
  FakeClock clock_;
  watch::FolderEvents events_;
  WritersWithoutLeases by_events_{events_, 0, clock_};
};

TEST_F(WritersTest, a_lease_tells_of_an_open_file) {
  const watch::Writers& writers = watch::Writers::of_leases();
  folder_.write("a.tif", "half");
  EXPECT_FALSE(writers.are_at(root_.get(), "a.tif"));
  {
    const std::ofstream writer(path("a.tif"), std::ios::app);
    EXPECT_TRUE(writers.are_at(root_.get(), "a.tif"));
  }
  const std::ifstream reader(path("a.tif"));
  EXPECT_FALSE(writers.are_at(root_.get(), "a.tif"));
  EXPECT_FALSE(writers.are_at(root_.get(), "gone.tif"));
}

TEST_F(WritersTest, a_broken_lease_does_no_harm) {
  folder_.write("a.tif", "half");
  std::jthread opener([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) std::ofstream(path("a.tif"), std::ios::app) << "x";
  });
  for (int i = 0; i < 2000; ++i) watch::Writers::of_leases().are_at(root_.get(), "a.tif");
}

TEST_F(WritersTest, events_tell_of_a_write_until_the_file_is_closed) {
  std::ofstream writer(path("a.tif"));
  EXPECT_FALSE(told("a.tif"));  // links make files, too, and never close them
  writer << "half" << std::flush;
  EXPECT_TRUE(told("a.tif"));
  EXPECT_FALSE(told("b.tif"));
  writer.close();
  EXPECT_FALSE(told("a.tif"));
}

TEST_F(WritersTest, events_follow_a_file_that_is_renamed_while_it_is_open) {
  std::ofstream writer(path("a.part"));
  writer << "half" << std::flush;
  EXPECT_TRUE(told("a.part"));
  std::filesystem::rename(path("a.part"), path("a.tif"));
  EXPECT_FALSE(told("a.tif"));
  writer << "the rest" << std::flush;
  EXPECT_TRUE(told("a.tif"));
  writer.close();
  EXPECT_FALSE(told("a.tif"));
}

TEST_F(WritersTest, another_file_of_the_name_is_another_matter) {
  std::ofstream writer(path("a.tif"));
  writer << "half" << std::flush;
  EXPECT_TRUE(told("a.tif"));
  folder_.write("new", "page");
  changed();
  std::filesystem::rename(path("new"), path("a.tif"));
  EXPECT_FALSE(told("a.tif"));
}

TEST_F(WritersTest, a_write_without_an_end_counts_for_an_hour) {
  folder_.write("a.tif", "page");
  changed();
  ASSERT_EQ(::truncate(path("a.tif").c_str(), 2), 0);
  EXPECT_TRUE(told("a.tif"));
  EXPECT_TRUE(events_.is_written(0, "a.tif", now() + 59min));
  EXPECT_FALSE(events_.is_written(0, "a.tif", now() + 61min));
}

TEST_F(WritersTest, a_write_is_no_change_of_the_folder) {
  std::ofstream writer(path("a.tif"));
  EXPECT_THAT(changed(), ElementsAre(0));
  writer << "half" << std::flush;
  EXPECT_THAT(changed(), IsEmpty());
  writer.close();
  EXPECT_THAT(changed(), ElementsAre(0));
}

TEST_F(WritersTest, events_are_taken_now_and_then) {
  folder_.write("a.tif");
  EXPECT_THAT(changed(), ElementsAre(0));
  folder_.write("b.tif");
  EXPECT_THAT(events_.changed(now() + 1ms), IsEmpty());
  EXPECT_THAT(events_.changed(events_.rests_until()), ElementsAre(0));
}

}  // namespace
}  // namespace mezzo::test::writers_test
