// Completion in a shell: what fits the last word of a command line that is being typed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/cli/options.h"

namespace mezzo::cli {

/// A command line, word by word; words that make no sense are passed over.
class Completion {
 public:
  /// `program` outlives it, and so do the variables of its options, which are set here.
  explicit Completion(const Command& program);

  /// What begins like the last of the words, which may be empty: lines for the scripts of
  /// tools/words/shells. A line is a name, or a name, a tab and its meaning; or ":files" and suffixes
  /// of files, or ":folders". Behind "--name=" names are those of the value alone. Never throws for
  /// what was typed.
  std::vector<std::string> lines(const Words& words);

 private:
  void take(const std::string& word);
  bool takes_as_value(const std::string& word);
  void take_option(const std::string& word);
  void read_all() const;

  const Option* find_option(const std::string& name) const;
  const Option* next_argument() const;
  bool may_be_given(const Option& option) const;

  Offer offer(const std::string& word) const;
  Offer values_of(const Option& option) const;
  Offer arguments() const;
  Offer options() const;

  const Command* command_;
  const Option* open_ = nullptr;  ///< the option whose value is next
  bool only_arguments_ = false;   ///< behind "--"
  std::map<const Option*, Words> given_;
};

}  // namespace mezzo::cli
