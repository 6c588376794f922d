#pragma once
/// Motions that leave their contacts and come back: phases of rolling, sliding and free flight, with impacts between them.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <rattleback/simulate/runs/contact_phases.hpp>
#include <rattleback/simulate/runs/detailed_trajectory.hpp>

namespace rattleback {

class FlyingMotion {
 public:
  struct Start {
    bool project = false;
    bool in_flight =
        false;  ///< every contact that can open is open at the start, and the initial values are those of free bodies
  };
  /// Throws what an initial state throws, and Error[cannot-fly].
  FlyingMotion(const System& model, const std::vector<std::pair<std::string, std::string>>& initial,
               Start start);

  /// Free flight, in all velocities: rows of a run are its states.
  const Flow& flow() const { return phases_->free(); }
  const std::vector<double>& state() const { return state_; }
  /// Names that say where the constraints allow several positions.
  const std::vector<std::string>& branches() const { return branches_; }

  /// The motion until its end. A contact opens when its normal force vanishes and closes when its gap does; a rebound that is slower than
  /// 10⁻⁶ of the fastest approach of that contact ends in contact. Invariants of the options are not watched: in each phase the energy is.
  Trajectory run(const RunOptions& options);
  /// The same with samples at chosen times and the states of free flight; after_step is not called.
  DetailedTrajectory detailed(const DetailedOptions& options);

 private:
  std::unique_ptr<ContactPhases> phases_;
  std::vector<double> state_;
  std::vector<std::string> branches_;
  bool in_flight_ = false;
};

}  // namespace rattleback
