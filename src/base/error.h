// What a user can cause is an Error: one clear message, the place it speaks of and the exit code the
// command line ends with. What only a bug can cause is an assertion (see require()).
#pragma once

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>

namespace heddle {

// The documented exit codes of `heddle` (docs/exit-codes.md).
enum class ExitCode : uint8_t {
  Ok = 0,
  CheckFailed = 1,  // the program ran, its result is wrong
  Usage = 2,        // the command line or a configuration file
  BadProgram = 3,   // PTX that does not parse, or uses what is not supported
  BadLaunch = 4,    // a launch that does not fit the kernel or the machine
  Fault = 5,        // a memory or execution fault inside a kernel
  Deadlock = 6,     // a barrier or rendezvous that can never complete, a loop that never ends
  Refused = 7,      // the mechanism cannot run this kernel
  Interrupted = 8,  // SIGINT or SIGTERM; what was measured until then has been written
  Found = 9,        // a check (--check) found something
  Internal = 70,    // a bug in heddle
  Host = 71,        // the machine heddle runs on lacks memory, files or processes: nothing is known of the program
};

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// A fault inside a kernel, of a kind that host code may ask for.
class Fault : public Error {
 public:
  enum class Kind : uint8_t { Other, Address, Alignment, Assertion };
  Fault(Kind kind, const std::string& message) : Error(ExitCode::Fault, message), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

// A broken invariant of heddle itself. Thrown rather than aborted, so that results are still written.
class InternalError : public Error {
 public:
  explicit InternalError(const std::string& message) : Error(ExitCode::Internal, "internal error: " + message) {}
};

// What any exception says, and the code it ends with.
ExitCode code_of(const std::exception& error);
std::string text_of(const std::exception& error);

// By itself, so that those who ask stay small.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(const char* what) { throw InternalError(what); }

inline void require(bool condition, const char* what) {
  if (!condition) [[unlikely]]
    fail(what);
}

}  // namespace heddle
