// A Slurm made of a Python script, see fake_slurm/fake_slurm.py: first on PATH while this is alive.
#pragma once

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tests/support/temp_folder.h"

namespace mezzo::test {

/// A variable of the environment, as it was before when this goes.
class Variable {
 public:
  Variable(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) before_ = before;
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  ~Variable() {
    if (before_) {
      ::setenv(name_.c_str(), before_->c_str(), 1);
    } else {
      ::unsetenv(name_.c_str());
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};

class FakeSlurm {
 public:
  struct Call {
    std::string command;
    std::vector<std::string> words, variables;
  };

  /// What the next calls of a command do, a line each.
  void next(const std::string& command, const std::string& lines) const {
    state_.write("next." + command, lines + "\n");
  }
  /// Gives it an array, and takes away what it had.
  void has_array(int number, const std::string& name, std::span<const uint32_t> units) const {
    const nlohmann::json job = {{"id", number}, {"name", name}, {"units", units}};
    state_.write("jobs", job.dump() + "\n");
  }
  void states(const std::string& lines) const { state_.write("states", lines); }
  void config(const std::string& lines) const { state_.write("config", lines); }

  std::vector<Call> calls() const {
    std::vector<Call> calls;
    std::ifstream file(state_ / "calls");
    for (std::string line; std::getline(file, line);) {
      const auto call = nlohmann::json::parse(line);
      calls.push_back({call["command"], call["words"], call["variables"]});
    }
    return calls;
  }

 private:
  TempFolder state_;
  Variable path_{"PATH", std::string(MEZZOTINT_FAKE_SLURM) + ":" + std::getenv("PATH")};
  Variable folder_{"FAKE_SLURM", state_.path()};
};

}  // namespace mezzo::test
