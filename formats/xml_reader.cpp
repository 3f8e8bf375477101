#include "wormcast/formats/xml_reader.hpp"

#include "wormcast/formats/json_reader.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <exception>
#include <expat.h>
#include <istream>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

namespace wormcast {

namespace {

constexpr std::size_t bytes_at_once = 1 << 16;
constexpr std::uint64_t longest_tag = 1 << 20;

/// Expat calls C functions, through which no exception may pass: the first one is stored and thrown afterwards.
class XmlParser {
public:
  XmlParser(std::string_view name, XmlElements& elements, const XmlLimits& limits)
      : name_(name), elements_(elements), limits_(limits), parser_(XML_ParserCreate(nullptr))
  {
    if (!parser_) {
      throw std::bad_alloc();
    }
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), &XmlParser::on_begin, &XmlParser::on_end);
    XML_SetStartDoctypeDeclHandler(parser_.get(), &XmlParser::on_doctype);
  }

  void parse(std::istream& in)
  {
    for (bool last = false; !last;) {
      void* const buffer = XML_GetBuffer(parser_.get(), static_cast<int>(bytes_at_once));
      if (buffer == nullptr) {
        throw std::bad_alloc();
      }
      in.read(static_cast<char*>(buffer), static_cast<std::streamsize>(bytes_at_once));
      const auto read = static_cast<std::uint64_t>(in.gcount());
      last = read < bytes_at_once;
      if (last && in.bad()) {
        throw FileError(fmt::format("{}: cannot be read to its end", name_));
      }
      given_ += read;
      const XML_Status status = XML_ParseBuffer(parser_.get(), static_cast<int>(read), last ? 1 : 0);
      if (thrown_) {
        std::rethrow_exception(thrown_);
      }
      if (status != XML_STATUS_OK) {
        fail(fmt::format("not XML: {}", XML_ErrorString(XML_GetErrorCode(parser_.get()))));
      }
      check_tag();
    }
  }

private:
  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  static void XMLCALL on_begin(void* self, const XML_Char* element, const XML_Char** attributes)
  {
    auto& parser = *static_cast<XmlParser*>(self);
    parser.guarded([&] { parser.begin(element, attributes); });
  }

  static void XMLCALL on_end(void* self, const XML_Char* element)
  {
    auto& parser = *static_cast<XmlParser*>(self);
    parser.guarded([&] {
      --parser.depth_;
      parser.elements_.end(element);
    });
  }

  static void XMLCALL on_doctype(void* self, const XML_Char*, const XML_Char*, const XML_Char*, int)
  {
    auto& parser = *static_cast<XmlParser*>(self);
    parser.guarded([&] { parser.fail("document types are not read"); });
  }

  template <typename Call> void guarded(const Call& call)
  {
    if (thrown_) {
      return;
    }
    try {
      call();
    } catch (...) {
      thrown_ = std::current_exception();
      XML_StopParser(parser_.get(), XML_FALSE);
    }
  }

  XmlPosition position() const
  {
    return {.line = XML_GetCurrentLineNumber(parser_.get()), .column = XML_GetCurrentColumnNumber(parser_.get()) + 1};
  }

  [[noreturn]] void fail(const std::string& text) const
  {
    const XmlPosition at = position();
    throw SyntaxError(fmt::format("{}:{}:{}: {}", name_, at.line, at.column, text));
  }

  /// A tag that is not complete yet is read anew with each part, and stored as a whole.
  void check_tag() const
  {
    const XML_Index begun = XML_GetCurrentByteIndex(parser_.get());
    if (begun >= 0 && given_ > static_cast<std::uint64_t>(begun) + longest_tag) {
      fail(fmt::format("a tag or text of more than {} bytes", longest_tag));
    }
  }

  void begin(const XML_Char* element, const XML_Char** attributes)
  {
    if (++depth_ > limits_.depth) {
      fail(fmt::format("elements are nested more than {} deep", limits_.depth));
    }
    attributes_.clear();
    for (; *attributes != nullptr; attributes += 2) {
      attributes_.push_back({.name = attributes[0], .value = attributes[1]});
      if (attributes_.back().value.size() > limits_.attribute_bytes) {
        fail(fmt::format("attribute '{}' has {} bytes, expected at most {}", printable(attributes_.back().name),
                         attributes_.back().value.size(), limits_.attribute_bytes));
      }
    }
    elements_.begin(element, attributes_, position());
  }

  std::string name_;
  XmlElements& elements_;
  XmlLimits limits_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, Free> parser_;
  std::vector<XmlAttribute> attributes_;
  std::size_t depth_ = 0;
  std::uint64_t given_ = 0;
  std::exception_ptr thrown_;
};

} // namespace

void read_xml(std::istream& in, std::string_view name, XmlElements& elements, const XmlLimits& limits)
{
  XmlParser(name, elements, limits).parse(in);
}

} // namespace wormcast
