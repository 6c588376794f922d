// Stands in for libFuzzer in an ordinary build: feeds the empty input and every file of a corpus folder to a fuzz
// target, so that what fuzzing once found stays fixed under every compiler. (.cc, because fuzz/*.cpp are the targets.)
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void replay(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  replay("");
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i) {
    if (!fs::is_directory(argv[i])) continue;  // a new target has no corpus yet
    for (const fs::directory_entry& entry : fs::directory_iterator(argv[i])) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::printf("%s\n", file.filename().c_str());
    std::fflush(stdout);  // the last name printed is the input that crashed
    std::ifstream in(file, std::ios::binary);
    replay(std::string(std::istreambuf_iterator<char>(in), {}));
  }
  std::printf("%zu inputs replayed\n", files.size() + 1);
}
