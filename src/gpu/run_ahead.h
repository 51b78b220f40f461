// Cores that run ahead of each other and of the memory system, on one thread of the host or several.
//
// A core is a piece. It goes on until what reaches it is not known any more (`until`), or it must wait: for its launch,
// which is to hear of something (concerned()), or for the time at which it is certain what it needs to know. done() is
// the time that all pieces have left behind: up to there the machine settles what they have done to each other. Who is
// ahead of that has blocks that have not ended, so a launch ends when nobody is.
//
// Cores that share a port of the network go on as long as it has room for all that each of them can send until then: so
// nobody finds it full, or takes what another has counted on. Where there is less, they go one after the other, for
// one cycle; so do those that get the answers to each other's reads where one of them is not sure of room, for what
// joins another's read takes none. Groups of such neighbours know nothing of each other: on several threads the turns
// of a group are a piece.
//
// Who had to wait for its launch, where that gives blocks at once, goes on within the round when that is settled
// (resume()): all go as far as they know what comes before the memory system follows.
//
// A core that throws has stopped there, and is concerned.
#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <span>
#include <vector>

#include "exec/global_order.h"
#include "gpu/crew.h"
#include "gpu/cycle_launch.h"

namespace heddle {

class RunAhead {
 public:
  using Site = CycleLaunch::Site;

  // `sites`: by core, null where there is none.
  RunAhead(unsigned threads, const std::vector<Site*>& sites, MemorySystem& system, const Clocks& clocks);

  void begin(Tick now);                       // all cores are there, and may have got something to do
  void end();                                 // they go on without
  void refresh(unsigned core);                // it may have got something to do
  void wake(unsigned core, CoreCycle cycle);  // it is to be ticked then
  void put(std::span<const MemorySystem::Arrival> arrivals);
  void reply(CoreCycle cycle);  // they have got what came between the cycle before and this one
  void for_each(std::span<const unsigned> cores,
                const std::function<void(size_t)>& f);  // f(i) of the i-th, side by side

  Tick next() const;       // some core has something to do, or is concerned; kNever: none
  bool needs_room();       // some core waits for the network to take packets
  bool some_wait() const;  // for answers of the memory system
  bool certain(Tick now);  // who goes on now knows of room in the network
  // All was settled before now. Who waits for an answer goes on until what comes is not known. Beside it the memory
  // system may catch up.
  void run(Tick now, Tick known, Tick until, bool beside);
  void follow(Tick before, Tick bound);  // the memory system does, parts of it side by side
  // To it, what they have sent. And something else that has to be done and touches nothing of that, beside it.
  void hand_over(Tick before, Tick bound, const std::function<void()>& also = {});
  Tick done() const { return all_.done; }           // all cores have done what comes before
  Tick last() const;                                // when some core did something last
  bool some_ended() const { return all_.ended; }    // blocks, with a block_clock
  bool writes() const { return all_.writes; }       // to global memory that wait for their turn
  std::span<GlobalLog* const> logs();               // of all cores, in their order
  void committed(std::span<const size_t> changed);  // logs
  std::span<const unsigned> concerned();  // cores whose launch is to hear of the cycle before done(), in their order
  bool failed(unsigned core) const { return pieces_[core].error != nullptr; }
  void check(unsigned core);  // throws what it threw
  void go_on();               // those that were concerned
  bool resume();              // these, within the round; false: there are none

 private:
  using Time = double;  // of the host, in nanoseconds

  struct Share {        // of a round's work
    Time a_cycle = 0;   // took so long when it was done last,
    unsigned by = 0;    // by this thread
    Time expected = 0;  // of this round
  };
  struct Spent {
    Time time = 0;
    uint64_t cycles = 0;
  };
  struct Limit {  // who does something in this cycle, or later, is not before that time
    Tick time;
    CoreCycle cycle;
    bool operator<(const Limit& other) const { return time < other.time; }
  };
  // A core. No two threads are to write to one line of the cache.
  struct alignas(kApart) Piece {
    // What others ask for between rounds, in one line of the cache; the flags as they were when the piece did something
    // last: to look at its core would take that one's lines from the thread that has them.
    Tick done;
    CoreCycle next = kNever;  // there is something to do
    bool stopped = false;
    bool needs_room = false;
    bool awaits = false;   // an answer of the memory system
    bool writes = false;   // to global memory, which must be put in order
    bool ended = false;    // some block, with a block_clock
    bool in_turn = false;  // one cycle, when those before it have done it
    uint32_t asks = 0;     // for room, in a cycle, at most: its most_requests(), and for replies; side by side
    Spent spent;           // on the last round
    Tick last;             // it did something

