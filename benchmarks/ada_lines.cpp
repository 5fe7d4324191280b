// What ada takes for the lines of a file: for each word on stdin, `parse` or `can_parse`, JSON with the nanoseconds of
// the thread, and how many lines are URLs.

#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "ada.h"

static long long now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int, char** arguments) {
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string_view> lines;
  for (size_t start = 0, end; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    lines.emplace_back(text.data() + start, end - start);
  }
  std::string work;
  while (std::cin >> work) {
    size_t urls = 0;
    const long long start = now();
    if (work == "parse") {
      for (const std::string_view line : lines) {
        const auto url = ada::parse<ada::url_aggregator>(line);
        urls += url.has_value() && !url->get_href().empty();
      }
    } else {
      for (const std::string_view line : lines) {
        urls += ada::can_parse(line);
      }
    }
    std::cout << '[' << now() - start << ", " << urls << ']' << std::endl;
  }
}
