#pragma once
/// What the studio's server accepts, keeps and waits for: the one table.

#include <chrono>
#include <cstddef>

namespace rattleback::app::studio_limits {

// A connection.

/// Connections at the same time.
inline constexpr std::size_t connections = 400;
/// From the first byte of a request to its last.
inline constexpr std::chrono::seconds request{10};
/// A connection that is kept open without a request.
inline constexpr std::chrono::seconds idle_connection{60};
/// A response that the client does not read.
inline constexpr std::chrono::seconds unread_response{30};

// Sizes, in bytes.

/// The head and the body of a request.
inline constexpr std::size_t head = 16'000;
inline constexpr std::size_t body = 8'000'000;
/// One value of a request, and the text of a model in it.
inline constexpr std::size_t value = 4000;
inline constexpr std::size_t text = 4'000'000;
/// A document that is read from the folder or written to it.
inline constexpr std::size_t document = 4'000'000;
/// Of a response that waits for its reader.
inline constexpr std::size_t unsent = 4'000'000;
/// Of the messages of one computation.
inline constexpr std::size_t messages = 64'000;
/// Addresses and output of one computation.
inline constexpr std::size_t addresses = std::size_t{6} << 30U;
inline constexpr std::size_t output = std::size_t{200} << 20U;
/// Memory after which the process of films ends, and another begins: expressions are never given back.
inline constexpr std::size_t memory_of_films = 1'500'000'000;

// What is kept.

/// Files of the folder in the list.
inline constexpr std::size_t entries = 400;
/// Processes that wait with a model in memory, and for how long.
inline constexpr std::size_t kept_processes = 3;
inline constexpr std::chrono::seconds idle_process{300};
/// An answer that is no longer wanted.
inline constexpr std::chrono::milliseconds abandoned_answer{400};

}  // namespace rattleback::app::studio_limits
