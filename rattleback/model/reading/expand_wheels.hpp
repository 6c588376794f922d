#pragma once
/// [wheels]: a short way to write the body, joint and contact of a wheel.

#include <rattleback/model/text/toml.hpp>

namespace rattleback {

/// The file with every [wheels.NAME] replaced by entries of [bodies], [joints] and [contacts]; places stay those of the wheel.
void expand_wheels(const Source& source, Toml& root);

}  // namespace rattleback
