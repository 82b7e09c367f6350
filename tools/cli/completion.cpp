#include "tools/cli/completion.h"

#include <algorithm>
#include <exception>

namespace mezzo::cli {
namespace {

bool begins_with_dash(const std::string& word) {
  return word.size() > 1 && word[0] == '-';
}

/// The word behind its last comma.
std::string last_part(const std::string& word) {
  return word.substr(word.rfind(',') + 1);
}

/// Tabs and ends of lines part names from each other.
std::string line_of(const HelpRow& row, const std::string& before) {
  std::string line = before + row.left + (row.right.empty() ? "" : "\t" + row.right);
  std::ranges::replace(line, '\n', ' ');
  return line;
}

}  // namespace

Completion::Completion(const Command& program) : command_(&program) {}

std::vector<std::string> Completion::lines(const Words& words) {
  if (words.empty()) return {};
  for (size_t i = 0; i + 1 < words.size(); ++i) take(words[i]);
  std::string word = words.back();
  const size_t equals = word.find('=');
  if (!only_arguments_ && begins_with_dash(word) && equals != std::string::npos) {
    open_ = find_option(word.substr(0, equals));
    if (open_ == nullptr || open_->is_flag()) return {};
    word = word.substr(equals + 1);
  }
  read_all();
  const Offer offer = this->offer(word);
  const bool is_list = open_ != nullptr && open_->rules_.by_comma;
  const std::string begin = is_list ? last_part(word) : word;
  const std::string before = word.substr(0, word.size() - begin.size());
  std::vector<std::string> lines;
  for (const HelpRow& name : offer.names) {
    if (name.left.starts_with(begin)) lines.push_back(line_of(name, before));
  }
  if (offer.files == "/") {
    lines.push_back(":folders");
  } else if (!offer.files.empty()) {
    lines.push_back(":files" + (offer.files == "*" ? "" : "\t" + offer.files));
  }
  return lines;
}

void Completion::take(const std::string& word) {
  if (takes_as_value(word)) return;
  if (!only_arguments_ && word == "--") {
    only_arguments_ = true;
  } else if (!only_arguments_ && begins_with_dash(word)) {
    take_option(word);
  } else if (const Command* inner = only_arguments_ ? nullptr : command_->find(word)) {
    command_ = inner;
  } else if (const Option* argument = next_argument()) {
    given_[argument].push_back(word);
  }
}

/// Whether the word belongs to the option before it.
bool Completion::takes_as_value(const std::string& word) {
  const Option* option = open_;
  open_ = nullptr;
  if (option == nullptr) return false;
  const bool is_no_value = option->alone_.empty()
                               ? option->target_.is_list && begins_with_dash(word)
                               : std::ranges::count(option->choices_, word) == 0;
  if (is_no_value) return false;
  given_[option].push_back(word);
  if (option->target_.is_list && !option->rules_.one_at_a_time) open_ = option;
  return true;
}

void Completion::take_option(const std::string& word) {
  const size_t equals = std::min(word.find('='), word.size());
  const Option* option = find_option(word.substr(0, equals));
  if (option == nullptr) return;
  Words& words = given_[option];
  if (equals < word.size()) {
    words.push_back(word.substr(equals + 1));
  } else if (!option->is_flag()) {
    open_ = option;
  }
}

/// Sets the variables of what was given, as far as it is right.
void Completion::read_all() const {
  for (const auto& [option, words] : given_) {
    if (option->is_flag() || words.empty()) continue;
    try {
      option->read(words);
    } catch (const std::exception&) {  // half-typed, or wrong: it is not for completion to say so
    }
  }
}

const Option* Completion::find_option(const std::string& name) const {
  for (const Command* command = command_; command != nullptr; command = command->parent_) {
    for (const auto& option : command->options_) {
      if (!option->is_argument() && std::ranges::count(option->names_, name) > 0) {
        return option.get();
      }
    }
  }
  return nullptr;
}

const Option* Completion::next_argument() const {
  for (const auto& option : command_->options_) {
    if (option->is_argument() && (option->target_.is_list || !given_.contains(option.get()))) {
      return option.get();
    }
  }
  return nullptr;
}

bool Completion::may_be_given(const Option& option) const {
  if (option.is_argument() || option.rules_.is_hidden) return false;
  if (given_.contains(&option) && !option.target_.is_list) return false;
  return std::ranges::none_of(option.excludes_,
                              [&](const Option* other) { return given_.contains(other); });
}

Offer Completion::offer(const std::string& word) const {
  Offer offer;
  if (open_ != nullptr && (open_->alone_.empty() || !begins_with_dash(word))) {
    offer = values_of(*open_);
    if (open_->alone_.empty()) return offer;
  }
  if (!only_arguments_ && word.starts_with('-')) return options();
  const Offer others = arguments();
  offer.names.insert(offer.names.end(), others.names.begin(), others.names.end());
  offer.files = others.files;
  const bool is_complete = next_argument() == nullptr && command_->commands_.empty();
  return is_complete && offer.names.empty() && !only_arguments_ ? options() : offer;
}

Offer Completion::values_of(const Option& option) const {
  if (option.offers_) {
    try {
      return option.offers_();
    } catch (const std::exception&) {  // a file that cannot be read, a watcher that does not run
      return {};
    }
  }
  Offer offer;
  for (const std::string& name : option.choices_) offer.names.push_back({name, ""});
  if (option.target_.value_name == "FILE" || option.target_.value_name == "PATH") offer.files = "*";
  if (option.target_.value_name == "FOLDER") offer.files = "/";
  return offer;
}

/// Commands, and the next argument.
Offer Completion::arguments() const {
  Offer offer;
  const Option* argument = next_argument();
  if (argument != nullptr) offer = values_of(*argument);
  for (const auto& command : command_->commands_) {
    if (!only_arguments_ && !command->is_hidden_) {
      offer.names.push_back({command->name_, command->summary_});
    }
  }
  return offer;
}

/// Those that were not given yet, of the command and of those around it; and those that sections of
/// its help name, such as the parameters of a method.
Offer Completion::options() const {
  Offer offer;
  for (const Command* command = command_; command != nullptr; command = command->parent_) {
    for (const auto& option : command->options_) {
      if (command != command_ && option->rules_.without_command) continue;
      if (may_be_given(*option)) offer.names.push_back({option->shown_name(), option->help_});
    }
    if (command != command_) continue;
    for (const auto& make : command->sections_) {
      for (const HelpRow& row : make().rows) {
        const std::string name = row.left.substr(0, row.left.find(' '));
        if (name.starts_with("--") && !given_.contains(find_option(name))) {
          offer.names.push_back({name, row.right});
        }
      }
    }
  }
  offer.names.push_back({"--help", "Show this help"});
  if (command_->parent_ == nullptr) offer.names.push_back({"--version", "Show the version"});
  return offer;
}

}  // namespace mezzo::cli
