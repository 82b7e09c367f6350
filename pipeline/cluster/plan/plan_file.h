// A cluster's plan as the file plan.json of its folder.
#pragma once

#include <filesystem>
#include <string>

#include "pipeline/cluster/plan/cluster_plan.h"

namespace mezzo::cluster {

/// Makes the folder when it is missing. Throws Error: kCannotCreate, and kData unless this user or
/// root owns it and the folders in it, none of them is a link, and nobody else may write there:
/// what is written to a plan goes to names in it.
void make_plan_folder(const std::string& path);

/// Where the tables of colour of a plan lie, DIGEST.lut each.
std::string table_folder(const std::string& plan_folder);

/// Writes plan.json, whole or not at all, and the folders beside it, with the tables of its pages. Throws Error: kData when a
/// path is not UTF-8 or the folder is another user's, and as PendingFile does.
void save_plan(const ClusterPlan& plan);

/// Whether the entry of a folder without plan.json is of a save_plan() that was broken off: the lock,
/// folders that are still empty, tables, or the temporary file.
bool is_of_unfinished_plan(const std::filesystem::directory_entry& entry);

/// Reads the plan of a folder, or of the plan.json in it. Throws Error: kMissing, kIo, and kData
/// for a file that is not a plan, is not whole, contradicts itself (units that overlap, sheets of
/// no job, ...) or is of another version than this program can read.
ClusterPlan load_plan(const std::string& path);

/// Likewise, but refuses (kData) the plan of another user, and one that others may write to, by its
/// file or, as make_plan_folder(), by its folders. A plan names the program that runs its units, and
/// where plates go.
ClusterPlan load_own_plan(const std::string& path);

}  // namespace mezzo::cluster
