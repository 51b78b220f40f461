#include "python/under_way.h"

#include <unistd.h>

#include <chrono>
#include <thread>
#include <vector>

namespace heddle::python {
namespace {

namespace py = pybind11;

constexpr std::chrono::seconds kPatience{5};
constexpr std::chrono::milliseconds kBetweenLooks{2};

bool ending = false;
std::vector<UnderWay*> under_way;

void end_thread_if_ending() {
  if (!ending) return;
  PyErr_SetNone(PyExc_SystemExit);
  throw py::error_already_set();
}

}  // namespace

bool in_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("get_ident")().equal(threading.attr("main_thread")().attr("ident"));
}

UnderWay::UnderWay(std::atomic<bool>& stop) : stop_(stop) {
  end_thread_if_ending();
  under_way.push_back(this);
}

UnderWay::~UnderWay() { std::erase(under_way, this); }

void UnderWay::come_back(PyThreadState* thread) {
  if (decided_.test_and_set())
    while (true) pause();
  PyEval_RestoreThread(thread);
  end_thread_if_ending();
}

void UnderWay::end_all() {
  ending = true;
  for (UnderWay* const work : under_way) work->stop_ = true;
  const auto late = std::chrono::steady_clock::now() + kPatience;
  while (!under_way.empty()) {
    if (std::chrono::steady_clock::now() > late)
      std::erase_if(under_way, [](UnderWay* work) { return !work->decided_.test_and_set(); });
    const py::gil_scoped_release others_come_back;
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

// `atexit` calls when the threads that Python waits for have ended, and before it cuts off the others.
void UnderWay::end_with_python() {
  py::module_::import("atexit").attr("register")(py::cpp_function(&UnderWay::end_all));
}

}  // namespace heddle::python
