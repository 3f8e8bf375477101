// The texts of enumerators, and what no table of them can lack.

#include "tests/values/expect_input_error.hpp"
#include "wormcast/values/names.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

namespace wormcast {
namespace {

enum class Colour { red, green, blue };

constexpr auto colour_names =
    names<Colour>({{Colour::red, "red"}, {Colour::green, "green"}, {Colour::blue, "deep blue"}});

// What names() refuses to compile.
static_assert(names_all<Colour>({{Colour::red, "red"}, {Colour::green, "green"}, {Colour::blue, "blue"}}));
static_assert(!names_all<Colour>({{Colour::red, "red"}, {Colour::green, "green"}})); // one lacks at the end,
static_assert(!names_all<Colour>({{Colour::red, "red"}, {Colour::blue, "blue"}}));   // one in the middle
static_assert(!names_all<Colour>({{Colour::red, "red"}, {Colour::blue, "blue"}, {Colour::green, "green"}}));
static_assert(!names_all<Colour>({{Colour::red, "red"}, {Colour::green, "red"}, {Colour::blue, "blue"}}));
static_assert(names_all<bool>({{false, "off"}, {true, "on"}}));
static_assert(!names_all<bool>({{false, "off"}}));

static_assert(is_enumerator<Colour::blue>());
static_assert(!is_enumerator<static_cast<Colour>(3)>());

TEST(Names, GiveTextsAndReadThemBack)
{
  static_assert(colour_names.text(Colour::blue) == "deep blue");
  static_assert(colour_names.find("green") == Colour::green);
  static_assert(!colour_names.find("gree"));
  EXPECT_EQ(colour_names.read("deep blue"), Colour::blue);
  EXPECT_EQ(colour_names.texts(), (std::vector<std::string>{"red", "green", "deep blue"}));
  EXPECT_EQ(colour_names.all(), (std::array{Colour::red, Colour::green, Colour::blue}));
}

TEST(Names, RefuseATextThatNoEnumeratorHas)
{
  EXPECT_EQ(input_error([] { (void)colour_names.read("Red"); }),
            R"(found "Red", expected one of "red", "green", "deep blue")");
}

TEST(Names, RefuseANumberThatIsNoEnumerator)
{
  EXPECT_THROW((void)colour_names.text(static_cast<Colour>(3)), std::logic_error);
}

} // namespace
} // namespace wormcast
