// mezzotint.hpp as its users have it: this program is linked to nothing of mezzotint but the shared
// library. That its dots are the program's is tested through Python.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <mezzotint/mezzotint.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr uint32_t kWidth = 101, kHeight = 60;

template <typename Sample>
std::vector<Sample> ramp() {
  std::vector<Sample> grey;
  for (uint32_t y = 0; y < kHeight; ++y) {
    for (uint32_t x = 0; x < kWidth; ++x) {
      grey.push_back(static_cast<Sample>(static_cast<Sample>(-1) * ((x + y) % kWidth) / kWidth));
    }
  }
  return grey;
}

/// The status and the message of an Error that the call throws.
template <typename Call>
std::pair<int, std::string> failure_of(const Call& call) {
  try {
    call();
  } catch (const mezzo::Error& error) {
    return {error.status(), error.what()};
  }
  return {0, "no Error"};
}

/// A folder of its own, which also keeps the journals of jobs.
class Library : public testing::Test {
 protected:
  Library() : folder_(fs::path(testing::TempDir()) / ("library." + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
    ::setenv("XDG_STATE_HOME", folder_.c_str(), 1);
  }
  ~Library() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return folder_ / name; }

 private:
  fs::path folder_;
};

TEST_F(Library, BandsOfAnyHeightHaveTheDotsOfThePage) {
  const auto grey = ramp<uint16_t>();
  const mezzo::Settings settings("pinwheel", {{"block", 8}, {"path", "serpentine"}});
  const mezzo::Dots whole = mezzo::halftone(grey, kWidth, kHeight, settings);
  mezzo::Stream<uint16_t> stream(kWidth, settings);
  std::vector<uint8_t> bytes;
  const auto take = [&] {
    const mezzo::Dots dots = stream.take();
    bytes.insert(bytes.end(), dots.bytes.begin(), dots.bytes.end());
  };
  for (uint32_t row = 0; row < kHeight; row += 7) {
    const size_t rows = std::min(7U, kHeight - row);
    stream.put({grey.data() + size_t{row} * kWidth, rows * kWidth});
    take();
  }
  EXPECT_LT(bytes.size(), whole.bytes.size());
  stream.end();
  take();
  EXPECT_EQ(bytes, whole.bytes);
}

TEST_F(Library, SettingsTakeNumbersTextsCurvesAndTiles) {
  const auto grey = ramp<uint8_t>();
  const auto ink_of = [&](const mezzo::Settings& settings) {
    const mezzo::Dots dots = mezzo::halftone(grey, kWidth, kHeight, settings);
    return mezzo::compare(grey, dots).at("ink_coverage");
  };
  EXPECT_NEAR(ink_of("floyd-steinberg"), 0.5, 0.02);
  EXPECT_NEAR(ink_of({"threshold", {{"level", "25%"}}}), 0.75, 0.02);
  EXPECT_NEAR(ink_of({"threshold", {{"level", "25%"}, {"invert", true}}}), 0.75, 0.02);
  EXPECT_THROW(mezzo::Settings("am", {{"ruling", NAN}}), mezzo::Error);
  mezzo::Settings light;
  light.curve({{0, 0}, {100, 50}});
  EXPECT_NEAR(ink_of(light), 0.25, 0.02);
  mezzo::Settings tile("tile");
  const std::vector<uint16_t> thresholds = {0, 2, 3, 1};
  tile.tile(thresholds, 2, 2, 2).set("values", "thresholds");
  EXPECT_NEAR(ink_of(tile), 0.5, 0.02);
}

TEST_F(Library, ACallStopsWhenItsPulseSaysSo) {
  const auto grey = ramp<uint8_t>();
  std::vector<uint8_t> bytes(size_t{kWidth} * kHeight);
  for (const char* method : {"bayer", "dbs"}) {
    const mezzo::Settings settings(method);
    mezzotint_image page = {};
    page.samples = grey.data();
    page.width = kWidth;
    page.height = kHeight;
    page.sample_bits = 8;
    mezzotint_dots dots = {};
    dots.data = bytes.data();
    dots.bits_per_pixel = 8;
    std::atomic<int> asked = 0;
    const auto count = [](void* context) -> int {
      ++*static_cast<std::atomic<int>*>(context);
      return 1;
    };
    mezzotint_error error;
    mezzotint_set_pulse(settings.get(), count, &asked);
    EXPECT_EQ(mezzotint_halftone(settings.get(), &page, &dots, &error), MEZZOTINT_INTERRUPTED);
    EXPECT_EQ(asked, 1);
    mezzotint_set_pulse(settings.get(), nullptr, nullptr);
    EXPECT_EQ(mezzotint_halftone(settings.get(), &page, &dots, &error), MEZZOTINT_GOOD);
  }
}

