// The command line: a tree of commands with their options, and the help on them.
//
// An option is bound to a variable, which holds the default until the command line is parsed and
// must live as long. CLI11 does the parsing, inside parser.cpp; its headers are in no other file.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mezzo::cli {

using Words = std::vector<std::string>;

/// The effect of an option's words.
struct Target {
  /// Sets the variable. Returns the mistake in the words, as the end of a sentence that begins with
  /// the option's name ("must be ..."), or nothing. There is one word, or more when is_list.
  std::function<std::string(const Words&)> read;
  std::string value_name = "TEXT";    ///< in help
  std::string default_text = {};      ///< the variable's value as it was bound
  std::optional<bool> is_whole = {};  ///< for numbers: whether they have no fraction
  bool is_list = false;
};

/// Variables that an option can set directly. Numbers are decimal.
Target bind(std::string& variable);
Target bind(std::optional<std::string>& variable);
Target bind(std::vector<std::string>& variable);
Target bind(uint32_t& variable);
Target bind(std::optional<uint32_t>& variable);
Target bind(std::vector<uint32_t>& variable);
Target bind(uint64_t& variable);
Target bind(double& variable);
Target bind(std::optional<double>& variable);
Target bind(std::vector<double>& variable);

/// Sets `variable` to what `parse` makes of the word: a Parsed of manifests/scalars.h.
template <typename T, typename Parse>
Target parsed(T& variable, Parse parse) {
  return {.read = [&variable, parse](const Words& words) -> std::string {
    auto result = parse(words.front());
    if (!result.value) return result.problem + (result.hint.empty() ? "" : "; " + result.hint);
    variable = *std::move(result.value);
    return {};
  }};
}

/// Two columns of help.
struct HelpRow {
  std::string left, right;
};

/// What a shell offers to complete a word with.
struct Offer {
  std::vector<HelpRow> names = {};  ///< and a line on each, or none
  /// Suffixes of files, as in "tif tiff"; "*": files, "/": folders; empty: neither.
  std::string files = {};
};

/// An option, a flag or an argument of a command, and its rules. Made by Command.
class Option {
 public:
  Option& required();
  /// The value's name in help, such as FILE; without it, N for a number and TEXT for a text.
  Option& takes(std::string_view value_name);
  /// Numbers from `least` to `most`.
  Option& range(double least, double most);
  /// One of these names, each for a list. Help lists them.
  Option& one_of(std::span<const std::string_view> names);
  Option& one_of(std::initializer_list<std::string_view> names);
  Option& one_of(const std::vector<std::string>& names);
  /// Given without one of the names of one_of(), stands for this one: the next word is another's then,
  /// a file. A name that is none, with another word behind it, is refused as a mistake in the value.
  Option& alone(std::string_view name);
  /// Help shows the value that the variable has now.
  Option& shows_default();
  /// A word of a list is split at commas.
  Option& by_comma();
  /// A list takes one word each time it is given, not all that follow.
  Option& one_at_a_time();
  /// Refuses to be given together with `other`, an option of the same command.
  Option& excludes(const Option& other);
  /// Refuses to be given together with a subcommand.
  Option& without_command();
  /// Help shows it under `title`.
  Option& group(std::string_view title);
  /// Of an output: the suffixes that its kind of file has, such as "png". The suffix of another
  /// kind is refused.
  Option& kind(std::initializer_list<std::string_view> suffixes);
  /// Help does not show it.
  Option& hidden();
  /// Completion in a shell offers this for the value. Without it, the names of one_of(), and files or
  /// folders where the value is called FILE or FOLDER. `make` runs after the words before were read
  /// into their variables, as far as they are right; what it throws counts as nothing to offer.
  Option& offers(std::function<Offer()> make);

 private:
  friend class Command;
  friend class Completion;
  friend class Parser;
  friend class HelpText;

  std::string shown_name() const;  ///< "--threads", "JOB"
  bool is_flag() const { return flag_ != nullptr; }
  bool is_argument() const { return names_.front().front() != '-'; }
  void read(const Words& words) const;  ///< throws Error(kUsage)
  std::string problem_of(const std::string& word) const;

