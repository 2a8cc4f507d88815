"""Make posterior_probabilities.csv and posterior_laws.csv with mpmath: 34 digits, fixed Gauss-Legendre panels.

Run: python tests/references/posterior_make.py        (about seven minutes)

Only the plain log density a t - (a+b) log(1+e^t) - log B(a, b) of the log odds enters: no incomplete beta function, no
adaptive rule, no cancellation trick. Both tails of the second law are running sums of positive terms. In every
row the two probabilities must add to 1, and every fourth row is computed again with more nodes a panel: a relative
difference above 1e-14 stops the script.
"""

import csv
import math
import sys
from itertools import pairwise
from pathlib import Path

import mpmath as mp
import numpy as np
from scipy import special

mp.mp.dps = 34
HERE = Path(__file__).parent
TAIL = ["margin", "greater", "less"]
NOTHING = mp.mpf(10) ** -320


def gauss(nodes):
    x, _ = np.polynomial.legendre.leggauss(nodes)
    points = [mp.findroot(lambda t: mp.legendre(nodes, t), mp.mpf(float(start))) for start in x]
    slope = [nodes * (p * mp.legendre(nodes, p) - mp.legendre(nodes - 1, p)) / (p * p - 1) for p in points]
    return [(p, 2 / ((1 - p * p) * s * s)) for p, s in zip(points, slope, strict=True)]


RULES = {nodes: gauss(nodes) for nodes in (8, 10, 16, 20, 22)}


def law(a, b, weight):
    a, b, weight = mp.mpf(a), mp.mpf(b), mp.mpf(weight)
    n, norm = a + b, mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b) - a * mp.log(weight)
    return lambda t: mp.exp(a * t - n * mp.log(1 + weight * mp.exp(t)) - norm)


def features(a, b, weight):
    centre = float(special.digamma(a) - special.digamma(b)) - math.log(float(weight))
    scale = math.sqrt(float(special.polygamma(1, a) + special.polygamma(1, b)))
    return centre + scale * np.array([*range(-30, 31), -42, -36, -33, 33, 36, 42])


def wide():
    """Ends of panels that resolve log(1 + e^t) near 0, exp(-a e^-t) for a up to 1e9, and tails such as e^(t/1000)."""
    right = np.concatenate([np.arange(0, 40), 2.0 ** np.arange(5.5, 17.5, 0.5)])
    return np.unique(np.concatenate([right, -right]))


def panels(first, second, margin):
    """Panel ends in v = logit((m - low)/(1 - |margin|)), low = max(0, -margin)."""
    found = [wide()]
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
    if margin == 0:
        return v, v
    size = mp.mpf(abs(margin))
    s, c = (1 - size) / (1 + mp.exp(-v)), (1 - size) / (1 + mp.exp(v))
    inner, outer = mp.log(s) - mp.log(size + c), mp.log(size + s) - mp.log(c)
    return (inner, outer) if margin >= 0 else (outer, inner)


def chances(first, second, margin, nodes, inner):
    """P(second - first > margin) and its complement."""
    size = mp.mpf(abs(margin))
    f, g = law(*first), law(*second)
    mass, steps = [], []
    below, above = mp.mpf(0), mp.mpf(0)
    if margin > 0:
        below = tail_below(second, size)
    if margin < 0:
        above = tail_below((second[1], second[0], 1 / mp.mpf(second[2])), size)
    last, last_height = None, mp.mpf(0)
    for v, weight in outer_nodes(f, panels(first, second, margin), margin, nodes):
        t, u = logits(v, margin)
        stretch = (1 - size) * slope(v) / slope(t) if margin else 1
        mass.append(weight * f(t) * stretch if weight else mp.mpf(0))
        height = g(u)
        # log-concave, and its peak lies on a panel end: nothing hides between two such low points
        if last is not None:
            rule = inner if weight else nodes
            steps.append(gauss_sum(g, last, u, rule) if max(height, last_height) > NOTHING else mp.mpf(0))
        last, last_height = u, height
    lower, upper = [below], [above]
    for step in steps:
        lower.append(lower[-1] + step)
    for step in reversed(steps):
        upper.append(upper[-1] + step)
    greater, less = mp.fdot(mass, reversed(upper)), mp.fdot(mass, lower)
    if margin < 0:
        greater += tail_below(first, size)
    if margin > 0:
        less += tail_below((first[1], first[0], 1 / mp.mpf(first[2])), size)
    return greater, less


