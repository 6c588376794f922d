"""Periodic motions by AUTO-07p: the numbers in tests/units/study/periodic_branch.cpp.

    auto_orbits.py            needs the command auto-07p (Debian: auto-07p); says so and ends with 0 when it is absent

Rayleigh's oscillator is the file that `rattleback export --to auto` writes for it; Duffing's has its forcing as a second oscillator, as
AUTO wants it.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

REST = "\n".join(f"subroutine {name}\nend subroutine" for name in ("bcnd", "icnd", "fopt", "pvls")) + "\n"
HEAD = """subroutine func(ndim, u, icp, par, ijac, f, dfdu, dfdp)
  implicit none
  integer, intent(in) :: ndim, icp(*), ijac
  double precision, intent(in) :: u(ndim), par(*)
  double precision, intent(out) :: f(ndim)
  double precision, intent(inout) :: dfdu(ndim, ndim), dfdp(ndim, *)
"""
START = """end subroutine func
subroutine stpnt(ndim, u, par, t)
  implicit none
  integer, intent(in) :: ndim
  double precision, intent(inout) :: u(ndim), par(*)
  double precision, intent(in) :: t
  double precision, parameter :: tpi = 6.283185307179586d0
"""
FILES = {
    "rayleigh.f90": HEAD + "  f(1) = u(2)\n  f(2) = par(1)*u(2) - u(2)**3 - u(1)\n" + START + "  par(1) = -0.1d0\n  u = 0d0\n"
                    "end subroutine stpnt\n" + REST,
    "duffing.f90": HEAD + """  f(1) = u(2)
  f(2) = -0.3d0*u(2) + u(1) - u(1)**3 + par(1)*u(4)
  f(3) = u(3) + u(4) - u(3)*(u(3)**2 + u(4)**2)
  f(4) = -u(3) + u(4) - u(4)*(u(3)**2 + u(4)**2)
""" + START + "  par(1) = 0d0\n  par(11) = tpi\n  u(1) = 1d0\n  u(2) = 0d0\n  u(3) = sin(tpi*t)\n  u(4) = cos(tpi*t)\n"
                   "end subroutine stpnt\n" + REST,
    "c.rayleigh": "NDIM=2, IPS=1, IRS=0, ILP=0\nICP=[1]\nNTST=40, NCOL=4, IAD=3, ISP=2, ISW=1\nNMX=200, RL0=-1, RL1=3\n"
                  "EPSL=1e-10, EPSU=1e-10, EPSS=1e-8\nDS=0.01, DSMIN=1e-5, DSMAX=0.05, NPR=200\nUZSTOP={1: 3.0}\n",
    "c.duffing": "NDIM=4, IPS=2, IRS=0, ILP=1\nICP=[1,11]\nNTST=60, NCOL=5, IAD=3, ISP=2, ISW=1\nNMX=200, RL0=-1, RL1=0.6\n"
                 "EPSL=1e-9, EPSU=1e-9, EPSS=1e-7\nDS=0.005, DSMIN=1e-6, DSMAX=0.05, NPR=200\n",
    "orbits.auto": """steady = run(e='rayleigh', c='rayleigh')
born = run(steady('HB1'), IPS=2, ICP=[1,11], NMX=300, NTST=100, NCOL=5, UZR={1:[0.5,1.0,2.0]}, UZSTOP={1:2.001}, DSMAX=0.1)
for p in born('UZ'):
    print('RESULT rayleigh mu %.9f period %.10f' % (p.PAR(1), p.PAR(11)))
forced = run(e='duffing', c='duffing')
for kind in ('LP', 'PD'):
    for p in forced(kind):
        print('RESULT duffing %s A %.10f' % (kind, p.PAR(1)))
""",
}


def main():
    if shutil.which("auto-07p") is None:
        print("AUTO-07p is not installed (Debian: apt-get install auto-07p); nothing was compared")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            pathlib.Path(folder, name).write_text(text)
        done = subprocess.run(["auto-07p", "orbits.auto"], cwd=folder, capture_output=True, text=True, timeout=600)
        results = [line for line in done.stdout.splitlines() if line.startswith("RESULT")]
    print("\n".join(results))
    return 0 if len(results) >= 6 else 1


if __name__ == "__main__":
    sys.exit(main())
