// What is declared, read and written back of one field.

#include "tests/values/expect_input_error.hpp"
#include "wormcast/values/field.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace wormcast {
namespace {

enum class Shape { round, square };

constexpr auto shape_names = names<Shape>({{Shape::round, "round"}, {Shape::square, "square"}});

struct Lid {
  std::uint8_t handles = 1;
};

struct Box {
  Time opened;
  std::uint64_t bytes = 64;
  Shape shape = Shape::round;
  std::string lining = "round"; ///< the text of a Shape
  bool locked = false;
  std::optional<double> weight = {};
  Lid lid;
  bool is_pair = false; ///< count = "pair"
};

const Fields<Box>& box_fields()
{
  static const Fields<Box> fields({
      field("opened", &Box::opened, "when it was opened").at_most(5),
      field("bytes", &Box::bytes, "what is in it").as(ParameterType::bytes).at_least(1).otherwise({}),
      field("shape", &Box::shape, shape_names, "its shape").otherwise({}),
      field("lining", &Box::lining, shape_names, "that of its lining").otherwise({}),
      field("locked", &Box::locked, "whether it is locked").optional(),
      field("weight", &Box::weight, "what it weighs"),
      field("handles", &Lid::handles, "handles of the lid").otherwise({}).in(&Box::lid),
      {{.name = "count", .type = ParameterType::text, .optional = true},
       [](Box& box, const ParameterValue* value) {
         box.is_pair = value != nullptr;
         if (box.is_pair && box.locked) {
           throw InputError("found for a locked box");
         }
       },
       [](const Box& box) { return box.is_pair ? std::optional<ParameterValue>(std::string("pair")) : std::nullopt; }},
  });
  return fields;
}

Box read_box(const std::map<std::string, RawValue, std::less<>>& raw)
{
  Box box;
  box_fields().read(box, read_parameters(box_fields().declarations(), raw));
  return box;
}

TEST(Fields, DeclareTheirParameters)
{
  const std::vector<Parameter> all = box_fields().declarations();
  ASSERT_EQ(all.size(), 8);
  EXPECT_EQ(all[0].type, ParameterType::time);
  EXPECT_EQ(all[0].maximum, 5);
  EXPECT_FALSE(all[0].fallback || all[0].optional);
  EXPECT_EQ(all[1].type, ParameterType::bytes);
  EXPECT_EQ(all[1].fallback, ParameterValue(std::int64_t{64}));
  EXPECT_EQ(expectation(all[2]), R"(one of "round", "square")");
  EXPECT_EQ(all[2].fallback, ParameterValue(std::string("round")));
  EXPECT_TRUE(all[4].optional);
  EXPECT_TRUE(all[5].optional);
  EXPECT_EQ(all[5].type, ParameterType::number);
}

TEST(Fields, ReadWhatIsGivenAndLeaveTheRest)
{
  const Box few = read_box({{"opened", "2ps"}});
  EXPECT_EQ(few.opened, Time{2});
  EXPECT_EQ(few.bytes, 64);
  EXPECT_EQ(few.shape, Shape::round);
  EXPECT_FALSE(few.weight || few.locked || few.is_pair);

  const Box all = read_box({{"opened", "2ps"},
                            {"bytes", "1KiB"},
                            {"shape", "square"},
                            {"lining", "square"},
                            {"weight", 2.5},
                            {"handles", std::int64_t{3}},
                            {"count", "pair"}});
  EXPECT_EQ(all.bytes, 1024);
  EXPECT_EQ(all.shape, Shape::square);
  EXPECT_EQ(all.lining, "square");
  EXPECT_EQ(all.weight, 2.5);
  EXPECT_EQ(all.lid.handles, 3);
  EXPECT_TRUE(all.is_pair);
}

TEST(Fields, WriteWhatIsInEffect)
{
  ParameterValues values;
  values.set("weight", 1.5);
  box_fields().write({.opened = Time{1}, .shape = Shape::square, .lid = {.handles = 2}}, values);
  EXPECT_EQ(values.time("opened"), Time{1});
  EXPECT_EQ(values.text("shape"), "square");
  EXPECT_EQ(values.integer("handles"), 2);
  EXPECT_EQ(values.number("weight"), 1.5); // no value in effect: as it was
  EXPECT_FALSE(values.has("count"));
}

TEST(Fields, NameTheirParameterInErrors)
{
  EXPECT_EQ(input_error([] { read_box({{"opened", "0ps"}, {"locked", true}, {"count", "pair"}}); }),
            "count: found for a locked box");
  Box box;
  ParameterValues values;
  values.set("opened", Time{});
  values.set("shape", std::string("oval"));
  EXPECT_EQ(input_error([&] { box_fields().read(box, values); }),
            R"(shape: found "oval", expected one of "round", "square")");
}

TEST(Fields, RefuseValuesThatNoDeclarationLetsThrough)
{
  Box box;
  EXPECT_THROW(box_fields().read(box, {}), std::logic_error); // "opened" is required
  ParameterValues values;
  values.set("opened", std::int64_t{1});
  EXPECT_THROW(box_fields().read(box, values), std::logic_error);
  values.set("opened", Time{});
  values.set("handles", std::int64_t{256});
  EXPECT_THROW(box_fields().read(box, values), std::logic_error);
}

} // namespace
} // namespace wormcast
