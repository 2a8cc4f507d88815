"""The section of tasks on the page: the forest of the best model, and of the first two against each other."""

from __future__ import annotations

import math

from howsure.comparisons.tasks.forest import forest
from howsure.estimates.estimate import default_metrics
from howsure.reports.boards.verdicts import metrics_in_order
from howsure.reports.page.section import Section
from howsure.results.estimate import Report
from howsure.results.sentences.phrases import phrase
from howsure.tables.table import Table


def tasks_section(table: Table, report: Report) -> Section | None:
    """Return the forests of the first metric: of the best model, and of the first two against each other."""
    metric = next((one for one in report.asked if one.name == metrics_in_order(report)[0]), default_metrics(table)[0])
    rows = sorted((row for row in report.rows if row.metric == metric.name), key=lambda row: -row.value)
    if metric.better == "lower":
        rows.reverse()
    if not rows or not math.isfinite(rows[0].value):
        return None
    made = [forest(table, metric, model=rows[0].model, level=report.level)]
    if len(rows) > 1 and metric.better is not None and math.isfinite(rows[1].value):
        made.append(forest(table, metric, a=rows[1].model, b=rows[0].model, level=report.level))
    lead = " ".join(one.sentence for one in made)
    title = phrase("page tasks", metric=made[0].said, size=len(made[0].rows))
    return Section("tasks", title, lead, "".join(str(one.write("drawing")) for one in made))
