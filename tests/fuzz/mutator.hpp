#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace wormcast::fuzz {

/// The words of a dictionary of libFuzzer: lines "name=\"word\"", with \\, \" and \xAB in them. Throws
/// std::runtime_error with the line where it is no such file.
std::vector<std::string> read_dictionary(const std::filesystem::path& file);

/// Makes inputs that are nearly right out of ones that are. The same seeds, words and number give the same inputs
/// everywhere.
class Mutator {
public:
  /// At least one seed and one word.
  Mutator(std::vector<std::string> seeds, std::vector<std::string> words, std::uint64_t number);

  std::string next();

private:
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }
  const std::string& any(const std::vector<std::string>& texts) { return texts[below(texts.size())]; }
  void change(std::string& text);
  void replace_value(std::string& text);
  void splice(std::string& text, std::size_t at);

  std::vector<std::string> seeds_;
  std::vector<std::string> words_;
  std::mt19937_64 random_;
};

} // namespace wormcast::fuzz
