// What a real GPU gave: bench/hardware/record writes it, bench/hardware/*.csv are part of the program.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

struct HardwareData {
  struct Micro {
    std::string name, unit;
    double value, least, most;
  };
  struct Kernel {
    std::string workload, name;
    std::map<std::string, double, std::less<>> values;  // by measure, summed over the launches
    double least_cycles = 0, most_cycles = 0;
  };
  std::string device;
  unsigned core_clock = 0;  // MHz
  std::vector<Micro> micro;
  std::vector<Kernel> kernels;
};

// A file, or the name of data that is part of the program ("h200"). Error (Usage) with the line that is wrong.
HardwareData read_hardware_data(const std::string& file_or_name);
HardwareData hardware_data_of(std::string_view text, std::string_view name);

}  // namespace heddle
