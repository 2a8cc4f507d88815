"""From a name to a metric: the grammar of names, averages over classes, one class alone."""

from __future__ import annotations

import copyreg
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from howsure.errors import MetricError, any_of, by_door, close_names, nearest, quoted
from howsure.errors.messages import metrics as messages
from howsure.metrics.calibration import (
    CALIBRATION,
    calibration_in_the_large,
    calibration_intercept,
    calibration_slope,
    clipped_log_loss,
    ece,
)
from howsure.metrics.catalogue import CATALOGUE, PARAMETRIC, f_beta
from howsure.metrics.cells import Cells
from howsure.metrics.cuts import NUMBER, modified
from howsure.metrics.metric import Average, Label, Metric, Share, numbers_between, plugged
from howsure.metrics.named_sums import OF_VALUES, quotient
from howsure.metrics.ranking import RANKING, partial_auc, top_k

MetricLike = str | Metric
WITHOUT = "without "
OF_SCORES = (*RANKING, *CALIBRATION)
NO_CELLS = {name: entry for entry in OF_VALUES for name in (entry.name, *entry.aliases)}
KNOWN = {name.lower(): entry for entry in (*CATALOGUE, *OF_SCORES) for name in (entry.name, *entry.aliases)}
SPELLED = {alias.lower(): alias for entry in (*CATALOGUE, *OF_SCORES) for alias in entry.aliases}
# Averages as Takahashi et al. (2022) call them. Those of one capital are taken only as written: mAP is another thing.
SHORT = {
    "miF1": "micro_f1", "maF1": "macro_f1",
    "miP": "micro_precision", "miR": "micro_recall", "maP": "macro_precision", "maR": "macro_recall",
}  # fmt: skip
# What stands in the brackets of a metric of scores, where that is no class: the one option, as a number.
OPTIONS: dict[str, tuple[str, Callable[[Any], Metric]]] = {
    "log_loss": ("clip", clipped_log_loss),
    "calibration_slope": ("clip", calibration_slope),
    "calibration_intercept": ("clip", calibration_intercept),
    "calibration_in_the_large": ("clip", calibration_in_the_large),
    "ece": ("bins", ece),
}


def macro(metric: MetricLike, *, classes: Iterable[Label] | None = None, without: Iterable[Label] = ()) -> Metric:
    """Return the plain mean of a metric over classes (of F1: scikit-learn's macro F1, Takahashi's maF1).

    >>> macro("f1").name
    'macro_f1'
    """
    base = one_class(metric)
    return _average("macro", base, lambda c: c.average(base.formula), classes, without)


def weighted(metric: MetricLike, *, classes: Iterable[Label] | None = None, without: Iterable[Label] = ()) -> Metric:
    """Return the mean of a metric over classes, each weighted by its number of true rows."""
    base = one_class(metric)
    return _average(
        "weighted",
        base,
        lambda c: c.average(base.formula, weight=lambda cells: cells.actual),
        classes,
        without,
    )


def micro(metric: MetricLike, *, classes: Iterable[Label] | None = None, without: Iterable[Label] = ()) -> Metric:
    """Return the metric of the cells summed over classes; ``without=["O"]`` leaves a class out.

    Micro F1 is accuracy only when every class counts and each row has one label (Takahashi et al. 2022, eq. 1).

    >>> micro("f1", without=["O"]).name
    'micro_f1[without O]'
    """
    base = one_class(metric)
    made = _average("micro", base, lambda c: base.formula(c.pooled()), classes, without)
    return replace(made, share=_micro_share(base, some=bool(made.without or made.classes)), per_class=(base,))


def samples(metric: MetricLike) -> Metric:
    """Return the mean over rows of a metric of each row's label set (multi-label tables)."""
    base = one_class(metric)
    return Metric(
        f"samples_{base.name}",
        base.formula,
        over="row",
        range=base.range,
        better=base.better,
        text=f"mean over rows of {base.name}",
        average="samples",
        title=f"Samples {base.title or base.name}",
        aliases=tuple(f"samples_{alias}" for alias in base.aliases),
        canonical=f"samples_{base.canonical}",
    )


def per_unit(metric: MetricLike) -> Metric:
    """Return the mean over units (images, documents) of a metric of each unit alone, such as the mean Dice of images.

    The metric itself pools the sums of all units first, so that a large unit counts more.

    >>> per_unit("f1").name, per_unit("errors/words").name
    ('per_unit_f1', 'per_unit_errors/words')
    """
    made = samples(metric)
    base = made.name.removeprefix("samples_")
    title = made.title.removeprefix("Samples ")
    return replace(made, name=f"per_unit_{base}", text=f"mean over units of {base}", title=f"{title} per unit")


