/// Simbody on the Chaplygin sleigh: a planar body whose blade may not slip sideways. In a file of its own, because Simbody's
/// headers do not compile as C++20.
#include <SimTKsimbody.h>

#include <ctime>

namespace {

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

/// start: x, y, heading, u, omega. Returns CPU seconds, and x, y, heading at the end; less than 0 where it fails.
double simbody_sleigh(const double* start, double until, double accuracy, double* end) {
  using namespace SimTK;
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  const double mass = 1, inertia = 0.4, ahead = 0.5;
  const Body::Rigid body(
      MassProperties(mass, Vec3(ahead, 0, 0), Inertia(1, 1, inertia + mass * ahead * ahead)));
  MobilizedBody::Planar sleigh(matter.Ground(), Transform(), body, Transform());
  Constraint::NoSlip1D blade(sleigh, Vec3(0), UnitVec3(0, 1, 0), matter.Ground(), sleigh);
  State state = system.realizeTopology();
  sleigh.setQ(state, Vec3(start[2], start[0], start[1]));
  sleigh.setU(state, Vec3(start[4], start[3] * std::cos(start[2]), start[3] * std::sin(start[2])));
  RungeKuttaMersonIntegrator integrator(system);
  integrator.setAccuracy(accuracy);
  integrator.setConstraintTolerance(accuracy);
  try {
    integrator.initialize(state);
    const double begin = cpu_seconds();
    while (integrator.getTime() < until) integrator.stepTo(until);
    const double seconds = cpu_seconds() - begin;
    const Vec3 q = sleigh.getQ(integrator.getState());
    end[0] = q[1];
    end[1] = q[2];
    end[2] = q[0];
    return seconds;
  } catch (const std::exception&) {
    return -1;
  }
}
