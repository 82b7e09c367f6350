// mezzotint info: the abilities of this machine and this build.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "kernels/base/simd.h"
#include "kernels/gpu/gpu.h"
#include "kernels/registry.h"
#include "manifests/json/value.h"
#include "pipeline/exit_status.h"
#include "pipeline/plan/plan.h"
#include "pipeline/text.h"
#include "pipeline/version.h"
#include "stages/tiff/read/reader.h"
#include "tools/build_info.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {
namespace {

/// The processor as the kernel names it.
std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

/// Every algorithm by engine, once, and the methods that have it.
void print_schedules() {
  std::vector<std::pair<const ScheduleInfo*, std::string>> rows;
  for (const MethodInfo& method : methods()) {
    for (const ScheduleInfo& schedule : method.schedules) {
      const auto row = std::ranges::find_if(rows, [&](const auto& one) {
        return one.first->name == schedule.name && one.first->engine == schedule.engine;
      });
      if (row == rows.end()) {
        rows.emplace_back(&schedule, method.name);
      } else {
        row->second += ", " + std::string(method.name);
      }
    }
  }
  fmt::print("schedules    engine    name\n");
  for (const auto& [schedule, names] : rows) {
    fmt::print("             {:<9} {:<10} {} ({})\n",
               to_string(schedule->engine),
               schedule->name,
               schedule->summary,
               names);
  }
}

void print_info() {
  std::string targets;
  for (const std::string& target : simd_targets()) targets += (targets.empty() ? "" : " ") + target;
  const tiff::InputLimits limits;
  fmt::print("mezzotint    {}\n", kVersion);
  fmt::print(
      "processor    {}, {}\n", processor_name(), counted(plan::available_threads(), "thread"));
  fmt::print("SIMD         {} (the first is used)\n", targets);
  const gpu::GpuList list = gpu::list_gpus();
  if (list.gpus.empty()) fmt::print("GPUs         none: {}\n", list.why_none);
  for (const gpu::GpuInfo& gpu : list.gpus) {
    fmt::print("GPU          {}, {}, {}, {} multiprocessors\n",
               gpu.name,
               gpu.architecture,
               bytes_text(gpu.memory_bytes),
               gpu.multiprocessors);
  }
  fmt::print("compiler     {}{}{}\n", kCompiler, kCuda.empty() ? "" : ", CUDA ", kCuda);
  for (const auto& [name, version] : kLibraries) fmt::print("{:<12} {}\n", name, version);
  fmt::print("methods     ");
  for (const MethodInfo& method : methods()) fmt::print(" {}", method.name);
  fmt::print("\n");
  print_schedules();
  fmt::print("limits       side {} px, page {} px, {} pages a file, {} inks, file {}, strip {}\n",
             limits.max_side_px,
             limits.max_pixels,
             limits.max_pages,
             limits.max_inks,
             bytes_text(limits.max_file_bytes),
             bytes_text(limits.max_strip_bytes));
}

void print_info_json() {
  json::Value object = {{"v", 1}, {"type", "info"}, {"version", kVersion}};
  object["processor"] = processor_name();
  object["threads"] = plan::available_threads();
  object["simd"] = simd_targets();
  object["gpus"] = json::Value::list();
  for (const gpu::GpuInfo& gpu : gpu::list_gpus().gpus) {
    object["gpus"].push_back({{"name", gpu.name},
                              {"architecture", gpu.architecture},
                              {"memory_bytes", gpu.memory_bytes},
                              {"multiprocessors", gpu.multiprocessors}});
  }
  object["compiler"] = kCompiler;
  object["cuda"] = kCuda;
  for (const auto& [name, version] : kLibraries) object["libraries"][std::string(name)] = version;
  for (const MethodInfo& method : methods()) object["methods"].push_back(method.name);
  const tiff::InputLimits limits;
  object["limits"] = {{"side_px", limits.max_side_px},
                      {"page_px", limits.max_pixels},
                      {"pages", limits.max_pages},
                      {"inks", limits.max_inks},
                      {"file_bytes", limits.max_file_bytes},
                      {"strip_bytes", limits.max_strip_bytes}};
  fmt::print("{}\n", json::to_text(object));
}

}  // namespace

void make_info_command(cli::Command& command, const CommonOptions& common) {
  command.example("mezzotint info --json", "The same for programs, as one JSON object.");
  command.runs([&common] {
    common.json ? print_info_json() : print_info();
    return kExitGood;
  });
}

}  // namespace mezzo::commands
