#pragma once
/// Contacts that may open: a coordinate for the gap that the coordinates keep closed, and the system with some contacts open.

#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// The system with a coordinate s = NAME_gap for the contact NAME whose gap vanishes identically: all bodies move along its normal n,
///     r_b ↦ r_b + s n,   L ↦ L + Σ m_b (⟨v_b, d⟩ + ½ |d|²) − s ⟨g, n⟩ Σ m_b,   d = s' n + s n',          (S.21)
/// and gap = 0 is a constraint. It is done where the normal force of the contact is known (A.9): one such contact, and nothing acts
/// besides weight and contacts. Otherwise the contact stays closed for ever.
System with_gap_coordinate(System system);

/// Does the constraint come from this contact, so that it goes when the contact opens? The conditions on the point of an implicit surface,
/// which say where the body is nearest to its support, stay.
bool goes_with(const Constraint& constraint, const Contact& contact);
/// Does it forbid slipping?
bool forbids_slipping(const Constraint& constraint, const Contact& contact);

/// Contacts with a constraint on their gap, which can open.
std::vector<Contact> contacts_that_open(const System& system);

/// ⟨n, v_G + ω × r_GC⟩: how fast the body's material point at C leaves the support.
Expr leaving_velocity(const System& system, const Contact& contact);

}  // namespace rattleback
