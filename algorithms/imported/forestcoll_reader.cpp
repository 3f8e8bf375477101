#include "wormcast/algorithms/imported/forestcoll.hpp"
#include "wormcast/formats/json_reader.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/formats/xml_reader.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>

namespace wormcast {

namespace {

constexpr std::size_t most_sends = std::size_t{1} << 26;
constexpr std::uint64_t most_tree_ranks = std::uint64_t{1} << 32; // trees times ranks
constexpr std::uint64_t most_chunks_of_root = std::uint64_t{1} << 31;

/// Numbers by value, before texts.
struct InOrderOfNames {
  bool operator()(const std::string& one, const std::string& other) const { return key(one) < key(other); }

  static std::tuple<bool, std::int64_t, std::string_view> key(std::string_view name)
  {
    const auto number = number_of_text<std::int64_t>(name);
    return {!number, number.value_or(0), name};
  }
};

/// "(0, 'GPU', 0),(1, 'GPU', 0)": commas within brackets do not separate.
std::vector<std::string> names_of_path(std::string_view path)
{
  std::vector<std::string> names(1);
  std::size_t depth = 0;
  for (const char character : path) {
    depth += character == '(' || character == '[' ? 1 : 0;
    depth -= depth > 0 && (character == ')' || character == ']') ? 1 : 0;
    if (character == ',' && depth == 0) {
      names.emplace_back();
    } else if (character != ' ' || !names.back().empty()) {
      names.back() += character;
    }
  }
  return names;
}

class ForestReader final : public XmlElements {
public:
  explicit ForestReader(std::string_view name) : name_(name) {}

  void begin(std::string_view element, std::span<const XmlAttribute> attributes, XmlPosition position) override
  {
    attributes_ = attributes;
    position_ = position;
    if (depth_ == 0 && element == "Algo") {
      forest_.chunks = number("nchunkspernode");
    } else if (element == "tree" && (depth_ == 0 || (depth_ == 1 && !forest_in_tree_))) {
      read_tree();
      forest_.chunks = depth_ == 0 ? forest_.trees.back().chunks : forest_.chunks;
      forest_in_tree_ = true;
    } else if (element == "send" && forest_in_tree_ && depth_ == tree_depth_ + 1) {
      read_send();
    } else {
      fail(fmt::format("element '{}', expected 'Algo' with 'tree's, or one 'tree', of 'send's", printable(element)));
    }
    ++depth_;
  }

  void end(std::string_view element) override
  {
    --depth_;
    forest_in_tree_ = forest_in_tree_ && element != "tree";
  }

  Forest finish()
  {
    if (forest_.trees.empty()) {
      throw SyntaxError(fmt::format("{}: no tree", name_));
    }
    if (forest_.trees.size() > most_tree_ranks / ids_.size()) {
      throw SyntaxError(fmt::format("{}: {} trees of {} ranks are too many", name_, forest_.trees.size(), ids_.size()));
    }
    std::vector<std::uint32_t> rank_of_id(ids_.size());
    for (const auto& [name, id] : ids_) { // in the order of names
      rank_of_id[id] = static_cast<std::uint32_t>(forest_.names.size());
      forest_.names.push_back(name);
    }
    for (ForestTree& tree : forest_.trees) {
      tree.root = rank_of_id[tree.root];
      for (ForestSend& send : tree.sends) {
        send.from = rank_of_id[send.from];
        send.to = rank_of_id[send.to];
      }
    }
    for (const std::string& inside : inside_of_paths_) {
      if (!ids_.contains(inside)) {
        forest_.switches.push_back(inside);
      }
    }
    return std::move(forest_);
  }

private:
  [[noreturn]] void fail(const std::string& text) const
  {
    throw SyntaxError(fmt::format("{}:{}:{}: {}", name_, position_.line, position_.column, text));
  }

  std::string_view text(std::string_view key) const
  {
    const auto found = std::ranges::find(attributes_, key, &XmlAttribute::name);
    if (found == attributes_.end()) {
      fail(fmt::format("no attribute '{}'", key));
    }
    return found->value;
  }

  std::uint64_t number(std::string_view key) const
  {
    const auto found = number_of_text<std::uint64_t>(text(key));
    if (!found || *found > most_chunks_of_root) {
      fail(fmt::format("{}=\"{}\", expected a number from 0 to {}", key, printable(text(key)), most_chunks_of_root));
    }
    return *found;
  }

  std::uint32_t rank(std::string_view name)
  {
    return ids_.emplace(std::string(name), static_cast<std::uint32_t>(ids_.size())).first->second;
  }

  void read_tree()
  {
    tree_depth_ = depth_;
    root_ = text("root");
    forest_.trees.push_back({.root = rank(root_),
                             .index = number("index"),
                             .chunks = number("nchunks"),
                             .height = number("height"),
                             .sends = {},
                             .line = static_cast<std::uint32_t>(position_.line)});
    if (forest_.trees.back().chunks == 0) {
      fail("nchunks=\"0\", expected 1 or more");
    }
  }

  void read_send()
  {
    ForestTree& tree = forest_.trees.back();
    if (++sends_ > most_sends) {
      fail(fmt::format("more than {} sends", most_sends));
    }
    const std::string_view from = text("src");
    const std::string_view to = text("dst");
    const std::vector<std::string> path = names_of_path(text("path"));
    if (from == to || path.size() < 2 || path.front() != from || path.back() != to) {
      fail(fmt::format("tree {} of {}: path '{}' does not join '{}' and '{}'", tree.index, printable(root_),
                       printable(text("path")), printable(from), printable(to)));
    }
    inside_of_paths_.insert(path.begin() + 1, path.end() - 1);
    tree.sends.push_back({rank(from), rank(to), static_cast<std::uint32_t>(position_.line)});
  }

  std::string name_;
  Forest forest_;
  std::span<const XmlAttribute> attributes_; ///< of the tag that is being read
  XmlPosition position_;
  std::size_t depth_ = 0;
  std::size_t tree_depth_ = 0;
  bool forest_in_tree_ = false;
  std::string root_; ///< of the tree that is being read
  std::size_t sends_ = 0;
  std::map<std::string, std::uint32_t, InOrderOfNames> ids_; ///< of ranks, in the order of the file
  std::set<std::string, InOrderOfNames> inside_of_paths_;
};

/// Throws SyntaxError for a complete tree whose height is not that of the file.
void check_heights(const Forest& forest, std::string_view name)
{
  std::vector<std::uint64_t> depth(forest.names.size());
  for (const ForestTree& tree : forest.trees) {
    std::ranges::fill(depth, 0);
    std::uint64_t height = 0;
    for (const ForestSend& send : tree.sends) {
      depth[send.to] = depth[send.from] + 1;
      height = std::max(height, depth[send.to]);
    }
    if (tree.sends.size() + 1 == forest.names.size() && height != tree.height) {
      throw SyntaxError(fmt::format("{}:{}: tree {} of {}: height {}, the longest path has {} sends", name, tree.line,
                                    tree.index, printable(forest.names[tree.root]), tree.height, height));
    }
  }
}

} // namespace

Forest read_forestcoll(std::istream& in, std::string_view name)
{
  ForestReader reader(name);
  read_xml(in, name, reader);
  Forest forest = reader.finish();
  check_heights(forest, name);
  return forest;
}

Forest read_forestcoll(const std::filesystem::path& file)
{
  std::ifstream in = open_file(file);
  return read_forestcoll(in, file.string());
}

} // namespace wormcast
