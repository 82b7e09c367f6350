#include "tools/words/command_page.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <vector>

#include "tools/cli/help_text.h"
#include "tools/words/mdoc.h"
#include "tools/words/pages.h"

namespace mezzo::words {
namespace {

using cli::HelpRow;
using cli::HelpText;

const std::vector<cli::Topic> kNoTopics;

/// "FILE", "[FILE]", "JOB..." as macros.
std::string placeholder(std::string word) {
  const bool is_optional = word.starts_with('[') && word.ends_with(']');
  if (is_optional) word = word.substr(1, word.size() - 2);
  const bool is_list = word.ends_with("...");
  if (is_list) word.resize(word.size() - 3);
  return std::string(is_optional ? "Op " : "") + "Ar " + word + (is_list ? " ..." : "");
}

/// "-q, --quiet" or "--journal FILE" as macros.
std::string option_words(const std::string& left) {
  std::istringstream words(left);
  std::string macros;
  for (std::string word; words >> word;) {
    const bool has_more = word.ends_with(',');
    if (has_more) word.pop_back();
    macros += macros.empty() ? "" : " ";
    macros += word.starts_with('-') ? mdoc_words("`" + word + "`") : placeholder(word);
    if (has_more) macros += " ,";
  }
  return macros;
}

/// A line of help as a sentence.
std::string sentence_of(const std::string& text) {
  return text.ends_with('.') ? text : text + ".";
}

std::string list_of(const std::vector<HelpRow>& rows) {
  if (rows.empty()) return "";
  std::string text = ".Bl -tag -width Ds\n";
  for (const HelpRow& row : rows) {
    const bool is_option = row.left.starts_with('-');
    const bool is_argument = !is_option && std::isupper(static_cast<unsigned char>(row.left[0]));
    text += ".It " + (is_option     ? option_words(row.left)
                      : is_argument ? "Ar " + row.left
                                    : mdoc_words("`" + row.left + "`"));
    text += "\n" + mdoc_text(sentence_of(row.right));
  }
  return text + ".El\n";
}

std::string synopsis(const HelpText& help) {
  std::istringstream words(help.usage());
  std::string name, text;
  for (std::string word; words >> word;) {
    if (std::islower(static_cast<unsigned char>(word[0])) != 0) {
      name += (name.empty() ? "" : " ") + word;
    } else {
      text += "." + placeholder(word) + "\n";
    }
  }
  return mdoc_section("Synopsis") + ".Nm " + name + "\n" + text;
}

std::string options(const HelpText& help) {
  std::string text = mdoc_section("Options") + list_of(help.arguments()) + list_of(help.options());
  for (const cli::HelpSection& section : help.sections()) {
    text += ".Ss " + mdoc_words(section.title) + "\n" + list_of(section.rows);
    if (!section.note.empty()) text += ".Pp\n" + mdoc_text(section.note);
  }
  return text + ".Ss Options of every command\n" + list_of(help.options_of_all());
}

/// The options of the commands inside, each under its name; of those that have some.
std::string details(const HelpText& help, const std::string& path) {
  std::string text;
  for (const cli::Command* command : help.commands()) {
    const HelpText one(*command, kNoTopics);
    const std::string name = path + one.name();
    if (!one.options().empty()) {
      text += ".Ss " + name + "\n" + list_of(one.arguments()) + list_of(one.options());
    }
    text += details(one, name + " ");
  }
  return text;
}

/// The commands of a command, a row each.
std::string command_rows(const HelpText& help, const std::string& path) {
  std::string text;
  for (const cli::Command* command : help.commands()) {
    const HelpText one(*command, kNoTopics);
    std::string names, effect = sentence_of(one.summary());
    for (const HelpRow& argument : one.arguments()) {
      names += " Ar " + argument.left;
      effect += " `" + argument.left + "`: " + sentence_of(argument.right);
    }
    text += ".It Ic " + path + one.name() + names + "\n" + mdoc_text(effect);
    text += command_rows(one, path + one.name() + " ");
  }
  return text;
}

std::string commands(const HelpText& help) {
  if (help.commands().empty()) return "";
  return mdoc_section("Commands") + ".Bl -tag -width Ds\n" + command_rows(help, "") + ".El\n" +
         details(help, "");
}

/// The commands of the program, by their pages.
std::string commands_by_page(const HelpText& help) {
  std::string text = mdoc_section("Commands") + ".Bl -tag -width Ds\n";
  for (const cli::Command* command : help.commands()) {
    text += ".It " + mdoc_words(page_name(*command) + "(1)") + "\n" +
            mdoc_text(sentence_of(HelpText(*command, kNoTopics).summary()));
  }
  return text + ".El\n";
}

std::string examples(const HelpText& help) {
  if (help.examples().empty()) return "";
  std::string text = mdoc_section("Examples");
  bool is_first = true;
  for (const HelpRow& example : help.examples()) {
    text += (is_first ? "" : ".Pp\n") + mdoc_text(example.right) + ".Pp\n" +
            mdoc_command_line(example.left);
    is_first = false;
  }
  return text;
}

std::string statuses(const CommandText& text) {
  const std::string begin = mdoc_section("Exit status");
  if (text.statuses.empty()) {
    return begin + mdoc_text("0 when all went well; mezzotint(1) lists the other statuses.");
  }
  return begin + mdoc_body(text.statuses) + ".Pp\n" +
         mdoc_text("mezzotint(1) says what each status means.");
}

/// The first letter as in the middle of a sentence, which a summary is not.
std::string as_part(std::string summary) {
  const bool is_word = summary.size() > 1 && std::islower(static_cast<unsigned char>(summary[1]));
  if (is_word) summary[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(summary[0])));
  if (summary.ends_with('.')) summary.pop_back();
  return summary;
}

/// The program's own page.
std::string program_page(const HelpText& help) {
  CommandText text = command_text(help.name());
  std::string page = mdoc_head(help.name(), 1, as_part(help.summary())) + synopsis(help) +
                     mdoc_section("Description") + mdoc_body(text.description) +
                     commands_by_page(help) + mdoc_section("Options of every command") +
                     list_of(help.options_of_all());
  for (const TopicText& topic : topic_texts()) {
    if (topic.name == "environment") page += mdoc_section("Environment") + mdoc_body(topic.text());
    if (topic.name == "files") page += mdoc_section("Files") + mdoc_body(topic.text());
  }
  for (const TopicText& topic : topic_texts()) {
    if (topic.name == "exit-status") page += mdoc_section("Exit status") + mdoc_body(topic.text());
  }
  return page + examples(help) + see_also_section(text.see_also);
}

}  // namespace

