"""The page docs/reference/coq.md: what the theorems say, and the table of what `coqc` accepts."""

HEAD = """<!-- Written by `make coq`; edit tests/coq/coq_page.py. -->
# Verdicts that Coq checks

`rattleback analyze MODEL --question Q --to coq FILE.v`, `rattleback prove MODEL ... --to coq FILE.v` and `rattleback prove --certificate C --to
coq FILE.v` write a file for `coqc` (8.16 or later, with Coquelicot): the kernel `proof/coq/coq_kernel.v`, the system with its Lagrangian,
constraints and forces, the conditions under which the statement is made (`nonzero`, `positive`), the claim and its proof by computation.
`Print Assumptions` at its end shows the axioms of the real numbers and no others. `analyze --coq` and `report --coq` run `coqc` and mark what it
accepts: *checked by Coq 8.16*.

## What the statements say

They are defined in the kernel, and proved there from a computation that succeeds. A *motion* is a curve of functions, velocities and multipliers
of time that satisfies the constraints and Lagrange-d'Alembert's equations.

| statement | says | for |
|---|---|---|
| `conserved` | the function is constant along every motion | `energy`, `momenta`, `integrals`, `--conserved` |
| `not_conserved` | a state through which every motion changes the function | `energy`, `--conserved` refuted |
| `on_constraint`, `seen_on_constraint` | the function vanishes on the constraint, or does not at a state | `--zero` |
| `is_motion` | every motion follows the field (q, z)' = (psi, F) | what is about the field |
| `invariant_density`, `seen` | the divergence of density times field vanishes, or does not at a point | `invariant-measure`, `--measure` |
| `no_density` | no function has the slopes that the divergence asks of ln(density) along D and its brackets | `invariant-measure` refuted |
| `symmetry`, `seen_on_constraint` | the field leaves Lagrangian, constraints and forces as they are, or does not at a state | `symmetries`, `--symmetry` |
| `holonomic`, `nonholonomic` | fields that span D have brackets in D; two fields along D whose bracket leaves it | `integrability` |
| `poisson`, `not_poisson` | the bracket of the motion satisfies Jacobi's identity, or does not at a point | `jacobi` |
| `hamiltonian_in_time` | after d tau = f dt the motion is Hamiltonian for a closed form of full rank | `chaplygin-multiplier`, `--multiplier` |
| `no_multiplier`, `no_closed_candidate` | no numbers are slopes of a multiplier; or only those of a form that is not closed | `chaplygin-multiplier` refuted |
| `variational`, `not_variational` | with the multipliers the action is stationary; a state through which no motion has multipliers | `conditionally-variational` |
| `has_motions`, `regular` | a Lagrangian without constraints has the motions among its own, and a regular Hessian at a state | `inverse-problem`, `--lagrangian` |
| `equivalent` | one form of the equations holds if and only if the other does | `--agrees` |
| `positive_definite` | the metric on D is a sum of squares with positive weights | `regularity` |
| `steady_state` | at the values named the rates of the speeds and of all functions that they depend on vanish | `equilibria` |
| `small_motions bounded`, `unbounded` | solutions of x' = A x stay within a multiple of their start; one leaves every ball | `equilibria`: eigenvalues |
| `stable` | for every epsilon there is a delta: motions that start within delta stay within epsilon (Lyapunov) | `equilibria`: stable |

`equivalent`, `conserved` and the others hold for all values of the parameters; those about steady motions at the values that the certificate
names. A is the matrix of the derivatives of the field at the state. That solutions stay bounded is a rational matrix P > 0 with AᵀP + PA ≤ 0, that
one does not is P with AᵀP + PA ≥ 2aP, a > 0, positive somewhere; both are sums of squares (LDLᵀ). `stable` is a conserved function whose first
derivatives vanish and whose second ones are κ plus a sum of squares: Taylor's formula and the intermediate value theorem are in the kernel.

Where a model has position constraints, they are relations of the system: motions stay on N = {φ = 0}, identities hold modulo the φ by the
rules of a Gröbner basis, each of which the kernel checks, fields are tangent to N, and points of refutations lie on N. A density on N is
stated for the space around N, in which its left sides are constant.

No form, and the program says so: constraints that are not linear in the velocities (but for the energy), abstract functions,
inverse functions, brackets of constraints with a drift, position constraints that are no polynomials in coordinates, sines, cosines and
roots, or contain rotation matrices (there what holds around N as well has a form), refuted densities and multipliers on N and small motions there,
gauge momenta whose factor is known by its slopes alone, that there are no symmetries, momenta or integrals, refuted Lagrangians,
Hamiltonizations at fixed momenta, small motions of rotation matrices and unit vectors, steady motions at angles or speeds that are not
rational, and that a list of steady motions is complete.

"""


