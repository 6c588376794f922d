#pragma once
/// Where the headers of Arb and Calcium lie: in folders of their own beside FLINT 2, under flint/ in FLINT 3, which contains both. This is the
/// one file that tells the versions apart; a rule (tools/check_includes.py) finds others.

// NOLINTBEGIN(bugprone-macro-parentheses): the arguments are names of files
#if __has_include(<flint/arb.h>)
#define RATTLEBACK_ARB_HEADER(name) <flint/name>
#define RATTLEBACK_CALCIUM_HEADER(name) <flint/name>
#else
#define RATTLEBACK_ARB_HEADER(name) <name>
#define RATTLEBACK_CALCIUM_HEADER(name) <calcium/name>
#define CALCIUM_H  // calcium.h, which its other headers include, is not C++, and what we use does not need it
#endif
// NOLINTEND(bugprone-macro-parentheses)
