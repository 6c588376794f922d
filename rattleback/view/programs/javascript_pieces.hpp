#pragma once
/// Long straight-line functions of JavaScript cut into several short ones, so that engines compile them.
///
/// V8 interprets a function of more than 60 kB of bytecode for ever (--max-optimized-bytecode-size). In pieces the same statements are
/// compiled once the engine has seen them some thousand times: the rates of a bicycle are then some 30 times quicker.

#include <string>
#include <vector>

namespace rattleback {

struct JavascriptStatement {
  std::string name;    ///< the constant that it defines; empty when it defines none
  std::string code;    ///< with its indentation and its line break
  bool again = false;  ///< a value read from an argument that is never written: each piece reads it itself
};

struct JavascriptFunction {
  std::string name, arguments;  ///< `rhs`, "t, state, params, out"
  std::string head;             ///< comment and first line, up to the opening brace
  std::vector<JavascriptStatement> body;
  std::string last;  ///< the return statement; it may use constants
};

/// The function in one piece when it has less than `longest` characters, else in pieces of about that length. What one piece computes
/// for others goes through an array of doubles.
std::string in_pieces(const JavascriptFunction& f, std::size_t longest = 8000);

}  // namespace rattleback