TEST_F(Library, APlateIsReadBackAsItWasWritten) {
  const mezzo::Dots dots = mezzo::halftone(ramp<uint8_t>(), kWidth, kHeight);
  mezzo::write_plate(path("plate.tif"), dots, 600, "packbits");
  mezzo::Page page(path("plate.tif"));
  EXPECT_EQ(page.info().width, kWidth);
  EXPECT_EQ(page.info().height, kHeight);
  EXPECT_EQ(page.info().x_dpi, 600);
  EXPECT_EQ(page.ink(0), "black");
  EXPECT_EQ(page.find_ink("Process Black"), 0U);
  EXPECT_EQ(failure_of([&] { (void)page.find_ink("gold"); }),
            std::pair(int{MEZZOTINT_USAGE},
                      std::string("there is no ink 'gold' on this page, but black")));
  const auto read = page.read<uint8_t>();
  for (uint32_t y = 0; y < kHeight; ++y) {
    for (uint32_t x = 0; x < kWidth; ++x) {
      ASSERT_EQ(read[y * kWidth + x] != 0, dots.ink(x, y)) << x << ", " << y;
    }
  }
  mezzo::Settings again;
  EXPECT_EQ(mezzo::halftone(read, kWidth, kHeight, page.fit(again)).bytes, dots.bytes);
}

TEST_F(Library, APlateReplacesPlatesAlone) {
  const mezzo::Dots dots = mezzo::halftone(ramp<uint8_t>(), kWidth, kHeight);
  const auto write = [&](bool force) {
    mezzo::write_plate(path("plate.tif"), dots, 600, nullptr, force);
  };
  std::ofstream(path("plate.tif")) << "mine";
  const auto [status, message] = failure_of([&] { write(false); });
  EXPECT_EQ(status, int{MEZZOTINT_USAGE});
  EXPECT_NE(message.find("was not written by mezzotint"), std::string::npos) << message;
  EXPECT_EQ(fs::file_size(path("plate.tif")), 4);
  write(true);
  write(false);
  mezzotint_plate_info info = {};
  info.width = kWidth;
  info.height = kHeight;
  mezzo::Plate late(path("late.tif"), info);
  late.put(dots);
  std::ofstream(path("late.tif")) << "mine";
  EXPECT_EQ(failure_of([&] { late.finish(); }).first, int{MEZZOTINT_USAGE});
  EXPECT_EQ(fs::file_size(path("late.tif")), 4);
}

TEST_F(Library, AnUnfinishedPlateLeavesNothing) {
  {
    mezzotint_plate_info info = {};
    info.width = kWidth;
    info.height = kHeight;
    mezzo::Plate plate(path("plate.tif"), info);
    plate.put(mezzo::halftone(ramp<uint8_t>(), kWidth, kHeight));
  }
  EXPECT_FALSE(fs::exists(path("plate.tif")));
}

TEST_F(Library, AFinishedOrFailedPlateTakesNoMore) {
  const mezzo::Dots dots = mezzo::halftone(ramp<uint8_t>(), kWidth, kHeight);
  mezzotint_plate_info info = {};
  info.width = kWidth;
  info.height = kHeight;
  mezzo::Plate plate(path("plate.tif"), info);
  plate.put(dots);
  plate.finish();
  EXPECT_EQ(failure_of([&] { plate.finish(); }).first, int{MEZZOTINT_USAGE});
  EXPECT_EQ(failure_of([&] { plate.put(dots); }).first, int{MEZZOTINT_USAGE});
  info.x_dpi = NAN;
  EXPECT_EQ(failure_of([&] { mezzo::Plate(path("b.tif"), info); }).first, int{MEZZOTINT_USAGE});
}

TEST_F(Library, APlateOnAFullDiskTakesNoMore) {
  mezzotint_plate_info info = {};
  info.width = info.height = 8192;
  info.compression = "none";
  mezzotint_error error;
  mezzotint_plate* plate = mezzotint_plate_new(path("plate.tif").c_str(), &info, &error);
  ASSERT_NE(plate, nullptr) << error.message;
  const std::vector<uint8_t> rows(size_t{1024} * 8192, 0x55);
  struct rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const struct rlimit small = {1 << 20, before.rlim_max};
  const auto on_limit = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const int first = mezzotint_plate_put(plate, rows.data(), 0, 8192, nullptr);
  EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, on_limit);
  EXPECT_EQ(first, MEZZOTINT_TRY_AGAIN);
  EXPECT_EQ(mezzotint_plate_put(plate, rows.data(), 0, 1, nullptr), MEZZOTINT_USAGE);
  EXPECT_EQ(mezzotint_plate_finish(plate, nullptr), MEZZOTINT_USAGE);
  mezzotint_plate_free(plate);
  EXPECT_FALSE(fs::exists(path("plate.tif")));
}

