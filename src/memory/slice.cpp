#include "memory/slice.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "memory/crossbar_ways.h"

namespace heddle {

Slice::Slice(const MemoryParameters& parameters, const Clocks& clocks, const ChannelMap& map, unsigned number,
             DramChannel& dram, Crossbar<Request>& requests, Crossbar<Reply>& replies)
    : network_(clocks.network),
      memory_(clocks.memory),
      map_(map),
      number_(number),
      latency_(parameters.l2_latency),
      miss_latency_(parameters.l2_bytes > 0 ? parameters.l2_miss_latency : 0),
      line_bytes_(parameters.l2_line),
      line_shift_(static_cast<unsigned>(std::countr_zero(parameters.l2_line))),
      atomic_cycles_(parameters.atomic_cycles),
      atomic_pace_(parameters.network_clock, parameters.atomic_clock),
      header_(parameters.reply_header),
      cores_per_port_(parameters.network_concentration),
      sectored_(parameters.l2_sectors),
      piece_(std::max(1U, parameters.dram_access / kSectorBytes)),
      pass_writes_(parameters.l2_pass_writes),
      atomic_lanes_(parameters.atomic_lanes),
      dram_(dram),
      requests_(requests),
      replies_(replies),
      mshrs_(parameters.l2_mshrs, parameters.l2_merges),
      input_(parameters.l2_queue),
      hits_(size_t{parameters.l2_latency} + parameters.l2_queue),
      fetched_(size_t{miss_latency_} + parameters.l2_queue),
      aside_(parameters.l2_miss_queue) {
  if (parameters.l2_bytes == 0) return;
  cache_.emplace("l2", parameters.l2_bytes, parameters.l2_line, parameters.l2_ways, parameters.l2_hash);
  if (sectored_) written_.resize(cache_->places());
}

void Slice::let_pass(NetworkCycle now) {
  for (; !passing_.empty() && passing_.front().arrival < now; passing_.pop_front())
    busy_until_ = atomic_pace_.later(passing_.front().arrival, passing_.front().cycles);
}

void Slice::hold(Address inner) {
  const Cache::Line line = inner >> line_shift_;
  const Cache::Found found = cache_->look_up(line);
  if (!found.miss() || !cache_->can_reserve_clean(line)) return;
  cache_->mark_valid(cache_->reserve(line, 0).way, sectored_ ? first_sectors(line_bytes_ / kSectorBytes) : Sectors{1});
}

[[gnu::flatten]] void Slice::tick(NetworkCycle now, DramCycle memory_edge) {
  serve_due(now, memory_edge);
  send_answers(now);
  next_ = earliest(now);
}

inline void Slice::serve_due(NetworkCycle now, DramCycle memory_edge) {
  if (!aside_.empty()) drain(memory_edge);
  if (!passing_.empty()) let_pass(now);
  if (now >= busy_until_ && has_fetched(now)) serve_fetched(now, memory_edge);
  if (now >= busy_until_ && !input_.empty() && input_.front().cycle <= now) look_up(now, memory_edge);
}

void Slice::send_ahead(bool on) {
  hits_.keep(on);
  fetched_.keep(on);
  keeps_places_ = on;
  if (!on) wake(next_send());
}

[[gnu::flatten]] void Slice::work(NetworkCycle now, DramCycle memory_edge) {
  if (lacks_places()) note_sent(now);
  serve_due(now, memory_edge);
  if (lacks_places()) note_sent(now);
  next_ = std::max(earliest_work(), now + 1);
}

void Slice::look_ahead() {
  for (; cache_ && guessed_ < input_.size(); ++guessed_) {
    Arrived& arrived = input_[guessed_];
    arrived.guess = cache_->guess(arrived.request.address >> line_shift_);
  }
}

// A place that gets free is known to work() when it has come there.
[[gnu::flatten]] NetworkCycle Slice::send(NetworkCycle now) {
  if (lacks_places()) wake(now + 1);
  return send_answers(now);
}

void Slice::dram_moved(NetworkCycle edge) {
  if (stall_ == Stall::Dram && dram_has(dram_places_)) {
    stall_ = Stall::None;
    wake(std::max(edge, busy_until_));
  }
  if (!aside_.empty()) wake(edge);
  if (returned_ != kNever || dram_.returns().empty()) return;
  note_returns();
  wake(std::max(edge, returned_));
}

inline void Slice::note_returns() {
  returned_ = dram_.returns().empty() ? NetworkCycle(kNever)
                                      : network_.at_or_after(memory_.time(dram_.returns().front().cycle));
}

inline bool Slice::has_fetched(NetworkCycle now) const { return (serving_ || returned_ <= now) && !fetched_.full(); }

void Slice::serve_fetched(NetworkCycle now, DramCycle memory_edge) {
  if (!serving_) {
    const uint32_t tag = dram_.returns().front().tag;
    dram_.take_finished(memory_edge);
    note_returns();
    if (!cache_) return finish(tag, now, memory_edge);
    serving_ = tag >> kMostSectors;
    const auto sectors = static_cast<Sectors>(tag);
    cache_->fill(mshrs_.place(*serving_), sectors);
    mshrs_.came(*serving_, sectors);
  }
  if (stall_ == Stall::Own) stall_ = Stall::None;  // worth another try, in this cycle or when an atomic is over
  if (const auto target = mshrs_.pop_ready(*serving_)) finish(*target, now, memory_edge);
  if (mshrs_.has_ready(*serving_)) return;
  if (mshrs_.coming(*serving_) == 0) mshrs_.release(*serving_);
  serving_.reset();
}

// Its data are there.
void Slice::finish(uint32_t number, NetworkCycle now, DramCycle memory_edge) {
  const Request& request = waiting_[number];
  waiting_.drop(number);  // it stays as it is until another is put in
  NetworkCycle ready = now;
  if (request.kind == Request::Kind::Atomic) {
    ready = operate(request, now);
    if (!cache_) {
      --writes_to_come_;
      access_dram(request.address, request.line_bytes, true, 0, memory_edge);
    }
  }
  if (!request.is_answered()) return;
  Answer answer = answer_to(request, ready + miss_latency_);
  answer.reply.fetched = true;
  fetched_.push(answer);
}

void Slice::look_up(NetworkCycle now, DramCycle memory_edge) {
  stall_ = serve(input_.front(), now, memory_edge);
  if (stall_ != Stall::None) return;
  missed_ = false;
  input_.pop();
  guessed_ -= guessed_ > 0;
  if (keeps_places_)
    places_given_.push_back(now);
  else
    requests_.return_credit(number_, now);
}

Slice::Stall Slice::serve(const Arrived& arrived, NetworkCycle now, DramCycle memory_edge) {
  const Request& request = arrived.request;
  if (!cache_) return serve_uncached(request, memory_edge);
  const Cache::Line line = request.address >> line_shift_;
  const Cache::Found found = missed_ ? Cache::Found{} : cache_->look_up(line, arrived.guess);
  missed_ = found.miss();  // and still will, if it must stay: nobody else fetches lines
  if (found.miss() && pass_writes_ && request.kind == Request::Kind::Write) return pass_write(request, memory_edge);
  if (sectored_ && request.kind == Request::Kind::Write) return write_sectors(request, found, memory_edge);
  const Sectors wants = wanted(request);
  const bool hit = found.hit(wants);
  if (!hit && (wants & ~(found.valid | found.coming)) != 0)
    return serve_miss({request, line, wants}, found, memory_edge);
  const Stall stall = hit ? serve_hit(request, now) : serve_pending(request, wants, found);
  if (stall != Stall::None) return stall;
  cache_->use(found.way);
  if (request.kind != Request::Kind::Read) mark_dirty(found.way, wants);
  count(request, wants, found.valid);
  return stall;
}

Slice::Stall Slice::serve_hit(const Request& request, NetworkCycle now) {
  const bool answered = request.is_answered();
  if (answered && hits_.full()) return Stall::Answers;
  const NetworkCycle done = request.kind == Request::Kind::Atomic ? operate(request, now) : now;
  if (answered) hits_.push(answer_to(request, done + latency_));
  return Stall::None;
}

Slice::Stall Slice::serve_pending(const Request& request, Sectors wants, const Cache::Found& found) {
  const Mshrs::Entry entry = cache_->note(found.way);
  if (!mshrs_.can_merge(entry)) return Stall::Own;
  mshrs_.merge(entry, waiting_.put(request), static_cast<Sectors>(wants & ~found.valid));
  ++stats_.merges;
  return Stall::None;
}

Slice::Stall Slice::serve_miss(const Wish& wish, const Cache::Found& found, DramCycle memory_edge) {
  if (wish.request.kind == Request::Kind::Write && wish.request.bytes == line_bytes_)
    return serve_whole_write(wish, memory_edge);
  if (found.pending() ? !mshrs_.can_merge(cache_->note(found.way)) : mshrs_.full()) return Stall::Own;
  if (!dram_has(found.miss() ? 2 : 1)) return Stall::Dram;
  const Cache::Way room = found.miss() ? cache_->room_for(wish.line) : found.way;
  if (room == Cache::kNoWay) return Stall::Own;
  const auto there = static_cast<Sectors>(found.valid | found.coming);
  const auto missing = static_cast<Sectors>(wish.sectors & ~there);
  fetch(wish, found, static_cast<Sectors>(in_pieces(missing) & ~there), room, memory_edge);
  ++stats_.fills;
  count(wish.request, wish.sectors, found.valid);
  return Stall::None;
}

// Of a whole line, where there are no sectors: nothing is fetched.
Slice::Stall Slice::serve_whole_write(const Wish& wish, DramCycle memory_edge) {
  if (!dram_has(1)) return Stall::Dram;
  const Cache::Way way = cache_->room_for(wish.line);
  if (way == Cache::kNoWay) return Stall::Own;
  make_room(wish.line, 0, way, memory_edge);
  cache_->mark_valid(way, 1);
  cache_->mark_dirty(way);
  ++stats_.unfetched;
  count(wish.request, wish.sectors, 0);
  return Stall::None;
}

// Asks DRAM for these sectors. They join what is on its way of the line, if that is some.
void Slice::fetch(const Wish& wish, const Cache::Found& found, Sectors asked, Cache::Way way, DramCycle memory_edge) {
  const uint32_t target = waiting_.put(wish.request);
  const auto missing = static_cast<Sectors>(wish.sectors & ~found.valid);
  const Mshrs::Entry entry = found.pending() ? cache_->note(found.way) : mshrs_.allocate(wish.line, target, missing);
  if (found.pending()) mshrs_.merge(entry, target, missing);
  mshrs_.ask(entry, asked);
  access_dram(wish.line << line_shift_, bytes_in_dram(asked), false, entry << kMostSectors | asked, memory_edge);
  if (found.miss()) {
    make_room(wish.line, asked, way, memory_edge);
  } else {
    cache_->use(way);
    cache_->expect(way, asked);
  }
  if (wish.request.kind != Request::Kind::Read) mark_dirty(way, wish.sectors);
  cache_->set_note(way, entry);
  mshrs_.set_place(entry, way);
  if (sectored_) stats_.sectors.fetched += count_of(asked);
}

void Slice::make_room(Cache::Line line, Sectors coming, Cache::Way room, DramCycle memory_edge) {
  const Cache::Victim victim = cache_->reserve(line, coming, room);
  if (victim.dirty == 0) return;
  ++stats_.writebacks;
  access_dram(victim.line << line_shift_, bytes_in_dram(victim.dirty), true, 0, memory_edge);
}

Slice::Stall Slice::pass_write(const Request& request, DramCycle memory_edge) {
  if (!dram_has(1)) return Stall::Dram;
  const Sectors sectors = wanted(request);
  access_dram(request.address >> line_shift_ << line_shift_, bytes_in_dram(sectors), true, 0, memory_edge);
  ++stats_.unfetched;
  ++passed_writes_;
  count(request, sectors, 0);
  return Stall::None;
}

Slice::Stall Slice::serve_uncached(const Request& request, DramCycle memory_edge) {
  const bool atomic = request.kind == Request::Kind::Atomic;
  if (!dram_has(atomic ? 2 : 1)) return Stall::Dram;
  const bool write = request.kind == Request::Kind::Write;
  const uint32_t tag = write ? 0 : waiting_.put(request);
  access_dram(request.address, request.line_bytes, write, tag, memory_edge);
  writes_to_come_ += atomic;
  return Stall::None;
}

bool Slice::dram_has(size_t places) {
  dram_places_ = places;
  return dram_.room() + aside_.room() >= places + writes_to_come_;
}

void Slice::access_dram(Address inner, unsigned bytes, bool write, uint32_t tag, DramCycle memory_edge) {
  dram_bytes_ += bytes;
  const ChannelMap::Cell cell = map_.cell(inner);
  const DramAccess access{cell.row, tag, static_cast<uint16_t>(cell.bank), static_cast<uint16_t>(bytes), write};
  if (aside_.empty() && dram_.room() > 0)
    dram_.push(access, memory_edge);
  else
    aside_.push(access);
}

void Slice::drain(DramCycle memory_edge) {
  for (; !aside_.empty() && dram_.room() > 0; aside_.pop()) dram_.push(aside_.front(), memory_edge);
}

// The operations of an atomic; returns from when on it can be answered: when they are done, or, where they have a clock
// of their own, at once: they go on beside what a hit takes.
NetworkCycle Slice::operate(const Request& request, NetworkCycle now) {
  atomics_ += request.operations;
  busy_until_ = atomic_pace_.after(now, uint64_t{atomic_cycles_} * request.operations);
  return atomic_pace_.beside() ? now : busy_until_;
}

Answer Slice::answer_to(const Request& request, NetworkCycle ready) const {
  const bool line = atomic_lanes_ && request.kind == Request::Kind::Atomic;
  return {ready, {request.core, request.tag}, line ? request.line_bytes : request.bytes};
}

void Slice::count(const Request& request, Sectors wants, Sectors valid) {
  const bool read = request.kind == Request::Kind::Read;
  ++(read ? stats_.reads : stats_.writes);
  if ((wants & ~valid) == 0) ++(read ? stats_.read_hits : stats_.write_hits);
  if (sectored_ && !request.code) count_sectors(request.kind, wants, valid);
}

// Returns when the next could go, as far as it does not wait for room.
inline NetworkCycle Slice::send_answers(NetworkCycle now) {
  while (replies_.room(number_) > 0) {
    const NetworkCycle hit = hits_.ready(), fetched = fetched_.ready();
    if (const NetworkCycle next = std::min(hit, fetched); next > now) return next;
    AnswerQueue& from = fetched <= hit ? fetched_ : hits_;
    const Answer& answer = from.front();
    replies_.push(number_, answer.reply.core / cores_per_port_, header_ + answer.bytes, answer.reply, now);
    from.pop(now);
  }
  return kNever;
}

// The first cycle at which something can move, as far as it does not wait for another part, answers aside.
inline NetworkCycle Slice::earliest_work() const {
  NetworkCycle cycle;
  if (fetched_.full())
    cycle = fetched_.next_place();
  else
    cycle = std::max(serving_ ? NetworkCycle{0} : returned_, busy_until_);
  if (input_.empty()) return cycle;
  if (stall_ == Stall::None || (stall_ == Stall::Answers && !hits_.full()))
    return std::min(cycle, std::max(input_.front().cycle, busy_until_));
  return stall_ == Stall::Answers ? std::min(cycle, hits_.next_place()) : cycle;
}

// The same, and answers.
NetworkCycle Slice::earliest(NetworkCycle now) { return std::max(std::min(next_send(), earliest_work()), now + 1); }

bool Slice::empty() const {
  return input_.empty() && hits_.empty() && fetched_.empty() && !serving_ && waiting_.empty() && aside_.empty();
}

void Slice::check() const {
  require(mshrs_.used() == 0, "an MSHR of the L2 is still taken");
  require(writes_to_come_ == 0, "an atomic has not written its line");
  require(stats_.misses() == stats_.fills + stats_.merges + stats_.unfetched,
          "misses of the L2 are not its fills, merges and whole writes");
}

void Slice::explain(std::string& text) const {
  if (empty()) return;
  constexpr std::string_view kWhy[] = {"", ", held up by answers", ", held up by DRAM", ", held up by lines under way"};
  text += fmt::format("slice {}: {} requests{}, {} lines under way, {} answers\n", number_, input_.size(),
                      kWhy[static_cast<size_t>(stall_)], mshrs_.used(), hits_.size() + fetched_.size());
}

}  // namespace heddle
