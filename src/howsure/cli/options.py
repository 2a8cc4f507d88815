"""Options that several verbs share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from glob import has_magic, iglob
from typing import Any, TypeVar, cast

import click

from howsure.cli.loading import load_arrays
from howsure.errors.messages import cli as messages

Command = TypeVar("Command", bound=Callable[..., Any])
FORMATS = ("text", "json", "csv", "md", "latex", "html", "tex-macros")
OUTPUTS = {"output": "--output", "html": "--html", "figure": "--plot", "plot_matrix": "--plot-matrix"}
ENDINGS = {".json": "json", ".csv": "csv", ".md": "md", ".tex": "latex", ".html": "html", ".htm": "html"}
FIGURES = (".svg", ".pdf", ".png")
SIDES = ("both", "lower", "upper")
CREDIBLE = ("beta", "hdi", "bayes", "dirichlet")


class OneOf(click.Choice[str]):
    """A choice that suggests the nearest of its names."""

    def fail(self, message: str, param: click.Parameter | None = None, ctx: click.Context | None = None) -> Any:
        from howsure.errors import nearest

        given = message.partition("' is not one of ")[0].lstrip("'")
        super().fail(f"{message}{nearest(given, map(str, self.choices))}", param, ctx)


class FigureFile(click.Path):
    """A file to draw into; an ending that no figure has is refused before anything is computed."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value).lower().endswith(FIGURES):
            self.fail(f"{value!r} must end in {', '.join(FIGURES[:-1])} or {FIGURES[-1]}", param, ctx)
        return super().convert(value, param, ctx)


