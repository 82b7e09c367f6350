// The pages of Markdown that help and manual pages are made of, as the build put them into the
// program.
#pragma once

#include <string_view>

namespace mezzo::words {

extern const std::string_view kCommands, kTopics;

/// README.md of folders.
extern const std::string_view kOfKernels, kOfManifests, kOfCluster, kOfRun, kOfWatch, kOfCli,
    kOfCompare, kOfService;

}  // namespace mezzo::words
