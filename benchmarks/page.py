"""Write the page from the stored results."""

from __future__ import annotations

import textwrap
from pathlib import Path

from clock import figure
from machine import peers
from record import Cell, Part, Section, load

PARTS = {
    "memory": "Counting, against reading the bytes",
    "libraries": "Counting, against scikit-learn",
    "engines": "Counting, against other ways to count",
    "reports": "Reports, against one score",
    "sorts": "Many models, classes, calls and slices, against one sort",
    "growth": "Growth of the cost",
    "many_classes": "Very many classes",
    "judges": "Rows with a judge, against a second model",
    "scores": "Scores, against one sort",
    "parquet": "Files larger than memory",
    "intervals": "Intervals, against other packages",
    "answers": "Are the other packages' intervals right?",
    "coverage_of_peers": "How often 95 % intervals hold the truth",
    "resamples": "Bootstrap, against scipy",
    "quantiles": "Joint critical value, against R",
}
"""The scripts in the order of the page, with their headings."""

HEAD = """# Benchmarks

This page is made by `make bench`; its numbers are in `benchmarks/results`.

Everything here is a ratio of two things measured in one run, in turn and in changing order (where not, the section says
so). Seconds would say more about the machine than about the packages. Times are elapsed times, each library using the
cores as it does, except where a section says CPU time.

A ratio is that of the two medians over the rounds. "Middle half" is where the ratios of the single rounds lie, the
highest and the lowest quarter left out. These are two summaries of the same rounds: with few rounds on a busy machine
the first may lie a little outside the second. After a round to warm up there are as many rounds as fit in a given time,
3 to 25: of the slowest jobs, such as `f1_score` on ten million rows, three or a few more. Counting against reading has
15 to 75 rounds, starting up 11.
"""


def render(folder: Path) -> str:
    """Return the page made of the results in ``folder``."""
    parts = {name: load(name, folder) for name in PARTS}
    found = [part for part in parts.values() if part is not None]
    missing = [PARTS[name] for name, part in parts.items() if part is None]
    blocks = [HEAD, *_machine(found), *_targets(found)]
    for part in found:
        blocks += [f"## {PARTS[part.name]}\n", *(block for section in part.sections for block in _section(section))]
    if missing:
        blocks.append(f"Not run yet: {'; '.join(missing)}.\n")
    return "\n".join(blocks)


def _machine(parts: list[Part]) -> list[str]:
    if not parts:
        return []
    described = dict(parts[-1].machine)
    loads = [float(part.machine["load at the start"]) for part in parts]
    described["load at the start"] = f"{min(loads):.1f} to {max(loads):.1f}, over the {len(parts)} parts"
    absent = [name for name in peers() if described.get(name) == "not installed"]
    lines = ["## The machine\n", table(["", ""], [[name, value] for name, value in described.items()])]
    differing = sorted({name for part in parts for name in described if _differs(part, parts[-1], name)})
    if differing:
        lines.append(f"Some parts were measured earlier, with another version of: {', '.join(differing)}.\n")
    if absent:
        lines.append(f"Could not be installed here and is left out: {', '.join(absent)}.\n")
    return lines


def _differs(part: Part, last: Part, name: str) -> bool:
    return name != "load at the start" and part.machine.get(name) != last.machine.get(name)


def _targets(parts: list[Part]) -> list[str]:
    targets = [target for part in parts for target in part.targets]
    if not targets:
        return []
    missed = [target for target in targets if not target.reached]
    rows: list[list[Cell]] = [
        [
            target.name,
            f"{target.wants} {target.limit:g}",
            target.ratio,
            target.spread,
            "yes" if target.reached else "**no**",
        ]
        for target in targets
    ]
    summary = f"{len(targets) - len(missed)} of {len(targets)} targets are reached."
    columns = ["", "target", "measured", "middle half", "reached"]
    misses = [table(columns, [row for row in rows if row[-1] != "yes"])] if missed else ["None.\n"]
    return [
        *("## Missed\n", f"{summary} Those that are not:\n", *misses),
        *("## Targets\n", "All that was asked for, beside what was measured.\n", table(columns, rows)),
    ]


def _section(section: Section) -> list[str]:
    blocks = [f"### {section.title}\n", _paragraph(section.text), table(section.columns, section.rows)]
    return [*blocks, _paragraph(section.after)] if section.after else blocks


def _paragraph(text: str) -> str:
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False) + "\n"


def table(columns: list[str], rows: list[list[Cell]]) -> str:
    """Return a table in Markdown."""
    lines = [columns, ["---"] * len(columns), *([_cell(value) for value in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _cell(value: Cell) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return figure(value)
    return f"{value:,}" if isinstance(value, int) else value
