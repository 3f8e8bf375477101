#include "wormcast/topologies/graph_files/graph_text.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace wormcast {

namespace {

/// Behind the '>' that ends the tag which begins at `from`: one in the value of an attribute does not.
std::size_t end_of_tag(std::string_view text, std::size_t from)
{
  char quote = '\0';
  for (std::size_t at = from; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != '\0') {
      quote = c == quote ? '\0' : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return at + 1;
    }
  }
  return text.size();
}

std::size_t behind(std::string_view text, std::string_view end, std::size_t from)
{
  const std::size_t found = text.find(end, from);
  return found == std::string_view::npos ? text.size() : found + end.size();
}

std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b)
{
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::uint64_t>::max() : sum;
}

std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b)
{
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::uint64_t>::max() : product;
}

/// A token of a DOT text: a name, an edge, or one of { } [ ] and others.
struct DotToken {
  enum class Kind { end, name, edge, mark };
  Kind kind = Kind::end;
  char mark = '\0';
  std::string_view name = {};
};

/// Takes a DOT text apart. Within the angle brackets of a label in HTML, and behind them, nothing tells for sure where
/// they end: from there on closing braces are not trusted.
class DotScanner {
public:
  explicit DotScanner(std::string_view text) : text_(text) {}

  bool has_markup() const { return has_markup_; }

  DotToken next()
  {
    skip_blanks_and_comments();
    if (at_ == text_.size()) {
      return {};
    }
    const char c = text_[at_];
    if (c == '"') {
      return quoted();
    }
    if (c == '-' && at_ + 1 < text_.size() && (text_[at_ + 1] == '>' || text_[at_ + 1] == '-')) {
      at_ += 2;
      return {.kind = DotToken::Kind::edge};
    }
    if (is_of_name(c)) {
      const std::size_t begin = at_;
      while (at_ < text_.size() && is_of_name(text_[at_])) {
        ++at_;
      }
      return {.kind = DotToken::Kind::name, .name = text_.substr(begin, at_ - begin)};
    }
    has_markup_ = has_markup_ || c == '<';
    ++at_;
    return {.kind = DotToken::Kind::mark, .mark = c};
  }

private:
  static bool is_of_name(char c)
  {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' ||
           static_cast<unsigned char>(c) >= 0x80;
  }

  void skip_blanks_and_comments()
  {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      const bool begins_line = at_ == 0 || text_[at_ - 1] == '\n';
      if (std::isspace(static_cast<unsigned char>(rest.front())) != 0) {
        ++at_;
      } else if (rest.starts_with("//") || (rest.front() == '#' && begins_line)) {
        at_ = behind(text_, "\n", at_);
      } else if (rest.starts_with("/*")) {
        at_ = behind(text_, "*/", at_ + 2);
      } else {
        return;
      }
    }
  }

  DotToken quoted()
  {
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_, text_.size());
    const DotToken token{.kind = DotToken::Kind::name, .name = text_.substr(begin, at_ - begin)};
    at_ = std::min(at_ + 1, text_.size());
    return token;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool has_markup_ = false;
};

/// Counts what a DOT text makes: a stack of the subgraphs that are open, with the nodes named in each.
class DotCounter {
public:
  void take(const DotToken& token)
  {
    if (token.kind == DotToken::Kind::edge) {
      frame().edge_follows = true;
    } else if (token.kind == DotToken::Kind::name) {
      take_name(token.name);
    } else {
      take_mark(token.mark);
    }
  }

  std::uint64_t edges() const { return edges_; }

private:
  struct Frame {
    std::string name = {};
    std::uint64_t nodes = 0;
    std::uint64_t last = 0;     ///< nodes of the operand before
    bool last_is_group = false; ///< it was a subgraph
    bool edge_follows = false;
  };

  Frame& frame() { return frames_.back(); }

  void take_name(std::string_view name)
  {
    if (attributes_ > 0) {
      return;
    }
    if (name == "subgraph") {
      subgraph_follows_ = true;
    } else if (subgraph_follows_) {
      subgraph_follows_ = false;
      group_ = name;
      has_group_ = true;
    } else {
      operand(1, false);
    }
  }

