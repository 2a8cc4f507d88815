"""Make posterior_probabilities.csv and posterior_laws.csv with mpmath: 34 digits, fixed Gauss-Legendre panels.

Run: python tests/references/posterior_make.py        (about ten minutes)

Only the plain log density a t - (a+b) log(1+e^t) - log B(a, b) of the log odds enters: no incomplete beta function, no
adaptive rule, no cancellation trick. Both tails of the second law are running sums of positive terms. In every
row the two probabilities must add to 1, and every fourth row is computed again with more nodes a panel: a relative
difference above 1e-14 stops the script.
"""

import csv
import math
import sys
from pathlib import Path

import mpmath as mp
import numpy as np
from scipy import special

mp.mp.dps = 34
HERE = Path(__file__).parent


def gauss(nodes):
    x, _ = np.polynomial.legendre.leggauss(nodes)
    points = [mp.findroot(lambda t: mp.legendre(nodes, t), mp.mpf(float(start))) for start in x]
    slope = [nodes * (p * mp.legendre(nodes, p) - mp.legendre(nodes - 1, p)) / (p * p - 1) for p in points]
    return [(p, 2 / ((1 - p * p) * s * s)) for p, s in zip(points, slope, strict=True)]


RULES = {nodes: gauss(nodes) for nodes in (8, 10, 14, 20)}


def law(a, b, weight):
    a, b, weight = mp.mpf(a), mp.mpf(b), mp.mpf(weight)
    norm = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)
    shift = mp.log(weight)
    return lambda t: mp.exp(a * (t + shift) - (a + b) * mp.log1p(mp.exp(t + shift)) - norm)


def features(a, b, weight):
    centre = float(special.digamma(a) - special.digamma(b)) - math.log(float(weight))
    scale = math.sqrt(float(special.polygamma(1, a) + special.polygamma(1, b)))
    far = np.array([*range(13, 31), 33, 36, 39, 42, 50, 60, 80])
    near = np.concatenate([np.arange(-12, 12.1, 0.5), far, -far])
    return centre + scale * near


def panels(first, second, margin):
    """Panel ends in v = logit((m - low)/(1 - |margin|)), low = max(0, -margin)."""
    wide = np.concatenate([2.0 ** np.arange(-1, 17.5, 0.5), np.arange(0, 60)])
    found = [wide, -wide]
    size = mp.mpf(abs(margin))
    for parameters, shifted in ((first, margin < 0), (second, margin >= 0)):
        low, high = (size, 0) if shifted else (0, size)
        for t in features(*parameters):
            m, n = 1 / (1 + mp.exp(-mp.mpf(t))), 1 / (1 + mp.exp(mp.mpf(t)))
            if m > low and n > high:
                found.append([float(mp.log(m - low) - mp.log(n - high))])
    return np.unique(np.concatenate(found))


def logits(v, margin):
    """Log odds of m and of m + margin at v."""
    size = mp.mpf(abs(margin))
    s, c = (1 - size) / (1 + mp.exp(-v)), (1 - size) / (1 + mp.exp(v))
    inner, outer = mp.log(s) - mp.log(size + c), mp.log(size + s) - mp.log(c)
    return (inner, outer) if margin >= 0 else (outer, inner)


def chances(first, second, margin, nodes, inner):
    """P(second - first > margin) and its complement."""
    f, g = law(*first), law(*second)
    ends = panels(first, second, margin)
    size = 1 - mp.mpf(abs(margin))
    mass, at, steps = [], [], []
    for low, high in zip(ends[:-1], ends[1:], strict=True):
        middle, half = (mp.mpf(low) + high) / 2, (mp.mpf(high) - low) / 2
        for x, w in RULES[nodes]:
            v = middle + half * x
            t, u = logits(v, margin)
            m, n = 1 / (1 + mp.exp(-t)), 1 / (1 + mp.exp(t))
            jacobian = size / ((1 + mp.exp(v)) * (1 + mp.exp(-v)) * m * n)
            mass.append(half * w * f(t) * jacobian)
            at.append(u)
    heights = [g(u) for u in at]
    for k, (left, right) in enumerate(zip(at[:-1], at[1:], strict=True)):
        middle, half = (left + right) / 2, (right - left) / 2
        # log-concave, and its peak lies on a panel end: nothing hides between two such low points
        empty = max(heights[k : k + 2]) < mp.mpf(10) ** -320
        steps.append(mp.mpf(0) if empty else half * sum(w * g(middle + half * x) for x, w in RULES[inner]))
    size = mp.mpf(abs(margin))
    below, above = [mp.mpf(0)] * len(at), [mp.mpf(0)] * len(at)
    if margin > 0:
        below[0] = tail_below(second, size)
    if margin < 0:
        above[-1] = tail_below((second[1], second[0], 1 / mp.mpf(second[2])), size)
    for k, step in enumerate(steps):
        below[k + 1] = below[k] + step
    for k in range(len(steps) - 1, -1, -1):
        above[k] = above[k + 1] + steps[k]
    greater, less = mp.fdot(mass, above), mp.fdot(mass, below)
    if margin < 0:
        greater += tail_below(first, size)
    if margin > 0:
        less += tail_below((first[1], first[0], 1 / mp.mpf(first[2])), size)
    return greater, less