    alignas(64) CoreCycle due = kNever;  // it has something to do then, or earlier than it would need to
    CoreCycle sure{0};                   // until then there is room at its own port for all that it can send
    Site* site = nullptr;                // null: there is none
    Core* core = nullptr;
    bool replies_send = false;  // its core's
    GlobalLog* log = nullptr;
    std::vector<MemorySystem::Arrival>* joined = nullptr;  // answers that others share with it; null: none do
    Limit reach{kNever, kNever};                           // of the port that it shares
    std::vector<MemorySystem::Arrival> inbox;              // from `read` on
    size_t read = 0;
    CoreCycle hears = kNever;  // the first of these
    std::exception_ptr error;
  };
  struct All {  // pieces together, as they were behind the last round
    Tick done;
    bool stopped = false, needs_room = false, writes = false, ended = false;  // some
    bool in_turn = false;
    uint32_t asks = 0;  // the most of any
  };
  struct Port {          // that cores share
    CoreCycle reach{0};  // there is room for all that they can send before
    bool tight = false;  // there is none now
  };

  Limit limit_at(Tick time) const { return {time, clocks_.core.at_or_after(time)}; }
  Limit limit_behind(Tick time) const {  // until the next cycle of cores
    const CoreCycle cycle = clocks_.core.after(time);
    return {clocks_.core.time(cycle), cycle};
  }
  static CoreCycle next_of(const Piece& piece, CoreCycle from) {  // not before that
    return std::max(std::min(piece.due, piece.hears), from);
  }
  void find_next(Piece& piece);
  void find_reach(Tick now, CoreCycle end);
  uint64_t most_cycles(unsigned port) const;
  void find_turns(Tick now, bool beside);
  void look_over();
  void take(Piece& piece, Site& site);
  static void leave(Piece& piece);
  void ask(Piece& piece);
  void ask_core(Piece& piece);
  void hear_joined(Piece& piece);
  void hear(Piece& piece, const MemorySystem::Arrival& arrival);
  void work(unsigned number);
  uint64_t cycles_of(unsigned number, CoreCycle from) const;
  void run(Piece& piece);
  void run_in_turn(unsigned core);
  void run_turns(unsigned group);  // of neighbours, one after the other
  void expect_turn(unsigned core);
  void go_on(Piece& piece);
  void run_other(unsigned number);
  Spent& spent_on(unsigned number) {
    return number < pieces_.size() ? pieces_[number].spent : others_[number - beside()].spent;
  }
  unsigned beside() const { return static_cast<unsigned>(pieces_.size()); }  // the number of the memory system,
  unsigned number_of(MemorySystem::Work what, unsigned part) const {  // behind it those of its channels, and of units
    return beside() + 1 + (what == MemorySystem::Work::HandOver ? system_.channels() : 0) + part;
  }
  uint64_t worth_going() const;
  unsigned number_of_also() const { return number_of(MemorySystem::Work::HandOver, system_.units()); }
  unsigned number_of_turns(unsigned group) const { return number_of_also() + 1 + group; }
  unsigned groups() const { return (static_cast<unsigned>(pieces_.size()) + neighbours_ - 1) / neighbours_; }
  void do_parts(MemorySystem::Work what, std::span<const unsigned> parts, uint64_t cycles);
  void do_all();
  void do_alone();
  bool worth_sharing();
  void expect(unsigned number, uint64_t cycles) {  // it is one of this round
    todo_.push_back(number);
    if (crew_.threads() > 1) shares_[number].expected = shares_[number].a_cycle * static_cast<double>(cycles);
  }
  void share_out();
  void learn();  // from what was spent
  bool may_go_on(Piece& piece, CoreCycle cycle) const;
  // `plenty`: so much room is certain for each.
  bool certain(const Piece& piece, CoreCycle behind, size_t plenty) const {
    return piece.stopped || piece.next >= behind || piece.asks <= plenty ||
           has_room(piece, sent_by_replies(piece, piece.next));
  }
  // Nothing can reach who has asked for nothing. Room comes with each cycle of the network.
  Limit limit_of(const Piece& piece, bool awaits) const {
    const Limit& limit = limit_but_code(piece, awaits);
    return awaits && shares_code_ && !piece.in_turn ? limit_by_code(piece, limit) : limit;
  }
  const Limit& limit_but_code(const Piece& piece, bool awaits) const {
    if (piece.in_turn) return turn_;
    const Limit& limit = piece.needs_room ? room_ : awaits ? known_ : until_;
    const Limit& least = slowest_.cycle < limit.cycle ? slowest_ : limit;
    return piece.reach.cycle < least.cycle ? piece.reach : least;
  }
  Limit limit_by_code(const Piece& piece, const Limit& limit) const;
  void note(Piece& piece) const;
  static void note_writes(Piece& piece) { piece.writes = piece.site && piece.log->waits(); }
  bool has_room(const Piece& piece, size_t more) const;
  bool will_have_room(Piece& piece, CoreCycle cycle) const;
  static CoreCycle first_result(const Piece& piece);
  bool looks_ahead(const Piece& piece, CoreCycle cycle, bool hears) const;
  size_t sent_by_replies(const Piece& piece, CoreCycle cycle) const;
  void reply(Piece& piece, CoreCycle cycle, Tick before);
  void tick(Piece& piece, CoreCycle& cycle, CoreCycle end);
  bool go_straight(const Piece& piece, CoreCycle& cycle, CoreCycle end) const;
  bool lacks_room(const Piece& piece) const;

