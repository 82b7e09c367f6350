#include "tools/cli/program.h"

#include <cstdio>

#include "kernels/base/error.h"
#include "manifests/source_text.h"
#include "tools/cli/parser.h"

namespace mezzo::cli {

Program::Program(std::string_view name, std::string_view summary, std::string_view version)
    : Command(nullptr, name, summary), version_(version) {}

void Program::topic(std::string_view name,
                    std::string_view summary,
                    std::function<std::string()> text) {
  topics_.push_back({std::string(name), std::string(summary), std::move(text)});
}

void Program::hidden_topic(std::string_view name, std::function<std::string()> text) {
  topic(name, "", std::move(text));
}

std::string Program::help_on(const Words& words) const {
  const Command* command = this;
  for (const std::string& word : words) {
    if (const Command* next = command->find(word)) {
      command = next;
      continue;
    }
    for (const Topic& topic : topics_) {
      if (command != this || topic.name != word) continue;
      if (words.size() == 1) return topic.text();
      throw Error(ErrorKind::kUsage,
                  "help shows one topic at a time: " + path() + " help " + std::string(topic.name));
    }
    std::vector<std::string_view> names;
    for (const auto& one : command->commands_) names.push_back(one->name_);
    if (command == this) {
      for (const Topic& topic : topics_) names.push_back(topic.name);
    }
    const std::string_view close = manifests::meant(word, names);
    throw Error(ErrorKind::kUsage,
                "there is no help on " + manifests::in_quotes(word) + "; " +
                    (close.empty() ? "see " + command->path() + " --help"
                                   : "did you mean '" + std::string(close) + "'?"));
  }
  return HelpText(*command, topics_).text();
}

Offer Program::topics_offered() const {
  Offer offer;
  for (const auto& command : commands_) {
    if (!command->is_hidden_) offer.names.push_back({command->name_, command->summary_});
  }
  for (const Topic& topic : topics_) offer.names.push_back({topic.name, topic.summary});
  return offer;
}

std::function<int()> Program::parse(std::span<const char* const> words) {
  if (!commands_.empty() && find("help") == nullptr) {
    Command& help = command("help", "Show help on a command or a topic");
    help.argument("TOPIC", help_words_, "A command or a topic; default: list them").offers([this] {
      return topics_offered();
    });
    help.runs([this] {
      std::fputs(help_on(help_words_).c_str(), stdout);
      return 0;
    });
  }
  const Choice choice = parse_words(*this, words);
  const Command* command = choice.command;
  if (choice.wish != Wish::kRun) {
    return [this, choice] {
      const std::string text = choice.wish == Wish::kVersion
                                   ? name_ + " " + version_ + "\n"
                                   : HelpText(*choice.command, topics_).text();
      std::fputs(text.c_str(), stdout);
      return 0;
    };
  }
  while (!command->action_ && command->parent_ != nullptr) command = command->parent_;
  return [command] {
    command->check_outputs();
    return command->action_();
  };
}

}  // namespace mezzo::cli
