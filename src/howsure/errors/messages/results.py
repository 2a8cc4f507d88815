"""What results refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# results/class_counts
CLASSES_MATCH_ASK = Sentence("{index!r}: {number} classes match; ask for (model, label)")

# results/comparison
NOT_PAIR_OF_COMPARISON = Sentence("{index!r} is not a pair of this comparison; pairs are (a, b) for b − a")

# results/covariance
NOT_AMONG_LABELS = Sentence("{label!r} is not among the labels {labels}")
RESULT_NO_LONGER_KNOWS_ROWS_CAME = Sentence(
    "this result no longer knows the rows that it came from, so its covariance is unknown; make it again from the table"
)

# results/coverage
ROWS_MATCH_ASK = Sentence("{index!r}: {number} rows match; ask for (method, n), or use where()")

# results/estimate
ESTIMATE_IS_ONE_OF_SEVERAL = Sentence(
    "{arg:{name}} is {value!r}, and this estimate is one of several that hold together: none can be asked again "
    "alone; ask for all of them, report(…, joint=True, {name}={value!r})"
)
ESTIMATE_CAME_FROM_FILE_OR_ANOTHER = Sentence(
    "this estimate came from a file or another process and no longer knows its table; estimate it again"
)
ROWS_OF_REPORT_MATCH = Sentence("{index!r}: {number} rows of the report match; ask for (model, metric)")

# results/plans/plan
PLAN_CAME_FROM_ANOTHER_PROCESS = Sentence(
    "this plan came from another process and no longer knows its curve; plan it again"
)

# results/quantity
FIELDS_VALUES_WERE_GIVEN = Sentence("{kind} has {number} fields, and {number_of_values} values were given")
NO_FIELD_IS_NOT_GIVEN_YET = Sentence("{kind} has no field {wrong} that is not given yet")
FIELDS_ARE_MISSING = Sentence("{kind} needs {missing} too")

# results/reconstruction
RECONSTRUCTION_CAME_FROM_ANOTHER_PROCESS = Sentence(
    "this reconstruction came from another process and no longer knows its intervals; make it again"
)

# results/tasks/forest
NO_LINE_OF_FOREST = Sentence("{index!r} is no line of this forest; lines are {rows}")
