#include "tests/values/expect_input_error.hpp"
#include "wormcast/values/parameter.hpp"
#include "wormcast/values/renamed_keys.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <stdexcept>

namespace wormcast {

namespace {

using Integers = std::vector<std::int64_t>;
using RawValues = std::map<std::string, RawValue, std::less<>>;

Parameter declare(ParameterType type)
{
  Parameter parameter;
  parameter.name = "thing";
  parameter.type = type;
  return parameter;
}

Parameter declare(ParameterType type, std::int64_t minimum, std::int64_t maximum)
{
  Parameter parameter = declare(type);
  parameter.minimum = minimum;
  parameter.maximum = maximum;
  return parameter;
}

std::string error_of(const Parameter& parameter, const RawValue& raw)
{
  return input_error([&] { read_parameter(parameter, raw); });
}

TEST(ReadParameter, reads_booleans)
{
  const Parameter parameter = declare(ParameterType::boolean);
  EXPECT_EQ(read_parameter(parameter, true), ParameterValue{true});
  EXPECT_EQ(error_of(parameter, std::int64_t{1}), "found 1, expected true or false");
  EXPECT_EQ(error_of(parameter, std::string("yes")), "found \"yes\", expected true or false");
}

TEST(ReadParameter, reads_integers_in_their_range)
{
  const Parameter parameter = declare(ParameterType::integer, 1, 8);
  EXPECT_EQ(read_parameter(parameter, std::int64_t{1}), ParameterValue{std::int64_t{1}});
  EXPECT_EQ(read_parameter(parameter, std::int64_t{8}), ParameterValue{std::int64_t{8}});
  EXPECT_EQ(error_of(parameter, std::int64_t{0}), "found 0, expected a whole number from 1 to 8");
  EXPECT_EQ(error_of(parameter, std::int64_t{9}), "found 9, expected a whole number from 1 to 8");
  EXPECT_EQ(error_of(parameter, 1.5), "found 1.5, expected a whole number from 1 to 8");
  EXPECT_EQ(error_of(declare(ParameterType::integer), std::int64_t{-1}),
            "found -1, expected a whole number of at least 0");
}

TEST(ReadParameter, reads_lists_of_texts)
{
  const Parameter parameter = declare(ParameterType::texts);
  const std::vector<std::string> words = {"python3", "", "mine.py"};
  EXPECT_EQ(read_parameter(parameter, words), ParameterValue{words});
  EXPECT_EQ(error_of(parameter, std::vector<std::string>{}), "found [], expected a list of texts");
  EXPECT_EQ(error_of(parameter, std::vector<std::string>{"", "x"}), "found [\"\", \"x\"], expected a list of texts");
  EXPECT_EQ(error_of(parameter, std::string("python3")), "found \"python3\", expected a list of texts");
}

TEST(ReadParameter, reads_integers_that_may_be_words)
{
  Parameter parameter = declare(ParameterType::integer, 1, 8);
  parameter.choices = {"best"};
  EXPECT_EQ(read_parameter(parameter, std::int64_t{8}), ParameterValue{std::int64_t{8}});
  EXPECT_EQ(read_parameter(parameter, std::string("best")), ParameterValue{std::string("best")});
  EXPECT_EQ(error_of(parameter, std::int64_t{9}), "found 9, expected a whole number from 1 to 8, or \"best\"");
  EXPECT_EQ(error_of(parameter, std::string("worst")),
            "found \"worst\", expected a whole number from 1 to 8, or \"best\"");
}

TEST(ReadParameter, names_the_nearest_choice)
{
  Parameter parameter = declare(ParameterType::choice);
  parameter.choices = {"wormhole", "cut_through", "store_and_forward"};
  EXPECT_EQ(read_parameter(parameter, std::string("cut_through")), ParameterValue{std::string("cut_through")});
  EXPECT_EQ(error_of(parameter, std::string("wormhol")),
            "found \"wormhol\", expected one of \"wormhole\", "
            "\"cut_through\", \"store_and_forward\"; did you mean \"wormhole\"?");
  EXPECT_EQ(error_of(parameter, std::string("x")),
            "found \"x\", expected one of \"wormhole\", \"cut_through\", \"store_and_forward\"");
  EXPECT_EQ(error_of(parameter, true),
            "found true, expected one of \"wormhole\", \"cut_through\", \"store_and_forward\"");
}

TEST(ReadParameter, reads_texts_and_file_names)
{
  EXPECT_EQ(read_parameter(declare(ParameterType::text), std::string()), ParameterValue{std::string()});
  EXPECT_EQ(read_parameter(declare(ParameterType::file), std::string("a.json")), ParameterValue{std::string("a.json")});
  EXPECT_EQ(error_of(declare(ParameterType::file), std::string()), "found \"\", expected a file name");
  EXPECT_EQ(error_of(declare(ParameterType::file), std::string("a\0b", 3)),
            "found a zero byte behind \"a\", expected a file name");
  EXPECT_EQ(error_of(declare(ParameterType::text), std::int64_t{3}), "found 3, expected a text");
}

TEST(ReadParameter, names_the_bad_number_of_a_list)
{
  const Parameter parameter = declare(ParameterType::integers, 1, 64);
  EXPECT_EQ(read_parameter(parameter, Integers{4, 1}), (ParameterValue{Integers{4, 1}}));
  EXPECT_EQ(error_of(parameter, Integers{4, 0}),
            "found [4, 0], whose number 2 is 0, expected a list of whole numbers from 1 to 64");
  EXPECT_EQ(error_of(parameter, Integers{}), "found [], expected a list of whole numbers from 1 to 64");
  EXPECT_EQ(error_of(parameter, std::int64_t{4}), "found 4, expected a list of whole numbers from 1 to 64");
}

TEST(ReadParameter, wants_a_unit_for_times)
{
  const Parameter parameter = declare(ParameterType::time);
  EXPECT_EQ(read_parameter(parameter, std::string("2ns")), ParameterValue{Time{2000}});
  EXPECT_EQ(error_of(parameter, std::int64_t{150}),
            "found 150 without a unit, expected a time with a unit, such as \"150us\"");
  EXPECT_EQ(error_of(parameter, std::string("150")),
            "\"150\" has no unit; expected a time with a unit (s, ms, us, ns, ps), such as \"150us\"");
  EXPECT_EQ(error_of(declare(ParameterType::time, 1000, 1'000'000), std::string("2us")),
            "found \"2us\", expected a time with a unit, such as \"150us\", from 1ns to 1us");
}

TEST(ReadParameter, reads_bytes_with_or_without_unit)
{
  const Parameter parameter = declare(ParameterType::bytes, 1, std::int64_t{1} << 62);
  EXPECT_EQ(read_parameter(parameter, std::string("4KiB")), ParameterValue{std::int64_t{4096}});
  EXPECT_EQ(read_parameter(parameter, std::int64_t{64}), ParameterValue{std::int64_t{64}});
  EXPECT_EQ(error_of(parameter, std::int64_t{0}),
            "found 0, expected a whole number of bytes, such as 4096 or \"4KiB\", of at least 1");
  EXPECT_EQ(error_of(parameter, 0.5),
            "found 0.5, expected a whole number of bytes, such as 4096 or \"4KiB\", of at least 1");
}

TEST(ReadParameter, reads_a_node_as_id_coordinates_or_name)
{
  const Parameter parameter = declare(ParameterType::node);
  EXPECT_EQ(read_parameter(parameter, std::int64_t{5}), ParameterValue{std::int64_t{5}});
  EXPECT_EQ(read_parameter(parameter, Integers{1, 2}), (ParameterValue{Integers{1, 2}}));
  EXPECT_EQ(read_parameter(parameter, std::string("h0_0")), ParameterValue{std::string("h0_0")});
  EXPECT_EQ(error_of(parameter, std::string()),
            "found \"\", expected a node id (a whole number of at least 0), a list of coordinates or a name");
  EXPECT_EQ(error_of(parameter, std::int64_t{-1}),
            "found -1, expected a node id (a whole number of at least 0), a list of coordinates or a name");
  EXPECT_EQ(error_of(parameter, Integers{}),
            "found [], expected a node id (a whole number of at least 0), a list of coordinates or a name");
}

TEST(ReadParameter, reads_nodes_as_ids_or_names)
{
  using Texts = std::vector<std::string>;
  const Parameter parameter = declare(ParameterType::nodes, 0, 9);
  EXPECT_EQ(read_parameter(parameter, Integers{1, 2}), (ParameterValue{Integers{1, 2}}));
  EXPECT_EQ(read_parameter(parameter, Texts{"a", "b"}), (ParameterValue{Texts{"a", "b"}}));
  EXPECT_EQ(error_of(parameter, Integers{1, 10}),
            "found [1, 10], whose number 2 is 10, expected a list of node ids from 0 to 9 or of names");
  EXPECT_EQ(error_of(parameter, Texts{"a", ""}),
            "found [\"a\", \"\"], expected a list of node ids from 0 to 9 or of names");
}

TEST(ReadParameter, keeps_all_ports_as_zero)
{
  const Parameter parameter = declare(ParameterType::ports);
  EXPECT_EQ(read_parameter(parameter, std::string("all")), ParameterValue{std::int64_t{0}});
  EXPECT_EQ(read_parameter(parameter, std::int64_t{3}), ParameterValue{std::int64_t{3}});
  EXPECT_EQ(error_of(parameter, std::int64_t{0}), "found 0, expected a whole number of at least 1, or \"all\"");
  EXPECT_EQ(error_of(parameter, std::string("any")),
            "found \"any\", expected a whole number of at least 1, or \"all\"");
}

std::vector<Parameter> network()
{
  Parameter startup = declare(ParameterType::time);
  startup.name = "startup";
  Parameter buffers = declare(ParameterType::integer, 1, 100);
  buffers.name = "buffer_flits";
  buffers.fallback = std::int64_t{2};
  Parameter file = declare(ParameterType::file);
  file.name = "file";
  file.optional = true;
  return {startup, buffers, file};
}

TEST(ReadParameter, reads_decimal_numbers_above_zero)
{
  Parameter parameter = declare(ParameterType::number);
  parameter.maximum = 1;
  EXPECT_EQ(read_parameter(parameter, 0.25), ParameterValue{0.25});
  EXPECT_EQ(read_parameter(parameter, std::int64_t{1}), ParameterValue{1.0});
  EXPECT_EQ(error_of(parameter, 1.5), "found 1.5, expected a number above 0 up to 1");
  EXPECT_EQ(error_of(parameter, 0.0), "found 0.0, expected a number above 0 up to 1");
  EXPECT_EQ(error_of(parameter, std::numeric_limits<double>::infinity()),
            "found inf, expected a number above 0 up to 1");
  EXPECT_EQ(error_of(declare(ParameterType::number), std::string("x")), "found \"x\", expected a number above 0");
}

TEST(ReadParameter, reads_lists_of_decimal_numbers)
{
  Parameter parameter = declare(ParameterType::numbers);
  parameter.choices = {"auto"};
  using Numbers = std::vector<double>;
  EXPECT_EQ(read_parameter(parameter, Numbers{0.5, 2}), (ParameterValue{Numbers{0.5, 2}}));
  EXPECT_EQ(read_parameter(parameter, Integers{1, 2}), (ParameterValue{Numbers{1, 2}}));
  EXPECT_EQ(read_parameter(parameter, 0.5), (ParameterValue{Numbers{0.5}}));
  EXPECT_EQ(read_parameter(parameter, std::string("auto")), ParameterValue{std::string("auto")});
  EXPECT_EQ(error_of(parameter, Numbers{0.5, -1}), "found [0.5, -1], expected a list of numbers above 0, or \"auto\"");
}

TEST(ReadParameter, reads_extents_as_times_or_messages)
{
  Parameter parameter = declare(ParameterType::extent);
  parameter.minimum = 10;
  parameter.choices = {"auto"};
  EXPECT_EQ(read_parameter(parameter, std::string("2us")), ParameterValue{Time{2'000'000}});
  EXPECT_EQ(read_parameter(parameter, std::int64_t{10}), ParameterValue{std::int64_t{10}});
  EXPECT_EQ(read_parameter(parameter, std::string("auto")), ParameterValue{std::string("auto")});
  const std::string expected =
      "expected a time with a unit, such as \"150us\", a number of messages of at least 10, or \"auto\"";
  EXPECT_EQ(error_of(parameter, std::int64_t{9}), "found 9, " + expected);
  EXPECT_EQ(error_of(parameter, std::string("atuo")), "found \"atuo\", " + expected);
}

TEST(ReadParameters, fills_in_fallbacks_and_leaves_out_optional_ones)
{
  const ParameterValues values = read_parameters(network(), RawValues{{"startup", std::string("150us")}});
  EXPECT_EQ(values.time("startup"), Time{150'000'000});
  EXPECT_EQ(values.integer("buffer_flits"), 2);
  EXPECT_FALSE(values.has("file"));
}

TEST(ReadParameters, names_the_key_in_errors)
{
  const auto error = [](const RawValues& raw) { return input_error([&] { read_parameters(network(), raw); }); };
  EXPECT_EQ(error({{"startup", std::string("1us")}, {"buffer_flit", std::int64_t{1}}}),
            "unknown key \"buffer_flit\"; did you mean \"buffer_flits\"?");
  EXPECT_EQ(error({{"startup", std::string("1us")}, {"colour", std::int64_t{1}}}),
            "unknown key \"colour\"; known are \"startup\", \"buffer_flits\", \"file\"");
  EXPECT_EQ(error({}), "\"startup\" is missing, expected a time with a unit, such as \"150us\"");
  EXPECT_EQ(error({{"startup", std::string("1us")}, {"buffer_flits", std::int64_t{0}}}),
            "\"buffer_flits\": found 0, expected a whole number from 1 to 100");
  EXPECT_EQ(input_error([] { read_parameters({}, RawValues{{"a", true}}); }),
            "unknown key \"a\"; there are no keys here");
}

TEST(ParameterValues, asking_for_what_was_not_declared_is_a_broken_invariant)
{
  ParameterValues values;
  values.set("count", std::int64_t{1});
  EXPECT_THROW(values.integer("other"), std::logic_error);
  EXPECT_THROW(values.text("count"), std::logic_error);
  EXPECT_EQ(values.integer("count"), 1);
}

TEST(MeantKey, IsTheNameThatAFormerOneHasNow)
{
  const std::vector<std::string> known = {"order", "segments"};
  EXPECT_EQ(meant_key("flints", known), "segments");
  EXPECT_EQ(meant_key("packets", known), "segments");
  EXPECT_EQ(meant_key("odrer", known), "order");
  EXPECT_EQ(meant_key("flints", std::vector<std::string>{"order"}), "") << "not where nothing has the new name";
}

TEST(NearestName, allows_a_third_of_the_letters_to_differ)
{
  const std::vector<std::string> known = {"mesh", "torus", "hypercube"};
  EXPECT_EQ(nearest_name("tours", known), "torus"); // neighbours that changed places
  EXPECT_EQ(nearest_name("mehs", known), "mesh");
  EXPECT_EQ(nearest_name("sehm", known), "");
  EXPECT_EQ(nearest_name("toru", known), "torus");
  EXPECT_EQ(nearest_name("hypercub", known), "hypercube");
  EXPECT_EQ(nearest_name("hyprecube", known), "hypercube");
  EXPECT_EQ(nearest_name("mesh", known), "mesh");
  EXPECT_EQ(nearest_name("ring", known), "");
  EXPECT_EQ(nearest_name("", known), "");
}

} // namespace

} // namespace wormcast
