#include "tests/fuzz/mutator.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace wormcast::fuzz {

namespace {

constexpr std::size_t longest_input = 8192;

/// The word between the quotes of a line of a dictionary.
std::string word_of(const std::string& line)
{
  const std::size_t first = line.find('"');
  const std::size_t last = line.rfind('"');
  if (first == last) {
    throw std::runtime_error("no word in quotes: " + line);
  }
  std::string word;
  for (std::size_t at = first + 1; at < last; ++at) {
    if (line[at] == '\\' && line[at + 1] == 'x') {
      word += static_cast<char>(std::stoi(line.substr(at + 2, 2), nullptr, 16));
      at += 3;
    } else {
      at += line[at] == '\\' ? 1 : 0;
      word += line[at];
    }
  }
  return word;
}

/// Where numbers, names and texts in quotes stand: begin and length.
std::vector<std::pair<std::size_t, std::size_t>> values_in(const std::string& text)
{
  const auto is_of_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; };
  std::vector<std::pair<std::size_t, std::size_t>> values;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::size_t end = at;
    if (text[at] == '"') {
      end = text.find('"', at + 1);
      end = end == std::string::npos ? at : end + 1;
    } else {
      while (end < text.size() && is_of_name(static_cast<unsigned char>(text[end]))) {
        ++end;
      }
    }
    if (end > at) {
      values.emplace_back(at, end - at);
      at = end;
    }
  }
  return values;
}

} // namespace

std::vector<std::string> read_dictionary(const std::filesystem::path& file)
{
  std::vector<std::string> words;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.front() != '#') {
      words.push_back(word_of(line));
    }
  }
  return words;
}

Mutator::Mutator(std::vector<std::string> seeds, std::vector<std::string> words, std::uint64_t number)
    : seeds_(std::move(seeds)), words_(std::move(words)), random_(number)
{}

std::string Mutator::next()
{
  constexpr std::array changes = {1, 1, 1, 2, 3, 6};
  std::string text = any(seeds_);
  for (int left = changes[below(changes.size())]; left > 0; --left) {
    change(text);
  }
  text.resize(std::min(text.size(), longest_input));
  return text;
}

void Mutator::change(std::string& text)
{
  constexpr std::array lengths = {1, 1, 2, 4, 16, 64};
  const std::size_t at = below(text.size() + 1);
  const std::size_t length = std::min<std::size_t>(text.size() - at, lengths[below(lengths.size())]);
  switch (below(8)) {
  case 0:
    text.insert(at, 1, static_cast<char>(below(256)));
    break;
  case 1:
    text.erase(at, length);
    break;
  case 2:
    for (std::size_t copies = below(16); copies > 0; --copies) {
      text.insert(at, text.substr(at, length));
    }
    break;
  case 3:
    text.insert(at, any(words_));
    break;
  case 4:
    splice(text, at);
    break;
  case 5:
    text.resize(below(4) == 0 ? at : text.size());
    break;
  default:
    replace_value(text);
  }
}

void Mutator::replace_value(std::string& text)
{
  const auto values = values_in(text);
  if (!values.empty()) {
    const auto [at, length] = values[below(values.size())];
    text.replace(at, length, any(words_));
  }
}

/// Puts a part of another seed into it.
void Mutator::splice(std::string& text, std::size_t at)
{
  const std::string& other = any(seeds_);
  const std::size_t from = below(other.size() + 1);
  text.insert(at, other, from, below(200));
}

} // namespace wormcast::fuzz
