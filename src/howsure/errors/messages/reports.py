"""What writers and figures refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# reports/boards/verdicts
BASELINE_ONE_OF_MODELS_OF_REPORT = Sentence(
    "{arg:baseline} is {baseline!r}; it must be one of the models of the report, {models}.{hint}"
)

# reports/figures/canvas
FIGURE_IS_WRITTEN = Sentence("a figure is written as one of {metadata}; change its ending")
DRAWING_FIGURE = Sentence("drawing a figure")

# reports/figures/densities
LAWS_IS_EMPTY = Sentence("laws is empty; give at least one posterior by its name")
TESTS_IS_EMPTY = Sentence("tests is empty; a figure needs at least one Bayes test")
TEST_WAS_READ_FROM_FILE = Sentence(
    "this test was read from a file and no longer knows its posteriors; test again to draw it"
)

# reports/figures/intervals
REPORT_HAS_NO_ROWS = Sentence("report has no rows; a figure needs at least one estimate")
METRICS_HOLDS_REPORT = Sentence("{arg:metrics} holds {name!r}; the report has {known}.{hint}")

# reports/figures/matrix
TABLE_CELLS_INTERVALS_NEED_INDEPENDENT_ROWS = Sentence(
    "table has {what}; the cells' intervals need independent rows with one label each"
)
TABLE_CLASSES_MATRIX_OF_MORE = Sentence(
    "table has {number} classes; a matrix of more than {most_classes} cannot be read"
)
MODEL_IS_MISSING = Sentence("{arg:model} is missing; the table has {models}: name one")
TABLE_HAS_NO_TRUE_NEGATIVES = Sentence(
    "table has no true negatives; the matrix has a cell that was not counted: give tn"
)
SEVERAL_LABELS_PER_ROW = Sentence("several labels per row")

# reports/figures/sizes
STUDY_HAS_NO_ROWS = Sentence("the study has no rows; a figure needs at least one")

# reports/frames
TO_FRAME = Sentence("to_frame()")
ONE_OF_BACKENDS = Sentence("it must be one of {backends}")

# reports/page/page
REPORT_PAGE = Sentence("the report page")