def together(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Return one decorator from several options, shown in their order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def in_percent(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    """Let every share of this run be shown as a percentage."""
    from howsure.results.words import percent_style

    if wanted:
        ctx.with_resource(percent_style())


def parted(text: str) -> list[str]:
    """Return names that are parted by commas; commas inside brackets do not part.

    >>> parted("tversky(0.8,0.2),f1,f1[a,b]")
    ['tversky(0.8,0.2)', 'f1', 'f1[a,b]']
    """
    depth, parts = 0, [""]
    for mark in text:
        depth += (mark in "([") - (mark in ")]")
        if mark == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += mark
    return [part.strip() for part in parts if part.strip()]


def each_metric(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> tuple[Any, ...]:
    """Return metrics by their names, parted by commas or not, and those of package:name themselves."""
    from howsure.cli.own_metric import own_metric

    return tuple(own_metric(name) for text in texts for name in parted(text))


def one_metric(ctx: click.Context, param: click.Parameter, text: str | None) -> Any:
    """Return a metric's name, or of package:name the metric itself."""
    from howsure.cli.own_metric import own_metric

    return None if text is None else own_metric(text)


def form_of_output(ctx: click.Context, param: click.Parameter, form: str) -> str:
    """Return the form asked for; where none is, that of the ending of the file to be written."""
    told = ctx.get_parameter_source(str(param.name)) is not click.core.ParameterSource.DEFAULT
    ending = os.path.splitext(ctx.params.get("output") or "")[1].lower()  # what is given is read before what is not
    return form if told else ENDINGS.get(ending, form)


def sparing_inputs(command: Command) -> Command:
    """Return a verb that refuses to write over what it reads, or twice into one file, before it does anything."""

    @wraps(command)
    def guarded(*arguments: Any, **options: Any) -> Any:
        _spare_inputs(options)
        load_arrays()
        return command(*arguments, **options)

    return cast(Command, guarded)


def _spare_inputs(options: dict[str, Any]) -> None:
    given = {name: options[name] for name in OUTPUTS if options.get(name) is not None}
    written = {name: path for name, path in given.items() if os.path.isfile(path) or not os.path.exists(path)}
    inputs = [value for name, value in options.items() if name not in OUTPUTS]
    for name, path in written.items():
        clash = next((one for one in _files_among(inputs) if same_file(one, path)), None)
        if clash is not None:
            raise click.UsageError(messages.OUTPUT_IS_AN_INPUT(outputs=OUTPUTS[name], path=path, clash=clash))
        twice = next((other for other in written if other != name and same_file(written[other], path)), None)
        if twice is not None:
            raise click.UsageError(
                messages.OUTPUTS_ARE_BOTH(outputs=OUTPUTS[name], other_outputs=OUTPUTS[twice], path=path)
            )


def same_file(one: str, other: str) -> bool:
    """Say whether two paths lead to one file, links followed, be it there already or not."""
    if os.path.exists(one) and os.path.exists(other):
        return os.path.samefile(one, other)
    return os.path.realpath(one) == os.path.realpath(other)


def _files_among(values: Iterable[Any]) -> Iterator[str]:
    """Yield the files that arguments stand for: those that are there, in folders, or match a pattern."""
    texts = (text for value in values for text in (value if isinstance(value, tuple) else (value,)))
    for text in texts:
        if not isinstance(text, str) or not text:
            continue
        if os.path.isdir(text):
            yield from (os.path.join(folder, name) for folder, _, names in os.walk(text) for name in names)
        elif os.path.exists(text):
            yield text
        elif has_magic(text):
            yield from iglob(text, recursive=True)


output_options = together(
    sparing_inputs,
    click.option(
        "--format", "format_", type=OneOf(FORMATS), default="text", show_default=True, callback=form_of_output,
        help=r"Output form. latex needs \usepackage{booktabs}; tex-macros names each number for running text.",
    ),
    click.option(
        "-o", "--output", type=click.Path(dir_okay=False),
        help="Write to this file instead of the screen. Without --format its ending says the form: .html, .csv, .json, "
        ".md, .tex.",
    ),
    click.option("-q", "--quiet", is_flag=True, help="Leave out notes and what was guessed."),
    click.option(
        "-v", "--verbose", is_flag=True, help="All notes: critical values, design effects, degrees of freedom."
    ),
    click.option(
        "--percent", is_flag=True, expose_value=False, is_eager=True, callback=in_percent, help="Shares as percent."
    ),
)  # fmt: skip
level_option = click.option("--level", type=float, default=0.95, show_default=True, help="Level of the intervals.")


def _checked_seed(ctx: click.Context, param: click.Parameter, seed: int) -> int:
    """Refuse a bad seed also where nothing random will happen, as every verb does."""
    from howsure.errors import check_seed

    return check_seed(seed)


seed_option = click.option(
    "--seed", type=int, default=0, show_default=True, callback=_checked_seed, help="Seed of anything random."
)
undefined_option = click.option(
    "--undefined",
    type=OneOf(("nan", "skip", "zero")),
    default="nan",
    show_default=True,
    help="What an average does with a class that is 0/0.",
)
statistics_options = together(
    level_option,
    click.option("--method", help="Interval method; see 'howsure methods'. Default: the metric's own."),
    click.option("--prior", type=float, help="For the methods beta, hdi and bayes: prior mass per cell."),
    click.option(
        "--resamples", type=int, help="For the method bootstrap: how many; 9999 unless given, or fewer that do."
    ),
    click.option(
        "--resampling",
        type=OneOf(("percentile", "basic", "bca", "studentised")),
        help="For the method bootstrap: kind of limits; bca unless given.",
    ),
    seed_option,
    undefined_option,
)
data_options = together(
    click.option("--truth", help="Column of true labels."),
    click.option(
        "--annotator", "annotators", multiple=True,
        help="Column of one annotator's labels, in place of --truth; repeat for each.",
    ),
    click.option(
        "--consensus", type=OneOf(("majority", "mean", "others")),
        help="Of several annotators: their majority (the default), the mean over them, each beside the others.",
    ),
    click.option("--ties", type=OneOf(("split", "drop")), help="Rows without a majority: in parts, or left out."),
    click.option(
        "--annotators", "annotators_are", type=OneOf(("fixed", "random")),
        help="These very annotators (the default), or a sample of such.",
    ),
    click.option(
        "--pred", "predictions", multiple=True,
        help="Column of predicted labels; repeat for several models. Several runs of a model: 'bert=bert_*' or "
        "bert=one,two.",
    ),
    click.option(
        "--score", "scores", multiple=True,
        help="Column of scores; repeat for several models. A score for each class: 'net=net_*'.",
    ),
    click.option(
        "--judge", multiple=True,
        help="Column of a judge's answers in every row; --truth is then blank where nobody looked. Repeat for several.",
    ),
    click.option("--threshold", type=float, help="Threshold of the scores for metrics of labels that name none."),
    click.option("--id", "id_", help="Column that identifies rows; several files are aligned by it."),
    click.option("--group", help="Column of what belongs together: patient, document, speaker."),
    click.option("--weight", help="Column of sampling weights."),
    click.option("--strata", help="Column of parts of a pool labelled apart; with --share, --pool or --weight."),
    click.option("--share", "shares", multiple=True, metavar="STRATUM=SHARE", help="Share of the pool; repeat."),
    click.option(
        "--pool", "pool", multiple=True, metavar="STRATUM=ROWS",
        help="Rows in the pool; repeat. Without --strata the strata are the predicted classes.",
    ),
    click.option("--value", "values", multiple=True, help="Column of a number per row; repeat for several models."),
    click.option("--range", "range_", type=float, nargs=2, metavar="LOW HIGH", help="Ends of what values can be."),
    click.option("--better", type=OneOf(("higher", "lower")), help="Which way values, or a ratio of sums, are better."),
    click.option(
        "--model-column", help="Long table: column of models; with --id and --correct, --value, or --truth and --pred."
    ),
    click.option("--correct", help="Long table: column that says whether an answer is right."),
    click.option("--run", help="Long table: column of runs of a model: training seeds, prompts, readers."),
    click.option("--runs", type=OneOf(("random", "fixed")), help="Runs are a sample (default), or these very ones."),
    click.option("--paired-runs", is_flag=True, help="All models share their runs: the same prompts or readers."),
    click.option("--unit", help="Column of units (image, utterance) whose --sum columns are added up."),
    click.option("--sum", "sums", multiple=True, help="Column of a sum per unit, also as model_sum; repeat."),
    click.option(
        "--task", is_flag=False, flag_value="", metavar="[COLUMN]",
        help="Column of tasks (data sets); without a column, after FILES, each file or subfolder is a task.",
    ),
    click.option(
        "--tasks", type=OneOf(("fixed", "random")), default="fixed", show_default=True,
        help="These very tasks are meant, or they are a sample of tasks like these.",
    ),
    click.option(
        "--task-weights", multiple=True, metavar="equal|size|TASK=WEIGHT",
        help="How much tasks count: equal (default), by size, or a number for each; repeat.",
    ),
    click.option("--separator", help="Mark between several labels in one cell of --truth and --pred."),
    click.option("--pos-label", help="The positive class."),
    click.option("--labels", help="All labels, separated by commas, in order."),
    click.option(
        "--on-bad", type=OneOf(("refuse", "skip")), default="refuse", show_default=True,
        help="What to do with bad rows.",
    ),
    click.option("--abstain", help="The label that a missing prediction counts as."),
    click.option("--input-format", help="Format of the files, where their ending does not say it."),
    click.option("--memory", help="Most memory that reading may take, such as 400MB."),
    click.option("--threads", type=click.IntRange(1, 1024), help="Most threads that reading may take."),
    click.option("--partitions", is_flag=True, help="Read folders named column=value as columns too."),
)  # fmt: skip
plot_option = click.option(
    "--plot", "figure", type=FigureFile(dir_okay=False), help="Draw a figure into this file (svg, png, pdf)."
)
metric_option = click.option(
    "-m", "--metric", "metrics", multiple=True, callback=each_metric,
    help="Metrics, separated by commas or repeated; 'all' shows all of the usual ones. Default: the usual ones.",
)  # fmt: skip
names_option = click.option(
    "--names", type=OneOf(("usual", "medical")), default="usual", show_default=True,
    help="Which words the default metrics have: recall or sensitivity, precision or PPV.",
)  # fmt: skip


def chosen_method(options: dict[str, Any]) -> Any:
    """Return the method of a name, with its own options and the seed."""
    method, seed = options["method"], options["seed"]
    _only(options, ("resamples", "resampling"), method, ("bootstrap",))
    _only(options, ("prior",), method, CREDIBLE)
    if method == "bootstrap":
        from howsure.estimates.methods.bootstrap import Bootstrap

        return Bootstrap(options["resamples"], options["resampling"] or "bca", seed)
    if options["prior"] is not None:
        from howsure.estimates.methods.credible import Bayes

        return Bayes(options["prior"], "hdi" if method == "hdi" else "equal", seed=seed)
    return method


def _only(options: dict[str, Any], names: tuple[str, ...], method: str | None, methods: tuple[str, ...]) -> None:
    for name in names:
        if options[name] is not None and method not in methods:
            raise click.UsageError(messages.GOES_WITH_METHOD(name=name, methods=" or ".join(methods)))


def given(options: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Return the options that were given."""
    found = {name: options[name] for name in names}
    return {name: value for name, value in found.items() if value is not None and value is not False and value != ()}


def refuse(options: dict[str, Any], names: tuple[str, ...], question: str) -> None:
    """Refuse an option that the question has no use for, rather than ignore it."""
    for name in given(options, names):
        command = click.get_current_context().command
        option = next((max(param.opts, key=len) for param in command.params if param.name == name), f"--{name}")
        raise click.UsageError(messages.DOES_NOT_GO_WITH_QUESTION(option=option, question=question))