  const std::vector<Site*>& sites_;
  MemorySystem& system_;
  const Clocks clocks_;
  const unsigned together_, at_port_;
  const unsigned neighbours_;  // cores that share ports or get answers to each other's reads, and no others do
  const bool shares_code_;     // caches of it
  const bool side_by_side_;    // cores go on so, and may join each other's reads; else one behind the other
  std::vector<Piece> pieces_;  // by core
  All all_;
  std::vector<Port> ports_;  // none: each core has its own
  std::vector<unsigned> concerned_;
  std::vector<GlobalLog*> logs_;
  std::vector<unsigned> logging_;  // cores, by log
  // By number: of the pieces and, behind them, of the memory system and of its parts.
  std::vector<Share> shares_;
  struct alignas(kApart) Other {  // than pieces
    Spent spent;
    std::exception_ptr error;
  };
  std::vector<Other> others_;
  const std::function<void()>* also_ = nullptr;  // while it is not done
  uint64_t gained_ = 0;                          // by all, in the rounds of late
  uint64_t beside_cycles_ = 0;                   // that it, or its parts, have to catch up with
  std::vector<unsigned> todo_, rest_;            // of the round under way: pieces, and behind them the memory system
  std::vector<Time> loads_;                      // by thread
  Tick now_;
  CoreCycle present_;                  // now_, or the first cycle behind it
  CoreCycle behind_now_;               // the first cycle
  Limit known_, until_, room_, turn_;  // room_: who waits for that is not to be ahead of it
  Limit slowest_;                      // on one thread: who comes behind it in a round gains nothing by going farther
  const MemorySystem::SideWork side_work_ = [this](auto what, auto parts, auto cycles) {
    do_parts(what, parts, cycles);
  };
  const Crew::Work work_ = [this](unsigned number) { work(number); };
  Crew crew_;
};

inline void RunAhead::ask(Piece& piece) {
  if (!piece.site) return;
  piece.due = std::min(piece.due, piece.site->launch->next_of(*piece.site));
  ask_core(piece);
}

// Nothing has changed with blocks.
inline void RunAhead::ask_core(Piece& piece) {
  piece.due = std::min(piece.due, piece.core->next());
  if (piece.joined && !piece.joined->empty()) hear_joined(piece);
}

}  // namespace heddle
