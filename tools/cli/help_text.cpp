#include "tools/cli/help_text.h"

#include <algorithm>

#include "manifests/source_text.h"

namespace mezzo::cli {
namespace {

constexpr size_t kWidth = 80;
constexpr size_t kMostLeft =
    24;  ///< characters of the left column; longer entries have their own line

std::string titled(const std::string& title, const std::string& text) {
  return text.empty() ? "" : "\n" + title + ":\n" + text;
}

std::string examples_text(const std::vector<HelpRow>& examples) {
  std::string text;
  for (const auto& [line, effect] : examples) {
    text += "  " + line + "\n      " + wrapped(effect, 6, kWidth) + "\n";
  }
  return text;
}

}  // namespace

std::string wrapped(std::string_view text, size_t indent, size_t width) {
  std::string result;
  size_t column = indent;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(" \n"), text.size());
    const bool is_first = column == indent;
    if (!is_first && column + 1 + end > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!is_first) {
      result += ' ';
      ++column;
    }
    result += text.substr(0, end);
    column += end;
    if (end < text.size() && text[end] == '\n') {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string columns(const std::vector<HelpRow>& rows) {
  size_t left = 0;
  for (const HelpRow& row : rows) {
    if (row.left.size() <= kMostLeft) left = std::max(left, row.left.size());
  }
  const size_t indent = 2 + left + 2;
  std::string text;
  for (const HelpRow& row : rows) {
    text += "  " + row.left;
    const size_t used = 2 + row.left.size();
    text += used + 2 > indent ? "\n" + std::string(indent, ' ') : std::string(indent - used, ' ');
    text += wrapped(row.right, indent, kWidth) + "\n";
  }
  return text;
}

HelpText::HelpText(const Command& command, const std::vector<Topic>& topics)
    : command_(command), program_(command.root()), topics_(topics) {}

std::string HelpText::text() const {
  std::string text = wrapped(command_.summary_, 0, kWidth) + "\nUsage: " + usage() + "\n";
  text += titled("Commands", columns(command_rows()));
  text += titled("Arguments", columns(arguments()));
  text += titled("Options", columns(options()));
  for (const HelpSection& section : sections()) {
    text += titled(section.title,
                   columns(section.rows) +
                       (section.note.empty() ? "" : wrapped(section.note, 0, kWidth) + "\n"));
  }
  text += titled(program_.commands_.empty() ? "Help" : "Options of every command",
                 columns(options_of_all()));
  text += titled("Topics", columns(topics()));
  return text + titled("Examples", examples_text(command_.examples_));
}

std::vector<HelpSection> HelpText::sections() const {
  std::vector<HelpSection> sections;
  for (const auto& option : command_.options_) {
    const std::string& group = option->group_;
    if (group.empty() || std::ranges::count(sections, group, &HelpSection::title) > 0) continue;
    sections.push_back({group, rows(false, group)});
  }
  for (const auto& make : command_.sections_) sections.push_back(make());
  return sections;
}

std::string HelpText::usage() const {
  std::string line = command_.path() + " [OPTIONS]";
  for (const auto& option : command_.options_) {
    if (!option->is_argument()) continue;
    const std::string name = option->names_.front() + (option->target_.is_list ? "..." : "");
    line += option->rules_.is_required ? " " + name : " [" + name + "]";
  }
  if (!command_.commands_.empty()) line += command_.action_ ? " [COMMAND]" : " COMMAND";
  return line;
}

HelpRow HelpText::row(const Option& option) const {
  std::string left;
  for (const std::string& name : option.names_) {
    if (name.find('_') != std::string::npos) continue;  // the one with hyphens is shown
    left += (left.empty() ? "" : ", ") + name;
  }
  std::string right = option.help_;
  const std::string& value = option.target_.value_name;
  if (!option.is_flag() && !option.is_argument()) {
    left += option.alone_.empty() ? " " + value : " [" + value + "]";
  }
  if (!option.choices_.empty()) {
    const std::vector<std::string_view> names(option.choices_.begin(), option.choices_.end());
    right += ": " + manifests::alternatives(names);
  }
  if (!option.alone_.empty()) right += "; alone: " + option.alone_;
  if (option.rules_.shows_default && !option.target_.default_text.empty()) {
    right += "; default: " + option.target_.default_text;
  }
  return {left, right};
}

std::vector<HelpRow> HelpText::rows(bool arguments, std::string_view group) const {
  std::vector<HelpRow> rows;
  if (&command_ == &program_ && !command_.commands_.empty()) return rows;  // see options_of_all()
  for (const auto& option : command_.options_) {
    const bool belongs = option->is_argument() == arguments && option->group_ == group;
    if (belongs && !option->rules_.is_hidden) rows.push_back(row(*option));
  }
  return rows;
}

std::vector<const Command*> HelpText::commands() const {
  std::vector<const Command*> shown;
  for (const auto& command : command_.commands_) {
    if (!command->is_hidden_) shown.push_back(&command->made());
  }
  return shown;
}

std::vector<HelpRow> HelpText::command_rows() const {
  std::vector<HelpRow> rows;
  for (const auto& command : command_.commands_) {
    if (!command->is_hidden_) rows.push_back({command->name_, command->summary_});
  }
  return rows;
}

std::vector<HelpRow> HelpText::topics() const {
  std::vector<HelpRow> rows;
  if (&command_ != &program_) return rows;
  for (const auto& topic : topics_) {
    if (!topic.summary.empty()) rows.push_back({topic.name, topic.summary});
  }
  return rows;
}

std::vector<HelpRow> HelpText::options_of_all() const {
  std::vector<HelpRow> rows = {{"-h, --help", "Show this help"}};
  if (&command_ == &program_) rows.push_back({"--version", "Show the version"});
  const Command* around = &command_ == &program_ ? &command_ : command_.parent_;
  for (; around != nullptr && !program_.commands_.empty(); around = around->parent_) {
    for (const auto& option : around->options_) {
      if (!option->rules_.without_command && !option->rules_.is_hidden)
        rows.push_back(row(*option));
    }
  }
  return rows;
}

}  // namespace mezzo::cli