  std::vector<std::string> names_;  ///< the first is shown
  std::string help_;
  std::string group_;
  Target target_;         ///< not of a flag
  bool* flag_ = nullptr;  ///< of a flag alone
  std::optional<std::pair<double, double>> range_;
  std::vector<std::string> choices_;
  std::string alone_;  ///< empty: needs a value
  std::vector<std::string> suffixes_;
  std::vector<const Option*> excludes_;
  std::function<Offer()> offers_;
  struct {
    bool is_required : 1, shows_default : 1, by_comma : 1, one_at_a_time : 1, without_command : 1,
        is_hidden : 1, is_output : 1;
  } rules_ = {};
  mutable Words words_;  ///< as they were read
};

/// A part of a command's help beside its options.
struct HelpSection {
  std::string title;
  std::vector<HelpRow> rows;
  std::string note = {};  ///< below the rows
};

/// A command of the program, or the program itself. References that its functions return are valid
/// as long.
class Command {
 public:
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  Command& command(std::string_view name, std::string_view summary);
  /// A command whose options, commands and action are made by `make`. It runs once, and only if the command
  /// line names the command or its help is shown.
  Command& command(std::string_view name,
                   std::string_view summary,
                   std::function<void(Command&)> make);

  /// `names` are separated by commas: "-q,--quiet". A name with underscores is shown with hyphens
  /// and may be written either way.
  Option& flag(std::string_view names, bool& variable, std::string_view help);
  Option& option(std::string_view names, Target target, std::string_view help);
  template <typename T>
  Option& option(std::string_view names, T& variable, std::string_view help) {
    return option(names, bind(variable), help);
  }
  /// A word by its position, in the order of these calls; a list takes all that are left.
  template <typename T>
  Option& argument(std::string_view name, T& variable, std::string_view help) {
    return option(name, bind(variable), help);
  }

  /// An option or an argument, the file that the command writes. Before the action runs, check_output()
  /// has passed it; where it takes("FOLDER"), or what may be one, the action calls it for each file.
  /// Adds --force to the command.
  Option& output(std::string_view names, std::string& variable, std::string_view help);

  /// Refuses to replace a file that is in the words of this command line, by any path, or that the
  /// program did not write (cli/outputs.h), unless --force was given. Every output goes through
  /// here: files that output() does not name, as those in an output folder, by a call of the action.
  /// Throws Error(kUsage).
  void check_output(const std::string& path) const;

  /// Whether --force was given.
  bool is_forced() const { return force_; }

  /// The command's action; returns the exit status. A command without an action needs one of its
  /// subcommands.
  void runs(std::function<int()> action);

  /// A command line that help shows, and its effect.
  void example(std::string_view line, std::string_view effect);

  /// Adds a section that is made when help is shown, after the options are read. Completion offers
  /// the options that its rows begin with.
  void section(std::function<HelpSection()> make);

  /// Help does not list it.
  Command& hidden();

 private:
  friend class Completion;
  friend class Parser;
  friend class HelpText;
  friend class Program;

  Command(Command* parent, std::string_view name, std::string_view summary);
  std::string path() const;  ///< "mezzotint jobs list"
  const Command& root() const { return parent_ == nullptr ? *this : parent_->root(); }
  Command& made();                             ///< this, after its maker has run
  Command* find(std::string_view name) const;  ///< made
  void check_outputs() const;                  ///< those that output() names and the words give

  Command* parent_;
  std::string name_;
  std::string summary_;
  std::function<void(Command&)> make_ = {};  ///< empty: it has run, or is not needed
  std::vector<std::unique_ptr<Command>>
      commands_;  ///< those with a maker have no options before made()
  std::vector<std::unique_ptr<Option>> options_;
  std::vector<HelpRow> examples_;
  std::vector<std::function<HelpSection()>> sections_;
  std::function<int()> action_;
  bool force_ = false;  ///< of --force, where there are outputs
  bool is_hidden_ = false;
};

}  // namespace mezzo::cli
