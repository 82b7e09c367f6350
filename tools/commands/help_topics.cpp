#include "kernels/registry.h"
#include "tools/commands/commands.h"
#include "tools/words/pages.h"
#include "tools/words/tables.h"
#include "tools/words/terminal_text.h"

namespace mezzo::commands {

void add_help_topics(cli::Program& program) {
  for (const words::TopicText& topic : words::topic_texts()) {
    program.topic(
        topic.name, topic.summary, [topic] { return words::terminal_text(topic.text()); });
  }
  for (const MethodInfo& method : methods()) {
    program.hidden_topic(method.name,
                         [&method] { return words::terminal_text(words::parameters_of(method)); });
  }
}

}  // namespace mezzo::commands
