"""Long runs: drift of integrals, momenta and invariant measure of all steppers of constant step; writes docs/reference/long-runs.md and its pictures.

    write_long_runs.py PROGRAM [--steps 1000000] [--only MODEL] [--keep FOLDER]

Each run is one `rattleback simulate MODEL --method M --step H`; what it drifts by is read from its samples. The measure is that of `rattleback measure
MODEL --method M`, with the density that `analyze` proves. The integrals take some five minutes of processor time, the measure
half an hour. With --keep what has been computed is not computed again when the tool is started another time.
"""

import argparse
import csv
import io
import json
import math
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs/reference/long-runs"
METHODS = ["rk4", "munthe-kaas", "gauss4", "gauss6", "dla", "dla-midpoint", "dla-reversible", "gni", "hamel", "discrete-gradient",
           "hamiltonized"]
# Model, step, what it is for.
SYSTEMS = [
    ("contact-oscillator", 0.1, "Reversible, and not integrable (McLachlan and Perlmutter 2006; Modin and Verdier 2020)."),
    ("gyroscopic-oscillator", 0.1, "Conservative, and not reversible: forces linear in the velocities, a potential without symmetry."),
    ("snakeboard", 0.05, "A horizontal symmetry: its momentum is constant."),
    ("chaplygin-sphere", 0.05, "The momentum about the contact is constant, three components."),
]
# A step of it takes a thousand times as long as one of the others.
SHORTER = {("chaplygin-sphere", "hamiltonized"): 10_000}
COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#000000", "#999999", "#7a5195", "#b59f00", "#444444"]


kept_in = None


def kept(compute):
    """The function, whose results stay in a file for its arguments where --keep names a folder."""
    def found(program, *arguments):
        if kept_in is None:
            return compute(program, *arguments)
        file = kept_in / (re.sub(r"[^\w.-]+", "_", f"{compute.__name__} {' '.join(map(str, arguments))}")[:120] + ".json")
        if not file.exists():
            file.write_text(json.dumps(compute(program, *arguments)))
        return json.loads(file.read_text())
    return found


def why_not(stderr):
    """Why a run has no result: the method does not apply, or its motion ends before the time asked for."""
    summary = re.search(r"error\[(\S+)\]: (.*)", stderr)
    reason = re.search(r"why: (.*)", stderr)
    if summary and summary[1] == "motion-ends":
        return f"{summary[2]}: {reason[1]}"
    return f"does not apply: {reason[1] if reason else summary[2] if summary else 'failed'}"


