// The command line of a whole program: its commands, and the help on them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cli/help_text.h"
#include "tools/cli/options.h"

namespace mezzo::cli {

/// Has --help everywhere and --version, and a command `help` when it has other commands.
class Program : public Command {
 public:
  Program(std::string_view name, std::string_view summary, std::string_view version);

  /// Text that `help NAME` prints.
  void topic(std::string_view name, std::string_view summary, std::function<std::string()> text);
  /// One that help does not list.
  void hidden_topic(std::string_view name, std::function<std::string()> text);

  /// The action for the words: a command's, or one that prints help or the version. Sets flags even
  /// when it throws. Throws Error(kUsage).
  std::function<int()> parse(std::span<const char* const> words);

 private:
  std::string help_on(const Words& words) const;
  Offer topics_offered() const;

  std::string version_;
  std::vector<Topic> topics_;
  Words help_words_;
};

}  // namespace mezzo::cli
