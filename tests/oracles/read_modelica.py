"""Evaluates the equations of an exported Modelica model without a Modelica compiler.

    read_modelica.py FILE TIME STATE...

prints every right side whose left side is no variable under `protected`, in the order of the file, one number a line. Fails where a variable
that is declared has no equation, an equation has no variable, or a right side uses what has no value yet.
"""

import math
import re
import sys


def entries(name, size):
    """Names of the components of a declared variable."""
    shape = [int(n) for n in size.strip("[]").split(",")] if size else []
    if not shape:
        return [name]
    if len(shape) == 1:
        return [f"{name}[{i}]" for i in range(1, shape[0] + 1)]
    return [f"{name}[{i}, {j}]" for i in range(1, shape[0] + 1) for j in range(1, shape[1] + 1)]


def main(path, time, state):
    with open(path, encoding="utf-8") as f:
        text = re.sub(r"^//.*$", "", f.read(), flags=re.M)
    head, body = text.split("\nequation\n")
    public, hidden = head.split("\nprotected\n")
    values = {k: getattr(math, k) for k in "sin cos tan asin acos atan exp log sqrt sinh cosh tanh".split()}
    values["abs"] = abs
    states, open_ends = iter(state), []
    for m in re.finditer(r'^  parameter Real (\w+) = ([-\d.e]+)(?: ".*")?;$', public, re.M):
        values[m[1]] = float(m[2])
    for m in re.finditer(r'^  Real (\w+)(\[[\d, ]+\])?(\(start = 0\))?(?: ".*")?;$', public, re.M):
        if m[3]:
            values[m[1]] = float(next(states))
            open_ends.append(f"der({m[1]})")
        else:
            open_ends += entries(m[1], m[2])
    assert next(states, None) is None, "fewer states than numbers"
    temporaries = []
    for m in re.finditer(r"^  Real (\w+)( = time)?;$", hidden, re.M):
        if m[2]:
            values[m[1]] = float(time)
        else:
            temporaries.append(m[1])
    equations = [re.sub(r"\s+", " ", e).strip() for e in body.split(";")]
    assert equations[-1] == "" and equations[-2].startswith("end ")
    for equation in equations[:-2]:
        left, right = equation.split(" = ", 1)
        value = eval(right.replace("^", "**"), {"__builtins__": {}}, values)
        if left in temporaries:
            temporaries.remove(left)
            values[left] = value
        else:
            open_ends.remove(left)
            print(repr(float(value)))
    assert not temporaries and not open_ends, f"without an equation: {temporaries + open_ends}"


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
