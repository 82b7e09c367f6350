// The --help text of a command, at most 80 characters wide.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cli/options.h"

namespace mezzo::cli {

/// The topics of help beside the commands.
struct Topic {
  std::string name, summary;  ///< without a summary it is not listed
  std::function<std::string()> text;
};

/// The help on a command; on the program, also its topics.
class HelpText {
 public:
  HelpText(const Command& command, const std::vector<Topic>& topics);

  std::string text() const;

  // Its parts, for manual pages.
  const std::string& summary() const { return command_.summary_; }
  std::string usage() const;  ///< "mezzotint run [OPTIONS] JOB..."
  std::vector<HelpRow> arguments() const { return rows(true, ""); }
  std::vector<HelpRow> options() const { return rows(false, ""); }
  /// Options under titles of their own, and what else help shows.
  std::vector<HelpSection> sections() const;
  /// --help and --version, and those of the commands around this one.
  std::vector<HelpRow> options_of_all() const;
  const std::vector<HelpRow>& examples() const { return command_.examples_; }
  /// Those that are not hidden.
  std::vector<const Command*> commands() const;
  const std::string& name() const { return command_.name_; }

 private:
  std::vector<HelpRow> rows(bool arguments, std::string_view group) const;
  HelpRow row(const Option& option) const;
  std::vector<HelpRow> command_rows() const;
  std::vector<HelpRow> topics() const;

  const Command& command_;
  const Command& program_;
  const std::vector<Topic>& topics_;
};

/// `text` in lines of at most `width` characters, each but the first after `indent` spaces.
std::string wrapped(std::string_view text, size_t indent, size_t width);

/// The rows in two columns, each line after two spaces; empty without rows.
std::string columns(const std::vector<HelpRow>& rows);

}  // namespace mezzo::cli
