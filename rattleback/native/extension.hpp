#pragma once
/// Lazy loading (dlopen) of the parts that need a large library, when they are first used: linked at start, HDF5 would
/// cost every command 7 ms, MPI and LLVM more.

#include <string>

namespace rattleback {

/// The function `symbol` of the shared object librattleback_<name>.so. It stays open until the program ends.
/// Throws Error[missing-extension] when this installation does not have it.
void* extension_function(const std::string& name, const char* symbol);

template <class Signature>
Signature* extension(const std::string& name, const char* symbol) {
  return reinterpret_cast<Signature*>(extension_function(name, symbol));
}

/// Looks for them in this folder first from now on, for packages that carry their own.
void set_extension_folder(const std::string& folder);

/// Whether extension_function would find the object.
bool has_extension(const std::string& name);

}  // namespace rattleback
