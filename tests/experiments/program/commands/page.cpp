#include "tests/experiments/program/commands/page.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>

namespace wormcast::testing {

std::string between(const std::string& text, const std::string& begin, const std::string& end)
{
  const std::size_t from = text.find(begin);
  EXPECT_NE(from, std::string::npos) << begin;
  if (from == std::string::npos) {
    return {};
  }
  return text.substr(from + begin.size(), text.find(end, from) - from - begin.size());
}

nlohmann::ordered_json page_data(const std::string& page)
{
  return nlohmann::ordered_json::parse(between(page, R"(<script type="application/json" id="data">)", "</script>"));
}

std::string page_in_browser(const std::filesystem::path& folder, const std::string& fragment, const std::string& window)
{
  const std::string command = "HOME='" + folder.string() +
                              "' chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage"
                              " --no-first-run --user-data-dir='" +
                              (folder / "profile").string() + "' --window-size=" + window + " --dump-dom 'file://" +
                              (folder / "view.html").string() + fragment + "' 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::string page;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    page.append(buffer.data(), count);
  }
  EXPECT_EQ(::pclose(pipe), 0) << "chromium, which ./dev setup installs:\n" << page.substr(0, 2000);
  return page;
}

nlohmann::ordered_json page_state(const std::string& page)
{
  return nlohmann::ordered_json::parse(between(page, R"(<output id="state" hidden="">)", "</output>"), nullptr, false);
}

} // namespace wormcast::testing