def of_class(metric: MetricLike, label: Label) -> Metric:
    """Return a metric of one class against the rest.

    >>> of_class("f1", "cat").name
    'f1[cat]'
    """
    base = named(metric)
    if base.scoring is None or base.label is not None or base.scoring.classes == "several":
        base = one_class(metric)
    aliases = tuple(f"{alias}[{label}]" for alias in base.aliases)
    name, canonical = (f"{one}[{label}]" for one in (base.name, base.canonical))
    return replace(base, name=name, canonical=canonical, aliases=aliases, label=label)


def one_class(metric: MetricLike) -> Metric:
    """Return the metric as a formula of a single class: one that sees all classes is given two."""
    base = named(metric)
    if base.scoring is not None:
        raise MetricError(messages.METRIC_IS_ABOUT_SCORES(base=base.name))
    if base.label is not None or base.over in ("row", "matrix", "values") or base.average is not None:
        raise MetricError(messages.METRIC_CANNOT_BE_AVERAGED_OR_TAKEN(base=base.name))
    if base.over == "class":
        return base
    if base.scores is not None:
        raise MetricError(messages.METRIC_IS_ABOUT_ORDER_OF_ALL(base=base.name))
    formula = base.formula
    share = base.share and Share(*(_two_class_cells(names) for names in (base.share.success, base.share.failure)))
    return replace(
        base, over="class", formula=lambda c: formula(c.versus_rest()), share=share, per_class=(), class_mean=None
    )


