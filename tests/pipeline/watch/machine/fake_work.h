// The work of a worker that behaves as the first word of its page says. It takes the options of
// `mezzotint run`.
//
//   good            a plate of the page's text, named after it
//   slow MS         likewise, that many milliseconds later, with a pulse every 20
//   needs MS        likewise, but with exit 66 when the folder of its job goes away meanwhile
//   torn MS         as slow, but its sheet has failed for good; exit 1
//   bad             one sheet that failed for good; exit 1
//   many            five of them
//   io              a sheet that may pass next time; exit 1
//   manifest        a diagnostic; exit 65
//   garbage         lines that are no results, then good
//   busy N          exit 75 in the first N tries, then good
//   gpu             exit 71 where it sees GPUs, else good
//   silent          exit 0 without a last line
//   at-most BYTES   good where that is its --most-memory
//   hang            says nothing more, and ignores SIGTERM
//   polite          says that it was interrupted when it gets SIGTERM; exit 143
//   asks            says "paused", then waits for SIGTERM
//
// A try is counted by a byte in the file of --journal.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace mezzo::test {

class FakeWork {
 public:
  using Say = std::function<void(const std::string&)>;

  static constexpr const char* kInterruptedMessage = "mezzotint: error: p: interrupted";
  static constexpr const char* kInterrupted =
      R"({"v":1,"type":"sheet","input":"p","ok":false,"error":{"kind":"interrupted","message":)"
      R"("p: interrupted"},"plates":[]})";

  /// `words` of its command; `result` and `message` take lines.
  FakeWork(const std::vector<std::string>& words, bool sees_gpus, Say result, Say message)
      : manifest_(words.back()),
        sees_gpus_(sees_gpus),
        result_(std::move(result)),
        message_(std::move(message)) {
    for (size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i].starts_with("--")) options_[words[i]] = words[i + 1];
    }
    std::ofstream(options_["--journal"], std::ios::app) << 'x';
    for (const auto& entry : std::filesystem::directory_iterator(options_["--within"])) {
      const std::string name = entry.path().filename();
      if (!name.ends_with(".tif")) continue;
      std::ifstream file(entry.path());
      pages_.push_back({name, {std::istreambuf_iterator<char>(file), {}}});
    }
    std::ranges::sort(pages_);
    if (pages_.empty()) return;
    std::istringstream first(pages_.front().second);
    first >> word_ >> argument_;
    number_ = std::strtoull(argument_.c_str(), nullptr, 10);
  }

  const std::string& word() const { return word_; }
  const std::string& argument() const { return argument_; }  ///< the second word
  size_t number() const { return number_; }
  bool takes_time() const { return word_ == "slow" || word_ == "needs" || word_ == "torn"; }
  bool is_endless() const { return word_ == "hang" || word_ == "polite" || word_ == "asks"; }

  /// The exit status when it ends with that.
  std::optional<int> begin() {
    if (pages_.empty() || !std::filesystem::exists(manifest_)) {
      message_("mezzotint: error: there is no page or no manifest");
      return 66;
    }
    result_(R"({"v":1,"type":"begun","input":"p","pages":[1],"pixels":100})");
    if (word_ == "asks") result_(R"({"v":1,"type":"paused","reason":"waits for space"})");
    return std::nullopt;
  }

  /// Every 20 ms of work that takes time; likewise.
  std::optional<int> pulse() {
    if (word_ == "needs" && !std::filesystem::exists(options_["--within"])) {
      result_(R"({"v":1,"type":"error","kind":"missing","message":"its folder is not there"})");
      return 66;
    }
    result_(R"({"v":1,"type":"pulse","pixels_done":50})");
    return std::nullopt;
  }

  /// The rest of the work, and its exit status.
  int finish() {
    if (word_ == "torn") return fail({"the strip"}, "data");
    if (word_ == "bad") {
      return fail({options_["--within"] + "/" + pages_.front().first + ": the strip"}, "data");
    }
    if (word_ == "many") return fail({"one", "two", "three", "four", "five"}, "checksum");
    if (word_ == "io") return fail({"the disk"}, "io");
    if (word_ == "at-most" && options_["--most-memory"] != std::to_string(number_)) {
      return fail({"the limit " + options_["--most-memory"]}, "limit");
    }
    if (word_ == "manifest") {
      result_(R"({"v":1,"type":"diagnostic","file":")" + manifest_ +
              R"(","line":3,"message":"no such key"})");
      return 65;
    }
    if (word_ == "busy" && std::filesystem::file_size(options_["--journal"]) <= number_) {
      result_(R"({"v":1,"type":"error","kind":"out-of-memory","message":"no memory is left"})");
      return 75;
    }
    if (word_ == "gpu" && sees_gpus_) return 71;
    if (word_ == "silent") return 0;
    if (word_ == "garbage") {
      for (const std::string& line :
           {std::string("{\"type\":"),
            std::string("\xFF\xFE not JSON"),
            std::string(1000, '['),
            std::string(R"({"type":7,"pixels":-1})"),
            std::string(R"({"type":"sheet","plates":{"a":1},"error":[]})")}) {
        result_(line);
      }
    }
    return print();
  }

 private:
  int fail(const std::vector<std::string>& names, const std::string& kind) {
    for (const std::string& name : names) {
      result_(R"({"v":1,"type":"sheet","input":"p","ok":false,"error":{"kind":")" + kind +
              R"(","message":")" + name +
              R"( is not right","hint":"Make it right."},"plates":[]})");
      message_("mezzotint: error: " + name + " is not right");
    }
    result_(R"({"v":1,"type":"job","ok":false})");
    return 1;
  }

  int print() {
    const std::string plates = options_["--plates"] + "/plates/";
    std::filesystem::create_directories(plates);
    for (const auto& [name, text] : pages_) {
      const std::string plate = plates + name + ".plate";
      std::ofstream(plate, std::ios::app) << text << "\n";
      result_(R"({"v":1,"type":"sheet","input":"p","ok":true,"pixels":100,"seconds":0.5,"plates":[)"
              R"({"ink":"K","path":")" +
              plate + R"(","coverage_percent":12.5}]})");
    }
    result_(R"({"v":1,"type":"job","ok":true})");
    return 0;
  }

  std::map<std::string, std::string> options_;
  std::string manifest_;
  bool sees_gpus_;
  Say result_, message_;
  std::vector<std::pair<std::string, std::string>> pages_;  ///< names and texts
  std::string word_, argument_;
  size_t number_ = 0;
};

}  // namespace mezzo::test
