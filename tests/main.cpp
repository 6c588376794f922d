// The main function of every doctest executable.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#ifdef __SANITIZE_ADDRESS__
/// FLINT packs pointers to large numbers into integers, where the leak detector does not find them: what the expressions of the
/// graph hold until the end of the process looks lost.
extern "C" const char* __lsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libflint\nleak:libgmp\nleak:libgnutls\n";
}
#endif
