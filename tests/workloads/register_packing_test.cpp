// In every kernel of the workloads whoever reads a register finds in its place what was written to that register, and
// not to another that shares it, whatever way the thread came.
#include "program/register_packing.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "program/analysis.h"
#include "workloads/workload.h"

namespace heddle::test::register_packing_test {
namespace {

using Writers = std::map<uint32_t, std::set<uint32_t>>;  // by place: names of the registers last written there

struct Checked {
  size_t reads = 0;
  uint64_t before = 0, after = 0;  // bytes of planes
};

class Holders {
 public:
  explicit Holders(const Kernel& kernel) : kernel_(kernel), before_(kernel.blocks.size()) {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t block = 0; block < kernel.blocks.size(); ++block) changed = flow_on(block) || changed;
    }
  }

  size_t check() const {
    size_t reads = 0;
    for (size_t block = 0; block < kernel_.blocks.size(); ++block) {
      Writers writers = before_[block];
      for (Pc pc = kernel_.blocks[block].begin; pc < kernel_.blocks[block].end; ++pc) {
        const Accesses accesses = accesses_of(kernel_, kernel_.code[pc]);
        for (size_t k = 0; k < accesses.reads.size(); ++k, ++reads)
          for (const uint32_t writer : writers[accesses.reads[k].at])
            EXPECT_EQ(writer, kernel_.uses->used[pc][accesses.writes.size() + k]) << kernel_.where(pc);
        step(pc, writers);
      }
    }
    return reads;
  }

 private:
  void step(Pc pc, Writers& writers) const {
    const Accesses accesses = accesses_of(kernel_, kernel_.code[pc]);
    for (size_t k = 0; k < accesses.writes.size(); ++k) {
      std::set<uint32_t>& place = writers[accesses.writes[k].at];
      if (!kernel_.code[pc].guarded()) place.clear();
      place.insert(kernel_.uses->written[pc][k]);
    }
  }
  bool flow_on(size_t block) {
    Writers writers = before_[block];
    for (Pc pc = kernel_.blocks[block].begin; pc < kernel_.blocks[block].end; ++pc) step(pc, writers);
    bool changed = false;
    for (const uint32_t next : kernel_.blocks[block].successors)
      for (const auto& [place, names] : writers)
        for (const uint32_t name : names) changed = before_[next][place].insert(name).second || changed;
    return changed;
  }

  const Kernel& kernel_;
  std::vector<Writers> before_;
};

void check_all(const Program& program, Checked& checked) {
  for (const std::string& name : program.kernel_names()) {
    Kernel kernel = *program.kernel(name);
    checked.before += kernel.plane_bytes;
    pack_registers(kernel);
    checked.after += kernel.plane_bytes;
    checked.reads += Holders(kernel).check();
  }
}

TEST(RegisterPacking, lets_every_reader_find_its_own_in_all_kernels_of_the_workloads) {
  Checked checked;
  for (const workloads::Workload& workload : workloads::all()) {
    const auto program =
        Program::load(std::make_shared<ptx::Source>(std::string(workload.name), std::string(workload.ptx())));
    check_all(*program, checked);
    check_all(*program->as_machine_code({}), checked);
  }
  EXPECT_GT(checked.reads, 10'000U);
  EXPECT_LT(checked.after * 2, checked.before);
}

}  // namespace
}  // namespace heddle::test::register_packing_test
