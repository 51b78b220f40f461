// Ends in the way its argument says, after one launch; without an argument, as it should.
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "check.h"

__global__ void increment(int* value) { *value += 1; }
__global__ void never_ends(volatile int* value) {
  while (*value >= 0) *value = *value & 1023;
}

int* device;

// The test ends it now.
void say_that_it_waits() {
  printf("waits\n");
  fflush(stdout);
}

[[noreturn]] void wait_for_ever() {
  for (;;) pause();
}

// Another program, with a GPU of its own, from a process forked off.
void start_another(const char* self) {
  const pid_t child = fork();
  if (child == 0) {
    execl(self, self, "_exit", nullptr);
    _exit(1);
  }
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

void end(const char* how, const char* self) {
  const auto is = [&](const char* name) { return strcmp(how, name) == 0; };
  if (is("segfault")) *reinterpret_cast<volatile int*>(8) = 1;
  if (is("abort")) abort();
  if (is("_exit")) _exit(3);
  if (is("as many as read")) {
    int launches = 0;
    if (scanf("%d", &launches) == 1)
      for (int i = 0; i < launches; ++i) increment<<<1, 1>>>(device);
  }
  if (is("exit 200")) exit(200);
  if (is("fault")) {
    increment<<<1, 1>>>(nullptr);
    cudaDeviceSynchronize();
    exit(0);  // as if nothing had happened
  }
  if (is("unwaited")) {
    increment<<<1, 1>>>(device);
    exit(4);
  }
  if (is("segfault in a launch")) {
    never_ends<<<1, 32>>>(device);
    *reinterpret_cast<volatile int*>(8) = 1;
  }
  if (is("fork")) start_another(self);
  if (is("wait")) {
    say_that_it_waits();
    wait_for_ever();
  }
  if (is("wait for a kernel")) {
    never_ends<<<1, 32>>>(device);
    say_that_it_waits();
    cudaDeviceSynchronize();
    wait_for_ever();  // whatever became of it
  }
}

int main(int count, char** arguments) {
  CUDA(cudaMalloc(&device, 4096));
  increment<<<1, 64>>>(device);
  CUDA(cudaDeviceSynchronize());
  printf("process %d\n", static_cast<int>(getpid()));
  fflush(stdout);
  if (count > 1) end(arguments[1], arguments[0]);
  return passed();
}
