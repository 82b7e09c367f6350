#include "pipeline/watch/service/clean_up.h"

#include <exception>

#include "pipeline/log/log.h"
#include "pipeline/steady_time.h"
#include "pipeline/text.h"
#include "pipeline/watch/folder/keep_times.h"

namespace mezzo::watch {
namespace {

constexpr std::chrono::seconds kLongestCleanUp{10};

}  // namespace

void CleanUp::begin(const std::string& path,
                    const manifests::FolderSettings& settings,
                    WallTime now) {
  if (is_under_way_.exchange(true)) return;
  try {
    thread_ = std::jthread([this, path, settings, now](const std::stop_token& stop) {
      const SteadyTime end = SteadyClock::now() + kLongestCleanUp;
      try {
        delete_old(path, settings, now, files::FileSystem::real(), [&] {
          return !stop.stop_requested() && SteadyClock::now() < end;
        });
      } catch (const std::exception& error) {
        log::warn("{}", one_line(error.what()));
      }
      is_under_way_ = false;
    });
  } catch (const std::exception& error) {
    is_under_way_ = false;
    log::warn("no files are deleted now: {}", one_line(error.what()));
  }
}

}  // namespace mezzo::watch