  void take_mark(char mark)
  {
    if (mark == '[' || mark == ']') {
      close_named_group();
      attributes_ += mark == '[' ? 1 : attributes_ > 0 ? -1 : 0;
    } else if (mark == '{' && attributes_ == 0) {
      frames_.push_back({.name = has_group_ ? group_ : std::string()});
      has_group_ = false;
      subgraph_follows_ = false;
    } else if (mark == '}' && attributes_ == 0) {
      close_named_group();
      end_group();
    } else if (mark == ';' || mark == ',') {
      close_named_group();
      frame().edge_follows = false;
    }
  }

  /// "subgraph name" without braces means its earlier contents.
  void close_named_group()
  {
    if (has_group_) {
      has_group_ = false;
      operand(sizes_[group_], true);
    }
  }

  void end_group()
  {
    if (frames_.size() == 1) {
      return;
    }
    const Frame ended = std::move(frames_.back());
    frames_.pop_back();
    std::uint64_t size = ended.nodes;
    if (!ended.name.empty()) {
      std::uint64_t& known = sizes_[ended.name];
      known = saturated_sum(known, ended.nodes);
      size = known;
    }
    operand(size, true);
  }

  void operand(std::uint64_t nodes, bool is_group)
  {
    if (has_group_ && !is_group) {
      close_named_group();
    }
    Frame& here = frame();
    here.nodes = saturated_sum(here.nodes, nodes);
    if (here.edge_follows && (is_group || here.last_is_group)) {
      edges_ = saturated_sum(edges_, saturated_product(here.last, nodes));
    }
    here.edge_follows = false;
    here.last = nodes;
    here.last_is_group = is_group;
  }

  std::vector<Frame> frames_{1};
  std::map<std::string, std::uint64_t, std::less<>> sizes_; ///< by name of a subgraph: nodes named in it
  std::string group_;
  bool has_group_ = false; ///< "subgraph name" was read, and no brace yet
  bool subgraph_follows_ = false;
  int attributes_ = 0; ///< open square brackets
  std::uint64_t edges_ = 0;
};

} // namespace

std::size_t xml_nesting(std::string_view text)
{
  std::size_t depth = 0;
  std::size_t deepest = 0;
  std::size_t at = text.find('<');
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    std::size_t end = at + 1;
    if (rest.starts_with("<!--")) {
      end = behind(text, "-->", at + 4);
    } else if (rest.starts_with("<![CDATA[")) {
      end = behind(text, "]]>", at);
    } else if (rest.starts_with("<?")) {
      end = behind(text, "?>", at);
    } else if (rest.starts_with("</")) {
      depth -= depth > 0 ? 1 : 0;
    } else if (!rest.starts_with("<!")) {
      end = end_of_tag(text, at);
      depth += text[end - 1] == '>' && text[end - 2] == '/' ? 0 : 1;
    }
    deepest = std::max(deepest, depth);
    at = text.find('<', end);
  }
  return deepest;
}

DotOutline dot_outline(std::string_view text)
{
  DotScanner scanner(text);
  DotCounter counter;
  DotOutline outline;
  std::size_t depth = 0;
  for (DotToken token = scanner.next(); token.kind != DotToken::Kind::end; token = scanner.next()) {
    counter.take(token);
    if (token.kind == DotToken::Kind::mark) {
      depth += token.mark == '{' ? 1 : 0;
      depth -= token.mark == '}' && depth > 0 && !scanner.has_markup() ? 1 : 0;
      outline.nesting = std::max(outline.nesting, depth);
    }
  }
  outline.edges = counter.edges();
  return outline;
}

bool naturally_before(std::string_view a, std::string_view b)
{
  const auto number = [](std::string_view text) {
    const auto end = std::ranges::find_if(text, [](unsigned char c) { return std::isdigit(c) == 0; });
    std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    return std::pair(digits.size(), digits.substr(std::min(digits.find_first_not_of('0'), digits.size())));
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const auto [length_a, digits_a] = number(a.substr(i));
    const auto [length_b, digits_b] = number(b.substr(j));
    if (length_a > 0 && length_b > 0) {
      if (digits_a != digits_b) {
        return std::pair(digits_a.size(), digits_a) < std::pair(digits_b.size(), digits_b);
      }
      i += length_a;
      j += length_b;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i;
      ++j;
    }
  }
  return a.size() - i != b.size() - j ? a.size() - i < b.size() - j : a < b;
}

} // namespace wormcast
