"""Whether the intervals of other packages are right: beside ours and beside what simulation says."""

from __future__ import annotations

import numpy as np
from others import ask, value
from record import Cell, Effort, Section, Target

from howsure.studies.papers.takahashi2022 import SCENARIOS

DRAWS = 1_000_000
Z = 1.959963984540054
LAM = np.array([[702, 44], [10, 77]])
TAKAHASHI = np.array([[2, 5, 0], [2, 70, 2], [2, 2, 15]])
ASKED = ["howsure", "confidenceinterval", "prob_conf_mat", "MLstatkit", "scipy, BCa", "statsmodels, Wilson by hand"]
SHOWN = ["confidenceinterval", "prob_conf_mat"]


def measure(effort: Effort) -> tuple[list[Section], list[Target]]:
    """Print the limits on published data, the widths against simulation, and what a perfect score gives."""
    return [published(), widths(effort), perfect()], []


def published() -> Section:
    """Return every package's limits on two published tables."""
    lines: list[list[Cell]] = []
    for name in ASKED:
        lines.append([name, told(name, LAM, "f1"), told(name, LAM, "macro_f1"), told(name, TAKAHASHI, "macro_f1")])
    text = (
        "F1 of TP 77, FP 44, FN 10, TN 702 (Lam, Gopal & Qian 2024: Wald 0.674 to 0.807, Wilson indirect 0.669 to "
        "0.801); macro F1 of the same table, and of the 3 × 3 table of Takahashi et al. 2022 (their interval: 0.562 "
        "to 0.817). The methods differ (score, delta method, posterior, bootstrap), so the third figure may differ "
        "without fault. confidenceinterval aims at the delta method and misses it; the next table shows by how much."
    )
    return Section("On published tables", text, ["", "F1, Lam", "macro F1, Lam", "macro F1, Takahashi"], lines)


def told(name: str, matrix: np.ndarray, metric: str) -> str:
    """Write the limits of a package."""
    low, high = ask(name, matrix, metric)
    return "–" if np.isnan(low) and np.isnan(high) else f"{low:.4f} to {high:.4f}"


def widths(effort: Effort) -> Section:
    """Compare the width of each interval with the spread that the metric really has."""
    lines: list[list[Cell]] = []
    populations = {"Lam's table, n = 833": LAM, "Takahashi's table, n = 100": TAKAHASHI}
    populations |= {f"Takahashi's {name}, n = 1000": np.rint(1000 * share) for name, share in SCENARIOS.items()}
    for name, matrix in populations.items():
        for metric in ["f1"] * (len(matrix) == 2) + ["macro_f1", "macro_precision", "macro_recall"]:
            true = 2 * Z * spread(matrix, metric, effort.times(DRAWS, 10_000))
            found = [width(peer, matrix, metric) for peer in ["howsure", *SHOWN]]
            lines.append([name, metric, true, *(None if np.isnan(one) else one / true for one in found)])
    text = (
        "What a 95 % interval should be as wide as: 3.92 standard deviations of the metric over "
        f"{effort.times(DRAWS, 10_000):,} tables drawn from a multinomial with the shares of the given table, "
        "computed here with numpy alone. The other columns are widths in units of it: 1 is right, up to what a "
        "method adds for small counts. Below 1 the interval promises more than the data hold, above 1 it is "
        "needlessly wide."
    )
    columns = ["table", "metric", "true width", *["howsure", *SHOWN]]
    after = (
        "A dash is a negative variance or a failure. Where confidenceinterval goes wrong can be read in its source "
        "(1.0.5): the delta method needs the covariance diag(p) − p pᵀ, but for F1, macro precision and macro recall "
        "the product is taken element by element; the derivative of macro precision and recall by a hit lacks its "
        "division by the class's share; and in the variance of macro F1 a product is written as a sum. Its call "
        "without `average` is the micro average, which is accuracy: for Lam's table `f1_score(truth, prediction)` "
        f"gives {_default_call()} where F1 is {float(value(LAM, 'f1')):.4f}."
    )
    return Section("Widths against simulation", text, columns, lines, after)


def _default_call() -> str:
    try:
        import confidenceinterval
        from others import rows_of

        return f"{float(confidenceinterval.f1_score(*rows_of(LAM))[0]):.4f}"
    except ImportError:
        return "(not installed)"


def spread(matrix: np.ndarray, metric: str, draws: int) -> float:
    """Return the standard deviation of the metric over tables drawn from the shares of ``matrix``."""
    total = int(matrix.sum())
    random = np.random.default_rng(7)
    drawn = random.multinomial(total, matrix.ravel() / total, size=draws).reshape(-1, *matrix.shape)
    return float(np.nanstd(value(drawn, metric)))


def width(name: str, matrix: np.ndarray, metric: str) -> float:
    """Return the width of a package's interval."""
    low, high = ask(name, matrix, metric)
    return high - low


def perfect() -> Section:
    """Print what thirty right answers out of thirty give."""
    names = [*ASKED[:3], "prob_conf_mat, uniform prior", *ASKED[3:]]
    two, three = np.diag([18, 12]), np.diag([10, 10, 10])
    lines: list[list[Cell]] = [[name, told(name, two, "f1"), told(name, three, "macro_f1")] for name in names]
    text = (
        "Thirty right answers out of thirty do not show that the model is never wrong. A package that prints 1.0000 "
        "to 1.0000 says so all the same; a dash is no interval at all (scipy gives not a number)."
    )
    return Section("A perfect score on 30 rows", text, ["", "F1, 12 positives", "macro F1, 3 classes of 10"], lines)
