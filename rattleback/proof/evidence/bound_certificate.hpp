#pragma once
/// Certificates bound to a model: what they say about the system is recomputed from the model, and what they answer is stated.

#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// SHA-256 of the normalised model: symbols with their roles, functions, frame, brackets, circles, Lagrangian, forces, constraints and
/// positions. The name of the file, comments, titles, values for parameters and drawings do not matter.
std::string model_digest(const System& system);

/// The answer with a certificate that says what it stands for: the digest of the model, the question or claim, the verdict, the
/// exceptional parameters (`unless`) and the conditions (`where`). An answer without certificate stays as it is; one whose formulas are nested
/// too deeply to be read again loses it.
Answer sealed(Answer answer, const System& system, const std::string& question,
              const std::string& claim = "");

/// The certificate was made for this model and states it: in its own frame or in another one of the same functions, with symbolic
/// parameters or at the model's values. A claim in words is the function or density that is certified. Throws
/// Error[bad-certificate] when it was made for another model, or names none.
std::vector<CheckedStep> binding_steps(const Data& certificate, const System& system);

/// What is taken for granted, a line each: positive parameters, exceptional parameters, conditions, the system when no model is named.
std::vector<std::string> assumed_in(const Data& certificate, bool model_named);

/// What an answer says and its certificate shows are one thing: verdict and question. An overview shows one of its parts. Throws
/// Error[bad-certificate].
void require_same_answer(const Data& answer, const std::string& question,
                         const std::vector<std::string>& parts, const Data& certificate);

}  // namespace rattleback