TEST_F(Library, DotsThatAreNotThoseOfThePlateAreRefused) {
  mezzotint_plate_info info = {};
  info.width = 1 << 20;
  info.height = kHeight;
  mezzo::Plate plate(path("plate.tif"), info);
  EXPECT_THROW(plate.put(mezzo::halftone(ramp<uint8_t>(), kWidth, kHeight)), std::invalid_argument);
  const mezzo::Dots none{{}, kWidth, kHeight};
  EXPECT_THROW(mezzo::write_plate(path("b.tif"), none), std::invalid_argument);
  EXPECT_THROW(mezzo::compare(ramp<uint8_t>(), none), std::invalid_argument);
}

TEST_F(Library, AFailedStreamTakesNoMore) {
  const std::vector<uint8_t> grey(kWidth, 100);
  mezzo::Stream<uint8_t> stream(kWidth, {"floyd-steinberg", {{"max_sample", 50}}});
  EXPECT_EQ(failure_of([&] { stream.put(grey); }).first, int{MEZZOTINT_USAGE});
  const std::vector<uint8_t> light(kWidth, 50);
  EXPECT_EQ(failure_of([&] { stream.put(light); }).first, int{MEZZOTINT_USAGE});
  EXPECT_EQ(failure_of([&] { stream.end(); }).first, int{MEZZOTINT_USAGE});
}

TEST_F(Library, AJobIsPlannedRunAndCancelled) {
  const mezzo::Dots page = mezzo::halftone(ramp<uint8_t>(), kWidth, kHeight);
  mezzo::write_plate(path("page.tif"), page, 300);
  std::ofstream(path("job.yaml")) << "mezzotint: 1\njob: a\npages:\n  - input: page.tif\n"
                                     "    output: {path: plate.tif}\n";
  mezzo::Job job(path("job.yaml"));
  EXPECT_NE(job.set("threads", "2").plan().find("\"sheets\":1"), std::string::npos);
  const auto [status, message] =
      failure_of([&] { job.run([](const mezzotint_progress&) { return false; }); });
  EXPECT_TRUE(status == MEZZOTINT_INTERRUPTED || fs::exists(path("plate.tif"))) << message;
  job.set("fresh", "true");
  EXPECT_THROW(job.run([](const mezzotint_progress&) -> bool { throw std::out_of_range("mine"); }),
               std::out_of_range);
  // What was cancelled is the run that failed, and not the one after it.
  fs::rename(path("job.yaml"), path("away.yaml"));
  job.cancel();
  EXPECT_EQ(failure_of([&] { job.run(); }).first, int{MEZZOTINT_MISSING});
  fs::rename(path("away.yaml"), path("job.yaml"));
  std::atomic<uint64_t> done = 0;
  const std::string lines = job.run([&](const mezzotint_progress& now) {
    done = now.sheets_done;
    return true;
  });
  EXPECT_NE(lines.find("\"ok\":true"), std::string::npos) << lines;
  EXPECT_TRUE(fs::exists(path("plate.tif")));
}

TEST_F(Library, MistakesAreToldWithTheirStatus) {
  const auto refusal = [](const char* name, const char* value) {
    return failure_of([&] { mezzo::Settings().set(name, value); });
  };
  EXPECT_EQ(refusal("method", "dsb").first, int{MEZZOTINT_USAGE});
  EXPECT_NE(refusal("method", "dsb").second.find("found 'dsb'; did you mean 'dbs'?"),
            std::string::npos);
  EXPECT_EQ(refusal("gamma", "50").second, "gamma must be a number from 0.1 to 10, found '50'");
  EXPECT_EQ(refusal("ink", "70000").second,
            "ink must be a whole number from 0 to 65535, found '70000'");
  EXPECT_EQ(refusal("gap", "3 mm").second.substr(0, 25), "there is no setting 'gap'");
  for (const char* name : {"method",
                           "engine",
                           "schedule",
                           "threads",
                           "paper",
                           "max_sample",
                           "gamma",
                           "invert",
                           "ink",
                           "plane"}) {
    EXPECT_EQ(refusal(name, "").first, 0) << name;
  }
  EXPECT_EQ(failure_of([] {
              mezzo::Settings("dbs", {{"runds", 3}});
            }).second,
            "there is no setting 'runds'; did you mean 'rounds'?");
  EXPECT_EQ(failure_of([&] { mezzo::Page(path("none.tif")); }).first, int{MEZZOTINT_MISSING});
  EXPECT_EQ(failure_of([&] { mezzo::Job(path("none.yaml")); }).first, int{MEZZOTINT_MISSING});
  EXPECT_THROW(mezzo::halftone(ramp<uint8_t>(), kWidth + 1, kHeight), std::invalid_argument);
}

