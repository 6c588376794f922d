#pragma once
/// Motions whose forces switch (dry friction, stops, tables): one smooth flow for each combination of signs, and events between them.
///
/// Where sign(a) stands in a force, a run takes −1 or +1 until a passes through zero, and ends a step exactly there, so that every step
/// is one of a smooth system and methods keep their order. Where both sides push a back to zero, as dry friction does with a body at
/// rest, sign(a) takes the value between −1 and 1 that keeps a' = 0 (Filippov's solution), until that value reaches −1 or 1. Where a' does
/// not contain the sign, the first derivative of a that does takes its place.

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <rattleback/simulate/steppers/stepper.hpp>

namespace rattleback {

class SwitchingMotion {
 public:
  /// Null for a flow whose forces do not switch, and for methods that need more than rates: those take sign(a) as a/|a|.
  static std::unique_ptr<SwitchingMotion> of(const Flow& flow, const std::string& method);
  ~SwitchingMotion();
  SwitchingMotion(const SwitchingMotion&) = delete;
  SwitchingMotion& operator=(const SwitchingMotion&) = delete;

  /// Chooses the signs at the start of a motion.
  void start(double t, std::span<const double> y);
  /// The smooth system of the present signs. It lives as long as this object.
  const Flow& flow() const;
  /// A quantity of the given flow in terms of the present one's: its signs are those of the forces.
  Expr in_present_signs(Expr e) const;
  /// The next switch at a time that is known beforehand, such as a knot of a table; infinity when there is none.
  double next_time(double t) const;
  /// When the last step of the stepper first leaves the present signs. The state there decides about the next ones.
  std::optional<double> leaves(const Stepper& stepper);
  /// Takes the signs that hold from this state on. Throws StepFailure when switches accumulate.
  void change(double t, std::span<const double> y);
  std::size_t changes() const { return changes_; }

  /// The motion with a parameter in place of every sign, for programs that find the switches themselves.
  struct Formulas {
    std::vector<Symbol> signs;
    std::vector<Expr> rates, arguments;  ///< in state, time, parameters and signs
    std::vector<std::vector<Expr>>
        derivatives;          ///< of each argument along the motion, up to one that contains a sign
    std::vector<bool> timed;  ///< the argument is c + d t
  };
  Formulas formulas() const;

 private:
  /// −1, 1, or 0 for a sign that keeps its argument at zero.
  using Signs = std::vector<int>;
  struct Mode;

  explicit SwitchingMotion(const Flow& flow);
  Mode& mode(const Signs& signs);
  std::unique_ptr<Mode> made(const Signs& signs) const;
  /// The values of signs that are 0, as functions of the state; nothing when no values keep their arguments at zero.
  std::optional<std::map<std::size_t, Expr>> kept_values(const Signs& signs) const;
  /// The first derivative of a_k that does not vanish, and whether it is the one that contains signs.
  struct Rate {
    double value = 0;
    bool switches = false;
  };
  Rate rate(std::size_t k, const Signs& signs, double t, std::span<const double> y);
  bool can_keep(std::size_t k, double t, std::span<const double> y);
  bool release(double t, std::span<const double> y);
  void settle(const std::vector<std::size_t>& at_zero, double t, std::span<const double> y);

  const Flow& given_;
  std::unordered_map<Expr, Expr> slot_of_call_;
  System system_;                 ///< with a function #k in place of every sign
  std::vector<Function> slots_;   ///< the functions #k
  std::vector<Symbol> unknowns_;  ///< what they are while the values are looked for
  std::vector<Expr> arguments_;   ///< of the signs, in the system's variables
  std::vector<std::vector<Expr>>
      derivatives_;  ///< of the arguments along the motion, up to one that contains an unknown
  std::vector<std::optional<double>> times_;  ///< of a sign that depends on time alone: when it changes
  std::vector<int> slopes_;                   ///< and its sign afterwards
  std::shared_ptr<const Flow> open_;  ///< rates with the unknowns in place of the signs, running forwards
  std::map<Signs, std::unique_ptr<Mode>> modes_;
  Signs now_;
  std::vector<std::size_t> leaving_;
  std::size_t changes_ = 0, at_once_ = 0, in_a_row_ = 0;
  double last_change_ = -1;
};

}  // namespace rattleback
