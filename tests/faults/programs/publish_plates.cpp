// Publishes two plates in the folder that is its argument: something small for
// tests/faults/inject.sh to break. Exit status 0, or 1 with a message.
#include <cstdio>
#include <exception>
#include <string>

#include "tests/stages/tiff/plate/writer_support.h"

int main(int count, char** arguments) {
  if (count != 2) return 64;
  try {
    for (const char* name : {"/one.tif", "/two.tif"}) {
      mezzo::test::Bits bits = mezzo::test::Bits::noise(500, 100);
      const auto file = mezzo::tiff::PlateFile::create(std::string(arguments[1]) + name, 0);
      mezzo::test::write_page(*file,
                              mezzo::test::page_of(bits.band(), 32),
                              bits.band(),
                              mezzo::tiff::Compression::kLzw,
                              "",
                              "",
                              true);  // noise, which gets larger
      mezzo::test::ThreadTeam team(2);
      mezzo::test::publish(*file, team);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
