"""Figures: each is drawn from real results, labelled, captioned with level and method, and the same file every time."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import trapezoid

import howsure as hs

pytest.importorskip("matplotlib")
from statsmodels.stats.proportion import proportion_confint

from howsure.errors import InputError, MissingExtra
from howsure.numerics.share_difference import ShareDifference
from howsure.reports.figures.canvas import caption_of, save
from howsure.reports.figures.densities import plot_posteriors
from howsure.reports.figures.matrix import plot_matrices, plot_matrix
from howsure.reports.figures.picture import COLOURS, PALE
from howsure.studies.papers.wang2019 import fold_counts

TRUTH = list("aaabbbbbab" * 6)
MODELS = {"x": list("aabbbbabab" * 6), "y": list("aaabbabbbb" * 6), "z": list("ababababab" * 6)}


@pytest.fixture(scope="module")
def several() -> hs.Table:
    return hs.table(TRUTH, MODELS, pos_label="a")


@pytest.fixture(scope="module")
def one() -> hs.Table:
    return hs.counts(tp=77, fp=44, fn=10, tn=702)


def marked(axes: Any, gid: str) -> list[Any]:
    """Return the lines and patches drawn under a name."""
    return [artist for artist in (*axes.lines, *axes.patches) if artist.get_gid() == gid]


def names(axes: Any) -> list[str]:
    return [tick.get_text() for tick in axes.get_yticklabels()]


def ends(axes: Any, gid: str) -> list[tuple[float, float]]:
    return [tuple(line.get_xdata()) for line in marked(axes, gid)]


# --- forest plots ------------------------------------------------------------------------------------------------


def test_an_estimate(one: hs.Table) -> None:
    made = hs.estimate(one, "f1")
    axes = made.plot()
    assert ends(axes, "interval") == [(made.low, made.high)]
    assert [line.get_xdata()[0] for line in marked(axes, "point")] == [made.value]
    assert axes.get_xlabel() == "F1"
    assert caption_of(axes) == "833 rows, 95% intervals (mid-P)."
    assert any(text.get_text() == "0.740 [0.668, 0.802]" for text in axes.texts)


def test_a_report_groups_models_by_metric(several: hs.Table) -> None:
    made = hs.report(several, ["f1", "accuracy"])
    axes = made.plot()
    ranked = {metric: sorted("xyz", key=lambda model: -made[model, metric]) for metric in ("f1", "accuracy")}
    assert names(axes) == ["F1", *ranked["f1"], "accuracy", *ranked["accuracy"]]
    order = [made[model, metric] for metric in ranked for model in ranked[metric]]
    assert ends(axes, "interval") == [row.interval for row in order]
    low, high = axes.get_xlim()
    assert low < min(row.low for row in made)
    assert max(row.high for row in made) < high
    assert axes.yaxis_inverted()


def test_models_that_are_not_among_the_best_are_hollow() -> None:
    truth = [0, 1] * 60
    poor = [value if at % 3 else 1 - value for at, value in enumerate(truth)]
    axes = hs.report(hs.table(truth, {"poor": poor, "good": truth}), ["accuracy"]).plot()
    filled = {label: line.get_markerfacecolor() for label, line in zip(names(axes), marked(axes, "point"), strict=True)}
    assert list(filled) == ["good", "poor"]
    assert filled["poor"] == "white" != filled["good"]
    assert caption_of(axes).endswith("Hollow: not among the best.")


def test_joint_intervals_are_thin_lines_behind(several: hs.Table) -> None:
    single, joint = hs.report(several, ["f1", "recall"]), hs.report(several, ["f1", "recall"], joint=True)
    axes = single.plot(joint=joint)
    assert sorted(ends(axes, "joint")) == sorted(row.interval for row in joint)
    assert all(line.get_linewidth() < 2 for line in marked(axes, "joint"))
    assert "Thin lines: simultaneous 95% intervals over all 6 estimates." in caption_of(axes)


def test_methods_side_by_side(one: hs.Table) -> None:
    made = hs.intervals(one, "f1", level=0.9)
    axes = made.plot()
    assert names(axes) == [row.method_said for row in made]
    assert len(set(names(axes))) == len(made) > 5
    assert caption_of(axes).startswith("833 rows, 90% intervals (Wald, Wilson")


def test_ratios_are_left_out_and_said_or_drawn_on_a_log_axis(one: hs.Table) -> None:
    made = hs.report(one, ["f1", "odds_ratio"])
    axes = made.plot()
    assert names(axes) == ["F1"]
    assert caption_of(axes).endswith("Not drawn, for want of an upper end: odds ratio.")
    alone = made.plot(metrics=["odds_ratio"])
    assert names(alone) == ["odds ratio"]
    assert alone.get_xscale() == "log"
    assert alone.get_xlim()[0] < made["odds_ratio"].low < made["odds_ratio"].high < alone.get_xlim()[1]


def test_an_undefined_score_is_said(one: hs.Table) -> None:
    axes = hs.report(hs.counts(tp=0, fp=0, fn=3, tn=5), ["precision", "recall"]).plot()
    assert "undefined" in [text.get_text() for text in axes.texts]
    assert len(marked(axes, "point")) == 1


def test_a_misspelt_metric(one: hs.Table) -> None:
    with pytest.raises(InputError, match=r"metrics holds 'recal'; the report has 'recall'. Did you mean 'recall'\?"):
        hs.report(one, ["recall"]).plot(metrics=["recal"])


def test_names_are_shown_as_they_are(tmp_path: Path) -> None:
    odd = {"$x_1$": MODELS["x"], "_hidden\nline": MODELS["y"], "w" * 60: MODELS["z"]}
    axes = hs.report(hs.table(TRUTH, odd, pos_label="a"), ["f1"]).plot()
    assert names(axes) == ["$x_1$", "_hidden line", "w" * 39 + "…"]
    assert not any(tick.get_parse_math() for tick in axes.get_yticklabels())
    save(axes, tmp_path / "odd.svg")


def test_axes_of_ones_own(one: hs.Table) -> None:
    from matplotlib.figure import Figure

    mine = Figure().subplots(1, 2)
    assert hs.estimate(one, "f1").plot(axes=mine[1]) is mine[1]
    assert not mine[0].lines


# --- differences and verdicts ------------------------------------------------------------------------------------


def test_differences_have_a_zero_line(several: hs.Table) -> None:
    made = hs.compare_all(several, "accuracy")
    axes = made.plot()
    assert names(axes) == ["y − x", "z − x", "z − y"]
    assert ends(axes, "interval") == [row.interval for row in made]
    (zero,) = marked(axes, "nothing")
    assert list(zero.get_xdata()) == [0, 0]
    assert axes.get_xlim()[0] < 0 < axes.get_xlim()[1]
    points = marked(axes, "point")
    assert [line.get_color() != PALE for line in points] == [row.decided for row in made]
    assert all(line.get_markerfacecolor() == line.get_color() for line in points)
    assert "joint adjustment over 3 pairs" in caption_of(axes)


@pytest.mark.parametrize("option", ["rope", "margin"])
def test_the_region_of_practical_equivalence(several: hs.Table, option: str) -> None:
    axes = hs.compare(several, "accuracy", a="x", b="y", **{option: 0.05}).plot()
    (region,) = marked(axes, "region")
    drawn = region.get_patch_transform().transform_path(region.get_path()).get_extents()  # no Rectangle before 3.9
    assert (drawn.x0, drawn.x1) == pytest.approx((-0.05, 0.05))
    low, high = axes.get_xlim()
    assert low < -0.05 < 0.05 < high
    assert axes.get_xlabel() == "difference in accuracy (higher is better)"


def test_a_gate_shows_its_threshold(one: hs.Table) -> None:
    axes = hs.gate(one, "f1", at_least=0.7).plot()
    (line,) = marked(axes, "nothing")
    assert line.get_xdata()[0] == 0.7
    assert axes.get_title(loc="left") == "inconclusive: at least 0.7"
    assert caption_of(axes) == "One-sided 95% bounds (Clopper–Pearson); n = 833."


def test_a_gap_is_drawn_against_none() -> None:
    made = hs.slices(TRUTH, MODELS["x"], by=["r", "s"] * 30, pos_label="a").gap("f1")
    axes = made.plot()
    assert ends(axes, "interval") == [(made.low, made.high)]
    assert names(axes) == ["gap in F1"]
    assert caption_of(axes) == "95% interval of the gap between the highest and the lowest of 2 slices."


def test_a_bayes_test() -> None:
    made = hs.bayes_test(fold_counts("ORG", "A"), fold_counts("ORG", "B"), "f1", rope=0.01)
    left, right = made.plot()
    assert [text.get_text() for text in left.get_legend().get_texts()] == [made.a, made.b]
    assert ends(right, "interval") == [(made.low, made.high)]
    assert right.get_title(loc="left") == "Accept H0"
    chances = [text.get_text() for text in right.texts if text.get_gid() == "chance"]
    assert chances == ["P(H0) = 0.587", "P(H1) = 0.413"]  # the paper prints 0.587, Table 5
    assert "95% credible interval (exact); independent posteriors, prior 1 per cell." in caption_of(right)
    assert len(marked(right, "region")) == 1
    only = made.plot(axes=left.figure.add_subplot())
    assert ends(only, "interval") == [(made.low, made.high)]


PAIRS = {"mine": MODELS["x"], "other": MODELS["z"]}


@pytest.mark.parametrize("metric", ["f1", "accuracy", "mcc"])
@pytest.mark.parametrize("pairing", ["paired", "independent"])
def test_the_areas_are_the_probabilities(metric: str, pairing: Any) -> None:
    """The area under the curve is 1, what lies above 0 is P(H1), and the centre is the posterior mean."""
    made = hs.bayes_test(hs.table(TRUTH, PAIRS, pos_label="a"), metric=metric, pairing=pairing)
    _, right = made.plot()
    (curve,) = marked(right, "density")
    x, density = curve.get_xdata(), curve.get_ydata()
    assert trapezoid(density, x) == pytest.approx(0.999, abs=0.002)
    assert trapezoid(density[x >= 0], x[x >= 0]) == pytest.approx(made.p_h1, abs=0.006)
    assert trapezoid(density * x, x) == pytest.approx(made.difference, abs=0.003)


def test_the_density_of_a_difference_against_draws() -> None:
    """Two Beta laws: the density by quadrature against the histogram of four million differences."""
    a, b = hs.SharePosterior(18, 5, weight=0.5), hs.SharePosterior(15, 9, weight=0.5)
    rng = np.random.default_rng(7)
    u, v = rng.beta(15, 9, 4_000_000), rng.beta(18, 5, 4_000_000)
    drawn = 2 * u / (1 + u) - 2 * v / (1 + v)
    heights, edges = np.histogram(drawn, bins=np.linspace(-0.5, 0.3, 81), density=True)
    middle = (edges[:-1] + edges[1:]) / 2
    assert ShareDifference(b, a).pdf(middle) == pytest.approx(heights, abs=0.03)


# --- curves ------------------------------------------------------------------------------------------------------


def test_posterior_curves_hold_their_mass() -> None:
    laws = {tags: hs.posterior(fold_counts("ORG", model), "f1") for model, tags in (("A", "IOB2"), ("B", "_IOBES"))}
    axes = plot_posteriors(laws, metric="f1", level=0.9)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["IOB2", "_IOBES"]
    for line in axes.lines:
        assert trapezoid(line.get_ydata(), line.get_xdata()) == pytest.approx(0.999, abs=0.001)
    assert len({(line.get_color(), line.get_linestyle()) for line in axes.lines}) == 2
    assert {line.get_color() for line in axes.lines} <= set(COLOURS)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("F1", "posterior density")
    assert caption_of(axes) == "Shaded: 90% credible interval (equal tails); dotted: the mean."
    assert axes.get_ylim()[0] == 0


@pytest.mark.parametrize("metric", ["recall", "mcc"])
def test_a_posterior_draws_itself(one: hs.Table, metric: str) -> None:
    law = hs.posterior(one, metric, draws=20_000)
    axes = law.plot(metric=metric, level=0.8, kind="hdi")
    low, high = law.interval(0.8, kind="hdi")
    (shade,) = [part for part in axes.collections if part.get_alpha() is not None]
    edges = shade.get_paths()[0].vertices[:, 0]
    assert (edges.min(), edges.max()) == (pytest.approx(low), pytest.approx(high))
    assert "80% credible interval (highest density)" in caption_of(axes)


def test_a_density_without_a_top_is_drawn(one: hs.Table, tmp_path: Path) -> None:
    axes = hs.SharePosterior(0.5, 0.5).plot()
    assert np.isfinite(axes.lines[0].get_ydata()).all()
    save(axes, tmp_path / "arcsine.svg")


def test_coverage_and_length() -> None:
    shares = {"tp": 0.4, "fp": 0.1, "fn": 0.1, "tn": 0.4}
    found = hs.study("f1", methods=["wald", "wilson"], population=shares, n=[10, 20])
    panels = found.plot()
    assert panels.shape == (2, 1)
    top, below = panels[:, 0]
    (nominal,) = marked(top, "nominal")
    assert list(nominal.get_ydata()) == [0.95, 0.95]
    assert (top.get_ylabel(), below.get_ylabel(), below.get_xlabel()) == ("coverage", "mean length", "number of rows")
    drawn = {tuple(line.get_ydata()) for line in top.lines}
    for method in ("wald", "wilson"):
        assert tuple(found[method, n].coverage for n in (10, 20)) in drawn
    assert [text.get_text() for text in top.figure.legends[0].get_texts()] == ["wald", "wilson"]
    assert top.get_title() == "true F1 0.8"
    assert caption_of(below) == "Dashed: the nominal level, 95%. Exact enumeration."


def test_a_plan_marks_itself() -> None:
    made = hs.plan("f1", half_width=0.05, prevalence=0.2)
    axes = made.plot()
    assert (made.n, made.half_width) in [
        (line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines if line.get_marker() == "D"
    ]
    assert axes.get_xlabel() == "labelled rows"
    assert caption_of(axes) == "95% intervals (Wald); worst case."


def test_two_results_on_the_same_axes_stay_in_sight() -> None:
    few, many = hs.plan("f1", half_width=0.1, prevalence=0.2), hs.plan("f1", half_width=0.01, prevalence=0.2)
    axes = many.plot(axes=few.plot())
    low, high = axes.get_xlim()
    assert low < min(few.curve())[0] < max(many.curve())[0] < high
    assert axes.get_ylim()[1] > max(height for _, height in few.curve())


def test_several_populations_are_not_cut() -> None:
    shares = {"S1": {"tp": 0.4, "fp": 0.1, "fn": 0.1, "tn": 0.4}, "S2": {"tp": 0.1, "fp": 0.1, "fn": 0.1, "tn": 0.7}}
    found = hs.study("f1", methods=["wald"], population=shares, n=[10, 20])
    panels = found.plot()
    for panel, values in ((panels[0, 1], "coverage"), (panels[1, 1], "length")):
        low, high = panel.get_ylim()
        assert all(low <= getattr(row, values) <= high for row in found)
    assert panels[1, 0].get_ylim()[0] == 0


# --- the confusion matrix ----------------------------------------------------------------------------------------


def test_a_matrix_has_an_interval_in_every_cell() -> None:
    counts = [[2, 5, 0], [2, 70, 2], [2, 2, 15]]
    axes = plot_matrix(hs.matrix(counts, rows="truth", labels=["a", "b", "c"]), level=0.9)
    words = [text.get_text() for text in axes.texts if text.get_gid() == "cell"]
    expected = []
    for cell in np.ravel(counts):
        low, high = proportion_confint(cell, 100, alpha=0.1, method="wilson")
        expected.append(f"{cell:.1f}% [{100 * low:.1f}, {100 * high:.1f}]")
    assert words == expected
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("prediction", "truth")
    assert names(axes) == ["a", "b", "c"]
    assert "90% interval of that share (wilson, each on its own)" in caption_of(axes)


def test_matrices_that_cannot_be_drawn(several: hs.Table) -> None:
    with pytest.raises(InputError, match="model is missing; the table has 'x', 'y', 'z'"):
        plot_matrix(several)
    with pytest.raises(InputError, match="give tn"):
        plot_matrix(hs.counts(tp=3, fp=1, fn=2))
    grouped = hs.table(TRUTH, MODELS["x"], pos_label="a", groups=[at // 2 for at, _ in enumerate(TRUTH)])
    with pytest.raises(InputError, match="table has groups"):
        plot_matrix(grouped)


def test_matrices_of_all_models(several: hs.Table) -> None:
    panels = plot_matrices(several)
    assert [axes.get_title(loc="left") for axes in panels.flat] == ["x", "y", "z"]
    assert plot_matrices(hs.counts(tp=3, fp=1, fn=2, tn=4)).get_xlabel() == "prediction"


# --- files -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("form", "start"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_files_are_the_same_every_time(one: hs.Table, tmp_path: Path, form: str, start: bytes) -> None:
    first, second = (save(hs.report(one).plot(), tmp_path / f"{name}.{form}").read_bytes() for name in ("a", "b"))
    assert first == second
    assert first.startswith(start)


def test_every_script_is_drawn_without_a_warning(tmp_path: Path) -> None:
    """Warnings are errors here; a letter that no font has is a box."""
    odd = {"🐈 猫": MODELS["x"], "العربية": MODELS["y"], "ελληνικά <b> & $": MODELS["z"]}
    made = hs.compare_all(hs.table(TRUTH, odd, pos_label="a"), "f1")
    for form in ("svg", "pdf", "png"):
        assert save(made.plot(), tmp_path / f"odd.{form}").stat().st_size > 1000


def test_no_words_leave_the_figure(tmp_path: Path) -> None:
    """Every text lies inside the picture, also with long names and a long caption."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    long = {f"{'a model with a long name '}{at}": MODELS[name] for at, name in enumerate("xyz")}
    table = hs.table(TRUTH, long, pos_label="a")
    for axes in (hs.compare_all(table, "f1").plot(), hs.report(table, ["f1", "recall"]).plot()):
        figure = axes.figure
        FigureCanvasAgg(figure).draw()
        boxes = [text.get_window_extent() for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
        assert min(box.x0 for box in boxes) > -1
        assert max(box.x1 for box in boxes) < figure.bbox.width + 1
        assert min(box.y0 for box in boxes) > -1


def test_other_endings_are_refused(one: hs.Table, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a figure is written as one of 'svg', 'pdf', 'png'"):
        save(hs.estimate(one, "f1").plot(), tmp_path / "figure.gif")


def test_no_global_state(one: hs.Table) -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    hs.report(one).plot()
    assert dict(matplotlib.rcParams) == before
    assert "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()


def test_without_matplotlib_the_extra_is_named(one: hs.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    made = hs.estimate(one, "f1")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"pip install 'howsure\[figures\]'"):
        made.plot()
