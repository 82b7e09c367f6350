// Texts for a terminal, at most 80 characters wide.
#pragma once

#include <string>

#include "tools/words/document.h"

namespace mezzo::words {

std::string terminal_text(const Document& document);

}  // namespace mezzo::words
