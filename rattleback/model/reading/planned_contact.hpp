#pragma once
/// [contacts] before the space is made: which contacts bring coordinates, how these are called, and which bodies a contact places.

#include <string>
#include <vector>

#include <rattleback/model/reading/reading.hpp>

namespace rattleback {

/// A contact of the file, as far as its keys alone say. What is wrong with it is reported when it is read.
struct PlannedContact {
  const Toml* item = nullptr;
  std::string name, body;
  std::string on;  ///< the body that carries the support, or "ground"
  Surface::Kind surface = Surface::Kind::sphere;
  Support::Kind support = Support::Kind::plane;
  bool places_body = false;  ///< nothing else says where the body is
  std::vector<std::string>
      on_support;  ///< coordinates of the contact point on the support; empty: they follow from the pose
  std::vector<std::string>
      on_surface;  ///< of the contact point on the body: implicit and parametric surfaces
  std::string
      height;  ///< of the body above the support, where it is a coordinate that the contact keeps at 0
  std::string rotation, body_rate, space_rate;  ///< of a body that the contact places
};

/// In the order of the file; `grounded` says whether joints or a position place a body already, and is told what contacts place.
struct Placement {
  virtual bool is_placed(const std::string& body) const = 0;
  virtual bool are_joined(const std::string& a, const std::string& b) const = 0;
  virtual void place(const std::string& body) = 0;

 protected:
  ~Placement() = default;
};
std::vector<PlannedContact> planned_contacts(const Reading& reading, Placement& placement);

/// The surface of the body; `origin` is that of the body, from the point that `center` shall be measured from.
Surface read_surface(const Reading& reading, const PlannedContact& contact, const Matrix& origin);
/// What it touches; `origin` likewise, of the body that carries it.
Support read_support(const Reading& reading, const PlannedContact& contact, const Matrix& origin);

/// The pose of the body, from the coordinates of the contact point and the rotation matrix that the contact has brought.
void place_by_contact(Reading& reading, const PlannedContact& contact);

/// Lines, circles and rotations: one factor for each coordinate.
void add_contact_coordinates(Reading& reading, const PlannedContact& contact, std::vector<Factor>& factors);

}  // namespace rattleback
