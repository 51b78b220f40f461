#include "workloads/support.h"

namespace heddle::workloads::atm {

namespace {

constexpr uint32_t kBlock = 128;

struct Transfer {
  uint32_t from, to;
  int32_t amount;
};

std::vector<Transfer> make_transfers(uint32_t count, uint32_t accounts) {
  Random random(1);
  std::vector<Transfer> transfers(count);
  for (Transfer& transfer : transfers) {
    transfer.from = random.below(accounts);
    transfer.to = (transfer.from + 1 + random.below(accounts - 1)) % accounts;  // never to oneself
    transfer.amount = random.between(1, 100);
  }
  return transfers;
}

}  // namespace

Check run(Device& device, Size size) {
  const auto count = by_size<uint32_t>(size, 64, 4096, 65'536), accounts = by_size<uint32_t>(size, 128, 256, 1024);
  const uint32_t block = by_size(size, 32U, kBlock, kBlock);
  const std::vector<Transfer> transfers = make_transfers(count, accounts);
  std::vector<int32_t> balances(accounts, 1000);
  const Buffer<Transfer> device_transfers(device, transfers, "transfers");
  const Buffer<int32_t> device_balances(device, balances, "balances");
  const Buffer<uint32_t> locks(device, accounts, "locks");
  for (const char* kernel : {"transfer_trying", "transfer_waiting"}) {
    device.launch(kernel, {.grid = {ceil_div(count, block)}, .block = {block}},
                  Arguments(device_transfers.address(), device_balances.address(), locks.address(), count));
    for (const Transfer& transfer : transfers) {
      balances[transfer.from] -= transfer.amount;
      balances[transfer.to] += transfer.amount;
    }
  }
  return all_of({compare("balances", balances, device_balances.download()),
                 compare("locks", std::vector<uint32_t>(accounts), locks.download())});
}

}  // namespace heddle::workloads::atm