def rates(rows):
    good = sum(r["state"] == "accepted" for r in rows)
    return f"{good} of {len(rows)} ({100 * good // max(1, len(rows))} %)"


def span(numbers):
    """`4 to 10`, or the one number there is."""
    found = sorted({n for n in numbers if n})
    return "" if not found else f"{found[0]:g}" if len(found) == 1 else f"{found[0]:g} to {found[-1]:g}"


DECIDED = ("proved", "refuted")


def of_today(row, kernel):
    """The row was made with this kernel; what has no form was never checked by one."""
    return row["kernel"] == kernel or (row["state"] == "no form" and row["of"] != "")


def page(all_rows, questions, not_run, kernel):
    """`all_rows` by model, in the order of the zoo; `kernel` is the digest of the kernel as it is now."""
    if not all_rows:
        return HEAD + "## The zoo\n\n`make coq` lets `coqc` check every decided verdict of the zoo and writes the table of times and sizes here.\n"
    rows = [r for r in all_rows if r["verdict"] in DECIDED]
    late = [r for r in all_rows if r["state"] == "late"]
    older = sorted({r["model"] for r in rows if not of_today(r, kernel)})
    head = [HEAD + "## The zoo", "",
            f"Of the zoo's decided verdicts `coqc` accepts {rates(rows)}. Seconds of the processor without loading the kernel, at most "
            f"{span(r['limit'] for r in rows if r['text'])}; kilobytes of the file without the kernel. Decided within "
            f"{span(r['asked'] for r in rows)} s for a question.", "",
            f"Rows with the kernel as it is now: {rates([r for r in rows if of_today(r, kernel)])}."
            + (f" With an older one: {', '.join(older)}." if older else "")
            + (f" Without rows: {', '.join(not_run)}." if not_run else " Every model has been run."), "",
            "| question | verdict | decided | accepted by `coqc` | no form | not accepted | slowest, s | largest, kB |", "|---|---|---|---|---|---|---|---|"]
    kinds = questions + sorted({r["question"].rsplit(" --", 1)[0] + " --" + r["question"].split("--")[1].split(" ")[0] for r in rows if "--" in r["question"]})
    for kind in kinds:
        for verdict in DECIDED:
            mine = [r for r in rows if (r["question"] == kind or r["question"].startswith(kind + " ")) and r["verdict"] == verdict]
            if not mine:
                continue
            good = [r for r in mine if r["state"] == "accepted"]
            head.append(f"| {kind} | {verdict} | {len(mine)} | {len(good)} | {sum(r['state'] == 'no form' for r in mine)} | "
                        f"{sum(r['state'] == 'rejected' for r in mine)} | {max((r['seconds'] for r in good), default=0):.1f} | "
                        f"{max((r['kB'] for r in good), default=0):.1f} |")
    body = ["", "| model | question | verdict | `coqc` | s | kB | why not |", "|---|---|---|---|---|---|---|"]
    for r in all_rows:
        name = f"| {r['model']} | {r['question'].replace('|', '/') or '–'} | {r['verdict'] or 'nothing decided'} |"
        if r["state"] == "accepted":
            body.append(f"{name} accepted | {r['seconds']:.1f} | {r['kB']:.1f} | |")
        elif r["state"] == "late":
            body.append(f"| {r['model']} | {r['question']} | – | – | | | too long: {r['why']} |")
        else:
            body.append(f"{name} – | | | {r['why'].replace('|', '/')[:110]} |")
    if late:
        body += ["", f"*Too long*: the model's questions took longer than its limit; {len(late)} questions were not answered and are not counted."]
    return "\n".join(head + body) + "\n"