def _two_class_cells(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(cell for name in names for cell in {"hits": ("tp", "tn"), "misses": ("fp", "fn")}[name])


def _average(
    kind: Average,
    base: Metric,
    formula: Callable[[Cells], Any],
    classes: Iterable[Label] | None,
    without: Iterable[Label],
) -> Metric:
    chosen = None if classes is None else tuple(classes)
    left_out = tuple(without)
    if chosen is not None and left_out:
        raise MetricError(messages.GIVE_CLASSES_OR_WITHOUT_NOT_BOTH())
    if chosen == ():
        raise MetricError(messages.CLASSES_IS_EMPTY())
    tail = ",".join(str(label) for label in left_out or chosen or ())
    tail = f"[{WITHOUT if left_out else ''}{tail}]" if tail else ""
    name, canonical = f"{kind}_{base.name}", f"{kind}_{base.canonical}"
    if name in KNOWN:
        raise MetricError(
            messages.AVERAGE_OF_WOULD_BE_CALLED_ALREADY(kind=kind, base=base.name, name=name, known=KNOWN[name].name)
        )
    return Metric(
        name + tail,
        formula,
        over="classes",
        range=base.range,
        better=base.better,
        text=f"{kind} average of {base.text or base.name}",
        classes=chosen,
        without=left_out,
        title=f"{kind.capitalize()} {base.title or base.name}",
        per_class=(base,),
        average=kind,
        class_mean="arithmetic" if kind == "macro" else None,
        canonical=canonical + tail,
        aliases=tuple(f"{alias}{tail}" for alias in _aliases_of(kind, base)),
    )


def _aliases_of(kind: Average, base: Metric) -> list[str]:
    short = [short for short, long in SHORT.items() if long == f"{kind}_{base.canonical}"]
    return [*short, *(f"{kind}_{alias}" for alias in base.aliases)]


def _micro_share(base: Metric, *, some: bool) -> Share | None:
    """Say when a micro average is a binomial share of rows that each carry one label.

    Precision and recall always (a row has one prediction and one truth); a Tversky index only over all
    classes, where every miss is one false positive and one false negative.
    """
    if base.tversky is None:
        return None
    a, b = base.tversky
    if a == 0 or b == 0:
        return Share(("all_tp",), ("all_fn",) if a == 0 else ("all_fp",), weight=a + b)
    return None if some else Share(("hits",), ("misses",), weight=a + b)


AVERAGES: dict[str, Callable[..., Metric]] = {
    "macro_": macro,
    "micro_": micro,
    "weighted_": weighted,
    "samples_": samples,
    "per_unit_": per_unit,
}


def named(metric: MetricLike) -> Metric:
    """Return the metric of a name such as 'f1', 'f0.5', 'tversky(0.8,0.2)', 'macro_f1', 'f1[cat]'; never evaluated.

    A metric asked for by an alias goes by that name; the catalogue's is its ``canonical``.

    >>> named("macro_f2").name, named("recall[cat]").name, named("ppv").name, named("ppv").canonical
    ('macro_f2', 'recall[cat]', 'ppv', 'precision')
    """
    if isinstance(metric, Metric):
        return metric
    if not isinstance(metric, str):
        raise MetricError(messages.METRIC_OF_TYPE(metric=metric, kind=type(metric).__name__))
    return _parsed(metric)


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Metric:
    cut = modified(text, named) if "@" in text else None
    if cut is not None:
        return cut
    sums = re.fullmatch(r"\s*(samples_|per_unit_|)([^/\[\]]*[^/\[\]\s])\s*/\s*([^/\[\]]*[^/\[\]\s])\s*", text)
    if sums:
        made = quotient(sums[2], sums[3])
        return AVERAGES[sums[1]](made) if sums[1] else made
    bracket = re.fullmatch(r"\s*([^\[\]]+)\[(.*)\]\s*", text, flags=re.DOTALL)
    head, inside = (bracket[1], bracket[2]) if bracket else (text, None)
    short = _short(head.strip())
    if short is not None:
        long = SHORT[short]
        made = _parsed(long if inside is None else f"{long}[{inside}]")
        return replace(made, name=short + made.canonical.removeprefix(long))
    tight = re.sub(r"\s*([(),])\s*", r"\1", head.strip().lower())
    name = re.sub(r"\s+|-(?=[a-z])", "_", tight)
    prefix = next((prefix for prefix in AVERAGES if name.startswith(prefix)), None)
    if inside is not None and (name == "partial_auc" or name in OPTIONS):
        option = partial_auc(inside) if name == "partial_auc" else _with_option(name, inside, text)
        if option is not None:
            return option
    if name in KNOWN or prefix is None:
        found = _plain(name, text)
        return found if inside is None else of_class(found, inside)
    base = _plain(name.removeprefix(prefix), text, prefix)
    if inside is None:
        return AVERAGES[prefix](base)
    return _over_some(AVERAGES[prefix], base, inside.strip(), text)


def _short(head: str) -> str | None:
    """Return a paper's short name for an average as it is spelled there; "maP" is taken only in that spelling."""
    loose = {short.lower(): short for short in SHORT if not short[2:].isalpha()}
    return head if head in SHORT else loose.get(head.lower())


def _plain(name: str, text: str, prefix: str = "") -> Metric:
    if name in SPELLED:
        return replace(KNOWN[name], name=SPELLED[name])
    if name in KNOWN:
        return KNOWN[name]
    if name in NO_CELLS:
        return NO_CELLS[name]
    if re.fullmatch(r"f(\d+\.?\d*|\.\d+)", name):
        made = f_beta(float(name[1:]))
        return KNOWN.get(made.name, made)
    if found := re.fullmatch(r"top_?(\d+)_accuracy", name):
        return top_k(max(int(found[1]), 1))
    call = re.fullmatch(r"(\w+)\(([^()]*)\)", name.replace("_(", "("))
    if call and call[1] in PARAMETRIC:
        make, wanted = PARAMETRIC[call[1]]
        return make(*numbers_between(call[2], wanted, text))
    if isinstance(plugged("metrics", name), Metric):
        return plugged("metrics", name)  # type: ignore[no-any-return]
    every = (
        f"{_hint(name, prefix)} Known: {quoted([entry.name for entry in CATALOGUE], most=60)}; also 'f<beta>', "
        "'tversky(a,b)', 'ppv_at(prevalence)', 'npv_at(prevalence)', averages 'macro_…', 'micro_…', 'weighted_…', "
        f"'samples_…', 'per_unit_…', one class as 'name[label]', 'mean' of row values, and 'a/b' of two sums. Of "
        f"scores: {quoted([entry.name for entry in OF_SCORES], most=60)}, 'partial_auc[fpr<=0.1]', 'top3_accuracy', "
        "and any of labels at a threshold as 'name@0.5'."
    )
    few = f"{_three(name, prefix)} All metrics: howsure metrics"
    raise MetricError(messages.METRIC_IS_NOT_KNOWN(text=text, by_door=by_door(python=every, shell=few, page=few)))


def _with_option(name: str, inside: str, text: str) -> Metric | None:
    """Return a metric of scores with its option, as in "ece[bins=10]"; None where the brackets name a class."""
    option, make = OPTIONS[name]
    found = re.fullmatch(rf"\s*{option}\s*=\s*({NUMBER})\s*", inside)
    if found is None:
        if "=" in inside:
            raise MetricError(messages.METRIC_HAS_BRACKETS_ARE_NOT_KNOWN(text=text, name=name, option=option))
        return None
    number = float(found[1])
    if option == "clip" and not 0 < number < 0.5:
        raise MetricError(messages.METRIC_NEEDS_CLIP_BETWEEN_0(text=text, name=name))
    if option == "bins" and number != int(number):
        raise MetricError(messages.METRIC_NEEDS_WHOLE_NUMBER_OF_BINS(text=text))
    return make(int(number) if option == "bins" else number)


def _three(name: str, prefix: str) -> str:
    first = re.split(r"[_\W]", name)[0]
    begun = [first, f"macro_{first}", f"micro_{first}"] if first in KNOWN and first != name else []
    return any_of([*begun, *re.findall(r"'(.*)'", _hint(name, prefix)), *close_names(prefix + name, KNOWN)][:3])


def _hint(name: str, prefix: str) -> str:
    """Suggest what scikit-learn's function ('f1_score') or scorer ('f1_macro') is called here, or the nearest name."""
    kinds = "|".join(average.removesuffix("_") for average in AVERAGES)
    found = re.fullmatch(rf"(.+?)(?:_(?:score|corrcoef)|_({kinds}))", name)
    if found and found[1] in KNOWN:
        return f" Did you mean {(f'{found[2]}_' if found[2] else prefix) + KNOWN[found[1]].name!r}?"
    single = [known for known, entry in KNOWN.items() if not (known.startswith(tuple(AVERAGES)) or entry.average)]
    return nearest(prefix + name, [*KNOWN, *(prefix + known for known in single)])


def _over_some(average: Callable[..., Metric], base: Metric, inside: str, text: str) -> Metric:
    if average in (samples, per_unit):
        raise MetricError(messages.METRIC_AVERAGE_IS_OVER_ROWS(text=text))
    parts = [part.strip() for part in inside.removeprefix(WITHOUT).split(",")]
    return average(base, without=parts) if inside.startswith(WITHOUT) else average(base, classes=parts)


def _by_name(metric: Metric) -> Any:
    """Pickle a metric that a name stands for as that name: its formula is a function that cannot be pickled."""
    try:
        known = _parsed(metric.name)
    except MetricError:
        known = None
    return (named, (metric.name,)) if known == metric else object.__reduce_ex__(metric, 4)


copyreg.pickle(Metric, _by_name)


def table_metric(metric: MetricLike) -> Metric:
    """Return the metric of a name; refuse one that is about rows with several labels."""
    chosen = named(metric)
    if chosen.over == "row":
        raise MetricError(messages.METRIC_IS_ABOUT_ROWS_WITH_SEVERAL(chosen=chosen.name))
    return chosen


# What people report of each kind of table; "classes" also asks for F1 of each class, while those are few.
USUAL: dict[str, tuple[str, ...]] = {
    "two classes": (
        "accuracy", "precision", "recall", "specificity", "npv", "f1", "jaccard", "mcc", "balanced_accuracy",
    ),
    "classes": (
        "accuracy", "balanced_accuracy", "macro_precision", "macro_recall", "macro_f1", "weighted_f1", "mcc", "kappa",
    ),
    "answers": ("accuracy",),
    "chunks": ("precision", "recall", "f1", "macro_f1", "weighted_f1"),
    "label sets": (
        "micro_f1", "macro_f1", "weighted_f1", "micro_precision", "micro_recall", "samples_f1", "exact_match",
    ),
    "scores": ("auc", "average_precision", "brier", "log_loss"),
    "ranks": ("auc", "average_precision"),
    "scores of classes": ("macro_auc", "top1_accuracy", "brier", "log_loss"),
    "label sets without negatives": ("micro_f1", "macro_f1", "weighted_f1", "micro_precision", "micro_recall"),
}  # fmt: skip
MOST_CLASSES = 30


def usual_metrics(kind: str | tuple[MetricLike, ...], labels: Sequence[Label]) -> list[MetricLike]:
    """Return what people report of a kind of table: one of USUAL, or metrics that the kind of data names itself."""
    if not isinstance(kind, str):
        return list(kind)
    each = [f"f1[{label}]" for label in labels] if kind == "classes" and len(labels) <= MOST_CLASSES else []
    return [*USUAL[kind], *each]