@kept
def drift_of(program, model, method, step, steps):
    """Invariants at samples, as {name: [values]}, or why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "run.csv")
        done = subprocess.run([program, "simulate", where(model), "--method", method, "--step", repr(step), "--until",
                               repr(step * steps), "--samples", "2001", "--search", "1", "--format", "json", "--output", str(out)],
                              capture_output=True, text=True)
        if done.returncode != 0:
            return None, why_not(done.stderr)
        names = list(json.loads(done.stdout)["drift"])
        rows = list(csv.DictReader(io.StringIO("".join(line for line in out.read_text().splitlines(True) if not line.startswith("#")))))
    return {name: [float(row[name]) for row in rows] for name in names if name in rows[0]}, None


def where(model):
    path = FOLDER / f"{model}.toml"
    return str(path if path.exists() else model)


def density_of(program, model):
    """The density of the invariant measure that is proved, as the program prints it."""
    told = subprocess.run([program, "analyze", where(model), "--question", "invariant-measure"], capture_output=True, text=True).stdout
    found = re.search(r"why: (.*?) d\S+(?: d\S+)* is invariant", told)
    return found[1] if found and "invariant-measure: proved" in told else None


@kept
def measure_of(program, model, method, step, steps, density):
    """ln(rho V) at samples, beginning with 0, and how far the last may be from the truth; nothing where the method does not apply."""
    done = subprocess.run([program, "measure", where(model), "--method", method, "--step", repr(step), "--steps", str(steps), "--density", density,
                           "--format", "json"], capture_output=True, text=True)
    if done.returncode != 0:
        return None
    found = json.loads(done.stdout)
    return [0.0, *found["drift"]], found["error"]


def largest(values):
    scale = max(abs(values[0]), 1.0)
    return max(abs(v - values[0]) for v in values) / scale


def cell(x):
    return "" if math.isnan(x) else "rounding" if x < 2e-11 else f"{x:.0e}"


def picture(curves, title, path, until):
    """|I(t) - I(0)| as running maxima over two hundred parts of the time, on a logarithmic axis."""
    low, high, width, height = -16, 1, 640, 380
    left, top, right, bottom = 70, 34, 190, 46

    def x(t):
        return left + t * (width - left - right)

    def y(e):
        return top + (high - min(max(e, low), high)) / (high - low) * (height - top - bottom)

    s = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
         f'<rect width="{width}" height="{height}" fill="#fff"/><text x="{left}" y="20" font-weight="bold">{title}</text>']
    for e in range(low, high + 1, 4):
        s.append(f'<path d="M{left} {y(e):.1f}H{width - right}" stroke="#ddd"/>'
                 f'<text x="{left - 8}" y="{y(e) + 4:.1f}" text-anchor="end">1e{e}</text>')
    for k in range(5):
        s.append(f'<text x="{x(k / 4):.1f}" y="{height - bottom + 18}" text-anchor="middle">{until * k / 4:g}</text>')
    s.append(f'<text x="{x(0.5):.1f}" y="{height - 8}" text-anchor="middle">t</text>'
             f'<text transform="translate(16 {y((low + high) / 2):.1f}) rotate(-90)" text-anchor="middle">relative drift</text>')
    for k, (name, values) in enumerate(curves):
        scale, most, points = max(abs(values[0]), 1.0), 0.0, []
        for i, v in enumerate(values):
            most = max(most, abs(v - values[0]) / scale)
            if i % 10 == 0 and i > 0:
                points.append(f"{x(i / (len(values) - 1)):.1f} {y(math.log10(most) if most > 0 else low):.1f}")
        colour = COLOURS[k % len(COLOURS)]
        s.append(f'<path d="M{"L".join(points)}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
                 f'<path d="M{width - right + 12} {top + 10 + 18 * k}h20" stroke="{colour}" stroke-width="2"/>'
                 f'<text x="{width - right + 38}" y="{top + 14 + 18 * k}">{name}</text>')
    s.append(f'<path d="M{left} {top}V{height - bottom}H{width - right}" fill="none" stroke="#555"/></svg>')
    path.write_text("\n".join(s) + "\n")


def told_errors(errors):
    """Which derivatives are exact, and how far the others may be from the truth."""
    exact, others = [m for m, e in errors.items() if e == 0], {m: e for m, e in errors.items() if e > 0}
    said = [f"The derivative of a step of {', '.join(f'`{m}`' for m in exact)} is exact"] if exact else []
    if others:
        said.append(f"{'of the others' if exact else 'The derivative of a step'} it is one by differences, whose errors add up to at most {max(others.values()):.0e}")
    return "; ".join(said) + "."


def section(program, model, step, about, steps):
    table, curves, names, measures, errors = [], {}, [], [], {}
    density = density_of(program, model)
    for method in METHODS:
        of_method = min(steps, SHORTER.get((model, method), steps))
        values, why = drift_of(program, model, method, step, of_method)
        if values is None:
            table.append((f"`{method}`", None, why))
            continue
        name = f"`{method}`" if of_method == steps else f"`{method}`, {of_method:,} steps"
        if density and of_method == steps and (measure := measure_of(program, model, method, step, steps, density)):
            values["measure"], errors[method] = measure
            measures.append((method, values["measure"]))
        names = names or list(values)
        drifts = [largest(values[n]) if n in values else math.nan for n in names]
        table.append((name, [f"below {errors[method]:.0e}" if n == "measure" and drift < errors.get(method, 0) else cell(drift)
                             for n, drift in zip(names, drifts)], None))
        for n in names:
            if n in values and n != "measure" and of_method == steps:
                curves.setdefault(n, []).append((method, values[n]))
    lines = [f"## {model}", "", about, "", "| method | " + " | ".join(f"`{n}`" for n in names) + " |", "|---" * (len(names) + 1) + "|"]
    for method, drifts, why in table:
        if drifts is None:
            lines.append(f"| {method} | {why} |" + " |" * (len(names) - 1))
        else:
            lines.append(f"| {method} | " + " | ".join(drifts) + " |")
    lines.append("")
    if measures:
        lines += [f"`measure` is the change of ln(ρ det ∂Φ/∂y) with the density ρ = `{density}`. {told_errors(errors)}", ""]
        file = FOLDER / f"{model}-measure.svg"
        picture(measures, f"{model}: measure", file, step * steps)
        lines += [f"![measure of {model}](long-runs/{file.name})", ""]
    for k, n in enumerate([n for n in names if n != "measure"][:2]):
        file = FOLDER / f"{model}-{k}.svg"
        picture(curves[n], f"{model}: {n}", file, step * steps)
        lines += [f"![{n} of {model}](long-runs/{file.name})", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--only")
    parser.add_argument("--keep", type=pathlib.Path)
    args = parser.parse_args()
    global kept_in
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
        kept_in = args.keep.resolve()
    FOLDER.mkdir(exist_ok=True)
    for model, step, about in SYSTEMS:
        if args.only and args.only != model:
            continue
        (FOLDER / f"{model}.part").write_text(section(args.program, model, step, about, args.steps) + f"\n<!-- {args.steps} -->\n")
    parts = [FOLDER / f"{model}.part" for model, _, _ in SYSTEMS]
    if not all(part.exists() and part.read_text().rstrip().endswith(f"<!-- {args.steps} -->") for part in parts):
        return  # the others are still to come, with as many steps
    head = f"""<!-- Written by tools/write_long_runs.py; edit what it is written from. -->
# Steppers over long times

All methods of constant step over {args.steps:,} steps, where nothing else is said: the largest relative drift of everything that is known to be
constant, at 2001 samples ([what they claim](stepper-list.md), [which one](steppers.md)). The derivative of a step, for the measure, is
that of its stages for Runge–Kutta methods, and one by differences for the others, with an estimate of the error ([how](laboratory.md#volume-of-phase-space)); a
step of `gni` carries a momentum along and is no map of states. *Rounding* is what sums of a million
roundings make, below 2e-11. Pictures show the largest drift so far: a curve that stays level is bounded, one that rises is not.

"""
    (FOLDER.parent / "long-runs.md").write_text(head + "\n".join(p.read_text().rsplit("\n<!--", 1)[0] + "\n" for p in parts))
    for part in parts:
        part.unlink()


if __name__ == "__main__":
    main()
