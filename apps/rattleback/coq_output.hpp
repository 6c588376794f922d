#pragma once
/// `--to coq [FILE.v]` and `--coq`: a certificate as a file for Coq, and answers that coqc has checked.

#include <string>

#include <rattleback/proof/check/data.hpp>

#include "verb.hpp"

namespace rattleback::app {

Option to_option();
/// --coq.
Option coq_option();

/// The theorem that the certificate shows: to the file that --to names, or to the terminal. True when it went to the terminal.
/// Throws Error[no-coq-form] when there is none.
bool write_coq(const Arguments& args, const Data& certificate, const std::string& model);

}  // namespace rattleback::app
