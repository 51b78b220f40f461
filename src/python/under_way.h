// Work that a thread of Python other than its main one waits for.
//
// When the interpreter ends it cuts such a thread off as soon as that wants its lock, by unwinding it, and frames that
// cannot be unwound abort the process. So work under way is told to stop before that, and waited for, for a while. A
// thread whose work takes longer does not come back.
//
// Life cycle: made before the work begins; wait() once, until it has ended. All with Python's lock held.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>

namespace heddle::python {

bool in_main_thread();

class UnderWay {
 public:
  explicit UnderWay(std::atomic<bool>& stop);  // SystemExit where the interpreter ends already
  ~UnderWay();
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;

  // Without Python's lock meanwhile. SystemExit, which ends a thread without a word, where the interpreter ends.
  template <class Ended>
  void wait(const Ended& ended) {
    PyThreadState* const thread = PyEval_SaveThread();
    ended.wait();
    come_back(thread);
  }

  static void end_with_python();  // asks to be told when the interpreter ends

 private:
  void come_back(PyThreadState* thread);
  static void end_all();

  std::atomic<bool>& stop_;
  std::atomic_flag decided_;  // it comes back, or is not waited for: whoever is first
};

}  // namespace heddle::python