def tail_below(parameters, m):
    m = mp.mpf(m)
    t = mp.log(m) - mp.log(1 - m)
    f = law(*parameters)
    wide = np.concatenate([2.0 ** np.arange(-1, 17.5, 0.5), np.arange(0, 60)])
    ends = [mp.mpf(x) for x in np.unique(np.concatenate([features(*parameters), wide, -wide]))]
    ends = [x for x in ends if x < t] + [t]
    total = mp.mpf(0)
    for low, high in zip(ends[:-1], ends[1:], strict=True):
        middle, half = (low + high) / 2, (high - low) / 2
        total += half * sum(w * f(middle + half * x) for x, w in RULES[20])
    return total


def moments(parameters, nodes):
    f = law(*parameters)
    wide = np.concatenate([2.0 ** np.arange(-1, 17.5, 0.5), np.arange(0, 60)])
    ends = np.unique(np.concatenate([features(*parameters), wide, -wide]))
    sums = [mp.mpf(0)] * 3
    centre = mp.mpf(parameters[0]) / (mp.mpf(parameters[0]) + mp.mpf(parameters[2]) * mp.mpf(parameters[1]))
    for low, high in zip(ends[:-1], ends[1:], strict=True):
        middle, half = (mp.mpf(low) + high) / 2, (mp.mpf(high) - low) / 2
        for x, w in RULES[nodes]:
            t = middle + half * x
            mass, deviation = half * w * f(t), 1 / (1 + mp.exp(-t)) - centre
            sums = [total + mass * deviation**k for k, total in enumerate(sums)]
    assert abs(sums[0] - 1) < 1e-20, (parameters, sums[0])
    return centre + sums[1], mp.sqrt(sums[2] - sums[1] ** 2)


def pairs(count, seed):
    """Draw pairs of posteriors: ordinary, sharp, J- and U-shaped, very different, far apart; with margins."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        kind = k % 5
        if kind == 0:
            a, b, c = 10 ** rng.uniform(-3, 9, 3)
            spread = math.sqrt(float(sum(special.polygamma(1, [a, b, c]))))
            a = np.array([a, b, c, min(max(c * b / a * math.exp(spread * rng.normal()), 1e-3), 1e9)])
        elif kind == 1:
            total, share, gap = 10 ** rng.uniform(1, 9), rng.uniform(0.05, 0.95), rng.normal() * 4
            other = min(max(share + gap * math.sqrt(share * (1 - share) / total), 0.01), 0.99)
            a = np.array([total * share, total * (1 - share), total * other, total * (1 - other)])
        elif kind == 2:
            a = 10 ** rng.uniform(-3, 0, 4)
        elif kind == 3:
            a = np.array([*(10 ** rng.uniform(-3, 1, 2)), *(10 ** rng.uniform(6, 9, 2))])
            a = a if rng.random() < 0.5 else np.roll(a, 2)
        else:
            a = rng.integers(0, 400, 4) * 0.3688 + 1.0
        weights = rng.choice([1.0, 0.5, 0.3], 2) if k % 2 else np.repeat(rng.choice([1.0, 0.5]), 2)
        margin = 0.0 if k % 3 else float(rng.choice([0.01, -0.01, 0.1, -0.3, 0.9, 1e-4, -1e-6]))
        first, second = (float(f"{x:.6g}") for x in a[:2]), (float(f"{x:.6g}") for x in a[2:])
        yield (*first, float(weights[0])), (*second, float(weights[1])), margin


def digits(value):
    return mp.nstr(value, 20) if value > mp.mpf(10) ** -290 else "0"


def main(count=200):
    with (HERE / "posterior_probabilities.csv").open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow("a_first b_first weight_first a_second b_second weight_second margin greater less".split())
        for k, (first, second, margin) in enumerate(pairs(count, 20190)):
            value = chances(first, second, margin, 14, 8)
            assert abs(sum(value) - 1) < 1e-17, (first, second, margin, sum(value) - 1)
            if k % 4 == 0:
                finer = chances(first, second, margin, 20, 10)
                assert all(abs(x - y) <= 1e-14 * x + mp.mpf(10) ** -290 for x, y in zip(value, finer, strict=True)), (first, second, margin)
            out.writerow([*first, *second, margin, *map(digits, value)])
            file.flush()
    rng = np.random.default_rng(7)
    with (HERE / "posterior_laws.csv").open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow("a b weight mean sd point below above".split())
        for _ in range(60):
            a, b = (float(f"{x:.6g}") for x in 10 ** rng.uniform(-3, 10, 2))
            parameters = (a, b, float(rng.choice([1.0, 0.5, 0.3, 2.0])))
            mean, sd = moments(parameters, 20)
            assert abs(sd / moments(parameters, 14)[1] - 1) < 1e-15
            point = float(min(max(mean + sd * rng.normal() * 2, mean / 2), (1 + mean) / 2))
            below, above = tail_below(parameters, point), tail_below((b, a, 1 / mp.mpf(parameters[2])), 1 - mp.mpf(point))
            assert abs(below + above - 1) < 1e-18, (parameters, below + above - 1)
            out.writerow([*parameters, digits(mean), digits(sd), repr(point), digits(below), digits(above)])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
