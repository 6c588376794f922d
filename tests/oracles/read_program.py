"""Runs functions of exported Julia and MATLAB programs without Julia or MATLAB: their straight-line code, read line by line.

    read_program.py FILE TIME STATE... / VELOCITIES...

prints what every function of the file returns, in the order of the file, one number a line. Both languages are read as Python: indices
count from 1, ^ is **, a statement goes on behind ... (MATLAB) or within brackets (Julia).
"""

import math
import re
import sys


def statements(text, julia):
    """Lines without comments, each a whole statement."""
    text = re.sub(r" \.\.\.\n", " ", text)
    pending = ""
    for line in text.splitlines():
        line = re.sub(r"\s*[#%].*$", "", line) if not line.lstrip().startswith('"') else ""
        pending += " " + line.strip()
        if pending.count("(") + pending.count("[") > pending.count(")") + pending.count("]"):
            continue
        if pending.strip():
            yield pending.strip().rstrip(";")
        pending = ""


def main(path, time, rest):
    julia = path.endswith(".jl")
    cut = rest.index("/")
    state, velocity = [float(x) for x in rest[:cut]], [float(x) for x in rest[cut + 1:]]
    names = {k: getattr(math, k) for k in ("sin cos tan asin acos atan exp log sqrt sinh cosh tanh asinh acosh atanh".split())}
    defaults, body, order = {}, None, []
    with open(path, encoding="utf-8") as f:
        lines = list(statements(f.read(), julia))
    for line in lines:
        if m := re.match(r"(?:module\.defaults\.)?(\w+)(?:::Float64)? = ([-\d.e]+|NaN)$", line):
            if body is None:
                defaults[m[1]] = float(m[2])
                continue
        if m := re.match(r"function (?:out = )?(\w+)\(([^)]*)", line):
            body, called = {}, m[1]
            if called == "module" or not m[2]:
                body = None
                continue
            first = m[2].split(",")[0]
            body.update(names, abs=abs, state=state, configuration=state, velocity=velocity, **{first: float(time)})
            out = {}
            continue
        if body is None:
            continue
        if line == "end":
            if called != "rhs!":
                order.append(out.get("all") or [out[k] for k in sorted(out)])
            body = None
            continue
        line = line.replace("^", "**")
        line = re.sub(r"params\.(\w+)", lambda m: repr(defaults[m[1]]), line)
        line = re.sub(r"\b(state|configuration|velocity)[\[(](\d+)[\])]", lambda m: f"{m[1]}[{int(m[2]) - 1}]", line)
        if m := re.match(r"return (.*)$", line):
            value = eval(m[1], body)
            out["all"] = value if isinstance(value, list) else [value]
        elif m := re.match(r"out\((\d+)\) = (.*)$", line):
            out[int(m[1])] = eval(m[2], body)
        elif m := re.match(r"out = (zeros\(.*\)|.*)$", line):
            if not m[1].startswith("zeros"):
                out["all"] = [eval(m[1], body)]
        else:
            name, value = line.split(" = ", 1)
            body[name] = eval(value, body)
    for values in order:
        for x in values:
            print(repr(float(x)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
