// What most tests include, compiled once by clang.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "support/scripted.h"
#include "support/workload_run.h"
