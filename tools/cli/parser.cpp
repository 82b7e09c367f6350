#include "tools/cli/parser.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/error.h"
#include "manifests/source_text.h"

namespace mezzo::cli {

class Parser {
 public:
  Parser(const Command& program, std::span<const char* const> words)
      : words_(words.begin(), words.end()), app_("", program.name_) {
    app_.set_version_flag("--version");
    build(app_, program);
  }

  Choice parse();

 private:
  struct Entry {
    CLI::Option* parsed;
    const Option* option;
    const Command* owner;
  };

  void build(CLI::App& app, const Command& command);
  CLI::Option* add(CLI::App& app, const Option& option);

  std::vector<std::string> with_values() const;
  const Option* option_with_value(const std::string& name) const;
  bool takes_next(const Option& option, std::span<const std::string> next) const;
  const Command& chosen() const;
  size_t count(const Option& option) const;
  void check_combinations() const;

  std::string explained(const CLI::ParseError& error) const;
  std::string unknown_option(std::string word) const;
  std::string unknown_word(const std::string& word) const;
  std::string missing() const;

  const std::vector<std::string> words_;
  CLI::App app_;
  std::map<const CLI::App*, const Command*> commands_;
  std::vector<Entry> entries_;
};

namespace {

std::string joined_by_comma(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

/// "; did you mean 'x'?", or where to look instead.
std::string advice(std::string_view close, const std::string& command) {
  return close.empty() ? "; see " + command + " --help"
                       : "; did you mean " + std::string(close) + "?";
}

bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word != "--" && (word[1] < '0' || word[1] > '9');
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

}  // namespace

/// Gives CLI11 only the commands that the words name: making the options of all commands takes longer than
/// making a small plate.
void Parser::build(CLI::App& app, const Command& command) {
  commands_[&app] = &command;
  app.fallthrough();
  for (const auto& option : command.options_) {
    entries_.push_back({add(app, *option), option.get(), &command});
  }
  for (const auto& inner : command.commands_) {
    const bool is_named = std::ranges::count(words_, inner->name_) > 0;
    if (is_named) build(*app.add_subcommand(inner->name_), inner->made());
  }
  if (!command.commands_.empty()) app.require_subcommand(command.action_ ? 0 : 1, 1);
}

CLI::Option* Parser::add(CLI::App& app, const Option& option) {
  const std::string names = joined_by_comma(option.names_);
  if (option.is_flag()) return app.add_flag(names, *option.flag_)->trigger_on_parse();
  CLI::Option* added = app.add_option(names, [&option](const CLI::results_t& words) {
    option.read(words);
    return true;
  });
  added->required(option.rules_.is_required);
  if (option.target_.is_list) {
    added->expected(CLI::detail::expected_max_vector_size);
    added->allow_extra_args(!option.rules_.one_at_a_time);
    if (option.rules_.by_comma) added->delimiter(',');
  }
  return added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

Choice Parser::parse() {
  try {
    const std::vector<std::string> whole = with_values();
    std::vector<const char*> pointers;
    for (const std::string& word : whole) pointers.push_back(word.c_str());
    app_.parse(static_cast<int>(pointers.size()), pointers.data());
  } catch (const CLI::CallForHelp&) {
    return {&chosen(), Wish::kHelp};
  } catch (const CLI::CallForVersion&) {
    return {&chosen(), Wish::kVersion};
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::kUsage, explained(error));
  }
  check_combinations();
  return {&chosen(), Wish::kRun};
}

/// The words, with "--name=value" for options that may stand alone and do, and "--name" "" for
/// "--name=", behind which CLI11 takes the next word.
std::vector<std::string> Parser::with_values() const {
  std::vector<std::string> whole = words_;
  for (size_t i = 0; i < whole.size() && whole[i] != "--"; ++i) {
    const bool is_empty = whole[i].ends_with('=');
    const std::string name = whole[i].substr(0, whole[i].size() - (is_empty ? 1 : 0));
    const Option* option = option_with_value(name);
    if (option == nullptr) continue;
    if (is_empty) {
      whole[i] = name;
      whole.emplace(whole.begin() + static_cast<ptrdiff_t>(++i));
    } else if (!option->alone_.empty() && !takes_next(*option, std::span(whole).subspan(i + 1))) {
      whole[i] += "=" + option->alone_;
    }
  }
  return whole;
}

const Option* Parser::option_with_value(const std::string& name) const {
  for (const Entry& entry : entries_) {
    const Option& option = *entry.option;
    if (option.is_flag() || option.is_argument()) continue;
    if (std::ranges::count(option.names_, name) > 0) return &option;
  }
  return nullptr;
}

/// Whether the first of the words behind an option that may stand alone is its value. Throws
/// Error(kUsage) for a mere name with another word behind it: most likely a value that there is not.
bool Parser::takes_next(const Option& option, std::span<const std::string> next) const {
  if (next.empty()) return false;
  const std::string& word = next[0];
  if (std::ranges::count(option.choices_, word) > 0) return true;
  const bool is_name = !word.starts_with('-') && word.find_first_of("./") == std::string::npos;
  const auto is_its_name = [&](const auto& command) { return command.second->name_ == word; };
  if (next.size() < 2 || next[1].starts_with('-') || !is_name || exists(word) ||
      std::ranges::any_of(commands_, is_its_name)) {
    return false;
  }
  throw Error(ErrorKind::kUsage,
              (exists(next[1]) ? "before the file " + manifests::in_quotes(next[1]) + ", " : "") +
                  option.shown_name() + " " + option.problem_of(word));
}

const Command& Parser::chosen() const {
  const CLI::App* app = &app_;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return *commands_.at(app);
}

size_t Parser::count(const Option& option) const {
  return std::ranges::find(entries_, &option, &Entry::option)->parsed->count();
}

void Parser::check_combinations() const {
  for (const Entry& entry : entries_) {
    if (entry.parsed->count() == 0) continue;
    const std::string name = entry.option->shown_name();
    for (const Option* other : entry.option->excludes_) {
      if (count(*other) > 0) {
        throw Error(ErrorKind::kUsage,
                    name + " and " + other->shown_name() + " exclude each other; give one of them");
      }
    }
    if (entry.option->rules_.without_command && entry.owner != &chosen()) {
      throw Error(ErrorKind::kUsage,
                  name + " cannot be used with " + manifests::in_quotes(chosen().path()) +
                      "; see " + chosen().path() + " --help");
    }
  }
}

std::string Parser::explained(const CLI::ParseError& error) const {
  std::vector<std::string> words = app_.remaining(true);
  std::erase(words, "--");
  if (const auto word = std::ranges::find_if(words, is_option); word != words.end()) {
    return unknown_option(*word);
  }
  if (!words.empty()) return unknown_word(words.front());
  const std::string text = error.what(), see = "; see " + chosen().path() + " --help";
  if (error.get_name() == "RequiredError") return missing() + see;
  if (error.get_name() == "ArgumentMismatch") {  // its text begins with the option's name
    return text.substr(0, text.find(':')) + " has no value" + see;
  }
  if (error.get_name() == "ConversionError") {  // "Could not convert: --flag = value"
    const size_t name = text.find("--"), equals = text.find(" = ");
    if (equals != std::string::npos && name < equals) {
      return text.substr(name, equals - name) + " is a flag and takes no value" + see;
    }
  }
  return text + see;
}

std::string Parser::unknown_option(std::string word) const {
  word.resize(std::min(word.find('='), word.size()));
  std::vector<std::string_view> names = {"--help", "--version"};
  for (const Command* command = &chosen(); command != nullptr; command = command->parent_) {
    for (const auto& option : command->options_) {
      for (const std::string& name : option->names_) {
        if (name.starts_with("--")) names.push_back(name);
      }
    }
  }
  for (std::string_view& name : names) name.remove_prefix(2);
  const bool is_long = word.starts_with("--");
  const std::string_view close = is_long ? manifests::meant(word.substr(2), names) : "";
  return "unknown option " + word +
         advice(close.empty() ? "" : "--" + std::string(close), chosen().path());
}

std::string Parser::unknown_word(const std::string& word) const {
  const Command& command = chosen();
  if (command.commands_.empty()) {
    return "unexpected argument " + manifests::in_quotes(word) + advice("", command.path());
  }
  std::vector<std::string_view> names;
  for (const auto& one : command.commands_) names.push_back(one->name_);
  const std::string_view close = manifests::meant(word, names);
  return "there is no command " + manifests::in_quotes(word) +
         advice(close.empty() ? "" : "'" + std::string(close) + "'", command.path());
}

std::string Parser::missing() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    if (entry.owner == &chosen() && entry.option->rules_.is_required &&
        entry.parsed->count() == 0) {
      names.push_back(entry.option->shown_name());
    }
  }
  if (names.empty()) return "no command was given";
  std::string text = names.front();
  for (size_t i = 1; i < names.size(); ++i) text += " and " + names[i];
  return text + (names.size() == 1 ? " is missing" : " are missing");
}

Choice parse_words(const Command& program, std::span<const char* const> words) {
  return Parser(program, words).parse();
}

}  // namespace mezzo::cli
