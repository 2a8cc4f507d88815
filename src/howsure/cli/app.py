"""The group of verbs, and what happens to errors: one clear line, exit code 2."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

import click

from howsure.cli import EXIT_CODES
from howsure.cli.output import obeyed_by_none, say, waiting
from howsure.cli.wording import options_of
from howsure.errors import HowsureError, Mention, nearest, speaking
from howsure.errors.messages import cli as messages
from howsure.version import __version__

# verb: (module, one line of help); the module is imported when the verb runs
VERBS = {
    "report": ("report", "Metrics with intervals from a file of predictions."),
    "counts": ("counts", "Metrics with intervals from four counts, or from a file of many."),
    "matrix": ("report", "Metrics with intervals from a confusion matrix in a CSV file."),
    "spans": ("spans", "Entity or chunk scores with intervals from a file of tags in columns."),
    "compare": ("compare", "Is one model better? Paired differences of a metric."),
    "gate": ("compare", "Pass, fail or inconclusive against a threshold or a baseline."),
    "curve": ("scores", "ROC, precision–recall, reliability or a metric over thresholds, with a band."),
    "calibration": ("scores", "How far probabilities can be taken at their word."),
    "threshold": ("scores", "The best threshold among those shown to reach a bound."),
    "choose": ("choose", "Which rows to label next, so that few labels say most."),
    "agreement": ("annotators", "How far annotators agree beyond chance, with an interval."),
    "rogan-gladen": ("annotators", "A rate corrected for a judge whose errors were measured elsewhere."),
    "plan": ("plan", "How many labelled rows are needed."),
    "reconstruct": ("reconstruct", "The counts behind a paper's rounded figures, and their intervals."),
    "bayes": ("papers.bayes", "The Bayes test, from the counts of cross-validation folds or from predictions."),
    "posterior": ("papers.posterior", "The posterior of a metric: credible intervals and its curve."),
    "cvtest": ("papers.folds", "The t and F tests from the scores of cross-validation folds."),
    "split": ("papers.folds", "A blocked m×2 cross-validation: which fold trains on which row."),
    "critical": ("papers.critical", "The critical value that makes several intervals hold together."),
    "papers": ("papers.papers", "The map of the five papers: each method, table and example, its command and ours."),
    "study": ("papers.study", "Each paper's tables, recomputed; or a coverage study."),
    "metrics": ("lists", "All metrics, with formula and range."),
    "methods": ("lists", "All interval methods, with citation and when not to use them."),
    "demo": ("demo", "The main job on the bundled example: a printed report and an HTML page."),
    "serve": ("serve", "The calculator and report page in your browser, on this machine only."),
}

INTERRUPTED = 130  # 128 + SIGINT, as shells count
SIGNATURE = f"howsure {__version__}\nhowsure|v={__version__}|python={sys.version.split()[0]}|platform={sys.platform}"
COMPLETION = 'completion: eval "$(_HOWSURE_COMPLETE=bash_source howsure)" (or zsh_source, fish_source)'


class Verbs(click.Group):
    """A group whose verbs are loaded when they run, with a suggestion for a misspelt one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        # our matrices are small: threads of the linear algebra library cost more than they save
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        command = getattr(import_module(f"howsure.cli.verbs.{VERBS[name][0]}"), name.replace("-", "_"))
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            raise click.UsageError(
                messages.NO_SUCH_VERB(args=args[0], hint=nearest(args[0], VERBS), verbs=", ".join(VERBS)), ctx
            )
        return super().resolve_command(ctx, args)

    def _words(self, ctx: click.Context, mention: Mention) -> str:
        return options_of(self.get_command(ctx, ctx.invoked_subcommand or ""))(mention)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl([(name, text) for name, (_, text) in VERBS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with (
                speaking(lambda mention: self._words(ctx, mention)),
                waiting("-q" in sys.argv or "--quiet" in sys.argv),
            ):
                return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except KeyboardInterrupt:
            click.echo("\nhowsure: stopped; nothing was left half written", err=True)
            ctx.exit(INTERRUPTED)
        except HowsureError as error:
            self._refuse(ctx, error.said(lambda mention: self._words(ctx, mention)))
        except OSError as error:
            self._refuse(ctx, str(error))

    def _refuse(self, ctx: click.Context, sentence: str) -> None:
        say(obeyed_by_none(f"howsure: {sentence}"), err=True)
        ctx.exit(2)


@click.group(
    cls=Verbs,
    epilog=f"{EXIT_CODES}\n\n{COMPLETION}",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "-V", "--version", message=SIGNATURE)
def howsure() -> None:
    """How sure are you of that score? Put a sound error bar on every classification metric."""
