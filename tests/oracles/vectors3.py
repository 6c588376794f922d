"""Vectors and matrices of real or complex numbers, for the oracles of mechanics."""

import math

H = 1e-30  # complex step


class A:
    """Matrices and vectors of real or complex numbers; a vector is a matrix with one column."""

    def __init__(self, rows):
        self.rows = [r if isinstance(r, list) else [r] for r in rows]

    def __add__(self, b):
        return A([[x + y for x, y in zip(r, s)] for r, s in zip(self.rows, b.rows)])

    def __sub__(self, b):
        return self + (-1) * b

    def __neg__(self):
        return (-1) * self

    def __mul__(self, b):
        if not isinstance(b, A):
            return A([[x * b for x in r] for r in self.rows])
        return A([[sum(x * b.rows[k][j] for k, x in enumerate(r)) for j in range(len(b.rows[0]))] for r in self.rows])

    __rmul__ = lambda self, k: A([[k * x for x in r] for r in self.rows])
    __truediv__ = lambda self, k: self * (1 / k)
    __getitem__ = lambda self, i: self.rows[i][0]
    T = property(lambda self: A([list(c) for c in zip(*self.rows)]))

    def map(self, f):
        return A([[f(x) for x in r] for r in self.rows])


ONE = A([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]])
ZERO = A([0.0, 0.0, 0.0])
E1, E2, E3 = A([1.0, 0, 0]), A([0, 1.0, 0]), A([0, 0, 1.0])


def dot(u, v):
    return sum(u[i] * v[i] for i in range(3))


def cross(u, v):
    return A([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]])


def hat(u):
    return A([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])


def outer(u, v):
    return u * v.T


def turn(n, a):
    return math.cos(a) * ONE + math.sin(a) * hat(n) + (1 - math.cos(a)) * outer(n, n)


def diag(*d):
    return A([[d[i] if i == j else 0.0 for j in range(3)] for i in range(3)])
