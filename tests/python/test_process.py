"""What an interpreter must survive: interrupts, time limits, threads, aborts of other libraries."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import rattleback as rb


def interrupted(call, after=0.3):
    """Seconds from Ctrl-C to KeyboardInterrupt."""
    sent = []

    def send():
        time.sleep(after)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
            time.sleep(2)  # a call that was quicker than the signal gets it here
        return time.monotonic() - sent[0]
    finally:
        try:
            sender.join()
        except KeyboardInterrupt:  # of a call that ended otherwise
            sender.join()


LONG = {
    "simulate": lambda: rb.zoo("rattleback").simulate(until=1e7, search=False),
    "sweep": lambda: rb.zoo("rattleback").sweep({"Omega3": np.linspace(-5, 5, 2000)}, until=2000,
                                                keep={"r": "crossings(Omega3)"}),
    "lyapunov": lambda: rb.zoo("rattleback").lyapunov(3, until=1e6),
    "analyze": lambda: rb.zoo("rattleback").analyze(timeout=600),
    "agreement": lambda: rb.zoo("bicycle").agreement(),
    "report": lambda: rb.zoo("rattleback").report(),
    "section": lambda: rb.zoo("contact-oscillator").section("y = 0", points=10**9),
    "prove": lambda: rb.zoo("rattleback").prove(conserved="Omega1^6*Omega2^5 + Omega3^7", timeout=600),
    "equilibria": lambda: rb.zoo("bicycle").equilibria(timeout=600),
    "doubt": lambda: rb.zoo("rattleback").doubt(seconds=600),
    "random doubt": lambda: rb.doubt(seconds=600),
    "branches": lambda: rb.zoo("rattleback").branches("Omega3", -600, 600, start={"Omega3": 2}, points=10**7, step=1e-4),
    "orders": lambda: rb.zoo("rattleback").orders(step=1e-5, until=1000),
    "precision": lambda: rb.zoo("rattleback").simulate(until=1e5, precision=1000),
    "linearise": lambda: [rb.zoo("bicycle").linearise({"rear_rate": "v/rR"}) for _ in range(100)],
    "along": lambda: rb.zoo("bicycle").linearise({"rear_rate": "v/rR"}).along("v", np.linspace(0.5, 10, 10**6)),
    "derive": lambda: rb.zoo("bicycle").derivations(),
    "check": lambda: [rb.zoo(name).check(seconds=600) for name in ("bicycle", "rattleback") * 50],
    "export": lambda: [rb.zoo("bicycle").export("c", "vakonomic") for _ in range(100)],
    "orbits": lambda: rb.zoo("rattleback").orbits("period", 0.1, 600, points=10**6, step=1e-4, start={"Omega3": 2}),
    "map": lambda: rb.zoo("contact-oscillator").map("y = 0", points=10**9),
    "cycles": lambda: rb.zoo("contact-oscillator").map("y = 0", level={"energy": 2}, starts=100, points=100, cycle=60),
    "measure": lambda: rb.zoo("contact-oscillator").measure("x", until=1e7),
    "measured samples": lambda: rb.zoo("contact-oscillator").measure("x", until=1e4, samples=10**6),
    "covariant": lambda: rb.zoo("contact-oscillator").measure(covariant="all", until=1e7),
    "volume": lambda: rb.zoo("contact-oscillator").measure(volume=10**6, until=1e3),
    "fly": lambda: rb.zoo("ball-in-cylinder").simulate(until=1e7, fly=True),  # it never leaves, and is watched at every step
    "two parameters": lambda: rb.zoo("rattleback").branches("Omega3", -6, 6, start={"Omega3": 2}, second={"delta": (0.1, 0.8)}, step=1e-3, points=10**6),
    "figure": lambda: _run_of_many_steps().figure(),
    **({"coq": lambda: rb.zoo("chaplygin-sleigh").analyze("energy", coq=True)} if shutil.which("coqc") else {}),
    "sol": lambda: _run_of_many_steps().sol(1.0),
    "animate": lambda: _run_of_many_steps().animate(),
}


def _run_of_many_steps():
    run = rb.zoo("rattleback").simulate(until=5, search=False)
    run._request["until"], run._data["end"] = 1e7, 1e7  # what is repeated for them takes long
    return run


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_stops_within_a_second(name):
    assert interrupted(LONG[name]) < 1.3  # a second, and the load of the machine


def test_time_limits():
    begin = time.monotonic()
    stone = rb.zoo("rattleback")
    stone.simulate(until=0.01, search=False)  # equations are derived and compiled before the time counts
    run = stone.simulate(until=1e7, search=False, timeout=0.4)
    assert not run.success and "time limit" in run.message and run.end > 0
    with pytest.raises(rb.Timeout):
        rb.zoo("rattleback").lyapunov(2, until=1e7, timeout=0.3)
    with pytest.raises(rb.Timeout):
        rb.zoo("contact-oscillator").section("y = 0", points=10**9, timeout=0.3)
    v = rb.zoo("rattleback").analyze("integrals", timeout=0.05)
    assert v.outcome in ("undecided", "not found") or v.decided
    assert time.monotonic() - begin < 30


def test_threads_work_on_several_models_at_once():
    results, failures = {}, []

    def work(name):
        try:
            m = rb.zoo(name)
            results[name] = (str(m.derive("hamel")), m.analyze("energy").outcome,
                             m.simulate(until=1, search=False).y_final)
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    names = ["chaplygin-sleigh", "suslov", "knife-edge", "vertical-disk"]
    threads = [threading.Thread(target=work, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and set(results) == set(names)
    for name in names:
        m = rb.zoo(name)
        assert results[name][0] == str(m.derive("hamel"))
        assert np.array_equal(results[name][2], m.simulate(until=1, search=False).y_final)


def test_the_gil_is_released_while_computing(stone):
    ticks, done = [], threading.Event()

    def count():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    counter = threading.Thread(target=count)
    counter.start()
    stone.simulate(until=1e7, search=False, timeout=0.5)
    done.set()
    counter.join()
    assert len(ticks) > 20


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)


def test_importing_is_quick_and_brings_no_compiler():
    code = ("import sys, rattleback as rb; "
            "assert not {'numpy', 'sympy', 'matplotlib', 'pandas'} & set(sys.modules), sorted(sys.modules); "
            "maps = open('/proc/self/maps').read(); assert 'rattleback_llvm' not in maps and 'libmpi' not in maps")
    done = python(code)
    assert done.returncode == 0, done.stderr


def test_aborts_of_flint_become_exceptions():
    done = python("import rattleback as rb\n"
                  "try:\n    rb._core.provoke('flint')\n"
                  "except rb.InternalError as error:\n    print('caught', error.slug)\n"
                  "print(rb.zoo('suslov').analyze('energy').outcome)")
    assert done.returncode == 0 and done.stdout.split() == ["caught", "bug", "proved"], done.stderr


def test_fatal_errors_of_llvm_become_exceptions():
    done = python("import rattleback as rb\n"
                  "try:\n    rb._core.provoke('llvm')\n"
                  "except rb.InternalError as error:\n    print('caught', error.slug)\n"
                  "rb.native('on'); print(rb.zoo('suslov').simulate(until=1).success)")
    assert done.returncode == 0 and done.stdout.split() == ["caught", "bug", "True"], done.stderr


def test_the_process_ends_well_while_something_still_computes():
    code = ("import rattleback as rb\n"
            "for _ in range(3):\n"
            "    try:\n        rb.zoo('rattleback').sweep({'Omega3': [k/100 for k in range(500)]}, until=500, timeout=0.05,\n"
            "                                       keep={'r': 'crossings(Omega3)'})\n"
            "    except rb.Timeout:\n        pass\n"
            "raise SystemExit(7)")
    for _ in range(3):
        assert python(code).returncode == 7


def test_threads_share_a_right_hand_side(stone):
    f, y = stone.rhs(), np.repeat(stone.y0()[:, None], 5000, axis=1)
    expected, failures = f(0.0, y), []

    def work():
        for _ in range(30):
            if not np.array_equal(f(0.0, y), expected) or not np.array_equal(f(0.0, y[:, 0].copy()), expected[:, 0]):
                failures.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_threads_share_a_model(sleigh):
    expected = sleigh.simulate(until=20, search=False).y_final
    found = []
    threads = [threading.Thread(target=lambda: found.extend(
        sleigh.simulate(until=20, search=False).y_final for _ in range(20))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 80 and all(np.array_equal(y, expected) for y in found)


def test_progress_is_shown_on_a_terminal_only(sleigh, capsys):
    sleigh.simulate(until=5, progress=True)
    assert capsys.readouterr().err == ""
    import pty
    leader, follower = pty.openpty()
    code = "import rattleback as rb; rb.zoo('rattleback').simulate(until=1e5, search=False, progress=True, timeout=1.5)"
    process = subprocess.Popen([sys.executable, "-c", code], stderr=follower, stdout=follower)
    process.wait(60)
    os.close(follower)
    assert b"%" in os.read(leader, 100000)
