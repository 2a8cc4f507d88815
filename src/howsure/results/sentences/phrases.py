"""THE CATALOGUE OF SENTENCES: what results, tables and pages say, one entry each, in the words of each door.

An entry is one text, or one for each door: "python", "shell" and "page". Text in braces is filled in; nothing else in
the library writes these sentences, so that an editor or a translator finds them here. What only one kind of data or one
way of sampling can say stands with that kind (``tables/label_notes``, ``tables/design_notes``). The snapshots in
``tests/snapshots`` show every sentence as a reader meets it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from howsure.errors import by_door, said
from howsure.results.sentences.captions import CAPTIONS
from howsure.results.sentences.comparison_notes import COMPARISON_NOTES
from howsure.results.sentences.curve_phrases import CURVES
from howsure.results.sentences.cv_notes import CV_NOTES
from howsure.results.sentences.estimate_notes import ESTIMATE_NOTES
from howsure.results.sentences.judge_phrases import JUDGES
from howsure.results.sentences.labelling import LABELLING
from howsure.results.sentences.plan_phrases import PLANS
from howsure.results.sentences.source_notes import SOURCE_NOTES
from howsure.results.sentences.task_phrases import TASKS

Entry = str | dict[str, str]

ESTIMATES: dict[str, Entry] = {
    "estimate": "{name} = {value}, {level} {kind} {reach} ({method}), {sampled}",
    "estimate undefined": "{name} is undefined, {sampled}",
    "confidence": (
        "If other test sets of this size were drawn from the same source, {level} of intervals made this way would "
        "hold the true {metric} of this model."
    ),
    "confidence annotators": (
        "If other test sets of this size were drawn from the same source, and as many such annotators, {level} of "
        "intervals made this way would hold the true {metric}, the mean over all annotators that could be."
    ),
    "confidence agreement": (
        "If as many other items were drawn from the same source and rated by these annotators, {level} of intervals "
        "made this way would hold their true {metric}."
    ),
    "confidence rate": (
        "If as many other rows were drawn, here and where the judge was measured, {level} of intervals made this way "
        "would hold the true rate."
    ),
    "confidence runs": (
        "If other test sets of this size were drawn from the same source, and the model run anew as often, {level} of "
        "intervals made this way would hold its true {metric}, the mean over all runs that could be."
    ),
    "joint": (
        "If other test sets of this size were drawn from the same source, in {level} of them all intervals of this "
        "report together would hold their true values."
    ),
    "credible": (
        "Given the data and the stated prior, the true {metric} lies in this interval with probability {level}."
    ),
    "anytime": (
        "With {level} this interval and those of all other looks hold the true {metric} of this model: look as often "
        "as you like, add rows, stop when you like."
    ),
    "anytime approximate": "approximate: it rests on a standard error, and holds from {fewest} rows on",
    "anytime too early": "approximate limits at any time begin at {fewest} rows, and there are {rows}: no limits yet",
    "anytime still": "too few rows move the value so far: no approximate limits at any time yet",
    "held fixed": "Sampled: {sampled}{held}.",
    "held": "; held fixed: {fixed}",
    "caption": "{sampled}, {level} {kind} ({methods}).",
    "caption held": "Sampled: {sampled}{held}. {level} {kind} ({methods}).",
    "one estimate": "{metric}{of} is {value} ({level} {kind} {reach}).",
    "covers": (
        "The intervals cover the luck of the draw: another {sampled} from the same source would give other scores."
    ),
    "covers runs": (
        "The intervals cover the luck of the draw of rows and of runs: another {sampled} would give other scores. "
        "Small dots are single runs."
    ),
    "covers not, runs": (
        "They do not cover a change of source, wrong labels, another training set unless runs were trained on several, "
        "or a choice made after looking at these {unit}s, such as the best of the runs."
    ),
    "covers not": (
        "They do not cover a change of source, wrong labels, retraining, or a choice made after looking at these "
        "{unit}s."
    ),
}

FAMILIES: dict[str, Entry] = {
    "overlap": {
        "python": "Do not judge by overlap of intervals: compare() decides.",
        "shell": "Do not judge by overlap of intervals: run 'howsure compare'.",
        "page": "Do not judge by overlap of intervals: tied or worse is decided by the difference on the same rows.",
    },
    "left out": "left out, as the method does not serve them: {names}; without a method each has its default",
    "default method": "default for {metric}: {method}",
    "one-sided stratum": (
        "stratum {name!r}: all {n} labelled rows are truly {label!r}; up to about {most} of it may not be: the error "
        "bar allows for two hidden rows of any label"
    ),
    "overlap decided": (
        "Do not judge by overlap of intervals. Tied or worse is decided by the difference on the same {unit}s, all "
        "pairs together."
    ),
    "expected to miss": {
        "python": "With {size} intervals at {level}, expect {expected} to miss. joint=True makes all hold at once.",
        "shell": "With {size} intervals at {level}, expect {expected} to miss. --joint makes all hold at once.",
        "page": "With {size} intervals at {level}, expect {expected} to miss the true value.",
    },
    "wider": "The intervals are {ratio} times as wide as single ones, so that all {size} hold together.",
    "not wider": "All {size} intervals hold together, and are as wide as single ones.",
    "more metrics": {
        "python": "{more}: name them, or see to_frame(). One row a metric: write('text', long=True).",
        "shell": "{more}: -m all. One row a metric: --long. A page: --html FILE.",
        "page": "",
    },
    "more notes": {"python": "and {more} more: see .notes", "shell": "and {more} more (--verbose)", "page": ""},
    "paper caption": "{metrics} with {level} {kind} ({methods}). Sampled: {sampled}{held}.",
    "paper marks": "Best in bold; † clearly worse than the best ({pairs}).",
    "paper pair": "paired difference",
    "paper pairs": "paired differences, all {size} pairs together",
    "marks bold": "Best in bold; † clearly worse than the best.",
    "marks": "* best   † clearly worse than the best",
    "marks baseline": "* best   † differs clearly from {baseline}",
    "marks bold baseline": "Best in bold; † differs clearly from {baseline}.",
    "paper marks baseline": "Best in bold; † differs clearly from {baseline} ({pairs}).",
}

PAIRS: dict[str, Entry] = {
    "pair": "{metric}: {b} {sign} {a} = {value}, {level} {kind} {reach} ({method}), {sure}, {sampled}",
    "better": "{winner} is better than {other} in {metric}, by {reach} ({level} interval{at}; zero is outside it).",
    "better ratio": (
        "{winner} is better than {other} in {metric}: {b} / {a} is {reach} ({level} interval{at}; 1 is outside it)."
    ),
    "better holm": (
        "{winner} is better than {other} in {metric}: no difference is rejected after Holm's adjustment over {family}."
    ),
    "differs": (
        "{metric} differs between {a} and {b}: {b} {sign} {a} is {reach} ({level} interval{at}; {none} is outside it)."
    ),
    "better by test": (
        "{winner} is better than {other} in {metric} by the test asked for ({test}, {p}), although the interval beside "
        "it ({beside}, {reach}) still holds {none}."
    ),
    "differs by test": (
        "{metric} differs between {a} and {b} by the test asked for ({test}, {p}), although the interval beside it "
        "({beside}, {reach}) still holds {none}."
    ),
    "open by test": (
        "{a} and {b} are not told apart in {metric} by the test asked for ({test}, {p}), although the interval beside "
        "it ({beside}, {reach}) excludes {none}."
    ),
    "differs holm": "{metric} differs between {a} and {b}, after Holm's adjustment over {family}.",
    "together": " All {family} hold together.",
    "headline better": "{winner} is better than {other} in {metric}",
    "headline higher": "{b} is higher than {a} in {metric}",
    "headline lower": "{b} is lower than {a} in {metric}",
    "headline by": "by {least} to {most} ({level} interval).",
    "headline open": "Not settled:",
    "headline open, rest": "{b} may be lower by {less} or higher by {more} ({level} interval).",
    "headline undefined": "Undefined:",
    "headline undefined, rest": "the difference of {b} and {a} cannot be judged.",
    "better one-sided": (
        "{winner} is better than {other} in {metric}, by {least} or more (one-sided {level} bound{at})."
    ),
    "differs one-sided": "{metric} of {b} is {alternative} than that of {a} (one-sided {level} bound{at}).",
    "one-sided open": "{metric} of {b} is not shown to be {alternative} than that of {a}.",
    "open": (
        "{a} and {b} are not told apart in {metric}: {b} {sign} {a} may be anything from {low} to {high}. That is not "
        "proof of equality."
    ),
    "at any time": " at any time",
    "may stop": " It holds however often you looked: you may stop here.",
    "look again": " Add rows and look again: the limits hold at all looks together.",
    "detectable": " A true {what} of {size} would be settled in 80 of 100 such test sets.",
    "no ratio": "{metric} of {a} is 0, so no ratio to it exists; compare by difference.",
    "not comparable": "{metric} is {lacking} for at least one of {a} and {b}, so they cannot be compared.",
    "equivalent": "{a} and {b} differ by less than {margin} in {metric}: shown to be equivalent.",
    "not shown equivalent": "{a} and {b} may differ by {margin} or more in {metric}: not shown to be equivalent.",
    "non-inferior": "{first} is not worse than {second} by {margin} or more in {metric}: shown to be non-inferior.",
    "not shown non-inferior": (
        "{first} may be worse than {second} by {margin} or more in {metric}: not shown to be non-inferior."
    ),
    "within": "The difference {b} − {a} in {metric} lies {bound}.",
    "not within": "The difference {b} − {a} in {metric} may not lie {bound}.",
    "settled count": "{settled} of the {size} pairs {have} a clear winner ({level}, {together}).",
    "settled short": "{settled} of the {size} pairs {have} a clear winner.",
    "with the best": "May be the best in {metric}: {names} ({level}, each with the best of the others).",
    "settled baseline": "{settled} of {size} {differ} clearly from {baseline} ({level}, {together}).",
    "all together": "all pairs together",
    "both pairs": "both pairs",
    "every pair": "all {size} pairs",
    "after Holm": "after Holm's adjustment",
    "each alone": "each pair on its own",
    "same for all": ("Sampled: {sampled}, the same for all{held}. Intervals hold together{at} at {level} ({pairs})."),
    "same for both": "Sampled: {sampled}, the same for both{held}. {level} interval{at} ({method}).",
    "different rows": "Sampled: {sampled} in all, different ones for each{held}. {level} interval{at} ({method}).",
    "same for all, single": "Sampled: {sampled}, the same for all{held}. {level} intervals{at}, each on its own.",
    "different for all": (
        "Sampled: {sampled}, different ones for each{held}. Intervals hold together{at} at {level} ({pairs})."
    ),
    "different for all, single": (
        "Sampled: {sampled}, different ones for each{held}. {level} intervals{at}, each on its own."
    ),
    "not settled": (
        "Not settled is not proof of equality. A true difference of {size} would be settled in 80 of 100 such "
        "test sets."
    ),
    "pairs on request": {
        "python": "All pairs: write('text', pairs=True).",
        "shell": "All pairs: --pairs.",
        "page": "",
    },
}

RANKINGS: dict[str, Entry] = {
    "tied, worse": "{tied} are tied; {rest} clearly worse ({metric} lower by {gap}).",
    "tied, worse, lower": "{tied} are tied; {rest} clearly worse ({metric} higher by {gap}).",
    "tied for best": "{tied} are tied for best in {metric}.",
    "all tied": "All {size} {among} are tied in {metric}.",
    "two tied": "{tied} are tied in {metric}.",
    "one best": "{best} is the best in {metric}: better than {next}, the next, by {gap}.",
    "no direction": "{metric} has no better direction, so no model is the best.",
    "undefined": "{metric} is undefined for {models}: not ranked.",
    "not equal": ("Tied is not equal: {first} may be better than {second} by up to {most}, or worse by up to {least}."),
    "not told apart": "{sampled} do not tell them apart. That is not proof of equality.",
    "between": (
        " Between {first} and {second}, a true difference of {size} would be settled in 80 of 100 such test sets."
    ),
    "would be settled": " A true difference of {size} would be settled in 80 of 100 such test sets.",
    "behind": "{model} is behind {beaten_by}, but not told apart from {open}.",
    "behind, more": "{models} are behind {first}, but not told apart from all that are tied with it.",
    "a line parts": "A line parts groups in which every pair is settled.",
    "a rank": "A rank of {rank} means: {words}, not settled.",
    "standing best": "best",
    "standing tied": "tied for best",
    "standing behind": "behind the first",
    "standing worse": "clearly worse",
    "standing undefined": "undefined",
    "standing none": "",
}

GATES: dict[str, Entry] = {
    "gate": "{verdict}: {sentence}",
    "gate bounds": "Sampled: {sampled}{held}. One-sided {level} bounds{at} {low} and {high} ({method}).",
    "at least, pass": "{what} is {value}. Even the lower bound, {low}, reaches {threshold}.",
    "at least, fail": "{what} is {value}. Even the upper bound, {high}, is below {threshold}.",
    "at least, inconclusive": (
        "{what} is {value}, but it may be as low as {low}: {sampled} do not show that it reaches {threshold}."
    ),
    "at least, inconclusive below": (
        "{what} is {value}, but it may be as high as {high}: {sampled} do not show that it misses {threshold}."
    ),
    "at most, pass": "{what} is {value}. Even the upper bound, {high}, stays within {threshold}.",
    "at most, fail": "{what} is {value}. Even the lower bound, {low}, is above {threshold}.",
    "at most, inconclusive": (
        "{what} is {value}, but it may be as high as {high}: {sampled} do not show that it stays within {threshold}."
    ),
    "at most, inconclusive above": (
        "{what} is {value}, but it may be as low as {low}: {sampled} do not show that it exceeds {threshold}."
    ),
    "baseline by": " by more than {margin}",
    "baseline, pass": (
        "{model} is not worse than {baseline} in {metric}{by}: the difference is {value}, {bound} at worst."
    ),
    "baseline, fail": "{model} is worse than {baseline} in {metric}{by}: the difference is {value}, {other} at best.",
    "baseline, inconclusive": (
        "{model} may be worse than {baseline} in {metric}{by}: the difference is {value}, {bound} at worst."
    ),
    "better by": " by at least {margin}",
    "better, pass": "{model} is better than {baseline} in {metric}{by}: the difference is {value}, {bound} at worst.",
    "better, fail": (
        "{model} is not better than {baseline} in {metric}{by}: the difference is {value}, {other} at best."
    ),
    "better, inconclusive": (
        "{model} is not shown to be better than {baseline} in {metric}{by}: the difference is {value}, {bound} at "
        "worst."
    ),
    "not judged": "{what} cannot be judged, and what cannot be judged fails.",
}

SLICES: dict[str, Entry] = {
    "gap": (
        "{metric}: gap between slices {gap} ({reach}), worst {worst} {value} ({worst_reach}); {level} intervals that "
        "hold together over {slices} slices"
    ),
    "slices differ": "The slices differ in {metric}: the true gap is at least {low}.",
    "slices may not": "The slices are not shown to differ in {metric}; a gap up to {high} is possible.",
    "the worst": "The worst slice: {worst}.",
    "any the worst": "Any of the {size} could be the worst.",
    "some the worst": "{names} could be the worst.",
}

PAGE: dict[str, Entry] = {
    "page decided": (
        "Whether two models are tied is decided by their difference on the same {unit}s, not by whether their bars "
        "overlap."
    ),
    "page lines": "Heavy lines part groups in which every pair is settled.",
    "page one pair, settled": "Difference in {metric}: settled",
    "page one pair, open": "Difference in {metric}: not settled",
    "page pairs": "Pairs in {metric}: {settled} of {size} {have} a clear winner",
    "page row against column": "Difference, row against column, on the same {sampled}.",
    "page together": "The {size} intervals hold together at {level}.",
    "page settled": "settled: zero is outside the interval",
    "page settled darker": "settled: the row is worse, by more the darker",
    "page open": "not settled: these {unit}s do not say which is better",
    "page independent": "{sampled}, taken as independent",
    "page held": "held fixed: {fixed}",
    "page grouped": "{sampled}, those of one {name} taken as alike",
    "page confused": "Most confused: {true} called {guess}, {rows} of {whole} {unit}s.",
    "page empty label": "(empty)",
    "page none confused": "No class was taken for another.",
    "page paper": ("On {sampled} of the test set, {models} ({level} {kind}, {methods}). {verdict}"),
    "page wide": "Best in bold. † clearly worse than the best (settled at {level}, all pairs together).",
}

BAYES: dict[str, Entry] = {
    "bayes": (
        "{metric}: {b} − {a} = {value}, {level} credible interval {reach}; {b} higher with probability {chance}{error}"
    ),
    "bayes decided": "{first} has the higher {metric} with probability {sure}.",
    "bayes open": "{first} has the higher {metric} with probability {sure}: not decided.",
    "bayes coin": "No decision: {b} has the higher {metric} with probability {sure}.",
    "bayes lower": " For {metric} lower is better.",
    "bayes alike": " They differ by at most {rope} with probability {sure}.",
    "bayes given": " Given the data and a prior of {prior} per cell; the two models are {how}.",
    "bayes independent": "taken as independent",
    "bayes paired": "paired row by row",
}

PHRASES: dict[str, Entry] = (
    ESTIMATES | FAMILIES | PAIRS | RANKINGS | GATES | SLICES | PAGE | BAYES
    | JUDGES | TASKS | PLANS | LABELLING | CURVES
    | COMPARISON_NOTES | ESTIMATE_NOTES | CV_NOTES | SOURCE_NOTES | CAPTIONS
)  # fmt: skip


def marked(name: str, /, **fields: Any) -> str:
    """Return a sentence that each door will say in its own words."""
    entry = PHRASES[name]
    if isinstance(entry, str):
        return entry.format(**fields)
    return by_door(**{door: text.format(**fields) for door, text in entry.items()})


def phrase(name: str, /, **fields: Any) -> str:
    """Return a sentence in the words of the door that is open.

    >>> phrase("all tied", size="three", among="models", metric="precision")
    'All three models are tied in precision.'
    """
    return said(marked(name, **fields))


def held(fixed: Sequence[str]) -> str:
    """Return what was held fixed, to stand after what was sampled.

    >>> held(["the models", "the labels"])
    '; held fixed: the models, the labels'
    """
    return phrase("held", fixed=", ".join(fixed)) if fixed else ""
