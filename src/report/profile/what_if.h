// The same program under other mechanisms: what each would give back, branch by branch.
//
// Slots: lanes that a branch is to blame for, under the one and under the other, over the warp size. With those of no
// branch they sum to the slots that the run takes less. Cycles: of cores, of all instructions between the branch and
// the point where its threads meet again; regions lie in each other, so these do not sum.
#pragma once

#include <string>

#include "report/profile/profile.h"

namespace heddle {

WhatIf what_if(const RunResult& base, const Profile& profile, const RunResult& other);

std::string what_if_table(const Profile& profile, size_t rows);
nlohmann::ordered_json what_if_json(const Profile& profile);

}  // namespace heddle