TEST(LibraryInC, TellsOfNullsAndOfLaterCallers) {
  mezzotint_error error;
  EXPECT_EQ(mezzotint_halftone(nullptr, nullptr, nullptr, &error), MEZZOTINT_USAGE);
  EXPECT_STREQ(error.message, "settings must not be NULL");
  const std::vector<uint8_t> grey(64);
  std::vector<uint8_t> dots(64);
  mezzotint_image page = {};
  page.samples = grey.data();
  page.width = page.height = 8;
  page.sample_bits = 8;
  page.reserved[3] = 1;
  mezzotint_dots out = {};
  out.data = dots.data();
  out.bits_per_pixel = 8;
  const mezzo::Settings settings;
  EXPECT_EQ(mezzotint_halftone(settings.get(), &page, &out, &error), MEZZOTINT_USAGE);
  EXPECT_NE(std::string(error.message).find("reserved"), std::string::npos);
  page.reserved[3] = 0;
  EXPECT_EQ(mezzotint_halftone(settings.get(), &page, &out, &error), MEZZOTINT_GOOD);
  EXPECT_STREQ(error.message, "");
  EXPECT_EQ(dots, std::vector<uint8_t>(64, 1));
  out.row_bytes = SIZE_MAX;
  EXPECT_EQ(mezzotint_halftone(settings.get(), &page, &out, &error), MEZZOTINT_USAGE);
  EXPECT_NE(std::string(error.message).find("bytes apart do not fit"), std::string::npos);
  out.row_bytes = 0;
  EXPECT_EQ(mezzotint_set(settings.get(), "gamma", "50", &error), MEZZOTINT_USAGE);
  EXPECT_EQ(mezzotint_set(settings.get(), "ruling", "5000", &error), MEZZOTINT_USAGE);
  EXPECT_EQ(mezzotint_set(settings.get(), "ruling", "", &error), MEZZOTINT_GOOD);
  page.pixel_bytes = size_t{1} << 63;
  EXPECT_EQ(mezzotint_halftone(settings.get(), &page, &out, &error), MEZZOTINT_USAGE);
  page.pixel_bytes = 0;
  page.row_bytes = 16;
  page.width = 2;
  page.sample_bits = 16;
  page.samples = grey.data() + 1;
  EXPECT_EQ(mezzotint_halftone(settings.get(), &page, &out, &error), MEZZOTINT_USAGE);
  EXPECT_EQ(mezzotint_set_curve(settings.get(), nullptr, nullptr, 2, &error), MEZZOTINT_USAGE);
  EXPECT_EQ(mezzotint_set_number(settings.get(), "ink", -1, &error), MEZZOTINT_USAGE);
  mezzotint_settings_free(nullptr);
  mezzotint_job_free(nullptr);
  EXPECT_EQ(mezzotint_method_name(1000), nullptr);
}

TEST(LibraryInC, StaysWhereItIsLoaded) {
  void* const library = ::dlopen("libmezzotint.so.0", RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr);
  link_map* map = nullptr;
  ASSERT_EQ(::dlinfo(library, RTLD_DI_LINKMAP, &map), 0);
  ElfW(Xword) flags = 0;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_FLAGS_1) flags = entry->d_un.d_val;
  }
  EXPECT_NE(flags & DF_1_NODELETE, 0U);
  ::dlclose(library);
}

TEST(LibraryInC, IsSilentWithMoreThreadsThanProcessors) {
  testing::internal::CaptureStderr();
  mezzo::halftone(ramp<uint8_t>(), kWidth, kHeight, {"floyd-steinberg", {{"threads", 1024}}});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(LibraryInC, CutsLongMessagesBetweenCharacters) {
  std::string name;
  while (name.size() < 6000) name += "ü";
  mezzotint_error error;
  mezzotint_settings* settings = mezzotint_settings_new();
  EXPECT_EQ(mezzotint_set(settings, name.c_str(), "1", &error), MEZZOTINT_USAGE);
  mezzotint_settings_free(settings);
  const std::string message = error.message;
  EXPECT_GT(message.size(), 4000U);
  EXPECT_EQ(message.substr(message.size() - 2), "ü");
}

TEST(LibraryInC, ListsMethodsWithTheirParameters) {
  const auto methods = mezzo::methods();
  ASSERT_EQ(methods.size(), mezzotint_method_count());
  EXPECT_EQ(methods.front().name, "floyd-steinberg");
  EXPECT_EQ(methods.front().engines, "cpu gpu handover hybrid");
  for (const mezzo::Method& method : methods) {
    EXPECT_FALSE(method.summary.empty()) << method.name;
    for (const mezzo::Parameter& parameter : method.parameters) {
      EXPECT_LE(parameter.least, parameter.standard) << method.name << ' ' << parameter.name;
      EXPECT_LE(parameter.standard, parameter.most) << method.name << ' ' << parameter.name;
    }
  }
}

}  // namespace
