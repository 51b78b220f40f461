// SIGINT asks the machine to stop, so that what was measured is still written. A second one kills.
#pragma once

namespace heddle::cli {

const volatile bool* stop_on_interrupt();  // from now on; the flag that is set
void stop_now();                           // as if one had come
bool interrupted();

}  // namespace heddle::cli
