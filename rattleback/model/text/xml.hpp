#pragma once
/// Reader of XML, as far as robot descriptions need it: elements, attributes, comments. No entities beyond the five of XML, no DTD.

#include <string>
#include <utility>
#include <vector>

#include <rattleback/model/text/source.hpp>

namespace rattleback {

struct Xml {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<Xml> children;
  Span span;  ///< of the opening tag

  const Xml* find(const std::string& child) const;  ///< the first of this name
  /// The attribute, or `otherwise`.
  std::string get(const std::string& attribute, const std::string& otherwise = "") const;
};

/// The root element. Throws Error[bad-urdf] with the place.
Xml parse_xml(const Source& source);

}  // namespace rattleback