def outer_nodes(f, ends, margin, nodes):
    """Yield nodes and weights of all panels; where the first law is nil, only the panel's ends, with weight 0."""
    heights = [f(logits(mp.mpf(v), margin)[0]) for v in ends]
    for k, (low, high) in enumerate(pairwise(ends)):
        if max(heights[k : k + 2]) < NOTHING:
            yield from ((mp.mpf(low), 0), (mp.mpf(high), 0))
        else:
            middle, half = (mp.mpf(low) + high) / 2, (mp.mpf(high) - low) / 2
            yield from ((middle + half * x, half * w) for x, w in RULES[nodes])


def slope(t):
    """Slope of m = 1/(1 + e^-t)."""
    e = mp.exp(-abs(t))
    return e / (1 + e) ** 2


def gauss_sum(g, low, high, nodes):
    middle, half = (low + high) / 2, (high - low) / 2
    return half * sum(w * g(middle + half * x) for x, w in RULES[nodes])


def tail_below(parameters, m):
    m = mp.mpf(m)
    t = mp.log(m) - mp.log(1 - m)
    f = law(*parameters)
    ends = [mp.mpf(x) for x in np.unique(np.concatenate([features(*parameters), wide()]))]
    ends = [x for x in ends if x < t] + [t]
    return sum(gauss_sum(f, low, high, 20) for low, high in pairwise(ends))


def moments(parameters, nodes):
    f = law(*parameters)
    ends = np.unique(np.concatenate([features(*parameters), wide()]))
    sums = [mp.mpf(0)] * 3
    centre = mp.mpf(parameters[0]) / (mp.mpf(parameters[0]) + mp.mpf(parameters[2]) * mp.mpf(parameters[1]))
    for low, high in pairwise(ends):
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
        out.writerow([f"{name}_{law}" for law in ("first", "second") for name in ("a", "b", "weight")] + TAIL)
        for k, (first, second, margin) in enumerate(pairs(count, 20190)):
            value = chances(first, second, margin, 16, 8)
            assert abs(sum(value) - 1) < 1e-17, (first, second, margin, sum(value) - 1)
            if k % 4 == 0:
                finer = chances(first, second, margin, 22, 10)
                gaps = [abs(x - y) / max(x, mp.mpf(10) ** -280) for x, y in zip(value, finer, strict=True)]
                assert max(gaps) < 1e-14, (first, second, margin, gaps)
            out.writerow([*first, *second, margin, *map(digits, value)])
            file.flush()
    rng = np.random.default_rng(7)
    with (HERE / "posterior_laws.csv").open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["a", "b", "weight", "mean", "sd", "point", "below", "above"])
        for _ in range(60):
            a, b = (float(f"{x:.6g}") for x in 10 ** rng.uniform(-3, 10, 2))
            parameters = (a, b, float(rng.choice([1.0, 0.5, 0.3, 2.0])))
            mean, sd = moments(parameters, 20)
            assert abs(sd / moments(parameters, 16)[1] - 1) < 1e-15
            point = float(min(max(mean + sd * rng.normal() * 2, mean / 2), (1 + mean) / 2))
            mirrored = (b, a, 1 / mp.mpf(parameters[2]))
            below, above = tail_below(parameters, point), tail_below(mirrored, 1 - mp.mpf(point))
            assert abs(below + above - 1) < 1e-18, (parameters, below + above - 1)
            out.writerow([*parameters, digits(mean), digits(sd), repr(point), digits(below), digits(above)])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
