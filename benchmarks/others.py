"""The intervals of other packages behind one call: a confusion matrix in, two limits out."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

import howsure as hs

Limits = tuple[float, float]
Peer = Callable[[np.ndarray, str], Limits]
"""Of a matrix, truth in rows, and one of f1, macro_f1, macro_precision, macro_recall; the last class is positive."""
NONE = (np.nan, np.nan)
RESAMPLES = 1000


def rows_of(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return truth and prediction, one entry a row of data."""
    classes = np.arange(len(matrix))
    counts = matrix.astype(int).ravel()
    return np.repeat(np.repeat(classes, len(matrix)), counts), np.repeat(np.tile(classes, len(matrix)), counts)


def howsure(matrix: np.ndarray, metric: str, method: str | None = None) -> Limits:
    """Return our interval, by the default method of the metric unless another is named."""
    found = hs.estimate(_table(matrix), metric, method=method)
    return found.low, found.high


def _table(matrix: np.ndarray) -> Any:
    if len(matrix) > 2:
        return hs.matrix(matrix, rows="truth", labels=list(range(len(matrix))))
    (tn, fp), (fn, tp) = matrix
    return hs.counts(tp=tp, fp=fp, fn=fn, tn=tn)


def confidenceinterval(matrix: np.ndarray, metric: str) -> Limits:
    """Return the analytic interval of confidenceinterval."""
    import confidenceinterval as peer

    average, _, name = metric.rpartition("_")
    function = getattr(peer, f"{name}_score")
    return function(*rows_of(matrix), average=average or "binary")[1]


def prob_conf_mat(matrix: np.ndarray, metric: str) -> Limits:
    """Return the highest-density interval of prob_conf_mat's report, its default (Haldane) prior."""
    return _prob_conf_mat(matrix, metric)


def prob_conf_mat_uniform(matrix: np.ndarray, metric: str) -> Limits:
    """Return the same with the uniform prior that its documentation offers."""
    return _prob_conf_mat(matrix, metric, prevalence_prior="ones", confusion_prior="ones")


def _prob_conf_mat(matrix: np.ndarray, metric: str, **priors: str) -> Limits:
    import prob_conf_mat as peer

    average, _, name = metric.rpartition("_")
    study = peer.Study(seed=0, num_samples=10_000, ci_probability=0.95)
    study.add_experiment("all/one", confusion_matrix=matrix.tolist(), **priors)
    asked = f"{name}@{average}" if average else name
    study.add_metric(asked)
    options = {} if average else {"class_label": len(matrix) - 1}
    records = study.report_metric_summaries(asked, table_fmt="records", precision=8, **options)
    # The interval is the one entry of the record that is a text in brackets.
    told = next(entry for entry in records[0] if str(entry).startswith("["))
    low, high = told.strip("[]").split(",")
    return float(low), float(high)


def mlstatkit(matrix: np.ndarray, metric: str) -> Limits:
    """Return MLstatkit's percentile bootstrap of the rows, 1000 resamples (its default)."""
    from MLstatkit import Bootstrapping

    if len(matrix) > 2:
        return NONE
    truth, guess = rows_of(matrix)
    average = "macro" if metric.startswith("macro") else "binary"
    return Bootstrapping(truth, guess.astype(float), "f1", n_bootstraps=RESAMPLES, average=average)[1:]


def percentile_bootstrap(matrix: np.ndarray, metric: str) -> Limits:
    """Return the percentile bootstrap with 1000 resamples, drawn as tables: the law that MLstatkit's rows have."""
    total = int(matrix.sum())
    seed = np.random.default_rng(int(matrix.ravel() @ np.arange(1, matrix.size + 1)))
    drawn = seed.multinomial(total, matrix.ravel() / total, size=RESAMPLES).reshape(-1, *matrix.shape)
    low, high = np.nanquantile(value(drawn, metric), [0.025, 0.975])
    return float(low), float(high)


def scipy_bca(matrix: np.ndarray, metric: str) -> Limits:
    """Return scipy.stats.bootstrap at its defaults: BCa, 9999 resamples of the rows."""
    places = np.repeat(np.arange(matrix.size), matrix.astype(int).ravel())

    def statistic(drawn: np.ndarray, axis: int = -1) -> np.ndarray:
        cells = [np.count_nonzero(drawn == place, axis=axis) for place in range(matrix.size)]
        return value(np.stack(cells, axis=-1).reshape(*np.shape(cells[0]), *matrix.shape), metric)

    found = stats.bootstrap((places,), statistic, rng=np.random.default_rng(0)).confidence_interval
    return float(found.low), float(found.high)


def statsmodels_wilson(matrix: np.ndarray, metric: str) -> Limits:
    """Return Wilson limits of the Jaccard index by statsmodels, turned by hand into limits of F1."""
    from statsmodels.stats.proportion import proportion_confint

    if metric != "f1":
        return NONE
    (_, fp), (fn, tp) = matrix
    low, high = proportion_confint(tp, tp + fp + fn, method="wilson")
    return 2 * low / (1 + low), 2 * high / (1 + high)


def value(matrices: np.ndarray, metric: str) -> np.ndarray:
    """Return the metric of each matrix (truth in rows), written out here so that it depends on no package.

    >>> float(value(np.array([[702, 44], [10, 77]]), "f1").round(4))
    0.7404
    """
    hit = np.diagonal(matrices, axis1=-2, axis2=-1)
    actual, predicted = matrices.sum(axis=-1), matrices.sum(axis=-2)
    average, _, name = metric.rpartition("_")
    with np.errstate(invalid="ignore", divide="ignore"):
        each = {"f1": 2 * hit / (actual + predicted), "precision": hit / predicted, "recall": hit / actual}[name]
    return each.mean(axis=-1) if average else each[..., -1]


PEERS: dict[str, tuple[str, Peer]] = {
    "howsure": ("howsure", howsure),
    "confidenceinterval": ("confidenceinterval", confidenceinterval),
    "prob_conf_mat": ("prob_conf_mat", prob_conf_mat),
    "prob_conf_mat, uniform prior": ("prob_conf_mat", prob_conf_mat_uniform),
    "MLstatkit": ("MLstatkit", mlstatkit),
    "percentile bootstrap (MLstatkit's)": ("howsure", percentile_bootstrap),
    "scipy, BCa": ("scipy", scipy_bca),
    "statsmodels, Wilson by hand": ("statsmodels", statsmodels_wilson),
}
"""What is called what, the module it needs, and the call."""


def installed(name: str) -> bool:
    """Say whether a peer can be asked."""
    return importlib.util.find_spec(PEERS[name][0]) is not None


def ask(name: str, matrix: np.ndarray, metric: str) -> Limits:
    """Return the limits of a peer, or a pair of NaN where it is absent, refuses or fails."""
    if not installed(name):
        return NONE
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            low, high = PEERS[name][1](matrix, metric)
        except Exception:  # a peer may fail in any way; the tables show a dash or count a miss
            return NONE
    return float(low), float(high)