std::string page_name(const cli::Command& command) {
  const std::string path = HelpText(command, kNoTopics).usage();
  std::istringstream words(path);
  std::string name;
  for (std::string word; words >> word && std::islower(static_cast<unsigned char>(word[0])) != 0;) {
    name += (name.empty() ? "" : "-") + word;
  }
  return name;
}

std::string command_page(const cli::Command& command) {
  const HelpText help(command, kNoTopics);
  if (page_name(command) == help.name()) return program_page(help);
  CommandText text = command_text(help.name());
  text.see_also.emplace_back("mezzotint(1)");
  return mdoc_head(page_name(command), 1, as_part(help.summary())) + synopsis(help) +
         mdoc_section("Description") + mdoc_body(text.description) + options(help) +
         commands(help) + mdoc_body(text.sections) + statuses(text) + examples(help) +
         see_also_section(text.see_also);
}

std::string page_with_commands(const cli::Command& program) {
  const HelpText help(program, kNoTopics);
  CommandText text = command_text(help.name());
  return mdoc_head(help.name(), 1, as_part(help.summary())) + synopsis(help) +
         mdoc_section("Description") + mdoc_body(text.description) + commands(help) +
         mdoc_section("Options of every command") + list_of(help.options_of_all()) +
         statuses(text) + examples(help) + see_also_section(text.see_also);
}

}  // namespace mezzo::words
